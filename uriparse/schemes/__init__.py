"""URLs by their schemes: a typed record for each, and what a client would do with it.

- `parse_url` gives the record of a text's scheme; each record class of RFC 1738 has `from_parts`.
- `REGISTRY` and `Scheme`: which schemes are known, and how to know more.
- `CURRENT`: the registry of today's schemes, each by the RFC in force; their records are in
  `current`, which is loaded when it is first asked for.
- `access_plan`; `plans` has one for each kind of plan (`ftp_plan`, `gopher_plan`...).
- `encoding`: the character sets of RFC 1738; `equivalence`: when two URLs mean the same.
- `dialects`: how RFC 1738, RFC 2396 and RFC 3986 each read a text.
- `trees`: what the transformers are made of, for schemes with a grammar of their own.

`records` has a module for each scheme, which ends with all that has to be known to read its URLs
(a `Scheme`); `reading` does that for one scheme, `registry` alone knows them all, and `parsing`
picks the one of a text.

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
        """Load `CURRENT` and its twenty records on first use (PEP 562)."""
        if name != "CURRENT":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from uriparse.schemes.current import CURRENT as FOUND  # noqa: PLC0415 - as said

        globals()[name] = FOUND
        return FOUND
