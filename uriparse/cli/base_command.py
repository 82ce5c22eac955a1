"""`uriparse base`: what the references of a document are relative to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.parsers import RESULTS_WHOLE, add_passwords
from uriparse.cli.per_line import made
from uriparse.cli.rejection import described, report
from uriparse.errors import URIError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from email.message import Message

    from uriparse.cli.console import Console
    from uriparse.resolution import BaseURI

NAME = "base"
HELP = "find the base URI of a document from what is known of it (RFC 3986 section 5.1)"
GROUP = "read"
EXAMPLES = (
    "uriparse base --html page.html --retrieval http://example.com/a/b",
    "uriparse base --mail message.eml --default thismessage:/ --steps",
)
EXITS = {0: "there is one", 1: "nothing is known, or nothing absolute"}

UNREADABLE = 2
_NO_BASE = 1


class _UnreadableError(Exception):
    """A file that cannot be read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    document = parser.add_mutually_exclusive_group()
    document.add_argument("--html", metavar="FILE", help='read its <base href>; "-" is the input')
    document.add_argument(
        "--mail",
        metavar="FILE",
        help="a MIME message: read Content-Location and Content-Base around its first HTML part,"
        " and that part's <base href>",
    )
    parser.add_argument("--embedded", metavar="REF", help="what the content states")
    parser.add_argument(
        *("--enclosing", "-e"),
        action="append",
        default=[],
        metavar="REF",
        help="what an entity around it states; innermost first",
    )
    parser.add_argument(
        *("--retrieval", "-r"),
        action="append",
        default=[],
        metavar="URI",
        help="whence it was retrieved; of redirects, each in its turn",
    )
    parser.add_argument("--default", metavar="URI", help="where nothing else is known")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object")
    form.add_argument(
        "--steps", action="store_true", help="also whence each base is, from the innermost out"
    )
    add_passwords(parser, RESULTS_WHOLE)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the base URI; 1 if there is none."""
    from uriparse.resolution import base_uri

    try:
        embedded, enclosing = _document(args)
        base = base_uri(
            embedded=args.embedded if embedded is None else embedded,
            enclosing=[*enclosing, *args.enclosing],
            retrieval=args.retrieval or None,
            default=args.default,
        )
    except _UnreadableError as error:
        console.error(f"uriparse base: {console.shown(str(error))}")
        return UNREADABLE
    except URIError as error:
        text = getattr(error, "text", "")
        if args.json:
            console.json(described(error, text, console))
        else:
            report(error, text, console)
        return _NO_BASE
    _show(base, args, console)
    return 0


def _show(base: BaseURI, args: argparse.Namespace, console: Console) -> None:
    if args.json:
        chain = [{"uri": str(made(one.uri, console)), "source": one.source} for one in _chain(base)]
        console.json({"valid": True, **chain[0], "outer": chain[1:]})
    elif args.steps:
        for one in _chain(base):
            console.styled([(f"{one.source:10}  ", "faint"), (str(made(one.uri, console)), "")])
    else:
        console.out(str(made(base.uri, console)))


def _chain(base: BaseURI | None) -> Iterator[BaseURI]:
    while base is not None:
        yield base
        base = base.outer


def _document(args: argparse.Namespace) -> tuple[str | None, tuple[str | None, ...]]:
    """Read what the document embeds, and what the entities around it state, innermost first."""
    if args.html is not None:
        from uriparse.resolution.base import html_base

        return html_base(_octets(args.html).decode("utf-8", "replace")), ()
    if args.mail is not None:
        return _of_message(_octets(args.mail))
    return None, ()


def _of_message(octets: bytes) -> tuple[str | None, tuple[str | None, ...]]:
    from email import message_from_bytes

    from uriparse.resolution.base import enclosing_bases, html_base

    message = message_from_bytes(octets)
    page = next((p for p in message.walk() if p.get_content_type() == "text/html"), None)
    if page is None:
        return None, enclosing_bases(message, message)
    return html_base(_markup(page)), enclosing_bases(message, page)


def _markup(part: Message) -> str:
    """Decode a part; by a character set that nobody knows, as ASCII, which a base is made of."""
    payload = part.get_payload(decode=True)
    octets = payload if isinstance(payload, bytes) else b""
    try:
        return octets.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:
        return octets.decode("ascii", "replace")


def _octets(name: str) -> bytes:
    """Read a file, or standard input for "-"."""
    import sys
    from pathlib import Path

    try:
        if name == "-":
            return b"" if sys.stdin is None else sys.stdin.buffer.read()
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: no file has a name with a null character
        reason = error.strerror if isinstance(error, OSError) else "no file has such a name"
        raise _UnreadableError(f"{name}: {reason}") from None
