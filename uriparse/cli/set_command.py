"""`uriparse set`: references with some of their parts exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from uriparse.cli.arguments import (
    RESULTS_WHOLE,
    add_query_reading,
    add_sources,
    query_reading,
    repeated,
)
from uriparse.cli.per_line import add_options, add_reading, make_each, report_option
from uriparse.errors import ComponentError
from uriparse.records import URIReference

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console
    from uriparse.parsing import Record
    from uriparse.records.references import Parts

NAME = "set"
HELP = "replace parts of URIs, and keep the rest exactly as it is"
GROUP = "write"
EXAMPLES = (
    "uriparse set --scheme https --without port http://example.com:80/a",
    "uriparse set --host example.org --child 'a b' --set-query q=1 < urls.txt",
)

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
REMOVABLE = ("scheme", "authority", "userinfo", "port", "query", "fragment")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_sources(parser, "uri", "URI")
    parts = parser.add_argument_group("components, already encoded")
    for name in COMPONENTS:
        parts.add_argument(f"--{name}", metavar=name.upper())
    repeated(
        parts,
        "--without",
        choices=REMOVABLE,
        help="remove a component with its delimiter; repeatable",
    )
    data = parser.add_argument_group("data, which the command encodes")
    repeated(data, "--child", metavar="SEGMENT", help="add a segment to the path")
    repeated(data, "--remove-query", metavar="NAME", help="remove the pairs of that name")
    repeated(
        data,
        "--set-query",
        type=_pair,
        metavar="NAME=VALUE",
        help="replace the pairs of that name",
    )
    repeated(data, "--add-query", type=_pair, metavar="NAME=VALUE", help="add a pair at the end")
    add_query_reading(data)
    add_reading(parser)
    add_options(parser, RESULTS_WHOLE)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write each reference with its new parts; 1 if some were invalid, or cannot have them.

    Components first, then what is added to them.
    """
    changes = _changes(args, console)
    plus, separator = query_reading(args)

    has_data = args.child or args.remove_query or args.set_query or args.add_query

    def make(reference: Record) -> Record:
        changed = reference.replace(**changes)
        if not has_data:
            return changed
        changed = changed.child(*args.child)
        if args.remove_query:  # without a name, it would be the whole query
            changed = changed.without_query(*args.remove_query, plus=plus, separator=separator)
        changed = changed.set_query(args.set_query, plus=plus, separator=separator)
        return changed.add_query(args.add_query, separator=separator)

    return make_each(args.uri, args, console, make, "result", changes=True)


def _pair(text: str) -> tuple[str, str | None]:
    """Split a pair at its first "="; without one there is no value."""
    name, equals, value = text.partition("=")
    return name, value if equals else None


def _changes(args: argparse.Namespace, console: Console) -> Parts:
    """Return the components that are exchanged, each one that no reference could have refused."""
    given = {name: getattr(args, name) for name in COMPONENTS}
    changes: dict[str, str | None] = {n: value for n, value in given.items() if value is not None}
    for name, value in changes.items():
        try:
            if name != "path":  # which depends on what is before it
                parts = {"scheme": "x", "host": "h", name: value}
                URIReference.from_parts(**cast("Parts", parts), grammar=args.grammar)
        except ComponentError as error:
            raise report_option(error, f"--{name}", value or "", console) from None
    return cast("Parts", changes | dict.fromkeys(args.without))
