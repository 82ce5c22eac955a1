"""Normal forms (RFC 3986 section 6.2): levels, each a sequence of passes.

A pass takes a record and returns one of the same kind, the same object if nothing changes. Rules of
a deployment (section 6.2.4, protocol-based normalization) are the caller's own passes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, overload

from uriparse.components.component_text import rule_of
from uriparse.grammar import charset
from uriparse.grammar.matchers import fullmatch
from uriparse.parsing import Record, Reference, as_reference
from uriparse.records import RegName
from uriparse.records.hosts import _unchecked_host
from uriparse.records.references import Pass, _unchecked_parts, by_passes, normal

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.components.servers import SchemeDefaults
    from uriparse.records.references import NormalLevel


# Character normalization of IRIs (RFC 3987 section 5.3.2.2). No level contains it: an IRI may be
# outside NFC on purpose.

_LONGEST_RUN = 30
"""The most combining characters in a row (Stream-Safe Text Format of UAX 15): ordering a run takes
quadratic time, 0.8 s for 32,000 characters."""


def compose_characters(reference: Reference) -> Record:
    r"""Convert an IRI's characters to Normalization Form C: a pass for `normalize`.

    Triplets do not change. Nor does a component in which NFC would produce an ASCII character
    (U+037E becomes ";"), remove a reserved character or part of a triplet ("=" and U+0338 become
    U+2260) or produce a character that the component does not allow, or which has more than 30
    combining characters in a row.

    URISyntaxError if a text is not an IRI reference.

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
    userinfo, host = _composed("userinfo", reference.userinfo, grammar), reference.host
    if isinstance(host, RegName):
        host = _unchecked_host(RegName, _composed("reg-name", host.text, grammar) or "")
    path = _composed("path", reference.path, grammar) or ""
    query = _composed("query", reference.query, grammar)
    fragment = _composed("fragment", reference.fragment, grammar)
    parts = (reference.scheme, userinfo, host, reference.port, path, query, fragment)
    return _unchecked_parts(*parts, grammar)


def _composed(component: str, text: str | None, grammar: str) -> str | None:
    if text is None or text.isascii() or not _is_safe(text):
        return text
    composed = unicodedata.normalize("NFC", text)
    if composed == text or _delimiters(composed) != _delimiters(text):
        return text
    if fullmatch(rule_of(component, grammar), grammar)(composed) is None:
        return text
    return composed


def _is_safe(text: str) -> bool:
    """Whether NFC makes no ASCII character, and no run of combining characters is too long."""
    beyond = [character for character in set(text) if not character.isascii()]
    # Line ends separate the characters, since nothing composes with a line end.
    if any(map(str.isascii, unicodedata.normalize("NFC", "\n".join(beyond)).split("\n"))):
        return False
    combining = dict.fromkeys(map(ord, filter(unicodedata.combining, beyond)), "\n")
    if not combining:
        return True
    others = dict.fromkeys(map(ord, set(text)), " ")
    return "\n" * (_LONGEST_RUN + 1) not in text.translate(others | combining)


def _delimiters(text: str) -> str:
    return "".join(filter((charset("reserved") | {"%"}).__contains__, text))


# Levels and passes.

_R = TypeVar("_R", bound=Record)


@overload
def normalize(
    reference: _R,
    level: NormalLevel = "scheme",
    *,
    grammar: RecordGrammar | str = "rfc3986",
    schemes: Mapping[str, SchemeDefaults] | None = None,
    passes: Sequence[Pass] = (),
) -> _R: ...
@overload
def normalize(
    reference: Reference,
    level: NormalLevel = "scheme",
    *,
    grammar: RecordGrammar | str = "rfc3986",
    schemes: Mapping[str, SchemeDefaults] | None = None,
    passes: Sequence[Pass] = (),
) -> Record: ...
def normalize(
    reference: Reference,
    level: NormalLevel = "scheme",
    *,
    grammar: RecordGrammar | str = "rfc3986",
    schemes: Mapping[str, SchemeDefaults] | None = None,
    passes: Sequence[Pass] = (),
) -> Record:
    """Return the normal form of a reference: an equivalent reference that normalizes to itself.

    level: "syntax" applies `decode_unreserved`, `fold_case` and `remove_dots` in this order;
        "scheme" also applies `apply_defaults`.
    grammar: by which a text is parsed, "rfc3986" or "rfc3987"; a record has its own.
    schemes: what is known by scheme in lower case; None uses `SCHEME_DEFAULTS`.
    passes: your own passes, applied last.

    What the RFC of a scheme tells apart stays apart on each level (see `SchemeDefaults`): dot
    segments in opaque paths, as in data, mailto and urn; triplets in urn, and that of "~" where the
    rule of the scheme has no "~"; every character in tag.

    A relative reference keeps its target for every base: it keeps its dot segments (RFC 3986
    section 5.2.1), and a segment that decoding would turn into one keeps its first dot encoded, as
    `%2E` or `%2E.`. So `resolve(base, normalize(reference))` and `resolve(base, reference)` have
    the same normal form, unless the base is of a scheme whose triplets are not decoded.

    This does not hold for URIs without an opaque path: normalization decodes `%2E` (section
    6.2.2.2) before it removes dot segments (6.2.2.3), while resolution (5.2.4) does not decode.
    `http://h/a/%2E./../c` resolves to `http://h/a/c` and normalizes to `http://h/c`. `validate`
    reports such a segment as "encoded-dot-segment".

    An IRI stays an IRI (RFC 3987 section 5.3.2).

    URISyntaxError if a text is not a reference; ValueError for an unknown level.

    >>> str(normalize("eXAMPLE://a/./b/../b/%63/%7bfoo%7d"))
    'example://a/b/c/%7Bfoo%7D'
    >>> str(normalize("http://example.com:80")), str(normalize("data:,a/../%62"))
    ('http://example.com/', 'data:,a/../b')
    >>> str(normalize("a/%2e./../%63")), str(normalize("http://h/a/%2e./../%63"))
    ('a/%2E./../c', 'http://h/c')
    """
    return normal(reference, level, schemes=schemes, passes=passes, grammar=grammar)


def decode_unreserved(reference: Record) -> Record:
    """Decode the triplets of unreserved characters (RFC 3986 section 6.2.2.2).

    In an IRI these include non-ASCII characters (RFC 3987 section 5.3.2.3), except those that are
    invisible or change the direction of text. Other triplets stay, so that no delimiter appears and
    components keep their meaning; but the name `%31.2.3.4` becomes an IPv4 address. A segment of a
    relative reference that would become a dot segment keeps its first dot encoded (see
    `normalize`).
    """
    return by_passes(reference, None, (True, False, False))


def fold_case(reference: Record) -> Record:
    """Write triplets in upper case, scheme and host in lower case (RFC 3986 section 6.2.2.1).

    Only the ASCII letters of a host change (RFC 3987 section 5.3.2.1).
    """
    return by_passes(reference, None, (False, True, False))


def remove_dots(reference: Record) -> Record:
    """Remove the dot segments of a URI's path (RFC 3986 section 6.2.2.3).

    Relative references and opaque paths do not change. Without an authority, and in file, a path
    that would begin with "//" gets "/." before it, as in `resolve`.
    """
    return by_passes(reference, None, (False, False, True))


def apply_defaults(
    reference: Record, schemes: Mapping[str, SchemeDefaults] | None = None
) -> Record:
    """Remove what equals the defaults of the scheme (RFC 3986 section 6.2.3).

    For any scheme: an empty port. By the defaults of the scheme: the default port and the default
    host (`file://localhost/x` and `file:/x` become `file:///x`); an empty path after an authority
    becomes "/"; mail domains become lower case (`mailto:Joe@Example.COM`). An IPv6 address gets the
    one form of RFC 5952. Query and fragment do not change.
    """
    return by_passes(reference, schemes, defaults=True)
