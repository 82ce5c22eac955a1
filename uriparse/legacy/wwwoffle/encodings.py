"""The encodings of WWWOFFLE: one a part of the URL, and the form encoding of HTML.

All take any text. Encode a text once and decode it once: a second encoding encodes the "%" of the
first, a second decoding takes data for triplets.

Versions 2.7 to 2.9 decode as the program does: the two characters after "%" are digits whatever
they are, 0 where they are not hexadecimal, and a NUL ends the text, as strings end in C.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from uriparse._base.coerce import Data, Text, as_choice, as_items, as_text, refusal
from uriparse.grammar import charset
from uriparse.legacy import octets as raw
from uriparse.legacy.octets import DECODED, Octets, encoder, octets_of, text_of

Version: TypeAlias = Literal["2.6", "2.7", "2.8", "2.9"]
"""2.6 is its document's rules; the others are the program's functions, to the letter."""

VERSIONS: tuple[Version, ...] = ("2.6", "2.7", "2.8", "2.9")

_HEXDIG = charset("HEXDIG")
_ALPHANUMERIC = charset("ALPHA") | charset("DIGIT")

PATH = _ALPHANUMERIC | frozenset("!$()*+,-./:;=_~")
"""What WWWOFFLE leaves as it is in a path."""

PASSWORD = _ALPHANUMERIC | frozenset("!$*+,-.=_~")
"""What WWWOFFLE leaves as it is in a user name and in a password."""

FORM = _ALPHANUMERIC | frozenset("!$()*,-./:_|~")
"""What WWWOFFLE leaves as it is in form data, where a space becomes "+".

The vertical line is in no URI by RFC 1738 or 3986. It stays, because with another set the
names of the cache files would not be those that the program gives.
"""

FORM_DELIMITERS = frozenset("&;=+?")
"""What keeps its meaning in arguments where it is written as itself, and only there."""

BEFORE_PARAMS = encoder(PATH - {";"})
"""Encodes a path that ends at the first ";"."""
PATH_TABLES = {"2.6": encoder(PATH), "2.7": BEFORE_PARAMS, "2.8": BEFORE_PARAMS}
PATH_TABLES["2.9"] = PATH_TABLES["2.6"]
_PASSWORD_TABLE = encoder(PASSWORD)
_FORM_TABLE = encoder(FORM) | {ord(" "): "+"}

# The octets of arguments once their triplets are settled: "%" begins one of those that are left.
_RECODED_TABLE = encoder(FORM | FORM_DELIMITERS | {"%"}) | {ord(" "): "+"}
_RECODED_IN_C = encoder(FORM | FORM_DELIMITERS) | {ord(" "): "+"}
_SETTLED = {digits: octet.translate(_FORM_TABLE) for digits, octet in DECODED.items()}


def decode(text: Data, *, version: Version = "2.6") -> str:
    r"""Decode the triplets of a text once (WWWOFFLE's generic decoding).

    Total: what is not a triplet stays, "+" stays, and octets that are not UTF-8 become the lone
    surrogates of `os.fsdecode`, so that encoding gives them back.

    >>> decode("a%20b+c"), decode("100%"), decode("%2541"), decode("%E9")
    ('a b+c', '100%', '%41', '\udce9')
    >>> decode("%4xb%zzc"), decode("%4xb%zzc", version="2.9")
    ('%4xb%zzc', '@b')
    """
    by_document = as_choice(version, "version", VERSIONS) == "2.6"
    return text_of((raw.decode if by_document else decode_in_c)(octets_of(text)))


def encode_path(text: Data, *, version: Version = "2.6") -> str:
    """Encode what does not stand for itself in a path; 2.7 and 2.8 encode ";" too.

    >>> encode_path("a/b:c@d?e f;g&h=i"), encode_path("a;b", version="2.8")
    ('a/b:c%40d%3Fe%20f;g%26h=i', 'a%3Bb')
    """
    return octets_of(text).translate(PATH_TABLES[as_choice(version, "version", VERSIONS)])


def encode_password(text: Data) -> str:
    """Encode what does not stand for itself in a user name or a password.

    >>> encode_password("a/b:c@d?e f;g&h=i")
    'a%2Fb%3Ac%40d%3Fe%20f%3Bg%26h=i'
    """
    return octets_of(text).translate(_PASSWORD_TABLE)


def encode_form(text: Data) -> str:
    """Encode a name or a value of form data; a URL passed as an argument is one.

    >>> encode_form("http://h.d/x?a=b&c=d e")
    'http://h.d/x%3Fa%3Db%26c%3Dd+e'
    """
    return octets_of(text).translate(_FORM_TABLE)


def decode_form(text: Data, *, version: Version = "2.6") -> str:
    """Decode a name or a value of form data, once they are split: "+" is a space.

    >>> decode_form("a+b%2B")
    'a b+'
    """
    if as_choice(version, "version", VERSIONS) == "2.6":
        return text_of(raw.decode(octets_of(text).replace("+", " ")))
    return text_of(decode_in_c(octets_of(text), space="+"))


def recode_form_args(text: Data, *, version: Version = "2.6") -> str:
    """Write arguments, or the body of a form, in the one encoding that WWWOFFLE gives them.

    Triplets of characters that need none are decoded; `&`, `;`, `=`, `+` and `?` mean the same
    before and after, whether written as themselves or encoded. Idempotent in 2.6.

    >>> recode_form_args("q=a%20b&r=%7e;u=http%3A%2F%2Fh%2F%3Fx%3D1%26y%3D2")
    'q=a+b&r=~;u=http://h/%3Fx%3D1%26y%3D2'
    """
    if as_choice(version, "version", VERSIONS) == "2.6":
        return recode_form_octets(octets_of(text))
    return text_of(recode_in_c(octets_of(text)))


def recode_form_octets(octets: Octets) -> str:
    """`recode_form_args` of octets."""
    return raw.decode(octets, _SETTLED, other="%25").translate(_RECODED_TABLE)


def split_form_args(text: Text) -> list[str]:
    """Split recoded arguments at "&" and ";", which are the same; nothing is decoded.

    >>> split_form_args("a=%26&b=x+y;c&")
    ['a=%26', 'b=x+y', 'c', '']
    """
    return as_text(text).replace(";", "&").split("&")


def parse_form_args(text: Data) -> list[tuple[str, str | None]]:
    """Read form data: names and values, decoded, in order. A name without "=" has None.

    >>> parse_form_args("a%3Db=1&u=http%3A%2F%2Fx%2F%3Fa%3D1%26b%3D2&c")
    [('a=b', '1'), ('u', 'http://x/?a=1&b=2'), ('c', None)]
    """
    pairs: list[tuple[str, str | None]] = []
    for argument in split_form_args(recode_form_args(text)):
        name, equals, value = argument.partition("=")
        pairs.append((decode_form(name), decode_form(value) if equals else None))
    return pairs


def write_form_args(pairs: Iterable[tuple[Data, Data | None]]) -> str:
    """Write form data: names and values, encoded, in order; `parse_form_args` reads them back.

    A value of None is a name without "=". No pairs and the one pair of "" and None are the same
    empty text. TypeError for what is not a pair of data.

    >>> write_form_args([("a=b", "1 2"), ("u", "http://x/?a=1&b=2"), ("c", None)])
    'a%3Db=1+2&u=http://x/%3Fa%3D1%26b%3D2&c'
    """
    return "&".join(_written(pair) for pair in as_items(pairs, "pairs", "an iterable of pairs"))


def _written(pair: tuple[Data, Data | None]) -> str:
    if not isinstance(pair, tuple | list) or len(pair) != len(("name", "value")):
        raise refusal(pair, "a pair", "a tuple of name and value")
    name, value = pair
    return encode_form(name) if value is None else f"{encode_form(name)}={encode_form(value)}"


# The program's decoding, of versions 2.7 to 2.9.


def _pieces(octets: Octets) -> Iterator[tuple[Octets, Octets]]:
    """Yield each run without triplets, and the two characters after the "%" that ends it."""
    start = 0
    while 0 <= (at := octets.find("%", start)) < len(octets) - 2:
        yield octets[start:at], octets[at + 1 : at + 3]
        start = at + 3
    yield octets[start:], ""


def _value(digits: Octets) -> Octets:
    """Return the octet of two digits, 0 for each that is not hexadecimal."""
    return DECODED["".join(digit if digit in _HEXDIG else "0" for digit in digits)]


def decode_in_c(octets: Octets, *, space: str = "") -> Octets:
    """Decode once, up to the first NUL.

    space: a character that is a space where it is written.
    """
    pieces = []
    for run, digits in _pieces(octets):
        pieces += [run.replace(space, " ") if space else run, _value(digits) if digits else ""]
    return "".join(pieces).partition("\0")[0]


def recode_in_c(octets: Octets) -> Octets:
    """Recode arguments; a triplet that stays keeps its two characters, in upper case."""
    pieces = []
    for run, digits in _pieces(octets):
        pieces.append(run.translate(_RECODED_IN_C))
        if digits:
            kept = _value(digits).translate(_FORM_TABLE)
            shown = digits.encode("latin-1").upper().decode("latin-1")
            pieces.append("%" + shown if kept.startswith("%") else kept)
    return "".join(pieces)


def lower(octets: Octets) -> Octets:
    """Return ASCII letters in lower case, as in the C locale."""
    return octets.encode("latin-1").lower().decode("latin-1")
