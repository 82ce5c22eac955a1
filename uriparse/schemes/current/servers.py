"""telnet, gopher, wais and prospero URIs (RFC 4248, 4266, 4156 and 4157).

These RFCs took over what RFC 1738 says of the schemes, and left the syntax that all share to RFC
3986: so the fields are those of RFC 1738's records, with other characters and hosts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from uriparse.schemes.current.generic import (
    CurrentURI,
    LoginTransformer,
    ServerTransformer,
    described,
)
from uriparse.schemes.records.gopher import GopherURL
from uriparse.schemes.records.prospero import ProsperoURL
from uriparse.schemes.records.telnet import TelnetURL
from uriparse.schemes.records.wais import WaisURL
from uriparse.schemes.trees import branch, leaf, passed, root

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Scheme


class TelnetURI(CurrentURI, TelnetURL):
    """`telnet://user:password@host:port/`, port 23 by default; the fields of `TelnetURL`.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("telnet://guest~1@[::1]/", registry=CURRENT)
    >>> url.user, url.host, url.effective_port
    ('guest~1', '[::1]', 23)
    """

    __slots__ = ()

    @classmethod
    def own_schemes(cls) -> tuple[Scheme, ...]:
        """Name the scheme, for `from_parts`."""
        return (TELNET,)


class GopherURI(CurrentURI, GopherURL):
    """`gopher://host:port/` and a type, a selector, a search...; the fields of `GopherURL`.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("gopher://h.d/7/~me?x%09foo", registry=CURRENT)
    >>> url.type, url.selector, url.search
    ('7', '/~me?x', 'foo')
    """

    __slots__ = ()

    @classmethod
    def own_schemes(cls) -> tuple[Scheme, ...]:
        """Name the scheme, for `from_parts`."""
        return (GOPHER,)

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URIs share; no type is type "1" (section 2.1)."""
        (normal,) = super().identity()
        return (f"{str(normal).removesuffix('/')}/1" if self.gtype is None else normal,)


class WaisURI(CurrentURI, WaisURL):
    """`wais://host:port/database` and a search or a document; the fields of `WaisURL`.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> parse_url("wais://h.d/~db?a/b", registry=CURRENT).search
    'a/b'
    """

    __slots__ = ()

    @classmethod
    def own_schemes(cls) -> tuple[Scheme, ...]:
        """Name the scheme, for `from_parts`."""
        return (WAIS,)


class ProsperoURI(CurrentURI, ProsperoURL):
    """`prospero://host:port/hsoname;field=value...`; the fields of `ProsperoURL`.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> parse_url("prospero://h.d/~a/b;v=~1;w=", registry=CURRENT).fields
    (('v', '~1'), ('w', ''))
    """

    __slots__ = ()
    _rules: ClassVar[tuple[str, str, str]] = ("hsoname", "field", "value")

    @classmethod
    def own_schemes(cls) -> tuple[Scheme, ...]:
        """Name the scheme, for `from_parts`."""
        return (PROSPERO,)


class TelnetTransformer(LoginTransformer):
    """Trees of the rule `telnet-URI`."""

    telnet_uri = root


class GopherTransformer(ServerTransformer):
    """Trees of the rule `gopher-URI`."""

    gopher_uri = root
    gophertype = leaf("gtype")
    selector = leaf("selector")
    gopher_search = leaf("search")
    gopher_plus_string = leaf("gopher_plus")


class WaisTransformer(ServerTransformer):
    """Trees of the rule `wais-URI`."""

    wais_uri = root
    wais_database = branch
    wais_search = branch
    wais_document = branch
    database = leaf("database")
    search = leaf("search")
    wtype = leaf("wtype")
    wpath = leaf("wpath")


class ProsperoTransformer(ServerTransformer):
    """Trees of the rule `prospero-URI`."""

    prospero_uri = root
    hsoname = leaf("hsoname")
    fieldspec = passed
    field = passed
    value = passed


TELNET: Final = described(
    "telnet", TelnetURI, TelnetTransformer, "telnet-URI", "rfc4248", host_after="//"
)
GOPHER: Final = described(
    "gopher", GopherURI, GopherTransformer, "gopher-URI", "rfc4266", host_after="//"
)
WAIS: Final = described("wais", WaisURI, WaisTransformer, "wais-URI", "rfc4156", host_after="//")
PROSPERO: Final = described(
    "prospero", ProsperoURI, ProsperoTransformer, "prospero-URI", "rfc4157", host_after="//"
)
