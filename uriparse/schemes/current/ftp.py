"""ftp URIs: as RFC 1738 has them, with the characters and the hosts of RFC 3986."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from uriparse.schemes.current.generic import CurrentURI, LoginTransformer, described
from uriparse.schemes.records.ftp import FtpURL
from uriparse.schemes.trees import leaf, root

if TYPE_CHECKING:
    from uriparse.schemes.current.generic import URIHost
    from uriparse.schemes.scheme import Scheme


class FtpURI(CurrentURI, FtpURL):
    """`ftp://user:password@host:port/cwd1/.../cwdN/name;type=typecode`, port 21 by default.

    The fields are those of `FtpURL`, and so is what a client does with them. No RFC has described
    the scheme since: user and password are the two parts of what RFC 3986 calls userinfo.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("ftp://me@[::1]/~me/a_b;type=a", registry=CURRENT)
    >>> url.user, url.host, url.cwds, url.name, url.typecode
    ('me', '[::1]', ('~me',), 'a_b', 'a')
    """

    __slots__ = ()

    @classmethod
    def own_schemes(cls) -> tuple[Scheme, ...]:
        """Name the scheme, for `from_parts`."""
        return (FTP,)

    if TYPE_CHECKING:
        host: URIHost  # type: ignore[assignment]  # of another kind


class FtpTransformer(LoginTransformer):
    """Trees of the rule `ftp-URI`."""

    ftp_uri = root
    fpath = leaf("fpath")
    ftptype = leaf("ftptype")


FTP: Final = described(
    "ftp", FtpURI, FtpTransformer, "ftp-URI", "ftp", hierarchical=True, host_after="//"
)
