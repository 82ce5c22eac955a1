"""Comparison of references (RFC 3986 section 6) on three levels, each slower and more thorough.

The highest asks the RFC of the scheme, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

from uriparse._base.coerce import as_choice, as_text
from uriparse.errors import EncodingError, ResolutionError, SchemeError, excerpt
from uriparse.iri import iri_to_uri
from uriparse.normalization import SchemeDefaults, normalize
from uriparse.parsing import Record, Reference, as_reference, common_grammar
from uriparse.records import URI, URIReference
from uriparse.records.references import NormalLevel, Pass, absolute, checked_passes, passed
from uriparse.records.rewriting import native_normal
from uriparse.resolution import resolve
from uriparse.resolution.resolving import is_same_document_reference, without_fragment
from uriparse.schemes.current import CURRENT, CurrentURI
from uriparse.schemes.from_abnf import GrammarURI
from uriparse.schemes.url import URL
from uriparse.schemes.url_parsing import parse_url

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.schemes.registry import Schemes

__all__ = ["is_same_document", "lowest_rung"]

Level: TypeAlias = Literal["simple", "syntax", "scheme"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The levels of comparison, lowest first."""

_NORMAL_LEVELS: tuple[NormalLevel, ...] = ("syntax", "scheme")


def equivalent(  # noqa: PLR0913 - one for each way to compare
    a: Reference | URL,
    b: Reference | URL,
    level: Level = "scheme",
    *,
    base: Reference | None = None,
    ignore_fragment: bool = False,
    schemes: Mapping[str, SchemeDefaults] | None = None,
    passes: Sequence[Pass] = (),
    registry: Schemes | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> bool:
    """Return whether two references are equivalent on a level of comparison (RFC 3986 section 6.2).

    False only means that this level does not know them to be equivalent. References that are
    equivalent on one level are so on every higher one, and none are that an RFC tells apart.

    level: "simple" compares characters, whatever their encoding was; "syntax" and "scheme" compare
        normal forms (see `normalize`), IRIs as the URIs they map to. At "scheme", URIs are also
        equivalent if the RFC of their scheme says so, as far as `CURRENT` describes the scheme.
    base: the base for relative references. None compares relative references as they are: equal
        ones are equivalent for any base, but a relative reference never equals a URI (section 6.1).
    ignore_fragment: True compares what the references retrieve (section 6.1).
    schemes, passes: as in `normalize`; passes need level "scheme". With schemes, no RFC of a scheme
        is asked.
    registry: schemes of your own, which alone decide, by their records: those of `RFC1738` by the
        rules of 1994. So do two records of `parse_url`. For level "scheme", without a base,
        schemes and passes.
    grammar: as in `resolve`.

    Bytes are decoded as UTF-8, UTF-16 or UTF-32, according to a byte order mark or to NULs between
    ASCII characters. ResolutionError for a relative base, URISyntaxError for a text that is not a
    reference, EncodingError for bytes that cannot be decoded; with a registry, SchemeError for a
    text that is not a URL of its scheme.

    >>> a, b = "http://example.com", "HTTP://EXAMPLE.com:80/"
    >>> equivalent(a, b), equivalent(a, b, "syntax"), equivalent("tel:+1-2", "tel:+12")
    (True, False, True)
    """
    is_plain = base is None and schemes is None and not passes and grammar == "rfc3986"
    if is_plain and not ignore_fragment and registry is None and level in _NORMAL_LEVELS:
        one = cast("URIReference | None", native_normal(a, level == "scheme"))
        other = cast("URIReference | None", native_normal(b, level == "scheme"))
        both = one is not None and other is not None
        if both and (one == other or level == "syntax" or not _is_ruled(one, other)):
            return one == other
    level = as_choice(level, "level", LEVELS)
    passes = checked_passes(passes) if passes else ()
    if passes and level != "scheme":
        raise ValueError('passes need level "scheme": they come after it')
    if registry is not None and not (is_plain and level == "scheme"):
        raise ValueError('a registry needs level "scheme", without base, schemes, passes, grammar')
    are_records = isinstance(a, URL) and isinstance(b, URL)
    if registry is not None or (are_records and is_plain and level == "scheme"):
        first, second = _url(a, "a", registry), _url(b, "b", registry)
        return _key(first, ignore_fragment) == _key(second, ignore_fragment)
    a, b = (str(text) if isinstance(text, URL) else text for text in (a, b))
    left, right = _comparable(a, b, base, grammar, ignore_fragment=ignore_fragment)
    if str(left) == str(right) or level == "simple":
        return str(left) == str(right)
    one, other = _normal(left, level, schemes, passes), _normal(right, level, schemes, passes)
    if one == other or level != "scheme" or schemes is not None or not _is_ruled(one, other):
        return one == other
    return _ruled_key(one) == _ruled_key(other)


def lowest_rung(
    a: Reference,
    b: Reference,
    *,
    base: Reference | None = None,
    ignore_fragment: bool = False,
    schemes: Mapping[str, SchemeDefaults] | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> Level | None:
    """Return the lowest level on which two references are equivalent; None if there is none.

    Arguments and errors as for `equivalent`.

    >>> lowest_rung("http://h/%7Eu", "http://h/~u")
    'syntax'
    """
    ask = partial(
        equivalent, a, b, base=base, ignore_fragment=ignore_fragment, schemes=schemes,
        grammar=grammar,
    )  # fmt: skip
    # What is equivalent on a level is so on each higher one, and most are on none.
    return next(filter(ask, LEVELS)) if ask("scheme") else None


# What the RFC of a scheme says (section 6.2.3), as the records of schemes know it.

_Key: TypeAlias = "tuple[object, ...]"
"""What URLs share exactly when they are equivalent."""


def _url(given: Reference | URL, name: str, registry: Schemes | None) -> URL:
    if isinstance(given, URL):
        return given
    return parse_url(as_text(given, name), registry=registry)


def _key(url: URL, ignore_fragment: bool) -> _Key:  # noqa: FBT001 - as the option
    fragment = None if ignore_fragment else url.fragment_identity()
    return type(url), url.scheme, fragment, url.identity()


def _is_ruled(one: URIReference | None, other: URIReference | None) -> bool:
    """Return whether two references are of one scheme, and it has more to say than normal forms."""
    if one is None or other is None or one.scheme is None or one.scheme != other.scheme:
        return False
    return is_ruled(one.scheme)


@lru_cache(maxsize=1 << 8)
def is_ruled(scheme: str) -> bool:
    """Return whether the RFC of a scheme has more URIs equivalent than have one normal form."""
    found = CURRENT.get(scheme)
    return found is not None and found.record.identity not in _GENERIC


_GENERIC = (CurrentURI.identity, GrammarURI.identity)


def _ruled_key(normal: Record) -> _Key:
    """Return what a URI in normal form shares with its equals; itself if its scheme refuses it."""
    try:
        return _key(parse_url(str(normal)), ignore_fragment=False)
    except SchemeError:
        return (str(normal),)


def is_same_document(
    reference: Reference,
    base: Reference | None = None,
    *,
    level: Level = "scheme",
    grammar: RecordGrammar | str = "rfc3986",
) -> bool:
    """Return whether a reference refers to the document that contains it (RFC 3986 section 4.4).

    True if its target equals the base, fragments aside, and always for an empty reference or a
    fragment alone, which need no base.

    level: how targets are compared, as in `equivalent`.

    ResolutionError if another reference has no base, or the base is relative.

    >>> is_same_document("#s"), is_same_document("http://a/b#s", "http://a/b")
    (True, True)
    """
    record = as_reference(reference, common_grammar(base, grammar=grammar))
    if is_same_document_reference(record):
        return True
    if base is None:
        shown = excerpt.masked(repr(record))
        raise ResolutionError(f"{shown} needs a base to be compared with its document")
    here = absolute(base, "base", record.grammar)
    return equivalent(record, here, level, base=here, ignore_fragment=True)


def _comparable(
    a: Reference, b: Reference, base: Reference | None, grammar: str, *, ignore_fragment: bool
) -> tuple[Record, Record]:
    grammar = common_grammar(a, b, base, grammar=grammar)
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
    """Return the normal form as a URI, so that `é` and `%C3%A9` are equal."""
    normal = normalize(record, level, schemes=schemes)
    if normal.grammar == "rfc3987":  # mapping commutes with normalizing; last is fastest
        normal = iri_to_uri(normal)
    return passed(normal, passes)


def _text(reference: Reference, name: str) -> str | URIReference:
    """Decode bytes; return text and records unchanged."""
    if isinstance(reference, URIReference):
        return reference
    if not isinstance(reference, bytes):
        return as_text(reference, name)
    from json import detect_encoding  # noqa: PLC0415 - by byte order marks and NULs, as said above

    try:
        return bytes.decode(reference, detect_encoding(reference))
    except UnicodeDecodeError as error:
        message = f"not {error.encoding}: {error.reason} at octet {error.start}"
        start = error.start
    raise EncodingError(message, text=reference.decode("latin-1"), offset=start)
