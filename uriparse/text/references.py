"""Character references of HTML, as they stand in markup that is searched as text."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape

from uriparse.text.found import Flag
from uriparse.text.layer import Change

_LONGEST = 34
"""Characters of a reference at most, "&" and ";" included: that is what the longest name has."""

REFERENCE = re.compile("&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
"""A reference that ends with ";". Without it `&copy=1` would be one, which in URIs is a pair."""


class References:
    """Decodes them, wherever they are: in an attribute, in text, or in a script."""

    def changes(self, text: str, *, final: bool) -> tuple[list[Change], int]:
        """Give the references that mean something; see `Decodes`."""
        decided = len(text)
        if not final:
            last = text.rfind("&", max(0, decided - _LONGEST))
            if last >= 0 and text.find(";", last) < 0:
                decided = last
        found = []
        for reference in REFERENCE.finditer(text, 0, decided):
            meant = _character(reference[0])
            if meant != reference[0]:
                found.append(Change(*reference.span(), meant, Flag.ESCAPED))
        return found, decided


@lru_cache(maxsize=256)
def _character(reference: str) -> str:
    return unescape(reference)


def unescaped(text: str, start: int, end: int) -> str | None:
    """Read a part of a text as escaped HTML, up to where a delimiter would end a URI.

    None where no reference is in it. One whose ";" stands behind the part counts.

    >>> unescaped("x:?a&amp;b x:c&gt;,", 0, 10), unescaped("x:?a&amp;b x:c&gt;,", 11, 17)
    ('x:?a&b', 'x:c')
    """
    if text.find("&", start, end) < 0:
        return None
    if text.startswith(";", end):
        end += 1
    part = text[start:end]
    if REFERENCE.search(part) is None:
        return None
    meant = unescape(part)
    for delimiter in '<>"':
        meant = meant.partition(delimiter)[0]
    return meant if meant != part else None
