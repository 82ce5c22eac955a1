"""Percent-encode sets (section 1.3) and `application/x-www-form-urlencoded` (section 5)."""

from __future__ import annotations

from collections.abc import Iterable

from uriparse._base.coerce import Data, as_data, as_items, as_text
from uriparse.grammar import charset
from uriparse.percent import decoded_leniently, spelled_octets

PercentEncodeSet = tuple[dict[int, str], tuple[str, ...]]
"""What an ASCII text is translated by, and the spelling of each octet."""


def _percent_encode_set(rule: str) -> PercentEncodeSet:
    encoded = charset(rule, "whatwg")
    octets = spelled_octets(frozenset(map(chr, range(0x80))) - encoded)
    return {ord(char): octets[ord(char)] for char in encoded}, octets


C0_CONTROL = _percent_encode_set("C0-control-set")
FRAGMENT = _percent_encode_set("fragment-set")
QUERY = _percent_encode_set("query-set")
SPECIAL_QUERY = _percent_encode_set("special-query-set")
PATH = _percent_encode_set("path-set")
USERINFO = _percent_encode_set("userinfo-set")
_FORM = _percent_encode_set("form-set")


def encode(text: str, encoded: PercentEncodeSet) -> str:
    """UTF-8 percent-encode a text (section 1.3)."""
    table, octets = encoded
    if text.isascii():
        return text.translate(table)
    return "".join(map(octets.__getitem__, text.encode()))


def form_pairs(text: Data) -> tuple[tuple[str, str], ...]:
    """Parse `application/x-www-form-urlencoded` (section 5.1), as `URLSearchParams` does.

    text: a query without its "?", or octets. Octets that are not UTF-8 become U+FFFD. TypeError
    for what is not text.

    >>> form_pairs("a=b+c&d=%26&&e")
    (('a', 'b c'), ('d', '&'), ('e', ''))
    """
    data = as_data(text, "text")
    octets = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    found = []
    for piece in octets.split(b"&"):
        if piece:
            name, _, value = piece.replace(b"+", b" ").partition(b"=")
            found.append((decoded_leniently(name), decoded_leniently(value)))
    return tuple(found)


def form_urlencoded(pairs: Iterable[tuple[str, str]]) -> str:
    """Serialize pairs as `application/x-www-form-urlencoded` (section 5.2).

    TypeError for a name or a value that is not text.

    >>> form_urlencoded([("a", "b c"), ("d", "&é")])
    'a=b+c&d=%26%C3%A9'
    """
    return "&".join(
        f"{_form_text(as_text(name, 'name'))}={_form_text(as_text(value, 'value'))}"
        for name, value in as_items(pairs, "pairs", "pairs of texts")
    )


def _form_text(text: str) -> str:
    spelled = text.encode("utf-8", "replace").decode()
    return encode(spelled, _FORM).replace("%20", "+")
