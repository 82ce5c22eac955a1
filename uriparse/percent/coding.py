"""Percent-encoding, one component at a time (RFC 3986 section 2).

Encode when a reference is put together, decode after it has been taken apart, each once. The
characters that stay as they are come from the grammar's own rules.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

from uriparse import excerpt
from uriparse.door import Data, Text, as_data, as_str, as_text
from uriparse.errors import EncodingError, UnknownRuleError
from uriparse.grammar import charset
from uriparse.percent.ascii_supersets import checked_encoding

Component: TypeAlias = Literal[
    "userinfo",
    "reg-name",
    "path",
    "segment",
    "segment-nz-nc",
    "query",
    "query-value",
    "fragment",
    "unreserved",
]
"""What `quote` encodes for: the ABNF rule that the result will obey."""

_QUERY_VALUE = "query-value"
_COMPONENTS = {
    "userinfo": "userinfo",
    "reg-name": "reg-name",
    "path": "path",
    "segment": "segment",
    "segment-nz-nc": "segment-nz-nc",
    "query": "query",
    _QUERY_VALUE: "query",
    "fragment": "fragment",
    "unreserved": "unreserved",
}
_PAIRING = "&;=+"
"""What separates pairs, names from values, and words, in a query that is made of pairs."""


def quote(data: Data, component: Component, *, encoding: str = "utf-8") -> str:
    """Percent-encode data for a component, so that it is read back as one piece of data.

    data: text, of which every character is encoded to octets by `encoding`, one in which ASCII
        is itself; a record, for its text; or the octets themselves.
        A "%" in it is data too and becomes %25: never quote twice.
    component: the rule whose characters stay: "userinfo", "reg-name", "path" (keeps "/"),
        "segment", "segment-nz-nc" (the first of a relative path), "query", "fragment";
        "query-value" is a name or value of a query made of pairs, so that "&", ";", "=" and "+"
        are encoded besides; "unreserved" encodes every reserved character.

    The digits are upper case (section 2.1). Linear in time.

    EncodingError if a character has no octets in that encoding, such as a lone surrogate, or if
    it is no encoding of that kind; UnknownRuleError if there is no such component; TypeError for
    what is no data.

    >>> quote("a b/ü", "segment"), quote("a b/ü", "path"), quote("a&b=c", "query-value")
    ('a%20b%2F%C3%BC', 'a%20b/%C3%BC', 'a%26b%3Dc')
    """
    kept, table = _tables(component if type(component) is str else as_str(component, "component"))
    plain = data if type(data) is str else as_data(data)
    if encoding != "utf-8":
        encoding = checked_encoding(encoding)
    elif isinstance(plain, str) and not plain.strip(kept):
        return plain
    octets = _encoded(plain, encoding) if isinstance(plain, str) else plain
    return octets.decode("latin-1").translate(table)


def unquote(text: Text, *, encoding: str = "utf-8") -> str:
    """Decode the triplets of a component, once.

    The octets are read in `encoding`, one in which ASCII is itself. "+" stays "+": see
    `query_pairs` for queries of pairs. Decode what has been split already, since decoding may
    bring up delimiters. Linear in time.

    EncodingError, with the offset of the triplet, if it is malformed or if its octets mean
    nothing in that encoding (use `unquote_to_bytes` for those); or if it is no encoding of that
    kind.

    >>> unquote("a%20b%2F%C3%BC"), unquote("%2541"), unquote("a+b")
    ('a b/ü', '%41', 'a+b')
    """
    if type(text) is not str:
        text = as_text(text)
    if encoding != "utf-8":
        encoding = checked_encoding(encoding)
    if "%" not in text:
        return text
    octets = _unquoted(text, encoding)
    try:
        return octets.decode(encoding)
    except UnicodeDecodeError as error:
        start = error.start
    # Out of the handler, or the error of the codec, which shows all octets, hangs behind ours.
    offset = _text_offset(text, start, encoding)
    message = f"the octet {octets[start]:02X} at offset {offset} means nothing here in {encoding}"
    raise EncodingError(message, text=text, offset=offset)


def unquote_to_bytes(text: Text, *, encoding: str = "utf-8") -> bytes:
    r"""Decode the triplets of a component, once, to octets; other characters by `encoding`.

    EncodingError, with its offset, for a "%" that two hexadecimal digits do not follow, or for
    an encoding in which ASCII is not itself.

    >>> unquote_to_bytes("%FFa")
    b'\xffa'
    """
    if encoding != "utf-8":
        encoding = checked_encoding(encoding)
    return _unquoted(text if type(text) is str else as_text(text), encoding)


def _unquoted(text: str, encoding: str) -> bytes:
    pieces = _encoded(text, encoding).split(b"%")
    if len(pieces) == 1:
        return pieces[0]
    table = _octets()
    try:
        return b"".join(
            [
                pieces[0],
                *[table[p] if len(p) == 2 else table[p[:2]] + p[2:] for p in pieces[1:]],
            ]
        )
    except KeyError:
        pass
    raise _malformed(text)


@cache
def _tables(component: str) -> tuple[str, dict[int, str]]:
    """Give the characters that stay, and what becomes of the other octets."""
    if component not in _COMPONENTS:
        known = ", ".join(_COMPONENTS)
        shown = repr(excerpt.masked(component))
        raise UnknownRuleError(f"no component {shown} to quote for; try {known}")
    kept = charset(_COMPONENTS[component])
    if component == _QUERY_VALUE:
        kept -= set(_PAIRING)
    table = {octet: f"%{octet:02X}" for octet in range(256) if chr(octet) not in kept}
    return "".join(sorted(kept)), table


@cache
def _octets() -> dict[bytes, bytes]:
    """Map two hexadecimal digits, in any letter case, to the octet that they are."""
    digits = charset("HEXDIG")
    return {f"{a}{b}".encode(): bytes([int(a + b, 16)]) for a in digits for b in digits}


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        start = error.start
    found = excerpt.found_at(text, start)
    message = f"{found} at offset {start} cannot be encoded in {encoding}"
    raise EncodingError(message, text=text, offset=start)


def _malformed(text: str) -> EncodingError:
    digits = charset("HEXDIG")
    offset = text.find("%")
    while len(text) - offset > len("%") + 1 and digits.issuperset(text[offset + 1 : offset + 3]):
        offset = text.find("%", offset + 3)
    message = f'the "%" at offset {offset} is not followed by two HEXDIG'
    return EncodingError(message, text=text, offset=offset)


def _text_offset(text: str, octet: int, encoding: str) -> int:
    """Find the character of `text` from which its `octet`-th octet comes."""
    position = 0
    first, *rest = text.split("%")
    offset = 0
    for number, piece in enumerate([first, *rest]):
        raw = piece
        if number:
            if position == octet:
                return offset
            position += 1
            offset += len("%00")
            raw = piece[2:]
        size = len(raw.encode(encoding))
        if octet < position + size:
            return offset + octet - position if raw.isascii() else offset
        position += size
        offset += len(raw)
    return offset
