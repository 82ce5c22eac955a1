"""What to tell a person about an interactive service (RFC 1738 section 3.8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from uriparse.schemes.encoding import first_octet
from uriparse.schemes.plans.access import ENDS_A_LINE, expect, server_of
from uriparse.schemes.records.telnet import TelnetURL

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded

_CONTROLS = ENDS_A_LINE | frozenset(range(0x20)) | frozenset(range(0x7F, 0x100))


@dataclass(frozen=True, slots=True)
class TelnetAdvice:
    """Where to connect, and as whom to log in there; nothing of it is sent by the client.

    Attributes:
        host, port: the server.
        user: the name that the URL suggests; None without one.
        password: the password that it suggests, kept out of `repr`; None without one.
        is_encoded: whether user and password are left as written in the URL, because one of
            them, decoded, would hold a control character or one that is not ASCII.

    """

    host: str
    port: int
    user: str | None
    password: str | None = field(repr=False)
    is_encoded: bool

    def __str__(self) -> str:
        where = f"connect to {self.host}, port {self.port}"
        if self.user is None:
            return where
        note = " (as written in the URL: it is not safe to decode)" if self.is_encoded else ""
        secret = "" if self.password is None else ", with the password of the URL"
        return f'{where}; it is suggested to log in as "{self.user}"{secret}{note}'


def telnet_advice(url: TelnetURL) -> TelnetAdvice:
    """Give the advice in a telnet URL. SchemeError where the port cannot be.

    >>> from uriparse.schemes import parse_url
    >>> print(telnet_advice(parse_url("telnet://guest@well.sf.ca.us/")))
    connect to well.sf.ca.us, port 23; it is suggested to log in as "guest"
    >>> telnet_advice(parse_url("telnet://u%0D%0Ax@h.d/")).user
    'u%0D%0Ax'
    """
    expect(url, TelnetURL)
    host, port = server_of(url)
    given = [part for part in (url.user, url.password) if part is not None]
    unsafe = any(first_octet(part, _CONTROLS) is not None for part in given)

    def advised(part: Encoded | None) -> str | None:
        if part is None:
            return None
        return str(part) if unsafe else part.decoded

    return TelnetAdvice(host, port, advised(url.user), advised(url.password), unsafe)
