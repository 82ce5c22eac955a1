"""telnet: an interactive service (RFC 1738 section 3.8, RFC 4248)."""

from __future__ import annotations

from typing import Self

from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.fields import url_field
from uriparse.schemes.url import LoginURL
from uriparse.schemes.url_parts import Data, Schemes, made, own_scheme, server


class TelnetURL(LoginURL):
    """`telnet://user:password@host:port/`, port 23 by default.

    user, password, host, port: as for every `LoginURL`; the first two are advice to the person
        at the terminal, and not sent.
    urlpath: `""` where a "/" follows host and port, None where none does. Both mean the same.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("telnet://well.sf.ca.us", registry=RFC1738)
    >>> url.host, url.effective_port, url.user, url.credentials_advisory
    ('well.sf.ca.us', 23, None, True)
    """

    urlpath: Encoded | None = url_field(
        derived=lambda own: Encoded("") if own.url.endswith("/") else None
    )

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        user: Data | None = None,
        password: Data | None = None,
        port: int | str | None = None,
        slash: bool = True,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URL of data, with or without the "/" at its end.

        >>> TelnetURL.from_parts(host="h.d", user="guest", port=2323)
        <TelnetURL 'telnet://guest@h.d:2323/'>
        """
        scheme = own_scheme(cls, registry)
        fields = {"user": user, "password": password, **server(host, port, scheme)}
        return made(cls, scheme, fragment, fields, end="/" if slash else "")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share."""
        return self._login()


class TelnetURI(AuthorityURI, TelnetURL):
    """`telnet://user:password@host:port/`, port 23 by default; the fields of `TelnetURL`.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("telnet://guest~1@[::1]/")
    >>> url.user, url.host, url.effective_port
    ('guest~1', '[::1]', 23)
    """
