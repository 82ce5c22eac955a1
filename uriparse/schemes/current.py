"""`CURRENT`: today's schemes, each by the RFC that is in force for it, and their records."""

from functools import partial
from typing import Final, TypeAlias

from uriparse._scheme_facts import CURRENT_ROWS
from uriparse.schemes.calls import CallURI, SipsURI, SipURI, TelURI
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
from uriparse.schemes.names import URN, TagURI
from uriparse.schemes.news import NewsURI, NntpURI
from uriparse.schemes.other import OTHER_URI, OtherURI
from uriparse.schemes.registry import Registry, described
from uriparse.schemes.services import ProsperoURI, TelnetURI, WaisURI

__all__ = [
    "CURRENT", "URN", "AuthorityURI", "CallURI", "CurrentURI", "DataURL", "DescribedURI",
    "FileURI", "FtpURI", "GeoURI", "GopherURI", "HeaderField", "HttpURI", "HttpsURI",
    "LdapURL", "MailtoURI", "NewsURI", "NntpURI", "OtherURI", "ProsperoURI", "SipURI",
    "SipsURI", "TagURI", "TelURI", "TelnetURI", "URIHost", "UserinfoURI", "WaisURI",
    "WebSocketURI", "WebURI", "WsURI", "WssURI",
]  # fmt: skip

_Files: TypeAlias = WebURI | WebSocketURI | FtpURI | FileURI | DataURL
_Names: TypeAlias = MailtoURI | URN | TagURI | TelURI | GeoURI | CallURI
_Services: TypeAlias = LdapURL | NewsURI | NntpURI | TelnetURI | GopherURI | WaisURI | ProsperoURI
DescribedURI: TypeAlias = _Files | _Names | _Services
"""The records of the schemes that `CURRENT` holds."""

CURRENT: Final = Registry(
    other=OTHER_URI, later={name: partial(described, row) for name, row in CURRENT_ROWS.items()}
)
"""The schemes by the RFCs in force; what the RFC of each is, `Scheme.grammar` says."""
