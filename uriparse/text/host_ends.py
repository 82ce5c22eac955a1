"""Whether a host name in prose goes on after the characters that the grammar allows.

Clients map a host name as IDNA does (Unicode Technical Standard 46): letters, marks, digits and
symbols belong to it, invisible characters are dropped, and what is compatible with ASCII is read as
that. Text before them would name another host. In prose, punctuation usually ends a name.
"""

import unicodedata

from uriparse.grammar import charset
from uriparse.text.patterns import FAR

_QUOTES = frozenset({"Ps", "Pe", "Pi", "Pf"})
"""The categories of brackets and quotation marks."""

_POSSESSIVE = "\u2019s"

_MIDDLE_DOT = "\u30fb"
"""Of Japanese names, in which IDNA allows it; all other wide punctuation but dots ends a name."""

_TSHEG = "\u0f0b"
"""Between syllables of Tibetan, the only punctuation that IDNA allows everywhere."""

_FULL_STOP = "\u3002"
"""IDNA's label separators are this one and those compatible with it or with ".": RFC 3490
section 3.1."""


def goes_on(text: str, at: int, before: str, *, final: bool) -> bool | None:
    """Return whether a host name goes on at a character that is not ASCII; None if undecided.

    Dots, colons, dashes, invisible characters and narrow punctuation belong to the name if a word
    follows, unless they close a quotation that `before`, the character before the URI, opens.

    >>> [goes_on(f"http://h.{rest}", 9, "", final=True) for rest in ("例/", "。", "。例", "，next")]
    [True, False, True, False]
    """
    quoted = before != "" and unicodedata.category(before) in _QUOTES
    last = at + FAR
    while at < last:
        if at == len(text):
            return False if final else None
        if quoted and unicodedata.category(text[at]) in _QUOTES:
            return False
        size = len(_POSSESSIVE) if text.startswith(_POSSESSIVE, at) else 1
        belongs = None if size > 1 else _belongs(text[at])
        if belongs is not None:
            return belongs
        at += size
    return True  # no punctuation is so long


def _belongs(one: str) -> bool | None:
    """Return whether a character belongs to a host name; None if it depends on the next one."""
    category = unicodedata.category(one)
    plain = unicodedata.normalize("NFKC", one)
    if category == "Cf":
        return None if unicodedata.bidirectional(one) == "BN" else False
    if plain == _TSHEG:
        return True
    if category[0] == "P" or one.isascii():
        if not plain.strip(".:") or plain in (_FULL_STOP, _MIDDLE_DOT) or category == "Pd":
            return None
        if plain.isascii():
            return plain in charset("unreserved") | set("@%")
        return False if unicodedata.east_asian_width(one) in "WFH" else None
    return category[0] != "Z" and category != "Cc" and plain not in "<>|"
