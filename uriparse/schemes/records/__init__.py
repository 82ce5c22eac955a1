"""A record for each scheme of RFC 1738: what its fields are, and how to make one of parts.

One module a scheme, with the transformer that makes its records of parse trees; `gopher_plus` and
`mail` read what RFC 1738 leaves to other documents.
"""

from uriparse.schemes.records.file import FileURL
from uriparse.schemes.records.ftp import FtpURL
from uriparse.schemes.records.gopher import GopherURL
from uriparse.schemes.records.gopher_plus import GopherPlus
from uriparse.schemes.records.http import HttpsURL, HttpURL, WebURL
from uriparse.schemes.records.mailto import MailtoURL
from uriparse.schemes.records.news import NewsURL, NntpURL
from uriparse.schemes.records.prospero import ProsperoURL
from uriparse.schemes.records.telnet import TelnetURL
from uriparse.schemes.records.wais import WaisURL

__all__ = [
    "FileURL",
    "FtpURL",
    "GopherPlus",
    "GopherURL",
    "HttpURL",
    "HttpsURL",
    "MailtoURL",
    "NewsURL",
    "NntpURL",
    "ProsperoURL",
    "TelnetURL",
    "WaisURL",
    "WebURL",
]
