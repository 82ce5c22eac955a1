"""Find URIs in text: mail, articles, source code, whatever people write them into.

The one lenient door of the library, and even here the result is derived by the grammar; lenient is
only where a URI is taken to begin and end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.door import as_items, as_str, as_text, refusal
from uriparse.text.found import Flag, Found, How
from uriparse.text.layer import Layer, Scans
from uriparse.text.patterns import patterns
from uriparse.text.quoted_printable import QuotedPrintable
from uriparse.text.references import References
from uriparse.text.scan import Options, Scanner
from uriparse.text.schemes import Schemes, wanted
from uriparse.textual import Textual

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Flag", "Found", "How", "Schemes", "find_uris"]

LIMIT = 1 << 20
"""The default for the longest URI, in characters."""

_BLOCK = 1 << 16
"""Characters of a stream that are gathered before they are looked at."""


def find_uris(
    text: str | Textual | Iterable[str],
    *,
    grammar: str = "rfc3986",
    schemes: Schemes = "plausible",
    suffixes: bool = False,
    absolute: bool = False,
    html: bool = False,
    mail: bool = False,
    limit: int = LIMIT,
) -> Iterator[Found]:
    r"""Find the URIs in a text, in their order, without overlaps (RFC 3986 appendix C).

    text: the text, or pieces of it in order, such as an open file gives: they are read as they
        are needed, and memory is bounded by `limit`, not by the text.
    grammar: "rfc3986" for URIs, "rfc3987" for IRIs.
    schemes: "plausible" takes well-known schemes (each with what it needs: `http:` needs a host)
        and, before "//", any; behind `URL:` any at all. "known" takes the well-known ones,
        "any" whatever the grammar allows, so that `note:this` is a URI. Or names, in any letter
        case.
    suffixes: also take `www.example.com/a` for a URI, by putting `http://` before it.
    absolute: leave fragments out (rule absolute-URI); what a delimiter holds with one is bare.
    html: the text is markup: character references, such as `&amp;`, are decoded first.
    mail: the text is a message, or a part of one, as it is stored: what is quoted-printable is
        decoded first. Parts in base64 are not looked into.
    limit: in characters; longer URIs are passed over.

    Delimiters are not part of the URI; nor is the prefix `URL:` (RFC 1738 appendix). Within angle
    brackets all white space is ignored, within double quotes only what surrounds line breaks; a
    hyphen before a line break gives two readings. A bare URI ends before punctuation that is the
    sentence's, and before a parenthesis that nothing in it opens. See `Found` for what is told.

    Time is linear in the text. ValueError for an unknown grammar or a word for `schemes` that is
    none of the three. TypeError for what is no text, as bytes, which have to be decoded.

    >>> text = "See <URL:http://example.com/inter-\n  net>, (ftp://ftp.example.com/pub), note:this."
    >>> for found in find_uris(text):
    ...     print(found.uri, found.span, found.how, *found.alternatives)
    http://example.com/inter-net (9, 40) angle http://example.com/internet
    ftp://ftp.example.com/pub (44, 69) bare
    """
    if not isinstance(limit, int):
        raise refusal(limit, "limit", "an int")
    name = as_str(grammar, "grammar")
    options = Options(name, patterns(name), wanted(schemes), suffixes, absolute, limit)
    scanner: Scans = Scanner(options)
    if html:
        scanner = Layer(References(), scanner)
    if mail:
        scanner = Layer(QuotedPrintable(), scanner)
    if isinstance(text, str | Textual):
        return scanner.scan(as_text(text), final=True)
    pieces = as_items(text, "text", "a str, pieces of one in order or a record")
    return _stream(pieces, scanner)


def _stream(pieces: Iterable[str], scanner: Scans) -> Iterator[Found]:
    """Gather pieces into blocks; what is kept doubles a block, so that none is read too often."""
    gathered: list[str] = []
    size, needed = 0, _BLOCK
    for given in pieces:
        piece = as_str(given, "a piece of text")
        gathered.append(piece)
        size += len(piece)
        if size >= needed:
            yield from scanner.scan("".join(gathered), final=False)
            gathered.clear()
            size, needed = 0, max(_BLOCK, len(scanner.kept))
    yield from scanner.scan("".join(gathered), final=True)
