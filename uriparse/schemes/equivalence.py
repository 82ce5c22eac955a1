"""When two URLs mean the same by RFC 1738 (section 2.2), and by what their schemes leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.coerce import as_text
from uriparse.schemes.parsing import parse_url
from uriparse.schemes.url import URL

if TYPE_CHECKING:
    from uriparse.coerce import Text
    from uriparse.schemes.scheme import Schemes


def equivalent(
    a: Text, b: Text, *, ignore_fragment: bool = False, registry: Schemes | None = None
) -> bool:
    """Whether two URLs are of one scheme and mean the same.

    By RFC 1738, what has a role in a field differs from its triplet: `%2F` from "/" in a path,
    `%3B` from ";" in one of http. All else is the same raw and as a triplet: `%24` and "$"
    everywhere, but also `%40` and "@" in the address of mailto, which reserves nothing. Letter case
    counts neither in schemes nor in host names, and a port that is the scheme's own may be left
    out.

    URLs of `CURRENT` mean the same where they have one normal form (RFC 3986 section 6.2.3), in
    which "$" is not `%24`, or where the RFC of their scheme says so.

    Fragments are compared as the fields are; those of URNs mean nothing (RFC 8141 section 3.1).

    Args:
        a: a URL, as text or a record.
        b: another one.
        ignore_fragment: True to leave the fragments out.
        registry: the schemes by which texts are parsed; those of RFC 1738 by default.

    SchemeError if a text is no URL of its scheme.

    >>> equivalent("http://h.d/%24%61", "HTTP://H.D:80/$a")
    True
    >>> equivalent("ftp://h.d/a%2Fb", "ftp://h.d/a/b")
    False
    >>> from uriparse.schemes import CURRENT
    >>> equivalent("http://h.d/%24", "http://h.d/$", registry=CURRENT)
    False
    """
    first = a if isinstance(a, URL) else parse_url(as_text(a, "a"), registry=registry)
    second = b if isinstance(b, URL) else parse_url(as_text(b, "b"), registry=registry)
    if first.scheme != second.scheme or type(first) is not type(second):
        return False
    if not ignore_fragment and first.fragment_identity() != second.fragment_identity():
        return False
    return first.identity() == second.identity()
