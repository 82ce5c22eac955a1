"""The kernel's normal forms, targets and changes of URI references, where there is a kernel.

The methods of records try these first. What `uriparse.components` does in Python is the reference,
and does what is not here: IRIs, the defaults of other schemes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, cast

from uriparse._native import kernel, tagged
from uriparse.grammar import charset
from uriparse.records._draft import COMPONENTS, Slots
from uriparse.records.readers import reader

if TYPE_CHECKING:
    from types import ModuleType

    from uriparse._native import _kernel


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
    from uriparse.components.servers import SCHEME_DEFAULTS  # noqa: PLC0415 - when first needed

    made = kernel.Rewriter(
        own,
        fields,
        triplets,
        tuple(
            (
                scheme.encode(),
                None if its.port is None else str(its.port).encode(),
                None if its.host is None else its.host.encode(),
                None
                if not its.undecoded
                else bytes(0 if chr(o) in its.undecoded else how for o, how in enumerate(triplets)),
                its.empty_path_is_slash,
                its.path_ends_in_domain,
                its.opaque,
                its.verbatim,
            )
            for scheme, its in SCHEME_DEFAULTS.items()
        ),
    )
    return cast("_kernel.Rewriter", made)


def native_normal(reference: object, by_scheme: bool) -> Slots | None:  # noqa: FBT001 - called for each reference
    """Return a normal form, a record itself if it is its own; None if the kernel cannot tell."""
    if (own := rewriter()) is None or (text := _text(reference)) is None:
        return None
    return own.normal(text, by_scheme, None if text is reference else reference)  # type: ignore[return-value]  # what the reader makes


def native_target(base: object, reference: object, strict: bool) -> Slots | None:  # noqa: FBT001 - same
    """Return a target; None for what is not a URI and a reference, or if the kernel cannot tell."""
    if (own := rewriter()) is None or (here := _text(base)) is None:
        return None
    if (text := _text(reference)) is None:
        return None
    is_text = reference is text or not isinstance(reference, Slots) or reference.scheme is None
    return own.target(here, text, strict, None if is_text else reference)  # type: ignore[return-value]  # as above


def read_back(
    scheme: object,
    userinfo: object,
    host: object,
    port: object,
    path: object,
    query: object,
    fragment: object,
) -> Slots | None:
    """Compose parts, in the order of a text, and return the record that RFC 3986 reads there.

    None if they are read as other parts, for parts of another type than `str`, and without the
    kernel: to check one by one finds the reason. What is read as these parts obeys the rule of
    each.
    """
    if (own := rewriter()) is None:
        return None
    if type(port) is int:
        port = _digits(port)
    return own.made("", scheme, userinfo, host, port, path, query, fragment)  # type: ignore[return-value]  # as above


def built(
    scheme: object, host: object, port: object, segments: object, pairs: object
) -> Slots | None:
    """Return the record of data, as `make` writes them; None if the kernel cannot tell."""
    if type(host) is not str or "%" in host or (own := rewriter()) is None:
        return None
    made: Slots | None = own.built(*_kept(), scheme, host, _digits(port), segments, pairs)  # type: ignore[assignment]  # as above
    return None if made is None or "/." in made.path else made  # it may have dot segments


@cache
def _kept() -> tuple[bytes, bytes]:
    """Return which octets stay in a segment, and in a name or value of a query."""
    from uriparse.percent import encode_tables  # noqa: PLC0415 - for those who build

    return encode_tables("segment").octets, encode_tables("query-value").octets


def replaced(record: Slots, changes: Mapping[str, object]) -> Slots | None:
    """Return a record with some components replaced; None if the kernel cannot tell."""
    if (own := rewriter()) is None or (text := _text(record)) is None:
        return None
    if not _NAMES.issuperset(changes):
        return None
    new = changes.get
    if type(port := new("port", ...)) is int:
        port = _digits(port)
    first = new("scheme", ...), new("userinfo", ...), new("host", ...), port
    return own.made(text, *first, new("path", ...), new("query", ...), new("fragment", ...))  # type: ignore[return-value]  # as above


def remade(record: Slots, path: str, query: str | None) -> Slots | None:
    """Return a record with another path and query, both valid; None if the kernel cannot tell."""
    if (own := rewriter()) is None or (text := _text(record)) is None:
        return None
    return own.made(text, ..., ..., ..., ..., path, query, ...)  # type: ignore[return-value]  # as above


_NAMES = frozenset(COMPONENTS)


def _digits(port: object) -> object:
    """Write a number that is a usual port; anything else stays."""
    return int.__repr__(port) if type(port) is int and 0 <= port <= 0xFFFF else port


def _text(given: object) -> str | None:
    if type(given) is str:
        return given
    return given._text if isinstance(given, Slots) and given.grammar == "rfc3986" else None  # noqa: SLF001 - the text of a record
