"""The sub-commands that have a module of their own."""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from typing import TYPE_CHECKING, Protocol

from abnf2lark.subcommands import diff, extract, lint, railroad, show

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable


class Subcommand(Protocol):
    """What the module of a sub-command holds."""

    NAME: str
    HELP: str
    DESCRIPTION: str
    EXAMPLES: str

    def add_arguments(self, parser: ArgumentParser, /) -> None:
        """Declare the arguments."""

    def run(self, options: Namespace, /) -> int:
        """Do the work; return the exit code."""
        ...


SUBCOMMANDS: tuple[Subcommand, ...] = (lint, railroad, extract, diff, show)


def register(add_parser: Callable[..., ArgumentParser]) -> None:
    """Add the sub-commands to the command."""
    for one in SUBCOMMANDS:
        parser = add_parser(
            one.NAME,
            help=one.HELP,
            description=one.DESCRIPTION,
            epilog=f"examples:\n{one.EXAMPLES}",
            formatter_class=RawDescriptionHelpFormatter,
        )
        one.add_arguments(parser)
        parser.set_defaults(run=one.run)
