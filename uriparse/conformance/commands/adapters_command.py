"""`uriparse conformance adapters`: programs in other languages that put a parser on trial."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from uriparse.cli.console import UsageError
from uriparse.conformance.commands.suite_command import add_output, output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from uriparse.cli.console import Console

NAME = "adapters"
HELP = "write a program in another language that tests a parser"
EXAMPLES = (
    "uriparse conformance adapters list",
    "uriparse conformance adapters write go --out judge.go",
)
EXITS = {0: "written"}

_COMMAND: Final = "uriparse conformance trial --hex "

# Kept as text: as programs they would be checked, formatted and run as parts of this library.
_HOME: Final = Path(__file__).parent.parent / "adapters"


def languages() -> list[str]:
    """Return the languages that there are adapters for."""
    return sorted(path.stem for path in _HOME.glob("*.txt"))


def adapter(language: str) -> str:
    """Return the adapter of a language: a program, with the command that runs it at its head."""
    return (_HOME / f"{language}.txt").read_text(encoding="ascii")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=("list", "write"), help="list all, or write one")
    parser.add_argument(
        "language", nargs="?", metavar="LANGUAGE", help=f"one of {', '.join(languages())}"
    )
    add_output(parser)


def run(args: argparse.Namespace, _: Console) -> int:
    """List the adapters with their commands, or write one."""
    if args.action == "list" and args.language is not None:
        raise UsageError("list takes no language; to write an adapter: write LANGUAGE")
    if args.action == "write" and args.language not in languages():
        raise UsageError(f"write takes a language: {', '.join(languages())}")
    with output(args) as begin:
        begin().write(adapter(args.language) if args.action == "write" else "".join(_listed()))
    return 0


def _listed() -> Iterator[str]:
    widest = max(map(len, languages()))
    for name in languages():
        found = next(line for line in adapter(name).splitlines() if _COMMAND in line)
        yield f"{name:<{widest}}  {found.strip('-/%#* ')}\n"  # a comment at its head
