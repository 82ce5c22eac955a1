"""The kernel's normal forms and targets of URI references, where there is a kernel.

The functions of `uriparse.normalization` and `uriparse.resolution` are the reference, and do what
is not here: IRIs, the defaults of other schemes, passes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from uriparse._native import kernel, tagged
from uriparse.grammar import charset
from uriparse.parsing.readers import reader
from uriparse.records import URI, URIReference
from uriparse.records.servers import SCHEME_DEFAULTS

if TYPE_CHECKING:
    from uriparse._native import _kernel
    from uriparse.parsing.parser import Record

_COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


@cache
def rewriter() -> _kernel.Rewriter | None:
    """Return what rewrites texts of the rule URI-reference of RFC 3986; None without the kernel."""
    own = getattr(reader("URI-reference", "rfc3986"), "__self__", None)
    if kernel is None or not isinstance(own, kernel.Reader):
        return None
    fields = tagged("rfc3986").FIELDS
    unreserved = charset("unreserved")
    made = kernel.Rewriter(
        own,
        bytes(map(fields.index, _COMPONENTS)),
        bytes(chr(octet) in unreserved for octet in range(256)),
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
    text = _text(reference)
    if text is None or (own := rewriter()) is None:
        return None
    return own.normal(text, by_scheme, None if text is reference else reference)  # type: ignore[return-value]  # what the reader makes


def native_target(base: object, reference: object, strict: bool) -> URI | None:  # noqa: FBT001 - same
    """Return a target; None for what is not a URI and a reference, or if the kernel cannot tell."""
    here, text = _text(base), _text(reference)
    if here is None or text is None or (own := rewriter()) is None:
        return None
    made = own.target(here, text, strict)
    if isinstance(reference, URI) and made == text:
        return reference  # whose path has no dot segments
    return made  # type: ignore[return-value]  # as above


def _text(given: object) -> str | None:
    if type(given) is str:
        return given
    if isinstance(given, URIReference) and given.grammar == "rfc3986":
        return given._text  # noqa: SLF001 - the text of a record
    return None
