"""`uriparse conformance PART`: suites for rules, and what is made of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from uriparse.conformance.commands import PARTS

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.commands import CommandModule
    from uriparse.cli.console import Console


NAME = "conformance"
HELP = "make test suites for a rule, and test parsers with them"
GROUP = "grammars"
EXAMPLES = (
    "uriparse conformance suite --rule host > host.ndjson",
    "uriparse conformance coverage urls.txt",
)
EXITS = {0: "all as it should be", 1: "something is not"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the parts, each with its arguments."""
    parts = parser.add_subparsers(metavar="PART", required=True)
    for name in PARTS:
        module = import_module(f"uriparse.conformance.commands.{name.replace('-', '_')}_command")
        part = cast("CommandModule", module)
        own = parts.add_parser(name, help=part.HELP, description=part.HELP)
        part.add_arguments(own)
        own.set_defaults(part=part, command=f"{NAME} {part.NAME}")


def run(args: argparse.Namespace, console: Console) -> int:
    """Run the part that is named."""
    code: int = args.part.run(args, console)
    return code
