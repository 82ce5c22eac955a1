"""What the records of today's schemes share: they are URIs of RFC 3986, with its hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from uriparse.normalization import SCHEME_DEFAULTS, SchemeDefaults, normalize
from uriparse.records.hosts import read_host
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.scheme import Scheme
from uriparse.schemes.trees import URLTransformer, branch, leaf
from uriparse.schemes.url import URL, number, significant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv4Address, IPv6Address

    from uriparse.records import Host


DEFAULTS: Final = {
    **SCHEME_DEFAULTS,
    "ws": SchemeDefaults(port=80, empty_path_is_slash=True),
    "wss": SchemeDefaults(port=443, empty_path_is_slash=True),
    "telnet": SchemeDefaults(port=23, empty_path_is_slash=True),
    "news": SchemeDefaults(port=119),
    "ldap": SchemeDefaults(port=389),
    "sip": SchemeDefaults(port=5060),
    "sips": SchemeDefaults(port=5061),
}
"""What URIs may leave out, also of the schemes that RFC 1738 does not have."""

NO_ATOM: Final = "(),:;"
"""What a URI has raw, and an atom of RFC 5322 does not: triplets in addresses and message ids."""


class URIHost(Encoded):
    """A host of RFC 3986 (section 3.2.2) as written, brackets included; may be empty.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> host = parse_url("http://[::1]/", registry=CURRENT).host
    >>> host, host.address, host.kind
    ('[::1]', IPv6Address('::1'), IPv6('[::1]'))
    """

    __slots__ = ()

    @property
    def kind(self) -> Host:
        """The host as `uriparse.parse` gives it, of the first kind that fits."""
        return read_host(str(self))

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The address as a value of `ipaddress`; None for a name and an address of the future."""
        return self.kind.address

    @property
    def problems(self) -> tuple[str, ...]:
        """What keeps it from being a name of the DNS, as of any `Host`; empty for addresses."""
        return self.kind.problems


class CurrentURI(URL):
    """A URI of a scheme by the RFC that is in force for it; the classes have no instances below.

    Equivalent is what has one normal form (RFC 3986 section 6.2.3), unless a class says otherwise.
    """

    __slots__ = ()

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URIs share: their normal form."""
        return (str(normalize(self.url, "scheme", schemes=DEFAULTS)),)

    def fragment_identity(self) -> str | None:
        """Give what the fragments of equivalent URIs share: their normal form."""
        return None if self.fragment is None else str(normalize(f"#{self.fragment}", "scheme"))


class AuthorityURI(CurrentURI):
    """A URI with the host of a server, and perhaps a port.

    host: as written, with its brackets; None where the URI has no authority.
    port: the digits as written, which may be none; None without ":".
    """

    __slots__ = ("host", "port")
    host: URIHost | None
    port: Encoded | None

    @property
    def port_number(self) -> int | None:
        """The port as a number; None if none is written. ComponentError over 20 digits."""
        return number(self.port, "port") if self.port else None

    @property
    def effective_port(self) -> int | None:
        """The port to connect to: the one that is written, or else the scheme's own."""
        return self.port_number if self.port else self.default_port

    def _server(self) -> tuple[object, ...]:
        port = significant(self.port) if self.port else self.default_port
        return (None if self.host is None else self.host.lower(), str(port))


class UserinfoURI(AuthorityURI):
    """A URI with the host of a server, and perhaps what goes before it.

    userinfo: what stands before "@" in the authority; None without "@".
    """

    __slots__ = ("userinfo",)
    userinfo: Encoded | None

    @property
    def password(self) -> Encoded | None:
        """What follows ":" in the userinfo; None without one. Deprecated, and never shown."""
        return password_of(self.userinfo)


def password_of(userinfo: Encoded | None) -> Encoded | None:
    """Give what follows ":" in a userinfo; None without one.

    >>> password_of(Encoded("user:a:b")), password_of(Encoded("user"))
    ('a:b', None)
    """
    if userinfo is None or ":" not in userinfo:
        return None
    at = userinfo.index(":") + 1
    return Encoded(userinfo[at:], (userinfo.start or 0) + at)


def login_octets(userinfo: Encoded | None) -> tuple[bytes, ...] | None:
    """Give what a userinfo stands for, parted at the ":" that are written; None without one.

    >>> login_octets(Encoded("%61:b%3Ac")), login_octets(Encoded(""))
    ((b'a', b'b:c'), (b'',))
    """
    return None if userinfo is None else tuple(part.octets for part in userinfo.parts(":"))


class HostTransformer(URLTransformer):
    """For rules with `host` and `port`."""

    host = leaf("host", URIHost)
    port = leaf("port")


class URIServerTransformer(HostTransformer):
    """For rules with `hostport`."""

    hostport = branch


class URILoginTransformer(URIServerTransformer):
    """For rules with `login`."""

    login = branch
    user = leaf("user")
    password = leaf("password")


def described(
    name: str,
    record: type[URL],
    transformer: type[URLTransformer],
    rule: str,
    grammar: str,
    *,
    hierarchical: bool = False,
    host_after: Literal["//"] | None = None,
    fragment: tuple[str, str] | None = ("fragment", "rfc3986"),
) -> Scheme:
    """Describe a scheme whose rule begins with its own name and takes every host of RFC 3986."""
    return Scheme(
        name,
        record,
        transformer,
        rule,
        grammar,
        word=name,
        default_port=DEFAULTS[name].port if name in DEFAULTS else None,
        hierarchical=hierarchical,
        host_after=host_after,
        takes_any_host=True,
        fragment=fragment,
    )


# Parameters behind a ";", as tel, geo, sip and sips URIs have them.

Parameters: TypeAlias = "tuple[tuple[Encoded, Encoded | None], ...]"
"""Pairs of name and value as written, in their order; the value is None without "="."""


def parameters_of(written: Encoded) -> Parameters:
    """Read text such as `;a=b;c`, each parameter with the ";" before it.

    >>> parameters_of(Encoded(";a=b;c"))
    (('a', 'b'), ('c', None))
    """
    return tuple(_parameters(written))


def _parameters(written: Encoded) -> Iterator[tuple[Encoded, Encoded | None]]:
    at = written.start or 0
    for parameter in written.split(";")[1:]:
        name, equals, value = parameter.partition("=")
        begin = at + 1 + len(name) + 1
        yield Encoded(name, at + 1), Encoded(value, begin) if equals else None
        at += 1 + len(parameter)
