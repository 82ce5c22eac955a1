"""URLs by their schemes: a typed record for each, and what a client would do with it.

- `parse_url` returns the record of a text's scheme; most record classes have `from_parts`.
- `CURRENT`: today's schemes, each by the RFC in force, by which `parse_url` reads; `RFC1738`:
  those of RFC 1738, for `registry=RFC1738`. `Scheme`: what must be known of a scheme, for
  registries that know more.
- `access_plan`: what a client would send; `plans` has a function for each kind of plan.
- `equivalent`: whether two URIs mean the same, by RFC 3986 and the RFC of their scheme;
  `equivalence` has more about comparing.
- `encoding`: the character sets and hosts of RFC 1738; `dialects`: how RFC 1738, RFC 2396 and RFC
  3986 read one text.

The records of a scheme, of 1994 and of today, are in one file. `fields` is how a record states its
fields; `captures` fills them from expressions, and `transform` makes records of parse trees;
`read_by_scheme` reads a text by one scheme, or says why it cannot; `url_parts` writes.

>>> url = parse_url("ftp://myname@host.dom/%2Fetc/motd")
>>> url.cwds[0].decoded, url.name
('/etc', 'motd')
"""

from uriparse.schemes.current import CURRENT
from uriparse.schemes.encoding import Encoded, HostName, HostNumber, RelaxedHost
from uriparse.schemes.equivalence import equivalent
from uriparse.schemes.file import FileURL
from uriparse.schemes.from_abnf import scheme_from_abnf
from uriparse.schemes.ftp import FtpURL
from uriparse.schemes.gopher import GopherPlus, GopherURL
from uriparse.schemes.http import HttpsURL, HttpURL, WebURL
from uriparse.schemes.mailto import MailtoURL
from uriparse.schemes.news import NewsURL, NntpURL
from uriparse.schemes.other import OtherURL
from uriparse.schemes.plans import access_plan
from uriparse.schemes.registry import RFC1738, Registration, Registry, Scheme, registrations
from uriparse.schemes.services import ProsperoURL, TelnetURL, WaisURL
from uriparse.schemes.url import URL, LoginURL, ServerURL
from uriparse.schemes.url_parsing import parse_url, transform

__all__ = [
    "CURRENT", "RFC1738", "URL", "Encoded", "FileURL", "FtpURL", "GopherPlus", "GopherURL",
    "HostName", "HostNumber", "HttpURL", "HttpsURL", "LoginURL", "MailtoURL", "NewsURL",
    "NntpURL", "OtherURL", "ProsperoURL", "Registration", "Registry", "RelaxedHost", "Scheme",
    "ServerURL", "TelnetURL", "WaisURL", "WebURL", "access_plan", "equivalent", "parse_url",
    "registrations",
    "scheme_from_abnf", "transform",
]  # fmt: skip
