"""URLs by their schemes: a typed record for each, and what a client would do with it.

- `parse_url` returns the record of a text's scheme; most record classes have `from_parts`.
- `REGISTRY`: the schemes of RFC 1738. `CURRENT`: today's schemes, each by the RFC in force; it is
  loaded on first use. `Scheme`: what must be known of a scheme, for registries that know more.
- `access_plan`: what a client would send; `plans` has a function for each kind of plan.
- `encoding`: the character sets and hosts of RFC 1738; `url_parsing.equivalent`: whether two URLs
  mean the same; `dialects`: how RFC 1738, RFC 2396 and RFC 3986 read one text.

Each scheme has a file, with its records of 1994 and of today. `fields` is how a record states its
fields; `captures` and `record_transformer` are the two readers that fill them; `read_by_scheme`
reads a text by one scheme, or says why it cannot; `url_parts` writes.

>>> url = parse_url("ftp://myname@host.dom/%2Fetc/motd")
>>> url.cwds[0].decoded, url.name
('/etc', 'motd')
"""

from typing import TYPE_CHECKING

from uriparse.schemes.encoding import Encoded, HostName, HostNumber, RelaxedHost
from uriparse.schemes.file import FileURL
from uriparse.schemes.ftp import FtpURL
from uriparse.schemes.gopher import GopherURL
from uriparse.schemes.gopher_plus import GopherPlus
from uriparse.schemes.http import HttpsURL, HttpURL, WebURL
from uriparse.schemes.mailto import MailtoURL
from uriparse.schemes.news import NewsURL, NntpURL
from uriparse.schemes.other import OtherURL
from uriparse.schemes.plans import access_plan
from uriparse.schemes.prospero import ProsperoURL
from uriparse.schemes.registry import Registry, Scheme
from uriparse.schemes.rfc1738 import REGISTRY
from uriparse.schemes.telnet import TelnetURL
from uriparse.schemes.url import URL, LoginURL, ServerURL
from uriparse.schemes.url_parsing import parse_url
from uriparse.schemes.wais import WaisURL

if TYPE_CHECKING:
    from uriparse.schemes.current import CURRENT

__all__ = [
    "CURRENT",
    "REGISTRY",
    "URL",
    "Encoded",
    "FileURL",
    "FtpURL",
    "GopherPlus",
    "GopherURL",
    "HostName",
    "HostNumber",
    "HttpURL",
    "HttpsURL",
    "LoginURL",
    "MailtoURL",
    "NewsURL",
    "NntpURL",
    "OtherURL",
    "ProsperoURL",
    "Registry",
    "RelaxedHost",
    "Scheme",
    "ServerURL",
    "TelnetURL",
    "WaisURL",
    "WebURL",
    "access_plan",
    "parse_url",
]

if not TYPE_CHECKING:  # who would take any name for one that is there

    def __getattr__(name: str) -> object:
        """Load `CURRENT` and the records of its schemes on first use (PEP 562)."""
        if name != "CURRENT":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from uriparse.schemes.current import CURRENT as FOUND  # noqa: PLC0415 - see the docstring

        globals()[name] = FOUND
        return FOUND
