"""Which encodings of text percent-encoding can be done in: those in which ASCII is itself.

A triplet, the delimiters around it and the characters that need none are ASCII, one octet each. In
another encoding (UTF-16, EBCDIC, UTF-7...) no octet of a "%" would be found again, or a text
without any triplet would mean something else.
"""

from __future__ import annotations

import codecs
from functools import lru_cache

from uriparse import excerpt
from uriparse.door import as_str
from uriparse.errors import EncodingError

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
