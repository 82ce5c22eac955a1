"""`uriparse resolve`: references resolved against a base, the base itself, and the reverse."""

import argparse
from collections.abc import Iterator
from functools import partial

from uriparse.cli import per_line
from uriparse.cli.arguments import IN_RESULTS, add_texts, declare
from uriparse.cli.console import Console, UnreadableFileError, opened, refuse
from uriparse.cli.within import WITHIN, change_within, links_edit, uris_edit
from uriparse.errors import ResolutionError, URIError, excerpt
from uriparse.records.chunks import target_texts
from uriparse.resolution import BaseURI, relativize, resolve

NAME = "resolve"
HELP = "resolve references against a base URI, or find the base"
GROUP = "write"
EXAMPLES = (
    "uriparse resolve --base http://example.com/a/b ../c",
    "uriparse resolve --base-of page.html --retrieval http://example.com/a/b",
)
EXITS = {0: "all valid", 1: "some invalid, or without a base"}
OPTIONS = f"""
--file --null
--base URI  the base, a URI with a scheme
--relative  the reverse: print the shortest references that resolve to the URIs
--non-strict  ignore a scheme that equals the base's (http:g)
--json --show-passwords --invalid --grammar
--dialect {{rfc3986,rfc2396}}  the rules of resolution
--jobs
{WITHIN}
the base of a document, instead of --base; printed if there is no REF:
--base-of FILE  an HTML page of at most 16 MiB, for its <base href>; "-" is the input
--mail  FILE is a MIME message: read Content-Location and Content-Base around its first HTML part,
    and the <base href> of that part
--enclosing, -e REF...  the base of an enclosing entity; innermost first
--retrieval, -r URI...  the URI of the document; for redirects, each in order
"""

_OF_A_DOCUMENT = ("base_of", "enclosing", "retrieval")

_LONGEST = 1 << 24
"""Octets of a document at most: a message has attachments."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "ref", "REF", unless=(*_OF_A_DOCUMENT, "within"))
    declare(parser, OPTIONS, dialect={"default": "rfc3986"}, show_passwords=IN_RESULTS)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the target of each reference, or the base; 1 if some were invalid."""
    refuse(_faults(args))
    if args.base is None:
        try:
            base = _base(args)
        except URIError as error:
            text = getattr(error, "text", "")
            if args.json:
                console.json(per_line.described(error, text, console))
            else:
                per_line.report(error, text, console)
            return 1
        if not (args.ref or args.within):
            _show_base(base, args, console)
            return 0
        args.base = str(base.uri)
    if args.dialect == "rfc2396":
        return _resolve_rfc2396(args, console)
    return _resolve(args, console)


def _faults(args: argparse.Namespace) -> Iterator[tuple[str, object]]:
    """Yield what may be wrong with options that are given together, and whether it is."""
    of_a_document = [name.replace("_", "-") for name in _OF_A_DOCUMENT if getattr(args, name)]
    first = f": write --base {excerpt.masked(args.ref[0])} REF" if len(args.ref) > 1 else ""
    told = f"--base URI is needed{first}; or --base-of FILE, a document of which it is the base"
    yield told, args.base is None and not of_a_document
    told = "".join(f"--base goes without --{name}" for name in of_a_document[:1])
    is_twice = args.base is not None and of_a_document
    yield f"{told}; --retrieval URI says where a document is from", is_twice
    yield "--mail needs --base-of FILE", args.mail and args.base_of is None
    is_old = args.dialect == "rfc2396"
    both = args.relative and args.non_strict
    yield "--relative goes without --non-strict", both and not is_old
    told = "--relative and --non-strict go without --dialect rfc2396"
    yield told, is_old and (args.relative or args.non_strict)
    yield "--dialect rfc2396 knows no IRIs", is_old and args.grammar != "rfc3986"


def _resolve(args: argparse.Namespace, console: Console) -> int:
    base = per_line.read_option("--base", args.base, args, console)
    if args.within:
        make = partial(relativize, base) if args.relative else partial(resolve, base)
        edit = uris_edit if args.relative else links_edit
        return change_within(args, console, edit(make, args, console))
    if args.relative:
        shorten = partial(relativize, base)
        return per_line.make_each(args.ref, args, console, shorten, "reference", absolute=True)
    make = partial(resolve, base, strict=not args.non_strict)
    chunk = partial(target_texts, str(base), strict=not args.non_strict)
    return per_line.make_each(args.ref, args, console, make, "target", chunk)


# The base of a document (RFC 3986 section 5.1).


def _base(args: argparse.Namespace) -> BaseURI:
    """Return the base of the document; URIError if there is none."""
    from uriparse.resolution import base_uri

    embedded, enclosing = _document(args)
    return base_uri(
        embedded=embedded,
        enclosing=[*enclosing, *args.enclosing],
        retrieval=args.retrieval or None,
    )


def _show_base(base: BaseURI, args: argparse.Namespace, console: Console) -> None:
    chain: list[tuple[str, str]] = []
    one: BaseURI | None = base
    while one is not None:
        chain.append((str(per_line.made(one.uri, console)), one.source))
        one = one.outer
    if args.json:
        told = [{"uri": uri, "source": source} for uri, source in chain]
        console.json({"valid": True, **told[0], "outer": told[1:]})
    else:
        console.out(chain[0][0])


def _document(args: argparse.Namespace) -> tuple[str | None, tuple[str | None, ...]]:
    """Return the embedded base, and those of the enclosing entities, innermost first."""
    if args.base_of is None:
        return None, ()
    with opened(args.base_of, unpacked=args.base_of == "-") as file:
        octets = file.read(_LONGEST + 1)
    if len(octets) > _LONGEST:
        raise UnreadableFileError(args.base_of, f"it has more than {_LONGEST} octets")
    if args.mail:
        return _of_message(octets)
    from uriparse.resolution.base import html_base

    return html_base(octets.decode("utf-8", "replace")), ()


def _of_message(octets: bytes) -> tuple[str | None, tuple[str | None, ...]]:
    from email import message_from_bytes

    from uriparse.resolution.base import enclosing_bases, html_base

    message = message_from_bytes(octets)
    page = next((p for p in message.walk() if p.get_content_type() == "text/html"), None)
    if page is None:
        return None, enclosing_bases(message, message)
    payload = page.get_payload(decode=True)
    octets = payload if isinstance(payload, bytes) else b""
    try:
        markup = octets.decode(page.get_content_charset() or "utf-8", "replace")
    except LookupError:  # an unknown character set; a base is ASCII
        markup = octets.decode("ascii", "replace")
    return html_base(markup), enclosing_bases(message, page)


# Resolution by RFC 2396.


def _resolve_rfc2396(args: argparse.Namespace, console: Console) -> int:
    """Write the target of each reference; 1 if some have none."""
    from uriparse.legacy.rfc2396 import CurrentDocument, resolve

    try:
        resolve(args.base, "")
    except ResolutionError as error:
        raise per_line.report_option(error, "--base", args.base, console) from None

    def answer(text: str) -> None:
        target = resolve(args.base, text)
        written = per_line.made_text(str(target), console)
        facts = {
            "target": None if isinstance(target, CurrentDocument) else written,
            "current_document": isinstance(target, CurrentDocument),
            "fragment": target.fragment,
            "notes": [] if isinstance(target, CurrentDocument) else [*target.notes],
        }
        console.answer(console.shown(text), facts, written)

    return per_line.for_each(args.ref, console, answer)
