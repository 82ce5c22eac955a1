"""The ladder of comparison (RFC 3986 section 6): each rung costs more and misses less."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from uriparse import excerpt
from uriparse.coerce import as_choice, as_text
from uriparse.errors import EncodingError, ResolutionError
from uriparse.iri import iri_to_uri
from uriparse.normalization.normalizing import checked_passes, normalize
from uriparse.parsing import Reference, as_reference, common_grammar
from uriparse.records import URI, URIReference
from uriparse.resolution import resolve
from uriparse.resolution.resolving import absolute, is_same_document_reference, without_fragment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uriparse.normalization.normalizing import Pass
    from uriparse.parsing import Record
    from uriparse.records.references import NormalLevel
    from uriparse.records.servers import SchemeDefaults

Level: TypeAlias = Literal["simple", "syntax", "scheme"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The rungs, lowest first."""

_NORMAL_LEVELS: tuple[NormalLevel, ...] = ("syntax", "scheme")

# Longest first, since a UTF-32 mark begins with a UTF-16 one.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Which of the first octets are NUL, where the first characters are ASCII.
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
    """Whether two references are known to be equivalent on a rung of RFC 3986 section 6.2.

    True is certain as far as the rung goes; False only means "not known to be". What is
    equivalent on a rung is so on every higher one.

    level: "simple" compares characters, whatever encoding they came in; "syntax" and "scheme"
        compare normal forms (see `normalize`), IRIs as the URIs they map to.
    base: what relative references are resolved against; a URI is compared as it is. None compares
        relative references as they are: what is equal then is so against any base, but nothing
        is known of one and a URI (section 6.1).
    ignore_fragment: True to ask whether both retrieve the same (section 6.1).
    schemes, passes: as in `normalize`; passes need level "scheme".

    Bytes are read as UTF-8, UTF-16 or UTF-32, told apart by a byte order mark or by the NULs
    between ASCII characters. ResolutionError for a base that is relative, URISyntaxError for a
    text that is no reference, EncodingError for bytes that are not text.

    >>> equivalent("http://example.com", "HTTP://EXAMPLE.com:80/")
    True
    >>> equivalent("http://example.com", "HTTP://EXAMPLE.com:80/", "syntax")
    False
    """
    level = as_choice(level, "level", LEVELS)
    passes = checked_passes(passes) if passes else ()
    if passes and level != "scheme":
        raise ValueError('passes need level "scheme": they come after it')
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
    """Return the lowest rung that makes two references equivalent, None if none does.

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
    """Whether a reference means the document that it stands in (RFC 3986 section 4.4).

    That is where its target is the base but for the fragment; so it always is for an empty
    reference or a fragment alone, which need no base.

    level: how targets are compared, as in `equivalent`.

    ResolutionError if any other reference comes without a base, or the base is relative.

    >>> is_same_document("#s"), is_same_document("http://a/b#s", "http://a/b")
    (True, True)
    """
    record = as_reference(reference)
    if is_same_document_reference(record):
        return True
    if base is None:
        shown = excerpt.masked(repr(record))
        raise ResolutionError(f"whether {shown} means the same document depends on its base")
    here = absolute(base, "base", record.grammar)
    return equivalent(record, here, level, base=here, ignore_fragment=True)


def _comparable(
    a: Reference, b: Reference, base: Reference | None, *, ignore_fragment: bool
) -> tuple[Record, Record]:
    grammar = common_grammar(a, b, base)
    given = {"a": a, "b": b}
    targets = (_target(_text(one, name), base, grammar) for name, one in given.items())
    if ignore_fragment:
        targets = (without_fragment(target) for target in targets)
    left, right = targets
    return left, right


def _target(given: str | URIReference, base: Reference | None, grammar: str) -> Record:
    record = as_reference(given, grammar)
    return record if base is None or isinstance(record, URI) else resolve(base, record)


def _normal(
    record: Record,
    level: NormalLevel,
    schemes: Mapping[str, SchemeDefaults] | None,
    passes: Sequence[Pass],
) -> Record:
    """Give the normal form as a URI, also that of an IRI, so that `é` and `%C3%A9` are equal.

    Normal forms and the mapping commute; this way round takes the least time.
    """
    normal = normalize(record, level, schemes=schemes)
    if normal.grammar == "rfc3987":
        normal = iri_to_uri(normal)
    for further in passes:
        normal = further(normal)
    return normal


def _text(given: Reference, name: str) -> str | URIReference:
    """Decode bytes; what is text already stays."""
    if isinstance(given, URIReference):
        return given
    if not isinstance(given, bytes):
        return as_text(given, name)
    encoding = next((name for mark, name in _MARKS if given.startswith(mark)), None)
    if encoding is None:
        nuls = tuple(octet == 0 for octet in given[:4])
        encoding = _NULS.get(nuls) or _NULS.get(nuls[:2], "utf-8")
    try:
        return given.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"not {error.encoding}: {error.reason} at octet {error.start}"
        start = error.start
    raise EncodingError(message, text=given.decode("latin-1"), offset=start)
