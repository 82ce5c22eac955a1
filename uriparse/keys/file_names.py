"""File names of keys, which can be turned back into the key."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

from uriparse._base.coerce import Text, as_text, refusal
from uriparse.errors import EncodingError
from uriparse.grammar import charset

# File names of keys. A name is `k-` and the key, in which small letters, digits, "-", "_"
# and "." stay and every other octet of its UTF-8 form is "=" and two digits. So a name contains no
# path separator, keys that differ only in case have different names on case-insensitive file
# systems, and no name is a device, hidden, or "..". If the name would be too long, it is `h-` and
# the SHA-256 of the key, which is not reversible.

LONGEST = 255
"""The most characters of a file name on common file systems."""

_REVERSIBLE = "k-"
_HASHED = "h-"
_HASHED_LENGTH = len(_HASHED) + 64
_PLAIN = charset("lowalpha", "rfc1738") | charset("DIGIT") | frozenset("-_.")
_TABLE = {code: chr(code) if chr(code) in _PLAIN else f"={code:02x}" for code in range(0x100)}
_OCTETS = {f"{code:02x}": chr(code) for code in _TABLE}


def file_name(key: Text, *, longest: int = LONGEST, hashed: bool = False) -> str:
    """Return the file name of a key.

    longest: the most characters of a name, at least 66.
    hashed: True hashes short keys too, so that directory listings show no password of a URL.

    ValueError if `longest` is too small for a hash.

    >>> file_name("http://h/A?b")
    'k-http=3a=2f=2fh=2f=41=3fb'
    >>> file_name("http://h/A?b", hashed=True)[:12]
    'h-4505cdd0e4'
    """
    key = as_text(key, "key")
    if not isinstance(longest, int):
        raise refusal(longest, "longest", "an int")
    if longest < _HASHED_LENGTH:
        raise ValueError(f"a hashed name takes {_HASHED_LENGTH} characters, and longest={longest}")
    octets = key.encode("utf-8", "surrogatepass")
    if not hashed and len(_REVERSIBLE) + len(octets) <= longest:
        name = _REVERSIBLE + octets.decode("latin-1").translate(_TABLE)
        if name.endswith("."):  # Windows drops a final dot
            name = name[:-1] + "=2e"
        if len(name) <= longest:
            return name
    return _HASHED + sha256(octets).hexdigest()


def key_of(name: Text) -> str:
    """Return the key of a reversible file name.

    EncodingError for a hashed name, or one that `file_name` does not make.

    >>> key_of("k-http=3a=2f=2fh=2f=41=3fb")
    'http://h/A?b'
    """
    name = as_text(name, "name")
    if name.startswith(_HASHED):
        raise EncodingError("a hashed name does not contain its key", text=name)
    if name.startswith(_REVERSIBLE):
        first, *rest = name.removeprefix(_REVERSIBLE).split("=")
        octets = first + "".join((_OCTETS.get(piece[:2], "=") + piece[2:]) for piece in rest)
        with suppress(UnicodeError):
            key = octets.encode("latin-1").decode("utf-8", "surrogatepass")
            if file_name(key, longest=max(LONGEST, len(name))) == name:
                return key
    raise EncodingError("this name was not made from a key", text=name)
