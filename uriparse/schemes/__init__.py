"""URLs of RFC 1738: a typed record for each scheme, and what a client would do with it.

- `parse_url` gives the record of a text's scheme; each record class has `from_parts`.
- `REGISTRY` and `Scheme`: which schemes are known, and how to know more.
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

from uriparse.schemes.encoding import Encoded
from uriparse.schemes.host import HostName, HostNumber, RelaxedHost
from uriparse.schemes.other import OtherURL
from uriparse.schemes.parsing import parse_url
from uriparse.schemes.plans import access_plan
from uriparse.schemes.records import (
    FileURL,
    FtpURL,
    GopherPlus,
    GopherURL,
    HttpsURL,
    HttpURL,
    MailtoURL,
    NewsURL,
    NntpURL,
    ProsperoURL,
    TelnetURL,
    WaisURL,
    WebURL,
)
from uriparse.schemes.registry import REGISTRY, Registry
from uriparse.schemes.scheme import Scheme
from uriparse.schemes.url import URL, LoginURL, ServerURL

__all__ = [
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
