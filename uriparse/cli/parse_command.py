"""`uriparse parse`: the components of URI references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli import drawing, per_line
from uriparse.cli.arguments import add_texts, declare
from uriparse.cli.console import Console, Span, UsageError, quoted
from uriparse.cli.drawing import DrawnPart
from uriparse.components.component_text import compose_authority
from uriparse.errors import URLError, excerpt
from uriparse.errors.excerpt import MASK
from uriparse.parsing import Record, parse
from uriparse.records.references import REFERENCE_RULES, URI_RULES, reader
from uriparse.records.spans import component_spans

if TYPE_CHECKING:
    import argparse

    from uriparse.whatwg import BrowserURL, Change


NAME = "parse"
HELP = "draw the components of URIs, or say what is wrong with them"
GROUP = "read"
EXAMPLES = (
    "uriparse parse 'http://u@example.com:80/a?q#f'",
    "cut -f1 access.log | uriparse parse --json",
)
OPTIONS = """
--file --null
--rule RULE  ABNF rule to match, such as URI or absolute-URI
--whatwg --suffix
--base URL  with --whatwg: the base of relative texts
--json --show-passwords --invalid --grammar --jobs
"""

_WIDEST = 200
"""Columns of a drawing that is not for a terminal; wider ones have labels out of sight."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "uri", "URI")
    declare(parser, OPTIONS)


def run(args: argparse.Namespace, console: Console) -> int:
    """Parse each input; 1 if some were invalid."""
    if args.whatwg:
        return _run_whatwg(args, console)
    if args.base is not None:
        raise UsageError("--base is for --whatwg; uriparse resolve resolves references")
    rule = args.rule or REFERENCE_RULES[args.grammar]
    reader(rule, args.grammar)  # so that an unknown rule is an error even without input
    show = _object if args.json else _drawing
    read = per_line.text_reader(args, rule)
    needs_scheme = args.rule is None and args.needs_scheme

    def answer(text: str) -> None:
        reference = read(text)
        if needs_scheme and reference.scheme is None:
            reference = parse(
                text, URI_RULES[args.grammar], grammar=args.grammar
            )  # which refuses it
        show(per_line.shown(reference, console), console)

    return per_line.for_each(args.uri, console, answer)


# As browsers read: what they make of a text, and every change.


def _run_whatwg(args: argparse.Namespace, console: Console) -> int:
    from uriparse import whatwg

    try:
        base = None if args.base is None else whatwg.parse(args.base)
    except URLError as error:
        raise per_line.report_option(error, "--base", args.base, console) from None
    show = _url_object if args.json else _url_lines

    def answer(text: str) -> None:
        text = per_line.with_suffix_scheme(text, args.suffix)
        show(text, whatwg.parse(text, base), console)

    return per_line.for_each(args.uri, console, answer)


_URL_PARTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


def _url_parts(url: BrowserURL, console: Console) -> dict[str, object]:
    parts: dict[str, object] = {name: getattr(url, name) for name in _URL_PARTS}
    if url.password and not console.secrets:
        parts["password"] = MASK
    return parts


def _changes(text: str, url: BrowserURL, console: Console) -> list[Change]:
    return [
        one
        if console.secrets or not excerpt.is_masked(text, one.begin)
        else one._replace(text=MASK)
        for one in url.changes
    ]


def _url_lines(text: str, url: BrowserURL, console: Console) -> None:
    rows: list[list[Span]] = [[(console.shown(str(url)), "")]]
    for name, value in _url_parts(url, console).items():
        if value not in (None, ""):
            label = f"{name} ({url.host_kind})" if name == "host" else name
            rows.append([(f"  {label:<15}", "faint"), (str(value), name)])
    for change in _changes(text, url, console):
        where, what = str(change).split(": ", 1)
        rows.append([(f"  changed {where}: ", "faint"), (what, "")])
    console.rows(rows)


def _url_object(text: str, url: BrowserURL, console: Console) -> None:
    facts = {"href": console.shown(str(url)), "valid": True, **_url_parts(url, console)}
    facts |= {"host_kind": url.host_kind, "origin": url.origin}
    facts["changes"] = [change._asdict() for change in _changes(text, url, console)]
    console.json({**console.place, "text": console.shown(text), **facts})


# By the grammar: the components under the text.


def _drawing(reference: Record, console: Console) -> None:
    """Write the string, its components under it, and a blank line."""
    text = str(reference)
    parts, inner = _parts(reference)
    rows = [drawing.text_row(text, parts)]
    if drawing.columns(text) > (console.width or _WIDEST):
        for part in (*parts, *inner):
            if part.start < part.end:
                value = text[part.start : part.end]
                rows.append([(f"  {part.label:<14}", "faint"), (value, part.name)])
    else:
        rows += drawing.draw(text, parts)
        if [part.label for part in inner] != ["host"]:  # which would repeat the authority
            rows += drawing.draw(text, inner)
    empty = [part.name for part in parts if part.start == part.end]
    if "authority" not in empty:
        empty += [part.name for part in inner if part.start == part.end]
    if empty:
        rows.append([("empty: ", "faint"), (", ".join(empty), "")])
    console.rows(rows)


def _parts(reference: Record) -> tuple[list[DrawnPart], list[DrawnPart]]:
    """Return the present components, also empty ones, and the parts of the authority."""
    spans = component_spans(reference)._asdict()
    host = spans.pop("host")
    inner = {"userinfo": spans.pop("userinfo"), "host": host, "port": spans.pop("port")}
    kind = type(reference.host).__name__
    labels = {} if kind == "RegName" else {"host": f"host ({kind})"}
    outer, within = (
        [
            DrawnPart(name, span[0], span[1], labels.get(name, name))
            for name, span in found.items()
            if span
        ]
        for found in (spans, inner)
    )
    return outer, within


def _object(reference: Record, console: Console) -> None:
    """Write the components as a JSON object; null is absent, "" is empty."""
    scheme, userinfo, port = reference.scheme, reference.userinfo, reference.port
    host, query, fragment = reference.host, reference.query, reference.fragment
    authority = name = kind = "null"
    if host is not None:
        name, kind = quoted(host.text), f'"{host.__class__.__name__}"'
        authority = quoted(compose_authority(userinfo, host.text, port))
    # Written out: `json.dumps` takes three times as long as all else that is done for a text.
    console.json_members(
        f'"text": {quoted(str(reference))}, "valid": true,'
        f' "kind": "{reference.__class__.__name__}",'
        f' "scheme": {"null" if scheme is None else quoted(scheme)}, "authority": {authority},'
        f' "userinfo": {"null" if userinfo is None else quoted(userinfo)},'
        f' "host": {name}, "host_kind": {kind},'
        f' "port": {"null" if port is None else quoted(port)}, "path": {quoted(reference.path)},'
        f' "query": {"null" if query is None else quoted(query)},'
        f' "fragment": {"null" if fragment is None else quoted(fragment)}'
    )
