"""`CURRENT`: today's schemes, each by the RFC that is in force for it."""

from __future__ import annotations

from typing import Final

from uriparse.schemes.current.data import DATA
from uriparse.schemes.current.file import FILE
from uriparse.schemes.current.ftp import FTP
from uriparse.schemes.current.geo import GEO
from uriparse.schemes.current.http import HTTP, HTTPS, WS, WSS
from uriparse.schemes.current.ldap import LDAP
from uriparse.schemes.current.mailto import MAILTO
from uriparse.schemes.current.news import NEWS, NNTP
from uriparse.schemes.current.other import OTHER
from uriparse.schemes.current.servers import GOPHER, PROSPERO, TELNET, WAIS
from uriparse.schemes.current.sip import SIP, SIPS
from uriparse.schemes.current.tag import TAG
from uriparse.schemes.current.tel import TEL
from uriparse.schemes.current.urn import URN_SCHEME
from uriparse.schemes.registry import Registry

CURRENT: Final = Registry(
    (
        *(HTTP, HTTPS, WS, WSS, FTP, FILE, MAILTO, DATA, URN_SCHEME, TAG, TEL, GEO, SIP, SIPS),
        *(LDAP, NEWS, NNTP, TELNET, GOPHER, WAIS, PROSPERO),
    ),
    OTHER,
)
"""The schemes by the RFCs in force; what the RFC of each is, `Scheme.grammar` says."""
