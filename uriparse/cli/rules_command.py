"""`uriparse rules`: the rules that `tree` and `parse` can start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import grammars, rules

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console

NAME = "rules"
HELP = "list the rules of a grammar, in the RFC's order and spelling"
GROUP = "grammars"
EXAMPLES = (
    "uriparse rules",
    "uriparse rules --grammar rfc1738",
)
EXITS = {0: "told"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--grammar",
        choices=grammars(),
        default="rfc3986",
        metavar="NAME",
        help=f"one of {', '.join(grammars())} (default: rfc3986)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON array")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write one name a line."""
    names = rules(args.grammar)
    if args.json:
        console.json(names)
    else:
        console.out("\n".join(names))
    return 0
