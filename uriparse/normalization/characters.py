"""Character normalization of IRIs (RFC 3987 section 5.3.2.2): a pass that no level contains.

IRIs should be made in NFC; one that is not may have been meant so, which only its maker knows.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from uriparse.grammar import charset, matcher
from uriparse.parsing import as_reference
from uriparse.records import RegName, _unchecked
from uriparse.records.components import rule_of

if TYPE_CHECKING:
    from uriparse.parsing import Record, Reference

_LONGEST_RUN = 30
"""Combining characters in a row, at most (Stream-Safe Text Format of UAX 15): ordering a run takes
time quadratic in its length, 0.8 s for 32,000 of them."""


def compose_characters(reference: Reference) -> Record:
    r"""Write an IRI's characters in Normalization Form C: a pass for `normalize`.

    Triplets stay as they are. So does a component in which NFC would put an ASCII character in
    the place of another (U+037E becomes ";"), take one away that is reserved or part of a
    triplet ("=" and U+0338 become U+2260), yield what the component's rule lacks, or meet more
    than 30 combining characters in a row.

    URISyntaxError if a text is no IRI reference.

    >>> from uriparse.normalization.normalizing import normalize
    >>> from uriparse.parsing.parser import parse
    >>> iri = parse("http://h/e\u0301", "IRI", grammar="rfc3987")
    >>> str(normalize(iri, passes=[compose_characters])) == "http://h/\u00e9"
    True
    """
    reference = as_reference(reference, "rfc3987")
    if str(reference).isascii():
        return reference
    grammar = reference.grammar
    authority = reference.authority
    if authority is not None and not str(authority).isascii():
        userinfo = _composed("userinfo", authority.userinfo, grammar)
        host = authority.host
        if isinstance(host, RegName):
            host = _unchecked.host(RegName, _composed("reg-name", host.text, grammar) or "")
        authority = _unchecked.authority(userinfo, host, authority.port)
    path = _composed("path", reference.path, grammar) or ""
    query = _composed("query", reference.query, grammar)
    fragment = _composed("fragment", reference.fragment, grammar)
    return _unchecked.reference(reference.scheme, authority, path, query, fragment, grammar)


def _composed(component: str, text: str | None, grammar: str) -> str | None:
    if text is None or text.isascii() or not _is_safe(text):
        return text
    composed = unicodedata.normalize("NFC", text)
    if composed == text or _delimiters(composed) != _delimiters(text):
        return text
    if matcher(rule_of(component, grammar), grammar).fullmatch(composed) is None:
        return text
    return composed


def _is_safe(text: str) -> bool:
    """Whether no character stands for an ASCII one, and no run of combining ones is too long."""
    beyond = [character for character in set(text) if not character.isascii()]
    # Line ends keep them apart: nothing is composed with one.
    if any(map(str.isascii, unicodedata.normalize("NFC", "\n".join(beyond)).split("\n"))):
        return False
    combining = dict.fromkeys(map(ord, filter(unicodedata.combining, beyond)), "\n")
    if not combining:
        return True
    others = dict.fromkeys(map(ord, set(text)), " ")
    return "\n" * (_LONGEST_RUN + 1) not in text.translate(others | combining)


def _delimiters(text: str) -> bytes:
    return text.encode().translate(None, _no_delimiters())


@cache
def _no_delimiters() -> bytes:
    delimiters = "".join(charset("reserved") | {"%"}).encode()
    return bytes(octet for octet in range(256) if octet not in delimiters)
