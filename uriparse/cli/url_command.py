"""`uriparse url`: what a URL says by the rule of its scheme (RFC 1738)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli import rejection
from uriparse.errors import EncodingError, URIError, URISyntaxError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from uriparse.cli.console import Console, Span
    from uriparse.schemes import URL
    from uriparse.schemes.dialects import Dialects

NAME = "url"
HELP = "show the fields of URLs by the rules of their schemes (RFC 1738), written and decoded"

ABSENT = "-"
_WIDTH = 14


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("url", nargs="+", metavar="URL", help='a text; "-" reads standard input')
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--relaxed-host",
        action="store_true",
        help="take hosts that RFC 3986 allows and RFC 1738 lacks",
    )
    parser.add_argument(
        "--dialects",
        action="store_true",
        help="show instead how RFC 1738, RFC 2396 and RFC 3986 read each text",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Show each input; 1 if some were invalid, or if dialects see two hosts in one."""
    if args.dialects:
        return _all_dialects(args, console)
    from uriparse.schemes import parse_url

    show, reject = (_object, rejection.as_object) if args.json else (_table, rejection.as_text)
    code = 0
    for text in console.lines(args.url):
        try:
            show(parse_url(text, relaxed_host=args.relaxed_host), console)
        except URISyntaxError as error:
            reject(error, console)
            code = 1
        except URIError as error:  # a number that is too long to be read
            console.error(f"uriparse: {error}")
            code = 1
    return code


def _table(url: URL, console: Console) -> None:
    """Write the URL, then a line for each field: name, text as written, what that means."""
    spans: list[Span] = [(url.url, ""), (f"  {type(url).__name__}\n", "faint")]
    for name, written, meaning in _rows(url):
        spans += [(f"  {name:<{_WIDTH}}", "faint"), (written, "path")]
        spans += [(f"  = {meaning}", "good"), ("\n", "")] if meaning else [("\n", "")]
    console.styled(spans)


def _rows(url: URL) -> Iterator[tuple[str, str, str]]:
    """Give the rows of the table: a field that holds several has a row for each."""
    for name, value in url.as_dict().items():
        if isinstance(value, tuple):
            for number, item in enumerate(value, 1):
                yield f"{name} {number}", *_cells(item)
            if not value:
                yield name, ABSENT, ""
        elif name == "port":
            default = url.default_port
            meaning = "" if value is not None or default is None else f"{default} by default"
            yield name, _cells(value)[0], meaning
        else:
            yield name, *_cells(value)
    if url.fragment is not None:
        yield "fragment", *_cells(url.fragment)


def _cells(value: object) -> tuple[str, str]:
    """Give the text of a field as written, and what it means where that differs."""
    if value is None:
        return ABSENT, ""
    if value == "":
        return '""', ""
    if isinstance(value, tuple):
        pairs = [_cells(part) for part in value]
        meaning = "=".join(meaning or written for written, meaning in pairs)
        written = "=".join(written for written, _ in pairs)
        return written, meaning if meaning != written else ""
    text = str(value)
    meaning = _decoded(value)
    return text, "" if meaning == text else meaning


def _decoded(value: object) -> str:
    """Decode a field for people; octets that are no text are written as escapes."""
    from uriparse.schemes import Encoded

    if not isinstance(value, Encoded):
        return str(value)
    return value.octets.decode("utf-8", "backslashreplace")


def _object(url: URL, console: Console) -> None:
    """Write a JSON object: each field as written and decoded, null where it is absent."""
    effective = getattr(url, "effective_port", None) if _port_fits(url) else None
    console.json(
        {
            **console.place,
            "text": str(url),
            "valid": True,
            "kind": type(url).__name__,
            "scheme": url.scheme,
            "fields": {name: _json(value) for name, value in url.as_dict().items()},
            "effective_port": effective,
            "fragment": _json(url.fragment),
        }
    )


def _port_fits(url: URL) -> bool:
    """Whether the port is one that is read at all: a text may have thousands of digits."""
    try:
        getattr(url, "effective_port", None)
    except URIError:
        return False
    return True


def _json(value: object) -> object:
    """Give a field for JSON; `decoded` is null where the octets are not UTF-8."""
    from uriparse.schemes import Encoded

    if isinstance(value, tuple):
        return [_json(item) for item in value]
    if not isinstance(value, Encoded):
        return value
    try:
        decoded = value.decoded
    except EncodingError:
        decoded = None
    return {"written": str(value), "decoded": decoded, "octets": value.octets.hex()}


def _all_dialects(args: argparse.Namespace, console: Console) -> int:
    from uriparse.schemes.dialects import dialects

    code = 0
    for text in console.lines(args.url):
        view = dialects(text)
        if args.json:
            _dialects_object(view, console)
        else:
            _dialects_table(view, console)
        if view.hosts_differ or not any(reading.accepts for reading in view.readings):
            code = 1
    return code


def _dialects_table(view: Dialects, console: Console) -> None:
    """Write a line for each dialect, and one for each component in which they part."""
    from uriparse import excerpt

    spans: list[Span] = [(excerpt.masked(view.text), ""), ("\n", "")]
    for reading in view.readings:
        spans.append((f"  {reading.dialect:<{_WIDTH}}", "faint"))
        if reading.error is None:
            host = ABSENT if reading.host is None else f'"{reading.host}"'
            spans += [("accepts", "good"), (f", host {host}\n", "")]
        else:
            spans += [("refuses", "error"), (f": {rejection.reason(reading.error)}\n", "")]
    for difference in view.differences:
        if difference.component == "userinfo":  # which may hold a password
            continue
        seen = ", ".join(
            f"{dialect} {ABSENT if value is None else repr(value)}"
            for dialect, value in difference.values.items()
        )
        spans += [(f"  {difference.component:<{_WIDTH}}", "warning"), (seen, "")]
        spans.append((f"\n  {'':<{_WIDTH}}{difference.reason}\n", "faint"))
    if view.hosts_differ:
        spans.append(("  they see different hosts\n", "error"))
    console.styled(spans)


def _dialects_object(view: Dialects, console: Console) -> None:
    """Write the three readings as one JSON object."""
    console.json(
        {
            **console.place,
            "text": view.text,
            "agree": view.agree,
            "hosts_differ": view.hosts_differ,
            "readings": {
                reading.dialect: {
                    "accepts": reading.accepts,
                    "components": dict(reading.components),
                    "error": None if reading.error is None else rejection.reason(reading.error),
                }
                for reading in view.readings
            },
            "differences": [
                {
                    "component": difference.component,
                    "values": {str(name): value for name, value in difference.values.items()},
                    "reason": difference.reason,
                }
                for difference in view.differences
            ],
        }
    )
