"""`parse_url`: from a text to the record of its scheme, and the equivalence of URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, overload

from uriparse.coerce import Text, as_str, as_text
from uriparse.errors import ComponentError
from uriparse.schemes.encoding import Encoded, canonical
from uriparse.schemes.from_parts import Data, checked, login_parts, written
from uriparse.schemes.read_by_scheme import cause_error, no_scheme_error, read
from uriparse.schemes.registry import REGISTRY, Registry
from uriparse.schemes.scheme import Scheme, is_scheme, known
from uriparse.schemes.trees import LoginTransformer, branch, leaf, passed, root
from uriparse.schemes.url import URL, LoginURL

if TYPE_CHECKING:
    from uriparse.schemes.registry import DescribedURL
    from uriparse.schemes.scheme import Schemes
    from uriparse.schemes.trees import Found


# URLs of schemes that nobody has described (RFC 1738 section 2.1): the general syntax.


class OtherURL(LoginURL):
    """`scheme:schemepart`, of a scheme that the registry does not hold.

    schemepart: all that follows ":", as written.
    user, password, host, port, urlpath: where the scheme part has the common Internet syntax,
        `//user:password@host:port/urlpath`; otherwise all None.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("tn3270://h.d/x")
    >>> url.scheme, url.schemepart, url.host, url.urlpath, url.has_internet_syntax
    ('tn3270', '//h.d/x', 'h.d', 'x', True)
    >>> parse_url("foo:bar").has_internet_syntax
    False
    """

    __slots__ = ("schemepart", "urlpath")
    __match_args__: ClassVar[tuple[str, ...]] = (
        "scheme",
        "schemepart",
        "user",
        "password",
        "host",
        "port",
        "urlpath",
    )
    schemepart: Encoded
    urlpath: Encoded | None

    @property
    def has_internet_syntax(self) -> bool:
        """Whether the scheme part has the common Internet syntax (RFC 1738 section 3.1)."""
        return self.host is not None

    @classmethod
    def from_parts(  # noqa: PLR0913 - one argument a field
        cls,
        *,
        scheme: str,
        schemepart: Data | None = None,
        user: Data | None = None,
        password: Data | None = None,
        host: str | None = None,
        port: int | str | None = None,
        urlpath: Data | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> OtherURL:
        """Make a URL of a scheme and its part, or the fields of the common Internet syntax.

        Plain text and octets are encoded, what is `Encoded` is taken as written; reserved
        characters stay raw, since only the scheme knows their roles. ComponentError for parts
        that make no URL, or a scheme that the registry holds.

        >>> OtherURL.from_parts(scheme="foo", schemepart="a b"), OtherURL.from_parts(
        ...     scheme="svn", user="me", host="h.d", urlpath="trunk"
        ... )
        (<OtherURL 'foo:a%20b'>, <OtherURL 'svn://me@h.d/trunk'>)
        """
        scheme = as_str(scheme, "scheme")
        if not is_scheme(scheme):
            raise ComponentError(
                "scheme: the text does not fit the rule scheme of RFC 1738",
                component="scheme",
                rule="scheme",
                value=scheme,
            )
        if scheme.lower() in known(registry, REGISTRY):
            raise ComponentError(
                "scheme: the registry has it, and records of its own for it",
                component="scheme",
                rule="scheme",
                value=scheme,
            )
        expected: dict[str, object]
        if host is None:
            others = (user, password, port, urlpath)
            if schemepart is None or any(part is not None for part in others):
                raise ComponentError(
                    "schemepart: give it alone, or a host and what belongs to it",
                    component="schemepart",
                    rule="genericurl",
                )
            part = written(schemepart, "xchar", "schemepart")
            expected = {"schemepart": part}
        elif schemepart is not None:
            raise ComponentError(
                "schemepart: given beside a host", component="schemepart", rule="genericurl"
            )
        else:
            login, fields = login_parts(user, password, host, port)
            path = None if urlpath is None else written(urlpath, "urlpath")
            part = f"//{login}{'' if path is None else f'/{path}'}"
            expected = {**fields, "urlpath": path}
        return checked(cls, f"{scheme}:{part}", fragment, expected, OTHER)

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add what follows ":", beside the fields of the common Internet syntax if it has it."""
        start = url.index(":") + 1
        found["schemepart"] = Encoded(url[start:], start if url[start:] else None)

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URLs share; every reserved character may have a role."""
        if self.host is None:
            return (self.scheme, canonical(self.schemepart))
        path = None if self.urlpath is None else canonical(self.urlpath)
        return (self.scheme, *self._login(), path)


class OtherTransformer(LoginTransformer):
    """Trees of the rule `genericurl`."""

    genericurl = root
    otherurl = root
    ip_schemepart = branch
    urlpath = leaf("urlpath")

    scheme = passed
    schemepart = branch


OTHER: Final = Scheme("x-other", OtherURL, OtherTransformer, "genericurl")
"""How URLs of schemes are parsed that a registry does not hold."""


# `parse_url`: from a text to the record of its scheme.

PREFIX: Final = "url"
"""What marks URLs in running text, as in `<URL:ftp://h.d/>` (RFC 1738, appendix): no scheme."""


@overload
def parse_url(
    text: Text, *, relaxed_host: bool = False, registry: None = None
) -> DescribedURL | OtherURL: ...
@overload
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Schemes | None) -> URL: ...
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Schemes | None = None) -> URL:
    """Parse a URL by the rule of its scheme (RFC 1738 section 5); give the scheme's own record.

    text: the URL, with a fragment perhaps, which is split off first; str or ASCII bytes. The
        scheme may be in any letter case.
    relaxed_host: whether to take a host that RFC 3986 allows and RFC 1738 lacks (a trailing dot,
        an underscore, an address in brackets...), unless it is empty; it becomes a `RelaxedHost`.
    registry: the schemes to know, `REGISTRY` if None; all others give an `OtherURL`.

    SchemeError if the text is no URL of its scheme, with the first offset at fault.

    >>> url = parse_url("ftp://ds.internic.net/rfc/rfc1436.txt;type=a#top")
    >>> url.cwds, url.name.decoded, url.typecode, url.fragment
    (('rfc',), 'rfc1436.txt', 'a', 'top')
    >>> parse_url("ftp://h.d/a;b")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    uriparse.errors.SchemeError: ftp URL...
    """
    whole = bytes.decode(text, "ascii", "replace") if isinstance(text, bytes) else as_text(text)
    word, colon, _ = whole.partition(":")
    schemes = REGISTRY if registry is None else registry
    if type(schemes) is not Registry:
        schemes = known(schemes, REGISTRY)
    name = word.lower()
    scheme = schemes.get(name) if colon and word.isascii() else None
    if scheme is None:
        if not colon or not is_scheme(word):
            raise no_scheme_error(whole)
        if name == PREFIX and _has_scheme(whole[len(word) + 1 :]):
            raise cause_error(whole, None, 0, "scheme", "scheme", "url-prefix")
        scheme = getattr(schemes, "other", None) or OTHER
    return read(whole, name, scheme, relaxed_host=relaxed_host)


def _has_scheme(text: str) -> bool:
    word, colon, _ = text.partition(":")
    return bool(colon) and is_scheme(word)


# When two URLs mean the same by RFC 1738 (section 2.2), and by what their schemes leave open.


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
