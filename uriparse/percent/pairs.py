"""Queries made of pairs, as HTML forms write them: a habit, of which RFC 3986 knows nothing."""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias, get_args

from uriparse.door import Text, as_choice, as_text, refusal
from uriparse.grammar import charset
from uriparse.percent.coding import unquote, unquote_to_bytes
from uriparse.textual import Textual

Separator: TypeAlias = Literal["&", ";", "&;"]
"""The characters that end a pair, each by itself; the first one is written between new pairs."""

SEPARATORS: tuple[Separator, ...] = get_args(Separator)

_MARKS = ("\udcfe", "\udcff")
"""What stands for a separator and for "=" that are data until pairs are split. `surrogateescape`
makes it of two octets that UTF-8 does not have."""

_OCTETS_OF_MARKS = (b"\xfe", b"\xff")

_FEW = 256
"""Pairs that are decoded one by one where one of them is at fault."""


def query_pairs(
    query: Text, *, plus: bool = True, separator: Separator = "&"
) -> tuple[tuple[str, str | None], ...]:
    """Split a query into pairs of name and value, then decode each name and value.

    query: text; or a reference, for its query, which has no pairs where it is absent.
    plus: True reads "+" as a space, as HTML forms write it and as browsers, servers,
        `urllib.parse.parse_qsl` and yarl read it; only `%2B` is a plus sign then. False reads "+"
        as itself, since RFC 3986 gives it no other meaning.
    separator: "&", as browsers and `parse_qsl` split; ";" or "&;" (either one) for a server that
        is known to split so. Who splits differently reads different pairs.

    The value is None where there is no "=", and `""` where nothing follows it; empty pairs are
    left out. `query_string` writes a space as `%20` and a plus sign as `%2B`, which are read back
    as such whatever `plus` is; `with_query` keeps each pair that the query has as it is written.

    EncodingError as `unquote`, for octets that are not UTF-8; its offset counts within the name
    or value. ValueError for another separator.

    >>> query_pairs("a=1&b=x%26y+z&c&d=;")
    (('a', '1'), ('b', 'x&y z'), ('c', None), ('d', ';'))
    >>> query_pairs("a=1+2;b", plus=False, separator=";")
    (('a', '1+2'), ('b', None))
    """
    text = query if type(query) is str else _query_of(query)
    if separator != "&":
        separator = as_choice(separator, "separator", SEPARATORS)
        if separator == "&;":
            text, separator = text.replace(";", "&"), "&"
    pairs = _decoded(text, separator, plus=plus)
    if pairs is not None:
        return tuple(pairs)
    # One of them is at fault, and says so when its turn comes.
    parts = text.split(separator)
    result: list[tuple[str, str | None]] = []
    for at in range(0, len(parts), _FEW):
        some = separator.join(parts[at : at + _FEW])
        pairs = _decoded(some, separator, plus=plus)
        result += _one_by_one(some, separator, plus=plus) if pairs is None else pairs
    return tuple(result)


def split_pairs(query: str, separator: Separator) -> list[str]:
    """Split a query where `query_pairs` does, with nothing decoded and no pair left out.

    >>> split_pairs("a=1&;b", "&"), split_pairs("a=1&;b", "&;")
    (['a=1', ';b'], ['a=1', '', 'b'])
    """
    one = as_choice(separator, "separator", SEPARATORS)
    return (query.replace(";", "&") if one == "&;" else query).split(one[0])


def _query_of(given: Text) -> str:
    """Give the query that was given, or that of a reference; the text of a reference is none."""
    if not isinstance(given, Textual):
        return as_text(given, "query")
    if not hasattr(given, "query"):
        raise refusal(given, "query", "a str, ASCII as bytes or a reference")
    query: str | None = given.query
    return query or ""


def _decoded(query: str, separator: str, *, plus: bool) -> list[tuple[str, str | None]] | None:
    """Decode all pairs at once, since most are short; None if one of them cannot be decoded."""
    if "%" not in query:
        return _split(query.replace("+", " ") if plus else query, separator)
    table, from_marks = _octets(separator)
    try:
        octets = query.encode()
        first, *pieces = (octets.replace(b"+", b" ") if plus else octets).split(b"%")
        octets = first + b"".join(
            [table[piece] if len(piece) == 2 else table[piece[:2]] + piece[2:] for piece in pieces]
        )
        octets.translate(from_marks).decode()  # refuses all that is no UTF-8 but the marks
        decoded = octets.decode("utf-8", "surrogateescape")
    except (KeyError, UnicodeError):
        return None
    pairs = _split(decoded, separator)
    for mark, sign in zip(_MARKS, (separator, "="), strict=True):
        if mark in decoded:
            pairs = [
                (name.replace(mark, sign), value and value.replace(mark, sign))
                for name, value in pairs
            ]
    return pairs


def _one_by_one(query: str, separator: str, *, plus: bool) -> list[tuple[str, str | None]]:
    def read(part: str) -> str:
        decoded = unquote(part)  # first, so that an error shows "+" as it is written
        return unquote(part.replace("+", " ")) if plus else decoded

    return [
        (read(name), None if value is None else read(value))
        for name, value in _split(query, separator)
    ]


def _split(query: str, separator: str) -> list[tuple[str, str | None]]:
    pairs = [pair.partition("=") for pair in query.split(separator) if pair]
    return [(name, value if equals else None) for name, equals, value in pairs]


@cache
def _octets(separator: str) -> tuple[dict[bytes, bytes], bytes]:
    """Map two hexadecimal digits to their octet, or to its mark; the marks' own are left out.

    The second one is a table that maps the marks to what they stand for.
    """
    signs = (separator.encode(), b"=")
    marks = dict(zip(signs, _OCTETS_OF_MARKS, strict=True))
    digits = charset("HEXDIG")
    table: dict[bytes, bytes] = {}
    for pair in (first + second for first in digits for second in digits):
        octet = unquote_to_bytes(f"%{pair}")
        if octet not in _OCTETS_OF_MARKS:
            table[pair.encode()] = marks.get(octet, octet)
    return table, bytes.maketrans(b"".join(_OCTETS_OF_MARKS), b"".join(signs))
