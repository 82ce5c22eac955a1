"""Kinds of references (RFC 3986 section 4): what one is, and what it means where it stands."""

from __future__ import annotations

from enum import StrEnum

from uriparse.door import Text, as_text
from uriparse.errors import ResolutionError
from uriparse.parsing import Reference, as_reference, parse
from uriparse.records import URI

_SUFFIX_MARK = "www."


class ReferenceKind(StrEnum):
    """What a reference is by its form, in the RFC's terms."""

    URI = "URI"
    """With a scheme (section 3)."""
    NETWORK_PATH = "network-path"
    """Begins with "//" (section 4.2)."""
    ABSOLUTE_PATH = "absolute-path"
    """Begins with a single "/"."""
    RELATIVE_PATH = "relative-path"
    """The rest: also the empty reference, a query or a fragment alone."""


def reference_kind(reference: Reference) -> ReferenceKind:
    """Classify a reference (RFC 3986 sections 4.1 and 4.2).

    URISyntaxError if a text is none.

    >>> [str(reference_kind(text)) for text in ("a:b", "//g", "/g", "./a:b", "?y", "")]
    ['URI', 'network-path', 'absolute-path', 'relative-path', 'relative-path', 'relative-path']
    """
    record = as_reference(reference)
    if isinstance(record, URI):
        return ReferenceKind.URI
    if record.authority is not None:
        return ReferenceKind.NETWORK_PATH
    if record.path.startswith("/"):
        return ReferenceKind.ABSOLUTE_PATH
    return ReferenceKind.RELATIVE_PATH


def is_absolute_uri(reference: Reference) -> bool:
    """Whether a reference is an absolute-URI: with a scheme, without a fragment (section 4.3).

    An empty fragment is a fragment. URISyntaxError if a text is no reference.

    >>> is_absolute_uri("http://a/b"), is_absolute_uri("http://a/b#")
    (True, False)
    """
    record = as_reference(reference)
    return isinstance(record, URI) and record.fragment is None


def complete_suffix_reference(text: Text, *, base: Reference | None = None) -> URI:
    """Guess the URI that a reference without scheme and "//" stands for (RFC 3986 section 4.5).

    A heuristic for what people type: a text that begins with "www." in any letter case gets
    "http://" before it. Nothing else in uriparse does this: to `parse`, such a text is a
    relative path, or a URI whose scheme is the host name where a port follows.

    base: the base in force at that place, if there is one; with it the text is a relative
        reference and cannot be a suffix.

    ResolutionError if a base is given or the text does not look like a suffix reference;
    URISyntaxError, about the completed text, if that is no URI.

    >>> str(complete_suffix_reference("www.w3.org/Addressing/"))
    'http://www.w3.org/Addressing/'
    """
    if base is not None:
        raise ResolutionError("with a base this is a relative reference, not a suffix reference")
    plain = as_text(text)
    if plain[: len(_SUFFIX_MARK)].lower() != _SUFFIX_MARK:
        raise ResolutionError('a suffix reference begins with "www.", and this text does not')
    completed = parse("http://" + plain, "URI")
    assert isinstance(completed, URI)  # noqa: S101 - what the rule URI makes
    return completed
