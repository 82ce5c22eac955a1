"""`uriparse normalize`: the one way to write each reference."""

import argparse

from uriparse.cli.arguments import RESULTS_WHOLE, add_sources, flag
from uriparse.cli.console import Console
from uriparse.cli.per_line import add_jobs, add_options, make_each
from uriparse.iri import iri_to_uri, uri_to_iri
from uriparse.normalization import compose_characters, normalize
from uriparse.parsing import Record

NAME = "normalize"
HELP = "print the normal form of URIs (RFC 3986 section 6.2)"
GROUP = "write"
EXAMPLES = (
    "uriparse normalize 'HTTP://Example.com/%7Eu/../v'",
    "sort -u urls.txt | uriparse normalize --level syntax",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_sources(parser, "uri", "URI")
    text = "syntax: keep default ports"
    parser.add_argument("--level", choices=("syntax", "scheme"), default="scheme", help=text)
    flag(parser, "--nfc", help="compose the characters of IRIs")
    text = "map IRIs to URIs, or the reverse, with DNS names in that form (RFC 3987 section 3)"
    parser.add_argument("--to", choices=("uri", "iri"), help=text)
    add_options(parser, RESULTS_WHOLE)
    add_jobs(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the normal form of each reference; 1 if some were invalid."""
    passes = [compose_characters] if args.nfc else []

    def make(reference: Record) -> Record:
        normal = normalize(reference, args.level, passes=passes)
        if args.to is None:
            return normal
        uri = iri_to_uri(normal, idna=True)
        return uri if args.to == "uri" else uri_to_iri(uri, idna=True)

    return make_each(args.uri, args, console, make, "normal", changes=True)
