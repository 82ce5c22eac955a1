"""`uriparse relativize`: how targets can be written, seen from a base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.parsers import RESULTS_WHOLE, add_sources
from uriparse.cli.per_line import add_options, answer_each, made, read_option
from uriparse.resolution import relativize

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console
    from uriparse.parsing import Record

NAME = "relativize"
HELP = "write URIs as the shortest references that resolve to them"
GROUP = "write"
EXAMPLES = (
    "uriparse relativize --base http://h/a/b http://h/a/c",
    "uriparse relativize --base http://h/ < urls.txt",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_sources(parser, "uri", "URI")
    parser.add_argument("--base", required=True, metavar="URI", help="with a scheme")
    add_options(parser, RESULTS_WHOLE)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write a reference to each target; 1 if some were invalid or had no scheme."""
    base = read_option("--base", args.base, args, console)

    def answer(target: Record) -> tuple[str, dict[str, object]]:
        reference = str(made(relativize(base, target), console))
        return reference, {"reference": reference}

    return answer_each(args.uri, args, console, answer, absolute=True)
