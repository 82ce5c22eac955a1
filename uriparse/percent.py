"""Percent-encoding (RFC 3986 section 2): data to text and back, triplets, pairs of queries."""

from __future__ import annotations

import codecs
import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from uriparse import excerpt
from uriparse.coerce import Data, Text, Textual, as_choice, as_data, as_str, as_text, refusal
from uriparse.errors import EncodingError, UnknownRuleError
from uriparse.grammar import charset, matcher

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "query_pairs",
    "quote",
    "unquote",
    "unquote_to_bytes",
]


# Which encodings of text percent-encoding can be done in: those in which ASCII is itself.
#
# A triplet, the delimiters around it and the characters that need none are ASCII, one octet each.
# In another encoding (UTF-16, EBCDIC, UTF-7...) no octet of a "%" would be found again, or a text
# without any triplet would mean something else.

_ASCII = range(0x80)


_LONGEST_NAME = 64
"""Characters of a refused name that its message quotes."""


def checked_encoding(encoding: str) -> str:
    """Give the name of an encoding in which every octet of ASCII is the character, and back.

    EncodingError for one that Python does not know, that is none of text, or in which ASCII is
    written otherwise; TypeError for what is no `str`.

    >>> checked_encoding("latin-1")
    'latin-1'
    >>> checked_encoding("utf-16")
    Traceback (most recent call last):
    uriparse.errors.EncodingError: encoding 'utf-16': ASCII is not itself in it, octet for octet, \
so that no triplet is found; quote() takes octets too, and unquote_to_bytes() gives them
    """
    return _checked(as_str(encoding, "encoding"))


@lru_cache(maxsize=64)  # which keeps no refusal: the codec may be registered yet
def _checked(encoding: str) -> str:
    fault = _fault(encoding)
    if fault is not None:
        name = excerpt.masked(encoding)[:_LONGEST_NAME]
        raise EncodingError(f"encoding {name!r}: {fault}")
    return encoding


def _fault(encoding: str) -> str | None:
    """Say what makes an encoding unfit; None if nothing does."""
    try:
        codecs.lookup(encoding)
    except (LookupError, ValueError):
        return "Python knows none of that name"
    try:
        if _has_ascii(encoding):
            return None
    except LookupError:
        return "it is none of text"
    except ValueError:
        pass
    return (
        "ASCII is not itself in it, octet for octet, so that no triplet is found;"
        " quote() takes octets too, and unquote_to_bytes() gives them"
    )


def _has_ascii(encoding: str) -> bool:
    """Whether each octet of ASCII is its character, alone and before and after any other.

    Alone, "~" of HZ and ESC of ISO 2022 are the beginning of something else; what does not show
    until another octet follows is the backslash of `raw_unicode_escape`.
    """
    alone = [chr(code) for code in _ASCII]
    pairs = "".join(first + second for first in alone for second in alone)
    return all(
        text.encode(encoding) == octets and octets.decode(encoding) == text
        for text, octets in ((text, text.encode("ascii")) for text in (*alone, pairs))
    )


# Percent-encoding, one component at a time (RFC 3986 section 2).
#
# Encode when a reference is put together, decode after it has been taken apart, each once. The
# characters that stay as they are come from the grammar's own rules.

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


# Queries made of pairs, as HTML forms write them: a habit, of which RFC 3986 knows nothing.

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
    pairs = _decoded_pairs(text, separator, plus=plus)
    if pairs is not None:
        return tuple(pairs)
    # One of them is at fault, and says so when its turn comes.
    parts = text.split(separator)
    result: list[tuple[str, str | None]] = []
    for at in range(0, len(parts), _FEW):
        some = separator.join(parts[at : at + _FEW])
        pairs = _decoded_pairs(some, separator, plus=plus)
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


def _decoded_pairs(
    query: str, separator: str, *, plus: bool
) -> list[tuple[str, str | None]] | None:
    """Decode all pairs at once, since most are short; None if one of them cannot be decoded."""
    if "%" not in query:
        return _split(query.replace("+", " ") if plus else query, separator)
    table, from_marks = _marked_octets(separator)
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
def _marked_octets(separator: str) -> tuple[dict[bytes, bytes], bytes]:
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


# Percent-encoded triplets within valid text: rewritten, never made or broken up.
#
# Everything here takes text in which each "%" begins a triplet, as in every part of a record, and
# is linear in its length.


def decode_unreserved(text: str) -> str:
    """Decode the triplets of unreserved characters, leaving the others as they are.

    >>> decode_unreserved("%7euser%2f%41")
    '~user%2fA'
    """
    return _replaced(text, _rewritings().decoded)


def upper(text: str) -> str:
    """Write the hexadecimal digits of triplets in upper case.

    >>> upper("a%2fb")
    'a%2Fb'
    """
    return _replaced(text, _rewritings().upper)


def fold_triplets(text: str) -> str:
    """Decode the triplets of unreserved characters and write the others in upper case, at once.

    >>> fold_triplets("%7euser%2f%41")
    '~user%2FA'
    """
    return _replaced(text, _rewritings().folded)


def lower_around_triplets(text: str) -> str:
    """Write ASCII letters in lower case, but those of triplets in upper case.

    >>> lower_around_triplets("H%c3%a9.D")
    'h%C3%A9.d'
    """
    if "%" not in text:
        return lower(text)
    return upper(lower(text) if _capital().search(text) else text)


def lower(text: str) -> str:
    """Write ASCII letters in lower case, those of triplets too.

    >>> lower("ÉH%C3%A9.D")
    'Éh%c3%a9.d'
    """
    return text.lower() if text.isascii() else text.encode().lower().decode()


class _Rewriting(NamedTuple):
    """What takes the place of triplets.

    Attributes:
        table: the same by their two hexadecimal digits, in any letter case.
        changed: a triplet that does not stay as it is.

    """

    table: dict[str, str]
    changed: re.Pattern[str]


def _replaced(text: str, rewriting: _Rewriting) -> str:
    if rewriting.changed.search(text) is None:
        return text
    table = rewriting.table
    first, *rest = text.split("%")
    pieces = [table[piece] if len(piece) == 2 else table[piece[:2]] + piece[2:] for piece in rest]
    return first + "".join(pieces)


class _Rewritings(NamedTuple):
    decoded: _Rewriting
    upper: _Rewriting
    folded: _Rewriting


@cache
def _rewritings() -> _Rewritings:
    unreserved = charset("unreserved")
    pairs = [high + low for high in charset("HEXDIG") for low in charset("HEXDIG")]
    characters = {
        digits: character for digits in pairs if (character := chr(int(digits, 16))) in unreserved
    }
    as_written = {digits: "%" + digits for digits in pairs}
    upper_case = {digits: "%" + digits.upper() for digits in pairs}
    return _Rewritings(
        _rewriting(as_written | characters),
        _rewriting(upper_case),
        _rewriting(upper_case | characters),
    )


def _rewriting(table: dict[str, str]) -> _Rewriting:
    """Put together what stays, by first digits that have the same second ones, for speed."""
    seconds: dict[str, str] = {}
    for digits, written in sorted(table.items()):
        if written == "%" + digits:
            seconds[digits[0]] = seconds.get(digits[0], "") + digits[1]
    firsts: dict[str, str] = {}
    for first, second in seconds.items():
        firsts[second] = firsts.get(second, "") + first
    kept = "|".join(f"[{first}][{second}]" for second, first in firsts.items())
    return _Rewriting(table, re.compile(f"%(?!{kept})"))


@cache
def _capital() -> re.Pattern[str]:
    """Match a capital letter of ASCII that is no digit of a triplet."""
    capitals = "".join(letter for letter in charset("ALPHA") if letter.isupper())
    return re.compile(f"[{capitals}](?<!%.)(?<!%..)")


# Triplets of UTF-8 octets and the characters beyond ASCII that they encode (RFC 3987 section 3).
#
# As in `uriparse.percent`, each "%" of a text begins a triplet, and time is linear. Long
# texts are worked on as a whole, not character by character: that is four to ten times as fast.

# Characters that IRIs have room for and that are better left encoded: spaces and line separators,
# and what cannot be seen or changes the direction of text (RFC 3987 sections 4.1 and 6.1).
_LEFT_ENCODED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})

_SMUGGLED = 0xDC00
"""What the codecs' `surrogateescape` adds to an octet that is no UTF-8."""

_NOT_ASCII = re.compile("([^\x00-\x7f]+)")
_PLACE = " "
"""Keeps the place of characters that are no triplets; no reference holds one."""

_NOTHING = b"\xff"
"""An octet that UTF-8 does not have."""


def encode(text: str) -> str:
    """Percent-encode the characters beyond ASCII (RFC 3987 section 3.1, step 2).

    >>> encode("résumé%2f")
    'r%C3%A9sum%C3%A9%2f'
    """
    if text.isascii():
        return text
    octets = text.encode()
    # Three for each octet: itself, or "%" and its digits.
    written = bytearray(len("%00") * len(octets))
    for place, table in enumerate(_writing()):
        written[place :: len("%00")] = octets.translate(table)
    return written.translate(None, _NOTHING).decode("ascii")


def decode_utf8_triplets(text: str, *, private: bool = False) -> str:
    """Decode the triplets of unreserved characters, those of IRIs (rule `iunreserved`) included.

    Triplets stay where they are of reserved and of other ASCII characters; of octets that are no
    UTF-8; of characters that IRIs do not allow, of spaces, and of those that are invisible or
    change the direction of text (RFC 3987 section 3.2).

    private: whether to decode characters for private use too, which queries may hold.

    >>> decode_utf8_triplets("D%C3%BCrst%2f%7Eu%FC")
    'Dürst%2f~u%FC'
    """
    return _replaced_utf8(text, _reading().decoded, private=private)


def fold_utf8_triplets(text: str) -> str:
    """Decode as `decode`, and write the triplets that stay in upper case, at once.

    >>> fold_utf8_triplets("D%c3%bcrst%2f%7Eu%fc")
    'Dürst%2F~u%FC'
    """
    return _replaced_utf8(text, _reading().folded, private=False)


def _replaced_utf8(text: str, table: dict[str, str], *, private: bool) -> str:
    if "%" not in text:
        return text
    if text.isascii():
        return _decoded_utf8(text, table, private=private)
    parts = _NOT_ASCII.split(text)
    parts[::2] = _decoded_utf8(_PLACE.join(parts[::2]), table, private=private).split(_PLACE)
    return "".join(parts)


def _decoded_utf8(text: str, table: dict[str, str], *, private: bool) -> str:
    """Decode a text of ASCII alone."""
    first, *rest = text.split("%")
    pieces = [table[piece] if len(piece) == 2 else table[piece[:2]] + piece[2:] for piece in rest]
    smuggled = first + "".join(pieces)
    if smuggled.isascii():
        return smuggled
    characters = smuggled.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    used = set(characters)
    unfit = {one for one in used - _fit(used, private=private) if not one.isascii()}
    if not unfit:
        return characters
    # All that are used, since a character that the table lacks takes three times as long.
    written = {ord(one): _triplets(one) if one in unfit else one for one in used}
    return characters.translate(written)


def _triplets(character: str) -> str:
    octets = character.encode("utf-8", "surrogateescape")
    return "".join(f"%{octet:02X}" for octet in octets)


class _Reading(NamedTuple):
    """Two hexadecimal digits, in any letter case, to what takes the place of their triplet.

    An octet beyond ASCII is smuggled in, until all of its character are there.
    """

    decoded: dict[str, str]
    folded: dict[str, str]


@cache
def _reading() -> _Reading:
    unreserved = charset("unreserved")
    pairs = [high + low for high in charset("HEXDIG") for low in charset("HEXDIG")]
    as_written: dict[str, str] = {}
    upper_case: dict[str, str] = {}
    for digits in pairs:
        octet = int(digits, 16)
        if octet >= 0x80:
            as_written[digits] = upper_case[digits] = chr(_SMUGGLED + octet)
        elif chr(octet) in unreserved:
            as_written[digits] = upper_case[digits] = chr(octet)
        else:
            as_written[digits], upper_case[digits] = f"%{digits}", f"%{digits.upper()}"
    return _Reading(as_written, upper_case)


@cache
def _writing() -> tuple[bytes, ...]:
    """Map octets to the three that they are written with; those of ASCII are their own first."""
    own = bytes(range(0x80))
    beyond = [f"%{octet:02X}".encode() for octet in range(0x80, 0x100)]
    first, *others = (bytes(place) for place in zip(*beyond, strict=True))
    return own + first, *(_NOTHING * len(own) + other for other in others)


def _fit(characters: Iterable[str], *, private: bool) -> set[str]:
    """Return those beyond ASCII that may stand by themselves (RFC 3987 section 3.2, step 4)."""
    allowed = _beyond_ascii(private=private).findall("".join(characters))
    return {one for one in allowed if unicodedata.category(one) not in _LEFT_ENCODED}


@cache
def _beyond_ascii(*, private: bool) -> re.Pattern[str]:
    rules = ("ucschar", "iprivate") if private else ("ucschar",)
    return re.compile("|".join(matcher(rule, "rfc3987").pattern for rule in rules))
