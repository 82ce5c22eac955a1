"""`CURRENT`: today's schemes, each by the RFC that is in force for it, and their records."""

from typing import Final, TypeAlias

from uriparse.schemes.current_uri import AuthorityURI, CurrentURI, UserinfoURI
from uriparse.schemes.data import DATA, DataURL
from uriparse.schemes.encoding import URIHost
from uriparse.schemes.file import FILE_URI, FileURI
from uriparse.schemes.ftp import FTP_URI, FtpURI
from uriparse.schemes.geo import GEO, GeoURI
from uriparse.schemes.gopher import GOPHER_URI, GopherURI
from uriparse.schemes.http import (
    HTTP_URI,
    HTTPS_URI,
    WS,
    WSS,
    HttpsURI,
    HttpURI,
    WebSocketURI,
    WebURI,
    WssURI,
    WsURI,
)
from uriparse.schemes.ldap import LDAP, LdapURL
from uriparse.schemes.mailto import MAILTO_URI, HeaderField, MailtoURI
from uriparse.schemes.news import NEWS_URI, NNTP_URI, NewsURI, NntpURI
from uriparse.schemes.other import OTHER_URI, OtherURI
from uriparse.schemes.prospero import PROSPERO_URI, ProsperoURI
from uriparse.schemes.registry import Registry
from uriparse.schemes.sip import SIP, SIPS, CallURI, SipsURI, SipURI
from uriparse.schemes.tag import TAG, TagURI
from uriparse.schemes.tel import TEL, TelURI
from uriparse.schemes.telnet import TELNET_URI, TelnetURI
from uriparse.schemes.urn import URN, URN_SCHEME
from uriparse.schemes.wais import WAIS_URI, WaisURI

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

_LATER: Final = {
    "devices": (
        *("coap", "coaps", "coap+tcp", "coaps+tcp", "coap+ws", "coaps+ws"),
        *("rtsp", "rtsps", "stun", "stuns", "turn", "turns"),
    ),
    "messages": ("imap", "ldaps", "xmpp", "sms", "cid", "mid", "acct"),
    "stores": (
        *("ssh", "sftp", "git", "git+ssh", "s3", "gs", "postgresql", "postgres", "mysql"),
        *("mongodb", "mongodb+srv", "redis", "rediss"),
    ),
    "registered": ("dns", "ipp", "ipps", "nfs", "ni", "pop"),
    "identifiers": ("did", "about", "blob", "magnet", "otpauth"),
}
"""By module: the schemes that are loaded when a URL of one is read."""

CURRENT: Final = Registry(
    (
        *(HTTP_URI, HTTPS_URI, WS, WSS, FTP_URI, FILE_URI, MAILTO_URI, DATA, URN_SCHEME),
        *(TAG, TEL, GEO, SIP, SIPS),
        *(LDAP, NEWS_URI, NNTP_URI, TELNET_URI, GOPHER_URI, WAIS_URI, PROSPERO_URI),
    ),
    OTHER_URI,
    {name: f"uriparse.schemes.{module}" for module, names in _LATER.items() for name in names},
)
"""The schemes by the RFCs in force; what the RFC of each is, `Scheme.grammar` says."""
