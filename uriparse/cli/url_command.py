"""`uriparse url`: what a URL says by the rule of its scheme, in RFC 1738 or of today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli import dialects_table
from uriparse.cli.dialects_table import ABSENT
from uriparse.cli.parsers import add_texts
from uriparse.cli.per_line import for_each
from uriparse.errors import EncodingError, URIError
from uriparse.excerpt import MASK, masked

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from uriparse.cli.console import Console, Span
    from uriparse.schemes import URL, Encoded, Registry

NAME = "url"
HELP = "show the fields of URLs by the rules of their schemes, written and decoded"
GROUP = "read"
EXAMPLES = (
    "uriparse url --registry current 'https://example.com/~a?b/c'",
    "uriparse url --dialects 'http://a@b@c/'",
)
EXITS = {0: "all valid", 1: "some invalid, or dialects see two hosts in one"}

REGISTRIES = ("rfc1738", "current")
"""The names of the registries that URLs are read by."""

_WIDTH = 14


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "url", "URL")
    add_registry(parser)
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
        return dialects_table.run(args, console)
    from uriparse.schemes import parse_url

    show = _object if args.json else _table
    registry = named_registry(args.registry)

    def answer(text: str) -> None:
        url = parse_url(text, relaxed_host=args.relaxed_host, registry=registry)
        show(shown_url(url, console, registry), console)

    return for_each(args.url, console, answer)


def add_registry(parser: argparse.ArgumentParser) -> None:
    """Declare by which RFCs URLs are read."""
    parser.add_argument(
        "--registry",
        choices=REGISTRIES,
        default=REGISTRIES[0],
        help="whose rules: those of RFC 1738 (default), or of the RFCs in force for each scheme",
    )


def named_registry(name: str) -> Registry:
    """Give the registry of a name among `REGISTRIES`."""
    from uriparse.schemes import CURRENT, REGISTRY

    return CURRENT if name == "current" else REGISTRY


def shown_url(url: URL, console: Console, registry: Registry) -> URL:
    """Give a URL as it may be shown again: with *** for its password.

    Of schemes that are not known, so that nobody knows where a password lies, for what looks like
    one.
    """
    from uriparse.schemes import OtherURL, RelaxedHost, parse_url

    text = str(url)
    password: Encoded | None = getattr(url, "password", None)
    if console.secrets:
        return url
    if password:
        text = f"{text[: password.start]}{MASK}{text[password.end :]}"
    elif isinstance(url, OtherURL) and url.host is None:
        text = masked(text)
    if text == str(url):
        return url
    relaxed = isinstance(getattr(url, "host", None), RelaxedHost)
    return parse_url(text, relaxed_host=relaxed, registry=registry)


def _table(url: URL, console: Console) -> None:
    """Write the URL, then a line for each field: name, text as written, what that means."""
    spans: list[Span] = [(url.url, ""), (f"  {type(url).__name__}", "faint"), ("\n", "")]
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
        pairs = [_cells(part) for part in value if part is not None]
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
