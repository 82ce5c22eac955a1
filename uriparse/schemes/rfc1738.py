"""`RFC1738`: the ten schemes of RFC 1738, of 1994, and https."""

from typing import Final

from uriparse.schemes.file import FILE_URL
from uriparse.schemes.ftp import FTP_URL
from uriparse.schemes.gopher import GOPHER_URL
from uriparse.schemes.http import HTTP_URL, HTTPS_URL
from uriparse.schemes.mailto import MAILTO_URL
from uriparse.schemes.news import NEWS_URL, NNTP_URL
from uriparse.schemes.prospero import PROSPERO_URL
from uriparse.schemes.registry import Registry
from uriparse.schemes.telnet import TELNET_URL
from uriparse.schemes.wais import WAIS_URL

RFC1738: Final = Registry(
    (
        *(FTP_URL, HTTP_URL, HTTPS_URL, GOPHER_URL, MAILTO_URL, NEWS_URL, NNTP_URL, TELNET_URL),
        *(WAIS_URL, FILE_URL, PROSPERO_URL),
    )
)
"""The ten schemes of RFC 1738, and https; `parse_url` reads by them with `registry=RFC1738`."""
