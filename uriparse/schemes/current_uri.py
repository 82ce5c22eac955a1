"""What the records of today's schemes share: they are URIs of RFC 3986, with its hosts."""

from __future__ import annotations

from typing import ClassVar, Final

from uriparse._base.coerce import derived
from uriparse.normalization import SCHEME_DEFAULTS, SchemeDefaults, normalize
from uriparse.schemes.encoding import Encoded, Pairs, URIHost, pairs_of
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.registry import scheme_of
from uriparse.schemes.url import URL, ServerURL

NO_ATOM: Final = "(),:;"
"""What a URI has raw, and an atom of RFC 5322 does not: triplets in addresses and message ids."""


class CurrentURI(URL):
    """A URI of a scheme by the RFC that is in force for it; the classes have no instances below.

    Equivalent is what has one normal form (RFC 3986 section 6.2.3), unless a class says otherwise.
    """

    EMPTY_PATH_IS_SLASH: ClassVar[bool] = False
    """Whether an empty path after an authority means "/"."""

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: their normal form."""
        own = scheme_of(type(self))
        of_class = SchemeDefaults() if own is None else own.defaults
        known = SCHEME_DEFAULTS.get(self.scheme, of_class)._replace(port=self.default_port)
        return (str(normalize(self.url, "scheme", schemes={self.scheme: known})),)

    def fragment_identity(self) -> str | None:
        """Return what the fragments of equivalent URIs share: their normal form."""
        return None if self.fragment is None else str(normalize(f"#{self.fragment}", "scheme"))


class AuthorityURI(CurrentURI, ServerURL):
    """A URI with the host of a server, and perhaps a port.

    host: as written, with its brackets; None where the URI has no authority.
    port: the digits as written, which may be none; None without ":".
    """

    host: URIHost | None = url_field("host", kind=URIHost)


class UserinfoURI(AuthorityURI):
    """A URI with the host of a server, and perhaps what goes before it.

    userinfo: what comes before "@" in the authority; None without "@".
    user: what comes before ":" in the userinfo, the whole without ":"; None without "@".
    password: what follows ":" in the userinfo; None without one. Deprecated, and never shown.
    """

    userinfo: Encoded | None = url_field("userinfo", first=True)
    user: Encoded | None = derived(
        lambda url: url.userinfo and Encoded(url.userinfo.partition(":")[0], url.userinfo.start)
    )
    password: Encoded | None = derived(lambda url: password_of(url.userinfo))


def password_of(userinfo: Encoded | None) -> Encoded | None:
    """Return what follows ":" in a userinfo; None without one."""
    if userinfo is None or ":" not in userinfo:
        return None
    at = userinfo.index(":") + 1
    return Encoded(userinfo[at:], (userinfo.start or 0) + at)


def login_octets(userinfo: Encoded | None) -> tuple[bytes, ...] | None:
    """Return what a userinfo represents, split at each raw ":"; None without one."""
    return None if userinfo is None else tuple(part.octets for part in userinfo.parts(":"))


class ParametersURI(CurrentURI):
    """A URI with parameters after ";" at its end, that of something which is not fetched."""

    is_retrievable: ClassVar[bool] = False
    written_parameters: Encoded
    parameters: Pairs = derived(lambda url: pairs_of(url.written_parameters, ";", 1))

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add the parameters where there are none."""
        del url
        found.setdefault("written_parameters", Encoded(""))
