"""`uriparse normalize`: the one way to write each reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.arguments import RESULTS_WHOLE, add_sources, flag
from uriparse.cli.per_line import add_options, make_each
from uriparse.normalization import compose_characters, normalize

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console
    from uriparse.parsing import Record

NAME = "normalize"
HELP = "print the normal form of URIs (RFC 3986 section 6.2)"
GROUP = "write"
EXAMPLES = (
    "uriparse normalize 'HTTP://Example.com/%7Eu/../v'",
    "sort -u urls.txt | uriparse normalize --level scheme",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_sources(parser, "uri", "URI")
    parser.add_argument(
        "--level", choices=("syntax", "scheme"), default="syntax", help="scheme: default ports too"
    )
    flag(parser, "--nfc", help="compose the characters of IRIs")
    add_options(parser, RESULTS_WHOLE)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the normal form of each reference; 1 if some were invalid."""
    passes = [compose_characters] if args.nfc else []

    def make(reference: Record) -> Record:
        return normalize(reference, args.level, passes=passes)

    return make_each(args.uri, args, console, make, "normal", changes=True)
