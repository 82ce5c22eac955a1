"""`uriparse get`: parts of references, in lines of any form."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from uriparse.cli import template
from uriparse.cli.parsers import add_query_reading, add_sources, query_reading
from uriparse.cli.per_line import add_options, for_each, marker, shown
from uriparse.parsing import parse
from uriparse.parsing.parser import REFERENCE_RULES
from uriparse.percent import query_pairs

if TYPE_CHECKING:
    from uriparse.cli.console import Console

NAME = "get"
HELP = "write parts of references, a line each, by a template such as '{host} {port|443}'"
GROUP = "read"
EXAMPLES = (
    r"uriparse get -f '{host}\t{query[q]|none}' < urls.txt",
    "uriparse get -f '{effective_port} {segments[-1]}' https://example.com/a/b",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_sources(parser, "uri", "URI")
    parser.add_argument(
        "-f",
        "--format",
        required=True,
        type=_template,
        metavar="TEMPLATE",
        help="{NAME}, {NAME|DEFAULT} where it is absent, {query[KEY]} for its first value, decoded,"
        f" {{segments[N]}}; names: {', '.join(template.FIELDS)}; {{{{ and }}}} for braces,"
        r" \t and \n",
    )
    add_query_reading(parser)
    add_options(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the line of each reference; 1 if some were invalid."""
    plus, separator = query_reading(args)
    pairs = partial(query_pairs, plus=plus, separator=separator)

    def answer(text: str) -> None:
        reference = parse(text, REFERENCE_RULES[args.grammar], grammar=args.grammar)
        fit = shown(reference, console)
        if args.json:
            fields = [part for part in args.format if not isinstance(part, str)]
            values = {field.written: field.value(fit, pairs) for field in fields}
            console.json({**console.place, "text": str(fit), "valid": True, "fields": values})
        else:
            console.line(template.filled(args.format, fit, pairs))

    return for_each(args.uri, console, answer, refused=marker(console))


def _template(text: str) -> template.Template:
    try:
        return template.read(text)
    except template.TemplateError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
