"""`uriparse resolve`: what references mean at their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli import rfc2396_resolution
from uriparse.cli.parsers import RESULTS_WHOLE, add_sources
from uriparse.cli.per_line import add_options, answer_each, made, read_option
from uriparse.resolution import resolve

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console
    from uriparse.parsing import Record

NAME = "resolve"
HELP = "resolve references against a base URI (RFC 3986 section 5.2)"
GROUP = "write"
EXAMPLES = (
    "uriparse resolve --base http://example.com/a/b ../c",
    "uriparse resolve --base http://example.com/ < links.txt",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_sources(parser, "ref", "REF")
    parser.add_argument("--base", required=True, metavar="URI", help="with a scheme")
    parser.add_argument(
        "--non-strict", action="store_true", help="ignore a scheme that is the base's (http:g)"
    )
    add_options(parser, RESULTS_WHOLE)
    rfc2396_resolution.add_arguments(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the target of each reference; 1 if some were invalid."""
    if rfc2396_resolution.concerns(args):
        return rfc2396_resolution.run(args, console)
    base = read_option("--base", args.base, args, console)

    def answer(reference: Record) -> tuple[str, dict[str, object]]:
        target = resolve(base, reference, strict=not args.non_strict)
        written = str(made(target, console))
        return written, {"target": written}

    return answer_each(args.ref, args, console, answer)
