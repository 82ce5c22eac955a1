"""Where an accepted URI leads: what to hand to a client, so that it goes where the check said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.percent import triplets
from uriparse.validation.places import places
from uriparse.validation.ports import default_port, port_number

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from uriparse.records import URI


@dataclass(frozen=True, slots=True)
class Target:
    """The destination of an accepted URI.

    Attributes:
        scheme: in lower case.
        host: in lower case, an IPv6 address without brackets; a name is still to be looked up.
        port: the one to connect to, that of the scheme where none is written; None if it has none.
        address: the IP address, where the host is one.
        url: the URI that was checked, in one spelling: scheme and host in lower case, "/" for an
            empty path after the authority of an http or https URI, no default port, no zeros before
            another, no fragment. Path and query are as they were written. Send this.

    """

    scheme: str
    host: str
    port: int | None
    address: IPv4Address | IPv6Address | None
    url: str

    @property
    def origin(self) -> str:
        """Scheme, host and port as RFC 6454 section 6.2 writes them, a default port left out.

        >>> Target("http", "h", 80, None, "http://h/").origin
        'http://h'
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port in (None, default_port(self.scheme)) else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def target_of(uri: URI) -> Target | None:
    """Give the destination of a URI; None where it names no host, or a port beyond 65535."""
    authority = uri.authority
    if authority is None or not str(authority.host):
        return None
    scheme = uri.scheme.lower()
    port = port_number(uri.port) if uri.port else default_port(scheme)
    if uri.port and port is None:
        return None
    host = triplets.lower_around(str(authority.host))
    return Target(scheme, host.strip("[]"), port, authority.host.address, _url(uri, host, port))


def _url(uri: URI, host: str, port: int | None) -> str:
    """Write a URI without fragment in one spelling; path and query stay, since servers read them.

    host: of the URI, in lower case.
    port: the one to connect to.
    """
    scheme, at = uri.scheme.lower(), places(uri)
    user = "" if uri.userinfo is None else f"{uri.userinfo}@"
    colon = "" if port in (None, default_port(scheme)) else f":{port}"
    text = str(uri)
    end = len(text) if at.fragment is None else at.fragment[0] - 1
    rest = text[at.path[0] : end]
    defaults = SCHEME_DEFAULTS.get(scheme)
    if not uri.path and defaults is not None and defaults.empty_path_is_slash:
        rest = f"/{rest}"
    return f"{scheme}://{user}{host}{colon}{rest}"
