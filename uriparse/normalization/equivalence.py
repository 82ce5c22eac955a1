"""Comparison of references (RFC 3986 section 6) on three levels, each slower and more thorough."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from uriparse._base.coerce import as_choice, as_text
from uriparse.errors import EncodingError, ResolutionError, excerpt
from uriparse.iri import iri_to_uri
from uriparse.normalization.normalizing import Pass, checked_passes, normalize
from uriparse.parsing import Record, Reference, as_reference, common_grammar
from uriparse.records import URI, URIReference
from uriparse.records.references import absolute
from uriparse.records.rewriting import native_normal
from uriparse.resolution import resolve
from uriparse.resolution.resolving import is_same_document_reference, without_fragment

if TYPE_CHECKING:
    from uriparse.components.servers import SchemeDefaults
    from uriparse.records.references import NormalLevel

Level: TypeAlias = Literal["simple", "syntax", "scheme"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The levels of comparison, lowest first."""

_NORMAL_LEVELS: tuple[NormalLevel, ...] = ("syntax", "scheme")

# Byte order marks, longest first, since that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The encoding by which of the first octets are NUL, if the first characters are ASCII.
_NULS = {
    (True, True, True, False): "utf-32-be",
    (False, True, True, True): "utf-32-le",
    (True, False): "utf-16-be",
    (False, True): "utf-16-le",
}


def equivalent(
    a: Reference,
    b: Reference,
    level: Level = "scheme",
    *,
    base: Reference | None = None,
    ignore_fragment: bool = False,
    schemes: Mapping[str, SchemeDefaults] | None = None,
    passes: Sequence[Pass] = (),
) -> bool:
    """Return whether two references are equivalent on a level of comparison (RFC 3986 section 6.2).

    False only means that this level does not know them to be equivalent. References that are
    equivalent on one level are so on every higher one.

    level: "simple" compares characters, whatever their encoding was; "syntax" and "scheme" compare
        normal forms (see `normalize`), IRIs as the URIs they map to.
    base: the base for relative references. None compares relative references as they are: equal
        ones are equivalent for any base, but a relative reference never equals a URI (section 6.1).
    ignore_fragment: True compares what the references retrieve (section 6.1).
    schemes, passes: as in `normalize`; passes need level "scheme".

    Bytes are decoded as UTF-8, UTF-16 or UTF-32, according to a byte order mark or to NULs between
    ASCII characters. ResolutionError for a relative base, URISyntaxError for a text that is not a
    reference, EncodingError for bytes that cannot be decoded.

    >>> equivalent("http://example.com", "HTTP://EXAMPLE.com:80/")
    True
    >>> equivalent("http://example.com", "HTTP://EXAMPLE.com:80/", "syntax")
    False
    """
    level = as_choice(level, "level", LEVELS)
    passes = checked_passes(passes) if passes else ()
    if passes and level != "scheme":
        raise ValueError('passes need level "scheme": they come after it')
    if level != "simple" and base is None and schemes is None and not (passes or ignore_fragment):
        one, other = (native_normal(text, level == "scheme") for text in (a, b))
        if one is not None and other is not None:
            return one == other
    left, right = _comparable(a, b, base, ignore_fragment=ignore_fragment)
    if str(left) == str(right):
        return True
    if level == "simple":
        return False
    return _normal(left, level, schemes, passes) == _normal(right, level, schemes, passes)


def lowest_rung(
    a: Reference,
    b: Reference,
    *,
    base: Reference | None = None,
    ignore_fragment: bool = False,
    schemes: Mapping[str, SchemeDefaults] | None = None,
) -> Level | None:
    """Return the lowest level on which two references are equivalent; None if there is none.

    Arguments and errors as for `equivalent`.

    >>> lowest_rung("http://h/%7Eu", "http://h/~u")
    'syntax'
    """
    left, right = _comparable(a, b, base, ignore_fragment=ignore_fragment)
    if str(left) == str(right):
        return "simple"
    normal: tuple[Record, Record] = (left, right)
    for level in _NORMAL_LEVELS:
        one, other = (_normal(record, level, schemes, ()) for record in normal)
        if one == other:
            return level
        normal = one, other
    return None


def is_same_document(
    reference: Reference, base: Reference | None = None, *, level: Level = "simple"
) -> bool:
    """Return whether a reference refers to the document that contains it (RFC 3986 section 4.4).

    True if its target equals the base, fragments aside, and always for an empty reference or a
    fragment alone, which need no base.

    level: how targets are compared, as in `equivalent`.

    ResolutionError if another reference has no base, or the base is relative.

    >>> is_same_document("#s"), is_same_document("http://a/b#s", "http://a/b")
    (True, True)
    """
    record = as_reference(reference)
    if is_same_document_reference(record):
        return True
    if base is None:
        shown = excerpt.masked(repr(record))
        raise ResolutionError(f"{shown} needs a base to be compared with its document")
    here = absolute(base, "base", record.grammar)
    return equivalent(record, here, level, base=here, ignore_fragment=True)


def _comparable(
    a: Reference, b: Reference, base: Reference | None, *, ignore_fragment: bool
) -> tuple[Record, Record]:
    grammar = common_grammar(a, b, base)
    targets = (
        _target(_text(reference, name), base, grammar) for name, reference in (("a", a), ("b", b))
    )
    if ignore_fragment:
        targets = (without_fragment(target) for target in targets)
    left, right = targets
    return left, right


def _target(reference: str | URIReference, base: Reference | None, grammar: str) -> Record:
    record = as_reference(reference, grammar)
    return record if base is None or isinstance(record, URI) else resolve(base, record)


def _normal(
    record: Record,
    level: NormalLevel,
    schemes: Mapping[str, SchemeDefaults] | None,
    passes: Sequence[Pass],
) -> Record:
    """Return the normal form as a URI, so that `é` and `%C3%A9` are equal.

    Normalizing and mapping an IRI commute; mapping last is the fastest order.
    """
    normal = normalize(record, level, schemes=schemes)
    if normal.grammar == "rfc3987":
        normal = iri_to_uri(normal)
    for further in passes:
        normal = further(normal)
    return normal


def _text(reference: Reference, name: str) -> str | URIReference:
    """Decode bytes; return text and records unchanged."""
    if isinstance(reference, URIReference):
        return reference
    if not isinstance(reference, bytes):
        return as_text(reference, name)
    encoding = next((name for mark, name in _MARKS if reference.startswith(mark)), None)
    if encoding is None:
        nuls = tuple(octet == 0 for octet in reference[:4])
        encoding = _NULS.get(nuls) or _NULS.get(nuls[:2], "utf-8")
    try:
        return reference.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"not {error.encoding}: {error.reason} at octet {error.start}"
        start = error.start
    raise EncodingError(message, text=reference.decode("latin-1"), offset=start)
