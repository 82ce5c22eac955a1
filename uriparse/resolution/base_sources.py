"""Where documents and messages write down the base of their references.

What these functions return is text as it was written, for `base_uri` to make absolute. They read
what they are given and fetch nothing.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from uriparse.door import Text, as_text, refusal
from uriparse.resolution.markup import base_href

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

THIS_MESSAGE = "thismessage:/"
"""The base of a MIME message that names none (RFC 2557 section 5): a default for `base_uri`."""

# Numeric character references that may be longer than what int() reads (HTML, no URI syntax).
_LONG_REFERENCE = re.compile("&#([0-9]{8,})")
_BEYOND_UNICODE = "1114112"
_FOLDING = dict.fromkeys(map(ord, " \t\r\n"))
_HTML_SPACE = " \t\n\f\r"


def html_base(markup: Text) -> str | None:
    """Return the base that an HTML document embeds: the `href` of its first `<base>` with one.

    Character references in it are decoded and white space around it is dropped, as HTML has it.
    None where there is no such element; "" where it is empty. Whatever else is wrong with the
    markup is no error. Linear in time.

    >>> html_base('<title>t</title><base target="_top"><base href=" ../b?x&amp;y ">')
    '../b?x&y'
    """
    written = base_href(as_text(markup, "markup"))
    if written is None:
        return None
    return unescape(_LONG_REFERENCE.sub(_shortened, written)).strip(_HTML_SPACE)


def mime_base(heading: Message) -> str | None:
    """Return the base that the heading of a MIME entity states, None where it states none.

    That is its `Content-Location` (RFC 2557 section 4.2; may be relative), or `Content-Base`
    where there is one (RFC 2110 section 4.2, obsolete). White space in it is dropped, since it
    can only come from folding the header; characters that no URI has are left for `base_uri` to
    refuse.
    """
    if not hasattr(heading, "get"):
        raise refusal(heading, "heading", "a Message")
    for field in ("Content-Base", "Content-Location"):
        value = _stated(heading, field)
        if value is not None:
            return value.translate(_FOLDING)
    return None


def _stated(heading: Message, field: str) -> str | None:
    """Return what a field holds, None if it is not there."""
    try:
        value = heading.get(field)
        return None if value is None else str(value)
    except UnicodeEncodeError:  # of lone surrogates, which no octets of a message can have made
        fields = heading.raw_items()
        return next(str(value) for name, value in fields if name.lower() == field.lower())


def enclosing_bases(message: Message, part: Message) -> tuple[str | None, ...]:
    """Return what the headings around a part of a message state as base, innermost first.

    The first is that of the part's own heading, the last that of the whole message; each is as
    `mime_base` gives it. This is what `base_uri` takes as `enclosing` (RFC 3986 section 5.1.2).
    ValueError if the part is not in the message (compared by identity).
    """
    if not hasattr(message, "is_multipart"):
        raise refusal(message, "message", "a Message")
    way = [message]
    branches = [_parts(message)]
    while way[-1] is not part:
        below = next(branches[-1], None)
        if below is not None:
            way.append(below)
            branches.append(_parts(below))
            continue
        way.pop()
        branches.pop()
        if not way:
            raise ValueError("the part is not in the message")
    return tuple(mime_base(heading) for heading in reversed(way))


def _parts(message: Message) -> Iterator[Message]:
    if not message.is_multipart():
        return
    for part in message.get_payload():
        if not isinstance(part, str):
            yield part


def _shortened(reference: re.Match[str]) -> str:
    """Write a numeric character reference without its leading zeros, and in few digits."""
    digits = reference[1].lstrip("0") or "0"
    return f"&#{digits if len(digits) <= len(_BEYOND_UNICODE) else _BEYOND_UNICODE}"
