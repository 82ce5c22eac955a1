"""WWWOFFLE's reading of a URL, and the encodings of its parts."""

from collections.abc import Iterable
from dataclasses import dataclass

from uriparse._base.coerce import Data, Text, as_items, as_text, refusal
from uriparse.grammar import charset
from uriparse.legacy import octets as raw
from uriparse.legacy.octets import DECODED, Octets, encoder, octets_of, text_of

# WWWOFFLE's reading of a URL: total, and by heuristics where people leave parts out.
#
# No grammar is after it: every text has parts. They are left as written; `part_rules` says what
# the canonical form makes of each.

_DIGIT = charset("DIGIT")
_NEVER_IN_PROTOCOL = frozenset("/@[")
_LOCAL_PROTOCOL = "http"


@dataclass(slots=True, eq=False)
class WwwoffleParts:
    """The parts of one URL, which the rules rewrite in place. None is an absent part."""

    protocol: str | None
    """What is before the first ":"."""
    host: str
    """Host and port together, as WWWOFFLE has them."""
    path: str
    """From the first "/" on; empty where there is none."""
    username: str | None = None
    password: str | None = None
    params: str | None = None
    """What follows the first ";" of the path, if that is split off."""
    arguments: str | None = None
    """What follows "?"."""


def split_parts(octets: Octets, *, localhost: Octets, params: bool) -> WwwoffleParts:
    """Split a URL into its parts as written.

    localhost: host and port of a URL that names no host, as one that begins with "/".
    params: whether path and host end at the first ";".

    >>> parts = split_parts("user@host:pass@h:80?q#f", localhost="", params=True)
    >>> parts.protocol, parts.username, parts.password, parts.host, parts.path, parts.arguments
    (None, 'user@host', 'pass', 'h:80', '', 'q')
    """
    octets = octets.partition("#")[0]
    octets, question, arguments = octets.partition("?")
    if octets.startswith("/"):
        parts = WwwoffleParts(_LOCAL_PROTOCOL, localhost, octets)
    else:
        protocol, start = _protocol(octets)
        slash = octets.find("/", start)
        if slash < 0:
            slash = len(octets)
        parts = WwwoffleParts(protocol, octets[start:slash], octets[slash:])
        _split_credentials(parts)
    if params:
        _split_params(parts)
    if question:
        parts.arguments = arguments
    parts.host = parts.host or localhost
    return parts


def _protocol(octets: Octets) -> tuple[Octets | None, int]:
    """Find the protocol, and the offset at which user name or host begins.

    Slashes after the protocol may be missing. Where they are, a ":" before a digit is one of a
    port, and one before an "@" is one of a password; an empty protocol is none.
    """
    colon = octets.find(":")
    slash = octets.find("/")
    at = octets.find("@")
    if (
        colon < 0
        or not _NEVER_IN_PROTOCOL.isdisjoint(octets[:colon])
        or (slash != colon + 1 and octets[colon + 1 : colon + 2] in _DIGIT)
        or (slash != colon + 1 and at >= 0 and not 0 <= slash < at)
    ):
        return None, int(octets.startswith("@"))
    start = colon + 1
    if octets.startswith("//", start):
        start += 2
    elif octets.startswith("/", start):
        start += 1
    return octets[:colon] or None, start


def _split_credentials(parts: WwwoffleParts) -> None:
    """Take user name and password from before the last "@", which is where people forget it."""
    before, at, host = parts.host.rpartition("@")
    if at:
        parts.host = host
        parts.username, colon, password = before.partition(":")
        if colon:
            parts.password = password


def _split_params(parts: WwwoffleParts) -> None:
    """Take the params from after the first ";" of host and path."""
    parts.host, semicolon, after = parts.host.partition(";")
    if semicolon:
        parts.params = after + parts.path
        parts.path = ""
        return
    parts.path, semicolon, after = parts.path.partition(";")
    if semicolon:
        parts.params = after


def split_port(host: Octets) -> tuple[Octets, Octets | None]:
    """Split host and port at the last ":", but not inside a literal in brackets.

    >>> split_port("h:80"), split_port("[::1]"), split_port("[::1]:8")
    (('h', '80'), ('[::1]', None), ('[::1]', '8'))
    """
    if is_literal(host):
        end = host.find("]") + 1
        return host[:end], host[end + 1 :] if end < len(host) else None
    name, colon, port = host.rpartition(":")
    return (name, port) if colon else (host, None)


def is_literal(host: Octets) -> bool:
    """Return whether host and port begin with an address in brackets.

    >>> is_literal("[::1]:80"), is_literal("[::1]x")
    (True, False)
    """
    if not host.startswith("["):
        return False
    end = host.find("]") + 1
    return end > 0 and host[end : end + 1] in {"", ":"}


def composed(parts: WwwoffleParts) -> Octets:
    """Print the parts as they are."""
    protocol = "" if parts.protocol is None else parts.protocol + "://"
    credentials = ""
    if parts.username is not None:
        password = "" if parts.password is None else ":" + parts.password
        credentials = f"{parts.username}{password}@"
    params = "" if parts.params is None else ";" + parts.params
    arguments = "" if parts.arguments is None else "?" + parts.arguments
    return f"{protocol}{credentials}{parts.host}{parts.path}{params}{arguments}"


# The encodings of WWWOFFLE: one a part of the URL, and the form encoding of HTML.
#
# All take any text and give ASCII. Encode a text once and decode it once: a second encoding
# encodes the "%" of the first, a second decoding takes data for triplets.

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

_PATH_TABLE = encoder(PATH)
_PASSWORD_TABLE = encoder(PASSWORD)
_FORM_TABLE = encoder(FORM) | {ord(" "): "+"}

# The octets of arguments once their triplets are settled: "%" begins one of those that are left.
_RECODED_TABLE = encoder(FORM | FORM_DELIMITERS | {"%"}) | {ord(" "): "+"}
_SETTLED = {digits: octet.translate(_FORM_TABLE) for digits, octet in DECODED.items()}


def decode(text: Data) -> str:
    r"""Decode the triplets of a text once (WWWOFFLE's generic decoding).

    Total: what is not a triplet stays, "+" stays, and octets that are not UTF-8 become the lone
    surrogates of `os.fsdecode`, so that encoding gives them back.

    >>> decode("a%20b+c"), decode("100%"), decode("%2541"), decode("%E9")
    ('a b+c', '100%', '%41', '\udce9')
    """
    return text_of(raw.decode(octets_of(text)))


def encode_path(text: Data) -> str:
    """Encode what does not stand for itself in a path.

    >>> encode_path("a/b:c@d?e f;g&h=i")
    'a/b:c%40d%3Fe%20f;g%26h=i'
    """
    return octets_of(text).translate(_PATH_TABLE)


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


def decode_form(text: Data) -> str:
    """Decode a name or a value of form data, once they are split: "+" is a space.

    >>> decode_form("a+b%2B")
    'a b+'
    """
    return text_of(raw.decode(octets_of(text).replace("+", " ")))


def recode_form_args(text: Data) -> str:
    """Write arguments, or the body of a form, in the one encoding that WWWOFFLE gives them.

    Triplets of characters that need none are decoded; `&`, `;`, `=`, `+` and `?` mean the same
    before and after, whether written as themselves or encoded. Idempotent.

    >>> recode_form_args("q=a%20b&r=%7e;u=http%3A%2F%2Fh%2F%3Fx%3D1%26y%3D2")
    'q=a+b&r=~;u=http://h/%3Fx%3D1%26y%3D2'
    """
    return recode_form_octets(octets_of(text))


def recode_form_octets(octets: Octets) -> str:
    """`recode_form_args` of octets."""
    if "%" in octets:
        first, *rest = octets.split("%")
        pieces = [first]
        for piece in rest:
            settled = _SETTLED.get(piece[:2])
            pieces.append("%25" + piece if settled is None else settled + piece[2:])
        octets = "".join(pieces)
    return octets.translate(_RECODED_TABLE)


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
