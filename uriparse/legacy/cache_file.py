"""File names made of cache keys: reversible as long as they fit, hashed beyond.

A name is `k-` and the key, in which small letters, digits, "-", "_" and "." stand for themselves
and every other octet of its UTF-8 form is "=" and two digits. So a name holds no separator of any
system; keys that differ in case alone have different names on file systems that ignore it; and
none is a device, hidden, or "..". A name that would be longer than a file system takes is `h-` and
the SHA-256 of the key instead, which cannot be turned back.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from uriparse.door import as_text, refusal
from uriparse.errors import EncodingError
from uriparse.grammar import charset

if TYPE_CHECKING:
    from uriparse.door import Text

LONGEST = 255
"""Characters in a file name on common file systems."""

_REVERSIBLE = "k-"
_HASHED = "h-"
_HASHED_LENGTH = len(_HASHED) + 64
_PLAIN = charset("lowalpha", "rfc1738") | charset("DIGIT") | frozenset("-_.")
_TABLE = {code: chr(code) if chr(code) in _PLAIN else f"={code:02x}" for code in range(0x100)}
_OCTETS = {f"{code:02x}": chr(code) for code in _TABLE}


def file_name(key: Text, *, longest: int = LONGEST, hashed: bool = False) -> str:
    """Give the file name of a cache key.

    longest: characters that a name may have, at least 66.
    hashed: True hashes short keys too; directory listings then show no password of a URL.

    ValueError if `longest` leaves no room for a hash.

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
        if name.endswith("."):  # Windows drops a last dot
            name = name[:-1] + "=2e"
        if len(name) <= longest:
            return name
    return _HASHED + sha256(octets).hexdigest()


def key_of(name: Text) -> str:
    """Give back the cache key of a reversible file name.

    EncodingError if `file_name` made it by hashing, or did not make it.

    >>> key_of("k-http=3a=2f=2fh=2f=41=3fb")
    'http://h/A?b'
    """
    name = as_text(name, "name")
    if name.startswith(_HASHED):
        raise EncodingError("a hashed name does not hold its key", text=name)
    if name.startswith(_REVERSIBLE):
        first, *rest = name.removeprefix(_REVERSIBLE).split("=")
        octets = first + "".join(_decoded(piece) for piece in rest)
        with suppress(UnicodeError):
            key = octets.encode("latin-1").decode("utf-8", "surrogatepass")
            if file_name(key, longest=max(LONGEST, len(name))) == name:
                return key
    raise EncodingError("this name was not made of a cache key", text=name)


def _decoded(piece: str) -> str:
    return _OCTETS.get(piece[:2], "=") + piece[2:]
