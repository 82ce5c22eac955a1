"""Today's schemes: a record for each, by the RFC that is in force for it.

`CURRENT` is the registry of them, which `parse_url` takes; `generic` is what the records share, and
each of the other modules has a scheme, or those that one RFC describes. Where an RFC took over what
RFC 1738 says, the fields are those of RFC 1738's record, on which its record then stands.

>>> from uriparse.schemes import parse_url
>>> url = parse_url("https://h.example/~a?b/c", registry=CURRENT)
>>> url.path, url.query
('/~a', 'b/c')
"""

from uriparse.schemes.current.data import DataURL
from uriparse.schemes.current.file import FileURI
from uriparse.schemes.current.ftp import FtpURI
from uriparse.schemes.current.generic import AuthorityURI, CurrentURI, URIHost, UserinfoURI
from uriparse.schemes.current.geo import GeoURI
from uriparse.schemes.current.http import HttpsURI, HttpURI, WebSocketURI, WebURI, WssURI, WsURI
from uriparse.schemes.current.ldap import LdapURL
from uriparse.schemes.current.mailto import HeaderField, MailtoURI
from uriparse.schemes.current.news import NewsURI, NntpURI
from uriparse.schemes.current.other import OtherURI
from uriparse.schemes.current.registry import CURRENT
from uriparse.schemes.current.servers import GopherURI, ProsperoURI, TelnetURI, WaisURI
from uriparse.schemes.current.sip import CallURI, SipsURI, SipURI
from uriparse.schemes.current.tag import TagURI
from uriparse.schemes.current.tel import TelURI
from uriparse.schemes.current.urn import URN

__all__ = [
    "CURRENT",
    "URN",
    "AuthorityURI",
    "CallURI",
    "CurrentURI",
    "DataURL",
    "FileURI",
    "FtpURI",
    "GeoURI",
    "GopherURI",
    "HeaderField",
    "HttpURI",
    "HttpsURI",
    "LdapURL",
    "MailtoURI",
    "NewsURI",
    "NntpURI",
    "OtherURI",
    "ProsperoURI",
    "SipURI",
    "SipsURI",
    "TagURI",
    "TelURI",
    "TelnetURI",
    "URIHost",
    "UserinfoURI",
    "WaisURI",
    "WebSocketURI",
    "WebURI",
    "WsURI",
    "WssURI",
]
