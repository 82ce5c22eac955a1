"""`uriparse set`: references with some of their parts exchanged."""

import argparse
from argparse import ArgumentTypeError
from functools import partial
from itertools import product
from typing import cast

from uriparse.building.making import written_userinfo
from uriparse.cli.arguments import (
    RESULTS_WHOLE,
    add_query_reading,
    add_sources,
    flag,
    query_reading,
    repeated,
)
from uriparse.cli.console import Console, FileSource, UsageError
from uriparse.cli.per_line import add_options, add_reading, make_each, report_option
from uriparse.components.component_data import written
from uriparse.components.query_edits import RawPair, decoded, joined, octets_of, raw_pairs
from uriparse.errors import URIError
from uriparse.parsing import Record
from uriparse.records import URIReference
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
    text = "remove a component with its delimiter; repeatable"
    repeated(parts, "--without", choices=REMOVABLE, help=text)
    text = (
        "print a result for each of these values of a component, which spaces separate;"
        " repeatable, for all combinations"
    )
    repeated(parts, "--each", type=_each, metavar="NAME=VALUES", help=text)
    flag(parts, "--encode", help="path, query and fragment are data: encode them")
    flag(parts, "--if-absent", help="keep components, users and passwords that are there")
    data = parser.add_argument_group("data, which the command encodes")
    for name in ("user", "password"):
        data.add_argument(f"--{name}", metavar=name.upper())
    repeated(data, "--child", metavar="SEGMENT", help="add a segment to the path")
    repeated(data, "--remove-query", metavar="NAME", help="remove the pairs of that name")
    text = "remove the pairs whose names begin so"
    repeated(data, "--remove-query-prefix", metavar="PREFIX", help=text)
    for name, text in (
        ("--set-query", "replace the pairs of that name, or add one"),
        ("--replace-query", "replace the pairs of that name, if there are any"),
        ("--add-query", "add a pair at the end"),
    ):
        repeated(data, name, type=_pair, metavar="NAME=VALUE", help=text)
    flag(data, "--sort-query", help="sort the pairs by name; those of one name keep their order")
    add_query_reading(data)
    add_reading(parser)
    add_options(parser, RESULTS_WHOLE)
    parser.set_defaults(
        instead={"--set": "each component has its own option, such as --host VALUE"}
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Write each reference with its new parts; 1 if some were invalid, or cannot have them."""
    _refuse_changes(args)
    changes = _changes(args, console)
    of_user = (args.user, args.password) != (None, None)
    of_pairs = args.sort_query or any(getattr(args, name) for name in _PAIRS)

    def make(reference: Record, parts: Parts) -> Record:
        if args.if_absent:
            kept = {n: v for n, v in parts.items() if v is None or not getattr(reference, n)}
            parts = cast("Parts", kept)
        changed = reference.replace(**parts)
        if of_user:
            changed = changed.replace(userinfo=_userinfo(changed, args))
        if args.child:
            changed = changed.child(*args.child)
        return _with_pairs(changed, args) if of_pairs else changed

    combinations = [changes | each for each in _combinations(args, console)]
    makes = [partial(make, parts=parts) for parts in combinations]
    return make_each(args.uri, args, console, makes, "result", changes=True)


_PAIRS = ("remove_query", "remove_query_prefix", "set_query", "replace_query", "add_query")


def _refuse_changes(args: argparse.Namespace) -> None:
    """Refuse texts such as "host=x", which are relative references, and never meant as such."""
    for text in args.uri:
        name, equals, value = text.partition("=")
        name = name.rstrip(":?")  # as trurl writes that a value is encoded, or is for an absent one
        if (
            equals
            and name in (*COMPONENTS, "user", "password")
            and not isinstance(text, FileSource)
        ):
            option = f"--{name} VALUE" if value or name not in REMOVABLE else f"--without {name}"
            told = f"{name}=... is a relative reference; to change the {name}, write {option}"
            raise UsageError(f"{told}; to read it as a reference, give it on standard input")


def _userinfo(reference: Record, args: argparse.Namespace) -> str:
    user, password = reference.user, reference.password
    if args.user is not None and not (args.if_absent and user):
        user = written_userinfo(args.user, None, args.grammar)
    if args.password is not None and not (args.if_absent and password):
        password = written(args.password, "userinfo", args.grammar, "password")
    return (user or "") + ("" if password is None else f":{password}")


def _with_pairs(reference: Record, args: argparse.Namespace) -> Record:
    plus, separator = query_reading(args)

    def name_of(pair: RawPair) -> bytes:
        return decoded(pair.name, plus=plus)

    def pairs_of(reference: Record) -> list[RawPair]:
        return [pair for pair in raw_pairs(reference.query, separator) if not pair.is_empty]

    removed = args.remove_query
    if args.remove_query_prefix:
        prefixes = tuple(octets_of(args.remove_query_prefix))
        names = [name_of(pair) for pair in pairs_of(reference)]
        removed = [*removed, *(name for name in names if name.startswith(prefixes))]
    if removed:  # without a name, it would be the whole query
        reference = reference.without_query(*removed, plus=plus, separator=separator)
    new = args.set_query
    if args.replace_query:
        there = {name_of(pair) for pair in pairs_of(reference)}
        known = [pair for pair in args.replace_query if not octets_of([pair[0]]).isdisjoint(there)]
        new = known + new
    if new:
        reference = reference.set_query(new, plus=plus, separator=separator)
    if args.add_query:
        reference = reference.add_query(args.add_query, separator=separator)
    if not (args.sort_query and reference.query):
        return reference
    ordered = sorted(pairs_of(reference), key=name_of)
    return reference.replace(query=joined([(p.separator or separator[0], p.text) for p in ordered]))


def _pair(text: str) -> tuple[str, str | None]:
    """Split a pair at its first "="; without one there is no value."""
    name, equals, value = text.partition("=")
    return name, value if equals else None


def _each(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    if not equals or name not in COMPONENTS:
        raise ArgumentTypeError(f"give one of {', '.join(COMPONENTS)}, and =VALUES")
    return name, values.split(" ")


def _combinations(args: argparse.Namespace, console: Console) -> list[Parts]:
    names = [name for name, _ in args.each]
    for name in names:
        if names.count(name) > 1 or name in args.without or getattr(args, name) is not None:
            raise UsageError(f"--each {name}=: {name} is given twice")
    checked = [[_checked(n, value, args, console) for value in values] for n, values in args.each]
    return [cast("Parts", dict(zip(names, one, strict=True))) for one in product(*checked)]


def _changes(args: argparse.Namespace, console: Console) -> Parts:
    """Return the components that are exchanged, each one that no reference could have refused."""
    given = {name: getattr(args, name) for name in COMPONENTS}
    changes = {n: _checked(n, v, args, console) for n, v in given.items() if v is not None}
    return cast("Parts", changes | dict.fromkeys(args.without))


def _checked(name: str, value: str, args: argparse.Namespace, console: Console) -> str:
    try:
        if args.encode and name in {"path", "query", "fragment"}:
            return written(value, name, args.grammar, name)  # type: ignore[arg-type]  # one of them
        if name != "path":  # which depends on what is before it
            parts = {"scheme": "x", "host": "h", name: value}
            URIReference.from_parts(**cast("Parts", parts), grammar=args.grammar)
    except URIError as error:
        raise report_option(error, f"--{name}", value, console) from None
    return value
