"""What callers may give where a reference is wanted: its text, or its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from uriparse.door import Text, as_text
from uriparse.parsing.parser import parse
from uriparse.records import URI, RelativeRef, URIReference

if TYPE_CHECKING:
    from collections.abc import Mapping

Record: TypeAlias = URI | RelativeRef

Reference: TypeAlias = Text | URIReference
"""A record; or text or ASCII bytes, which are read by RFC 3986, or by RFC 3987 beside an IRI."""

REFERENCE_RULES: Mapping[str, str] = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
"""The widest rule of each grammar that yields records."""


def as_reference(given: Reference, grammar: str = "rfc3986", name: str = "reference") -> Record:
    """Return the record itself, or the text parsed as a reference in the grammar.

    name: of the parameter, for messages.

    URISyntaxError if the text is none; TypeError for what is no text.
    """
    if isinstance(given, URIReference):
        return cast("Record", given)
    text = given if isinstance(given, bytes) else as_text(given, name)
    return parse(text, REFERENCE_RULES[grammar], grammar=grammar)


def common_grammar(*given: Reference | None) -> str:
    """Name the grammar in which all of these can be read: that of IRIs if one record is an IRI."""
    iri = any(isinstance(one, URIReference) and one.grammar == "rfc3987" for one in given)
    return "rfc3987" if iri else "rfc3986"
