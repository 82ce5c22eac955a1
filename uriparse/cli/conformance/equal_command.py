"""`uriparse conformance equal`: whether two rules match the same texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import grammars

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console

NAME = "equal"
HELP = "tell whether two rules match the same texts, and what tells them apart"
EXAMPLES = (
    "uriparse conformance equal rfc3986:scheme rfc2396:scheme",
    "uriparse conformance equal own.abnf:host rfc3986:host",
)
EXITS = {0: "both take the same texts", 1: "they do not"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    for name in ("left", "right"):
        about = "a rule of a file of ABNF, or of a shipped grammar, such as rfc3986:URI"
        parser.add_argument(name, metavar="GRAMMAR:RULE", help=about)
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        choices=grammars(),
        metavar="NAME",
        help="take rules that are not defined from this grammar",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Compare two rules; 0 if they are equal, 1 if not."""
    from uriparse.conformance.sources import compared_rules

    equal, lines = compared_rules(args.left, args.right, args.imports)
    for line in lines:
        console.out(line)
    return 0 if equal else 1
