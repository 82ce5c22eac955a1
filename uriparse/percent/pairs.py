"""Queries made of pairs, as HTML forms write them: a habit, of which RFC 3986 knows nothing."""

from __future__ import annotations

from functools import cache

from uriparse.door import Text, as_text, refusal
from uriparse.grammar import charset
from uriparse.percent.coding import unquote, unquote_to_bytes
from uriparse.textual import Textual

_MARKS = (("\udcfe", "&"), ("\udcff", "="))
"""What stands for "&" and "=" that are data until pairs are split. `surrogateescape` makes it of
two octets that UTF-8 does not have."""

_TO_MARKS = {b"&": b"\xfe", b"=": b"\xff"}
_FROM_MARKS = bytes.maketrans(b"\xfe\xff", b"&=")

_FEW = 256
"""Pairs that are decoded one by one where one of them is at fault."""


def query_pairs(query: Text, *, plus: bool = False) -> tuple[tuple[str, str | None], ...]:
    """Split a query into pairs of name and value at "&" and ";", then decode each of both.

    query: text; or a reference, for its query, which has no pairs where it is absent.
    plus: whether "+" is a space, as HTML forms write it.

    The value is None where there is no "=", and `""` where nothing follows it; empty pairs are
    left out.

    EncodingError as `unquote`; its offset counts within the name or value.

    >>> query_pairs("a=1&b=x%26y;c&d=")
    (('a', '1'), ('b', 'x&y'), ('c', None), ('d', ''))
    """
    text = query if type(query) is str else _query_of(query)
    text = text.replace(";", "&")
    pairs = _decoded(text, plus=plus)
    if pairs is not None:
        return tuple(pairs)
    # One of them is at fault, and says so when its turn comes.
    if plus:
        text = text.replace("+", "%20")
    parts = text.split("&")
    result: list[tuple[str, str | None]] = []
    for at in range(0, len(parts), _FEW):
        some = "&".join(parts[at : at + _FEW])
        pairs = _decoded(some, plus=False)
        result += _one_by_one(some) if pairs is None else pairs
    return tuple(result)


def _query_of(given: Text) -> str:
    """Give the query that was given, or that of a reference; the text of a reference is none."""
    if not isinstance(given, Textual):
        return as_text(given, "query")
    if not hasattr(given, "query"):
        raise refusal(given, "query", "a str, ASCII as bytes or a reference")
    query: str | None = given.query
    return query or ""


def _decoded(query: str, *, plus: bool) -> list[tuple[str, str | None]] | None:
    """Decode all pairs at once, since most are short; None if one of them cannot be decoded."""
    if "%" not in query and not (plus and "+" in query):
        return _split(query)
    table = _octets()
    try:
        octets = query.encode()
        first, *pieces = (octets.replace(b"+", b" ") if plus else octets).split(b"%")
        octets = first + b"".join(
            [table[piece] if len(piece) == 2 else table[piece[:2]] + piece[2:] for piece in pieces]
        )
        octets.translate(_FROM_MARKS).decode()  # refuses all that is no UTF-8 but the marks
        decoded = octets.decode("utf-8", "surrogateescape")
    except (KeyError, UnicodeError):
        return None
    pairs = _split(decoded)
    for mark, sign in _MARKS:
        if mark in decoded:
            pairs = [
                (name.replace(mark, sign), value and value.replace(mark, sign))
                for name, value in pairs
            ]
    return pairs


def _one_by_one(query: str) -> list[tuple[str, str | None]]:
    return [
        (unquote(name), None if value is None else unquote(value)) for name, value in _split(query)
    ]


def _split(query: str) -> list[tuple[str, str | None]]:
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    return [(name, value if equals else None) for name, equals, value in pairs]


@cache
def _octets() -> dict[bytes, bytes]:
    """Map two hexadecimal digits to their octet, or to its mark; the marks' own are left out."""
    digits = charset("HEXDIG")
    table: dict[bytes, bytes] = {}
    for pair in (first + second for first in digits for second in digits):
        octet = unquote_to_bytes(f"%{pair}")
        if octet not in _TO_MARKS.values():
            table[pair.encode()] = _TO_MARKS.get(octet, octet)
    return table
