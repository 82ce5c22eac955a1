"""Encode data for a component of a reference.

In a URI characters beyond ASCII become the triplets of their UTF-8 octets; in an IRI they stay, but
for those that are better not seen there (see `uriparse.uri_to_iri`).
"""

from collections.abc import Iterable

from uriparse import percent
from uriparse._base.coerce import Data, as_data
from uriparse.components.dot_segments import remove_dot_segments
from uriparse.errors import excerpt, unfit
from uriparse.percent import Component, encoder, quote


def written(data: Data, component: Component, grammar: str, name: str) -> str:
    """Write data for a component, as `quote` does, in a URI or an IRI; `name`: of the parameter."""
    if type(data) is str and grammar == "rfc3986":
        return encoder(component)(data)
    text = quote(data if type(data) is str else as_data(data, name), component)
    if grammar == "rfc3986" or "%" not in text:
        return text
    return percent.decode_utf8_triplets(text, private=component.startswith("query"))


def written_segments(data: Iterable[Data], grammar: str) -> list[str]:
    """Write data as segments; ComponentError for "." and "..", and errors of `written`."""
    encode, is_plain = encoder("segment"), grammar == "rfc3986"
    segments = []
    for each in data:
        if is_plain and type(each) is str:
            segment = encode(each)
        else:
            segment = written(each, "segment", grammar, "a segment")
        if segment[:1] == ".":  # a dot is never written as a triplet
            refuse_dots(segment)
        segments.append(segment)
    return segments


def refuse_dots(segment: str) -> None:
    """ComponentError for a dot segment: it would lead elsewhere, and no spelling prevents that.

    Triplets would not help: "%2E" means "." (RFC 3986 section 6.2.2.2).
    """
    if is_dots(segment):
        raise unfit(
            "path",
            f"the segment {excerpt.quoted(segment)} does not name anything, but would be"
            f" removed with what it steps over (RFC 3986 section 5.2.4); to go there, resolve it",
            "segment",
            value=segment,
        )


def is_dots(segment: str) -> bool:
    """Return whether a segment is removed as a dot segment, once it is normalized."""
    plain = percent.fold_triplets(segment)
    return remove_dot_segments(plain) != plain
