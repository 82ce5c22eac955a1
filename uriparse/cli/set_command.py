"""`uriparse set`: references with some of their parts exchanged."""

import argparse
from typing import cast

from uriparse.building.making import written_userinfo
from uriparse.cli.arguments import IN_RESULTS, add_texts, declare
from uriparse.cli.console import Console, FileSource, UsageError
from uriparse.cli.per_line import make_each, report_option
from uriparse.cli.within import WITHIN, change_within, uris_edit
from uriparse.components.component_data import written
from uriparse.components.query_edits import octets_of, without_query
from uriparse.errors import URIError
from uriparse.parsing import Record
from uriparse.records import URIReference
from uriparse.records._parts import Parts

NAME = "set"
HELP = "replace parts of URIs, and keep the rest exactly as it is"
GROUP = "write"
EXAMPLES = (
    "uriparse set --scheme https --without port http://example.com:80/a",
    "uriparse set --host example.org --child 'a b' --set-query q=1 < urls.txt",
)

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
REMOVABLE = ("scheme", "authority", "userinfo", "port", "fragment", "query")
OPTIONS = rf"""
--file --null
--of-host HOST...  change only URIs with this host, and leave others as they are; repeatable
--suffix --jobs --json --show-passwords --invalid --grammar
components, already encoded:
--scheme SCHEME
--userinfo USERINFO
--host HOST
--port PORT
--path PATH
--query QUERY
--fragment FRAGMENT
--without {{{",".join(REMOVABLE)}}}...  remove a component with its delimiter; repeatable
--encode  path, query and fragment are data: encode them
data, which the command encodes:
--user USER
--password PASSWORD
--child SEGMENT...  add a segment to the path
--remove-query NAME...  remove the pairs of that name; final * for all that begin so, \* for itself
--remove-tracking  remove tracking parameters, such as utm_source and fbclid
--tracking-names FILE  with --remove-tracking: their names, one per line; final * for all that begin
    so
--set-query NAME=VALUE...  replace the pairs of that name, or add one
--add-query NAME=VALUE...  add a pair at the end
--separator
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "uri", "URI", unless=("within",))
    pair = {"type": _pair}
    declare(parser, OPTIONS + WITHIN, set_query=pair, add_query=pair, show_passwords=IN_RESULTS)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write each reference with its new parts; 1 if some were invalid, or cannot have them."""
    _refuse_changes(args)
    changes = _changes(args, console)
    of_user = (args.user, args.password) != (None, None)
    removed = _removed(args)

    hosts = {host.lower() for host in args.of_host}

    def make(reference: Record) -> Record:
        if hosts and str(reference.host).lower() not in hosts:
            return reference
        changed = reference.replace(**changes) if changes else reference
        if of_user:
            changed = changed.replace(userinfo=_userinfo(changed, args))
        if args.child:
            changed = changed.child(*args.child)
        return _with_pairs(changed, removed, args)

    if args.within:
        return change_within(args, console, uris_edit(make, args, console))
    return make_each(args.uri, args, console, make, "result", changes=True)


def _refuse_changes(args: argparse.Namespace) -> None:
    """Refuse texts such as "host=x": valid relative references, but never meant as such."""
    for text in args.uri:
        name, equals, value = text.partition("=")
        name = name.rstrip(":?")  # as trurl writes that a value is encoded, or is for an absent one
        is_part = equals and name in (*COMPONENTS, "user", "password")
        if is_part and not isinstance(text, FileSource):
            option = f"--{name} VALUE" if value or name not in REMOVABLE else f"--without {name}"
            told = f"{name}=... is a relative reference; to change the {name}, write {option}"
            raise UsageError(f"{told}; to read it as a reference, give it on standard input")


def _userinfo(reference: Record, args: argparse.Namespace) -> str:
    user, password = reference.user, reference.password
    if args.user is not None:
        user = written_userinfo(args.user, None, args.grammar)
    if args.password is not None:
        password = written(args.password, "userinfo", args.grammar, "password")
    return (user or "") + ("" if password is None else f":{password}")


def _removed(args: argparse.Namespace) -> tuple[frozenset[bytes], tuple[bytes, ...]]:
    """Return the names of the pairs to remove, and the beginnings of such names."""
    names, prefixes = list[str](), list[str]()
    for name in args.remove_query:
        if name.endswith("*") and not name.endswith(r"\*"):
            prefixes.append(name[:-1])
        else:
            names.append(f"{name[:-2]}*" if name.endswith(r"\*") else name)
    if args.tracking_names is not None and not args.remove_tracking:
        raise UsageError("--tracking-names needs --remove-tracking")
    if args.remove_tracking:
        from uriparse.keys import tracking_names

        try:
            known = tracking_names(args.tracking_names)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "not UTF-8"
            raise UsageError(f"--tracking-names {args.tracking_names}: {why}") from None
        names += known[0]
        prefixes += known[1]
    return octets_of(names), tuple(octets_of(prefixes))


def _with_pairs(
    reference: Record,
    removed: tuple[frozenset[bytes], tuple[bytes, ...]],
    args: argparse.Namespace,
) -> Record:
    separator = args.separator
    if any(removed) and (query := reference.query) is not None:
        kept = without_query(query, *removed, plus=True, separator=separator)
        reference = reference if kept == query else reference.replace(query=kept)
    if args.set_query:
        reference = reference.set_query(args.set_query, separator=separator)
    return reference.add_query(args.add_query, separator=separator) if args.add_query else reference


def _pair(text: str) -> tuple[str, str | None]:
    """Split a pair at its first "="; without one the value is missing."""
    name, equals, value = text.partition("=")
    return name, value if equals else None


def _changes(args: argparse.Namespace, console: Console) -> Parts:
    """Return the components to replace; one that is invalid in any reference is refused."""
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
