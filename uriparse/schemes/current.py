"""`CURRENT`: today's schemes, each by the RFC that is in force for it, and their records."""

from functools import partial
from typing import Final, TypeAlias

from uriparse._scheme_facts import CURRENT_ROWS
from uriparse.schemes.current_uri import AuthorityURI, CurrentURI, UserinfoURI
from uriparse.schemes.data import DataURL
from uriparse.schemes.encoding import URIHost
from uriparse.schemes.file import FileURI
from uriparse.schemes.ftp import FtpURI
from uriparse.schemes.geo import GeoURI
from uriparse.schemes.gopher import GopherURI
from uriparse.schemes.http import HttpsURI, HttpURI, WebSocketURI, WebURI, WssURI, WsURI
from uriparse.schemes.ldap import LdapURL
from uriparse.schemes.mailto import HeaderField, MailtoURI
from uriparse.schemes.news import NewsURI, NntpURI
from uriparse.schemes.other import OTHER_URI, OtherURI
from uriparse.schemes.prospero import ProsperoURI
from uriparse.schemes.registry import Registry, described
from uriparse.schemes.sip import CallURI, SipsURI, SipURI
from uriparse.schemes.tag import TagURI
from uriparse.schemes.tel import TelURI
from uriparse.schemes.telnet import TelnetURI
from uriparse.schemes.urn import URN
from uriparse.schemes.wais import WaisURI

__all__ = [
    "CURRENT", "URN", "AuthorityURI", "CallURI", "CurrentURI", "DataURL", "DescribedURI",
    "FileURI", "FtpURI", "GeoURI", "GopherURI", "HeaderField", "HttpURI", "HttpsURI",
    "LdapURL", "MailtoURI", "NewsURI", "NntpURI", "OtherURI", "ProsperoURI", "SipURI",
    "SipsURI", "TagURI", "TelURI", "TelnetURI", "URIHost", "UserinfoURI", "WaisURI",
    "WebSocketURI", "WebURI", "WsURI", "WssURI",
]  # fmt: skip

DescribedURI: TypeAlias = (
    WebURI
    | WebSocketURI
    | FtpURI
    | FileURI
    | MailtoURI
    | DataURL
    | URN
    | TagURI
    | TelURI
    | GeoURI
    | CallURI
    | LdapURL
    | NewsURI
    | NntpURI
    | TelnetURI
    | GopherURI
    | WaisURI
    | ProsperoURI
)
"""The records of the schemes that `CURRENT` holds."""

CURRENT: Final = Registry(
    other=OTHER_URI, later={name: partial(described, row) for name, row in CURRENT_ROWS.items()}
)
"""The schemes by the RFCs in force; what the RFC of each is, `Scheme.grammar` says."""
