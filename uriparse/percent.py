"""Percent-encoding (RFC 3986 section 2): data to text and back, triplets, pairs of queries."""

import codecs
import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from uriparse._base.coerce import Data, Text, as_choice, as_data, as_str, as_text
from uriparse._native import kernel
from uriparse.errors import EncodingError, UnknownRuleError, excerpt
from uriparse.grammar import charset, matcher

__all__ = ["quote", "unquote", "unquote_to_bytes"]


# Encodings. Only supersets of ASCII are allowed: in UTF-16, EBCDIC or UTF-7 an encoded "%" could
# not be found again, or a text without triplets would get another meaning.

_ASCII = range(0x80)


def checked_encoding(encoding: str) -> str:
    """Return the name of an encoding of text that is a superset of ASCII; else EncodingError."""
    return _checked(as_str(encoding, "encoding"))


@lru_cache(maxsize=64)  # errors are not cached: the codec may be registered later
def _checked(encoding: str) -> str:
    fault = "not a superset of ASCII; use bytes with quote() and unquote_to_bytes()"
    try:
        codecs.lookup(encoding)
    except (LookupError, ValueError):
        fault = "unknown to Python"
    else:
        try:
            if _has_ascii(encoding):
                return encoding
        except LookupError:
            fault = "not an encoding of text"
        except ValueError:
            pass
    raise EncodingError(f"encoding {excerpt.invalid_name(encoding)}: {fault}")


def _has_ascii(encoding: str) -> bool:
    """Return whether each ASCII octet encodes its character, alone and next to any other.

    The backslash of `raw_unicode_escape` fails only before another octet.
    """
    alone = [chr(code) for code in _ASCII]
    pairs = "".join(first + second for first in alone for second in alone)
    return all(
        text.encode(encoding) == octets and octets.decode(encoding) == text
        for text, octets in ((text, text.encode("ascii")) for text in (*alone, pairs))
    )


# Percent-encoding of one component (RFC 3986 section 2): encode before composing, decode after
# parsing, each once. The characters that need no encoding come from the grammar's rules.

Component: TypeAlias = Literal[
    "userinfo", "reg-name", "path", "segment", "segment-nz-nc",
    "query", "query-value", "fragment", "unreserved",
]  # fmt: skip
"""What `quote` encodes for: the ABNF rule that the result matches, but for "query-value"."""

_COMPONENTS: tuple[Component, ...] = get_args(Component)
_QUERY_VALUE = "query-value"
_PAIRING = "&;=+"
"""Characters with a meaning in a query of pairs."""


def quote(data: Data, component: Component, *, encoding: str = "utf-8") -> str:
    """Percent-encode data for a component, so that `unquote` returns the same data.

    data: text, encoded by `encoding`, which must be a superset of ASCII; a record, for its text;
        or octets. A "%" is data too and becomes %25: never quote twice.
    component: the rule whose characters stay: "userinfo", "reg-name", "path" (keeps "/"),
        "segment", "segment-nz-nc" (the first of a relative path), "query", "fragment";
        "query-value", a name or value in a query of pairs, also encodes "&", ";", "=" and "+";
        "unreserved" encodes every reserved character.

    The digits are upper case (section 2.1). Linear in time.

    EncodingError for a character that the encoding lacks, such as a lone surrogate, or for an
    encoding that is not allowed; UnknownRuleError for an unknown component; TypeError for another
    type of data.

    >>> quote("a b/ü", "segment"), quote("a b/ü", "path"), quote("a&b=c", "query-value")
    ('a%20b%2F%C3%BC', 'a%20b/%C3%BC', 'a%26b%3Dc')
    """
    own = encode_tables(component if type(component) is str else as_str(component, "component"))
    plain = data if type(data) is str else as_data(data)
    if encoding != "utf-8":
        encoding = checked_encoding(encoding)
    elif type(plain) is str:
        return encoder(component)(plain)
    return _quoted(plain, own.written, encoding)


def _quoted(data: str | bytes, written: Sequence[str], encoding: str = "utf-8") -> str:
    octets = _encoded(data, encoding) if isinstance(data, str) else data
    return "".join([written[octet] for octet in octets])


@cache
def encoder(component: Component) -> Callable[[str], str]:
    """Return what `quote` does with a plain `str` for a component, at a third of its cost."""
    kept, octets, written = encode_tables(component)
    if kernel is not None:
        # The other one says what is wrong with a text that has lone surrogates.
        return partial(kernel.encoded, octets, partial(_quoted, written=written))

    def encode(text: str) -> str:
        if not text.strip(kept):
            return text
        return "".join([written[octet] for octet in _encoded(text, "utf-8")])

    return encode


def unquote(text: Text, *, encoding: str = "utf-8") -> str:
    """Decode the triplets of a component, once.

    The octets are decoded by `encoding`, which must be a superset of ASCII. "+" stays "+": see
    `query_pairs` for queries of pairs. Split before decoding, since decoding may produce
    delimiters. Linear in time.

    EncodingError, with the offset of the triplet, if it is malformed or its octets are not valid
    in the encoding (use `unquote_to_bytes` for those); or for an encoding that is not allowed.

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
    # Raised outside the handler: the context of the error would show all octets, secrets included.
    offset = _text_offset(text, start, encoding)
    message = f"%{octets[start]:02X} at offset {offset} is not valid {encoding}"
    raise EncodingError(message, text=text, offset=offset)


def unquote_to_bytes(text: Text, *, encoding: str = "utf-8") -> bytes:
    r"""Decode the triplets of a component, once, to octets; `encoding` encodes other characters.

    EncodingError, with the offset, for a "%" without two hexadecimal digits after it, or for an
    encoding that is not a superset of ASCII.

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
            [pieces[0], *[table[p] if len(p) == 2 else table[p[:2]] + p[2:] for p in pieces[1:]]]
        )
    except KeyError:
        pass
    raise _malformed(text)


def decoded_leniently(octets: bytes) -> str:
    """Decode as browsers do: U+FFFD for what is not UTF-8, and a "%" without two digits stays."""
    first, *pieces = octets.split(b"%")
    table = _octets()
    decoded = [table.get(piece[:2], b"%" + piece[:2]) + piece[2:] for piece in pieces]
    return b"".join([first, *decoded]).decode("utf-8", "replace")


class _EncodeTables(NamedTuple):
    """What a component may hold.

    kept: the characters that stay. octets: a 1 for each of them, among all octets.
    written: what represents each octet: its character if that stays, else a triplet.
    """

    kept: str
    octets: bytes
    written: tuple[str, ...]


@cache
def encode_tables(component: str) -> _EncodeTables:
    """Return what a component may hold; UnknownRuleError for an unknown one."""
    if component not in _COMPONENTS:
        known = ", ".join(_COMPONENTS)
        shown = repr(excerpt.masked(component))
        raise UnknownRuleError(f"unknown component {shown}; known: {known}")
    kept = charset("query" if component == _QUERY_VALUE else component)
    if component == _QUERY_VALUE:
        kept -= set(_PAIRING)
    octets = bytes(chr(octet) in kept for octet in range(256))
    return _EncodeTables("".join(sorted(kept)), octets, spelled_octets(frozenset(kept)))


@cache
def spelled_octets(raw: frozenset[str]) -> tuple[str, ...]:
    """Return what represents each of 256 octets: its character if that is raw, or its triplet."""
    return tuple(one if (one := chr(octet)) in raw else f"%{octet:02X}" for octet in range(256))


@cache
def octets_by_digits() -> dict[str, int]:
    """Map two hexadecimal digits, in any letter case, to their octet: all 484 triplets."""
    digits = charset("HEXDIG")
    return {high + low: int(high + low, 16) for high in digits for low in digits}


@cache
def _octets() -> dict[bytes, bytes]:
    return {digits.encode(): bytes([octet]) for digits, octet in octets_by_digits().items()}


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        start = error.start
    found = excerpt.found_at(text, start)
    message = f"{found} at offset {start} cannot be encoded in {encoding}"
    raise EncodingError(message, text=text, offset=start)


def _malformed(text: str) -> EncodingError:
    broken = re.search(f"(?!{matcher('pct-encoded').pattern})%", text)
    offset = -1 if broken is None else broken.start()
    message = f'the "%" at offset {offset} is not followed by two HEXDIG'
    return EncodingError(message, text=text, offset=offset)


def _text_offset(text: str, octet: int, encoding: str) -> int:
    """Return the offset of the character or triplet that encodes an octet of the result."""
    position = 0  # in the result
    for piece in re.finditer("%..|[^%]+", text):
        is_triplet = piece[0][0] == "%"
        size = 1 if is_triplet else len(piece[0].encode(encoding))
        if octet < position + size:
            return piece.start() + (octet - position if piece[0].isascii() else 0)
        position += size
    return len(text)


# Queries of pairs, as HTML forms write them; RFC 3986 does not define them.

Separator: TypeAlias = Literal["&", ";", "&;"]
"""The characters that end a pair; the first one is written between new pairs."""

OctetErrors: TypeAlias = Literal["strict", "replace"]
"""Whether what is not UTF-8 is an error, or read as browsers read it."""

REPLACES = 'errors="replace"'
"""What errors advise."""

SEPARATORS: tuple[Separator, ...] = get_args(Separator)
_OCTET_ERRORS: tuple[OctetErrors, ...] = get_args(OctetErrors)


def decoded_pairs(
    query: str,
    *,
    plus: bool = True,
    separator: Separator = "&",
    errors: OctetErrors = "strict",
    only: Callable[[str], bool] | None = None,
) -> tuple[tuple[str, str | None], ...]:
    """Split the text of a query into pairs, then decode each name and value, as `query_pairs`.

    only: whether to decode the pair of a name as written; the others are left out.
    """
    if separator != "&":
        separator = as_choice(separator, "separator", SEPARATORS)
        if separator == "&;":
            query, separator = query.replace(";", "&"), "&"
    if errors != "strict":
        errors = as_choice(errors, "errors", _OCTET_ERRORS)
    if kernel is not None and only is None:
        made: tuple[tuple[str, str | None], ...] | None
        made = kernel.pairs(query, separator, plus, _NameAlone)
        if made is not None:
            return made
    found: list[tuple[str, str | None]] = []
    at = 0
    for part in query.split(separator):
        name, equals, value = part.partition("=")
        if only is not None and not (part and only(name)):
            at += len(part) + 1
            continue
        if "%" in part or "+" in part:
            texts = _decoded_piece(name, plus, errors), _decoded_piece(value, plus, errors)
            if None in texts:
                raise _undecoded(query, at, (name, value), plus=plus)
            name, value = cast("tuple[str, str]", texts)
        if part:
            found.append((name, value) if equals else _NameAlone((name, None)))
        at += len(part) + 1
    return tuple(found)


def _decoded_piece(text: str, plus: bool, errors: OctetErrors) -> str | None:  # noqa: FBT001 - called for each
    """Decode a name or a value; None if it cannot be."""
    if plus and "+" in text:
        text = text.replace("+", " ")
    if "%" not in text:
        return text
    if errors == "replace":
        return decoded_leniently(text.encode("utf-8", "surrogatepass"))
    with suppress(EncodingError, UnicodeDecodeError):
        return _unquoted(text, "utf-8").decode()
    return None


def _undecoded(query: str, at: int, pair: tuple[str, str], *, plus: bool) -> EncodingError:
    """Say what is wrong with a pair at an offset of a query."""
    name, value = pair
    is_value = _decoded_piece(name, plus, "strict") is not None
    text, at = (value, at + len(name) + 1) if is_value else (name, at)
    where = f"value of {excerpt.masked(name)!r}" if is_value else "name of a pair"
    offset, reason = 0, ""
    try:  # where it is in the query, and with "+" as it is written
        unquote("-" * at + text)
    except EncodingError as error:
        offset, reason = error.offset or 0, str(error)
    # Made outside the handler: the context of the error would have the octets, secrets included.
    reason = f"query, {where}: {reason}; {REPLACES} reads it"
    return EncodingError(reason, text=query, offset=offset)


class _NameAlone(tuple[str, "str | None"]):
    """A pair without "=", which comes before every pair of its name when pairs are sorted."""

    __slots__ = ()

    def __lt__(self, other: tuple[str, str | None]) -> bool:  # type: ignore[override]  # pairs
        return _key(self) < _key(other)

    def __gt__(self, other: tuple[str, str | None]) -> bool:  # type: ignore[override]  # pairs
        return _key(self) > _key(other)

    def __le__(self, other: tuple[str, str | None]) -> bool:  # type: ignore[override]  # pairs
        return _key(self) <= _key(other)

    def __ge__(self, other: tuple[str, str | None]) -> bool:  # type: ignore[override]  # pairs
        return _key(self) >= _key(other)


def _key(pair: tuple[str, str | None]) -> tuple[str, bool, str]:
    name, value = pair
    return name, value is not None, value or ""


def split_pairs(query: str, separator: Separator) -> list[str]:
    """Split a query as `query_pairs` does, without decoding, and keep empty pairs."""
    one = as_choice(separator, "separator", SEPARATORS)
    return (query.replace(";", "&") if one == "&;" else query).split(one[0])


# Rewriting the triplets of valid text, in which each "%" begins a triplet, as in every component of
# a record. All functions are linear in time.


def fold_triplets(
    text: str, *, decode: bool = True, upper: bool = True, undecoded: str = ""
) -> str:
    """Decode the triplets of unreserved characters but some; write the others in upper case."""
    return _replaced(text, _replacements(upper, decode, undecoded)) if "%" in text else text


def lower_around_triplets(text: str) -> str:
    """Write ASCII letters in lower case, and the digits of triplets in upper case."""
    return fold_triplets(lower_ascii(text), decode=False) if "%" in text else lower_ascii(text)


def lower_ascii(text: str) -> str:
    """Write ASCII letters in lower case, those in triplets included."""
    return text.lower() if text.isascii() else text.encode().lower().decode()


def _replaced(text: str, table: dict[str, str]) -> str:
    pieces = text.split("%")
    for number in range(1, len(pieces)):
        piece = pieces[number]
        pieces[number] = table[piece] if len(piece) == 2 else table[piece[:2]] + piece[2:]
    return "".join(pieces)


@cache
def _replacements(upper: bool, decode: bool, undecoded: str = "") -> dict[str, str]:  # noqa: FBT001 - for the cache
    """Map the two digits of each triplet to what is written for it."""
    unreserved = charset("unreserved") - set(undecoded)
    return {
        digits: chr(octet)
        if decode and chr(octet) in unreserved
        else f"%{digits.upper() if upper else digits}"
        for digits, octet in octets_by_digits().items()
    }


# Triplets of UTF-8 octets and the non-ASCII characters that they encode (RFC 3987 section 3). Whole
# texts are rewritten at once, which is four to ten times as fast as character by character.

# Categories that IRIs allow but that stay encoded: spaces, line separators, characters that are
# invisible or change the direction of text (RFC 3987 sections 4.1 and 6.1).
_LEFT_ENCODED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})

_SURROGATE = 0xDC00
"""What `surrogateescape` adds to an octet that is not UTF-8."""

_NOT_ASCII = re.compile("([^\x00-\x7f]+)")
_PLACE = " "
"""A stand-in for the non-ASCII parts of a text; no reference contains a space."""

_NOTHING = b"\xff"
"""An octet that UTF-8 does not use."""


def encode_non_ascii(text: str) -> str:
    """Percent-encode the non-ASCII characters (RFC 3987 section 3.1, step 2)."""
    if text.isascii():
        return text
    octets = text.encode()
    # Three octets for each: "%" and two digits, or itself and two fillers that are removed below.
    written = bytearray(len("%00") * len(octets))
    for place, table in enumerate(_writing()):
        written[place :: len("%00")] = octets.translate(table)
    return written.translate(None, _NOTHING).decode("ascii")


def decode_utf8_triplets(text: str, *, private: bool = False, upper: bool = False) -> str:
    """Decode the triplets of unreserved characters, those of IRIs (rule `iunreserved`) included.

    Triplets of other characters stay: reserved and other ASCII characters, octets that are not
    UTF-8, characters that IRIs do not allow, spaces, and characters that are invisible or change
    the direction of text (RFC 3987 section 3.2).

    private: whether to decode private-use characters too, which queries allow.
    upper: whether to write the remaining triplets in upper case.
    """
    if "%" not in text:
        return text
    table = _reading(upper)
    if text.isascii():
        return _decoded_utf8(text, table, private=private)
    parts = _NOT_ASCII.split(text)
    parts[::2] = _decoded_utf8(_PLACE.join(parts[::2]), table, private=private).split(_PLACE)
    return "".join(parts)


def _decoded_utf8(text: str, table: dict[str, str], *, private: bool) -> str:
    decoded = _replaced(text, table)
    if decoded.isascii():
        return decoded
    characters = decoded.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    used = set(characters)
    # The non-ASCII characters that may be decoded (RFC 3987 section 3.2, step 4).
    allowed = _beyond_ascii(private=private).findall("".join(used))
    decodable = {one for one in allowed if unicodedata.category(one) not in _LEFT_ENCODED}
    kept = {one for one in used - decodable if not one.isascii()}
    if not kept:
        return characters
    # The table has all used characters, since a missing one takes three times as long.
    written = {ord(one): triplets(one) if one in kept else one for one in used}
    return characters.translate(written)


def triplets(characters: str, errors: str = "surrogateescape") -> str:
    """Write the octets of characters in UTF-8 as triplets; errors: as for `str.encode`."""
    return f"%{characters.encode('utf-8', errors).hex('%')}".upper()


@cache
def _reading(upper: bool) -> dict[str, str]:  # noqa: FBT001 - for the cache
    """Return replacements of triplets; a non-ASCII octet is a lone surrogate for a while."""
    beyond = {d: chr(_SURROGATE + o) for d, o in octets_by_digits().items() if o >= 0x80}
    return _replacements(upper, True) | beyond


@cache
def _writing() -> tuple[bytes, ...]:
    """Return three tables from an octet to "%" and its digits; ASCII octets stay, with fillers."""
    own = bytes(range(0x80))
    beyond = [triplet.encode() for triplet in spelled_octets(frozenset())[0x80:]]
    first, *others = (bytes(place) for place in zip(*beyond, strict=True))
    return own + first, *(_NOTHING * len(own) + other for other in others)


@cache
def _beyond_ascii(*, private: bool) -> re.Pattern[str]:
    rules = ("ucschar", "iprivate") if private else ("ucschar",)
    return re.compile("|".join(matcher(rule, "rfc3987").pattern for rule in rules))
