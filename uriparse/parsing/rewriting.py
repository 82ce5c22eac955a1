"""The kernel's normal forms and targets of URI references, where there is a kernel.

The functions of `uriparse.normalization` and `uriparse.resolution` are the reference, and do what
is not here: IRIs, the defaults of other schemes, passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from uriparse._native import kernel, tagged
from uriparse.grammar import charset
from uriparse.parsing.parser import try_parse
from uriparse.parsing.readers import reader
from uriparse.percent import kept_octets
from uriparse.records import URI, URIReference, _unchecked
from uriparse.records.components import compose
from uriparse.records.servers import SCHEME_DEFAULTS

if TYPE_CHECKING:
    from types import ModuleType

    from uriparse._native import _kernel
    from uriparse.parsing.parser import Record

_R = TypeVar("_R", bound=URIReference)

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


@cache
def rewriter() -> _kernel.Rewriter | None:
    """Return what rewrites texts of the rule URI-reference of RFC 3986; None without the kernel."""
    own = getattr(reader("URI-reference", "rfc3986"), "__self__", None)
    if kernel is None or not isinstance(own, kernel.Reader):
        return None
    unreserved = charset("unreserved")
    kept = bytes(chr(octet) in unreserved for octet in range(256))
    return rewriter_of(kernel, own, bytes(map(tagged("rfc3986").FIELDS.index, COMPONENTS)), kept)


KEPT = 2
"""What the kernel does with the triplet of an octet: 0 capitals, 1 decodes it, 2 keeps it."""


def rewriter_of(
    kernel: ModuleType, own: _kernel.Reader, fields: bytes, triplets: bytes
) -> _kernel.Rewriter:
    """Return what rewrites the texts of a reader.

    fields: the tables' number of each component. triplets: for each of 256 octets what becomes of
    its triplet.
    """
    made = kernel.Rewriter(
        own,
        fields,
        triplets,
        tuple(
            (
                scheme.encode(),
                None if defaults.port is None else str(defaults.port).encode(),
                None if defaults.host is None else defaults.host.encode(),
                defaults.empty_path_is_slash,
                defaults.path_ends_in_domain,
            )
            for scheme, defaults in SCHEME_DEFAULTS.items()
        ),
    )
    return cast("_kernel.Rewriter", made)


def native_normal(reference: object, by_scheme: bool) -> Record | None:  # noqa: FBT001 - called for each reference
    """Return a normal form, a record itself if it is its own; None if the kernel cannot tell."""
    if (own := rewriter()) is None or (text := _text(reference)) is None:
        return None
    return own.normal(text, by_scheme, None if text is reference else reference)  # type: ignore[return-value]  # what the reader makes


def native_target(base: object, reference: object, strict: bool) -> URI | None:  # noqa: FBT001 - same
    """Return a target; None for what is not a URI and a reference, or if the kernel cannot tell."""
    if (own := rewriter()) is None:
        return None
    here, text = _text(base), _text(reference)
    if here is None or text is None:
        return None
    record = reference if isinstance(reference, URI) else None
    return own.target(here, text, strict, record)  # type: ignore[return-value]  # as above


def read_back(
    scheme: object,
    userinfo: object,
    host: object,
    port: object,
    path: object,
    query: object,
    fragment: object,
) -> Record | None:
    """Compose parts, in the order of a text, and return the record that RFC 3986 reads there.

    None if they are read as other parts, and for parts of another type than `str`: to check one by
    one finds the reason. What is read as these parts obeys the rule of each.
    """
    if type(port) is int and 0 <= port <= _HIGHEST_PORT:
        port = int.__repr__(port)
    if (own := rewriter()) is not None:
        return own.made("", scheme, userinfo, host, port, path, query, fragment)  # type: ignore[return-value]  # as above
    parts = (scheme, userinfo, host, port, path, query, fragment)
    if not _EXACT.issuperset(map(type, parts)) or path is None:
        return None
    record = try_parse(compose(*parts))  # type: ignore[arg-type]  # exact types
    if record is None:
        return None
    name = None if record.host is None else record.host.text
    rest = (record.path, record.query, record.fragment)
    # A userinfo or a port without a host is not in the text, and so missed here.
    return record if (record.scheme, record.userinfo, name, record.port, *rest) == parts else None


def built(
    scheme: object, host: object, port: object, segments: object, pairs: object
) -> Record | None:
    """Return the record of data, as `make` writes them; None if the kernel cannot tell."""
    if type(host) is not str or "%" in host or (own := rewriter()) is None:
        return None
    if type(port) is int and 0 <= port <= _HIGHEST_PORT:
        port = int.__repr__(port)
    made: Record | None = own.built(*_kept(), scheme, host, port, segments, pairs)  # type: ignore[assignment]  # as above
    return None if made is None or "/." in made.path else made  # it may have dot segments


@cache
def _kept() -> tuple[bytes, bytes]:
    """Return which octets stay in a segment, and in a name or value of a query."""
    return kept_octets("segment"), kept_octets("query-value")


def replaced(record: URIReference, changes: Mapping[str, object]) -> Record | None:
    """Return a record with some components replaced; None if the kernel cannot tell."""
    if record.grammar != "rfc3986" or (own := rewriter()) is None or not _NAMES.issuperset(changes):
        return None
    new = changes.get
    port = new("port", ...)
    if type(port) is int and 0 <= port <= _HIGHEST_PORT:
        port = int.__repr__(port)
    return own.made(  # type: ignore[return-value]  # as above
        str(record),
        new("scheme", ...),
        new("userinfo", ...),
        new("host", ...),
        port,
        new("path", ...),
        new("query", ...),
        new("fragment", ...),
    )


def remade(record: _R, path: str, query: str | None) -> _R:
    """Return a record with another path and query, both valid there."""
    made: Record | None = None
    if record.grammar == "rfc3986" and (own := rewriter()) is not None:
        made = own.made(str(record), ..., ..., ..., ..., path, query, ...)  # type: ignore[assignment]  # as above
    if made is None:
        made = _unchecked.reference(
            record.scheme, record.authority, path, query, record.fragment, record.grammar
        )
    return cast("_R", made)  # the scheme decides the class, and stays


_NAMES = frozenset(COMPONENTS)
_EXACT = frozenset({str, type(None)})
_HIGHEST_PORT = 0xFFFF


def _text(given: object) -> str | None:
    if type(given) is str:
        return given
    if isinstance(given, URIReference) and given.grammar == "rfc3986":
        return given._text  # noqa: SLF001 - the text of a record
    return None
