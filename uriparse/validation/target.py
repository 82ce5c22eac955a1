"""Where an accepted URI leads: what to hand to a client, so that it goes where the check said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        url: the very text that was checked, without its fragment: send this.

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
    fragment = places(uri).fragment
    url = str(uri) if fragment is None else str(uri)[: fragment[0] - 1]
    host = str(authority.host).lower()
    return Target(scheme, host.strip("[]"), port, authority.host.address, url)
