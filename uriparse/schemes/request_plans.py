"""Access plans for http, https, ws, wss and imap: the requests that a client would send."""

from __future__ import annotations

from binascii import b2a_base64
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from uriparse.schemes.http import WebSocketURI, WebURI, WebURL
from uriparse.schemes.plan_parts import Command, expect, fit_to_send, server_of

if TYPE_CHECKING:
    from uriparse.schemes.messages import ImapURL


@dataclass(frozen=True, slots=True)
class HttpPlan:
    """A request of HTTP/1.1 for a URL.

    Attributes:
        host, port: the server.
        is_secure: whether the connection is one over TLS.
        target: the path and the query to ask for.
        headers: pairs of name and value. The user and the password of a URL are not sent: RFC 9110
            section 4.2.4 deprecates them.

    """

    host: str
    port: int
    is_secure: bool
    target: str
    headers: tuple[tuple[str, str], ...]

    @property
    def request(self) -> bytes:
        """The octets of the request, the empty line at its end included."""
        fields = (f"{name}: {value}" for name, value in self.headers)
        lines = [f"GET {self.target} HTTP/1.1", *fields, ""]
        return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def http_plan(url: WebURI | WebURL | WebSocketURI, *, key: bytes | None = None) -> HttpPlan:
    r"""Plan the request for a URL of http, https, ws or wss.

    key: for ws and wss, 16 random octets for the header Sec-WebSocket-Key; None to leave that
        header to the client (RFC 6455 section 4.1).

    SchemeError where the URL names no server, or the port is invalid.

    >>> from uriparse.schemes import parse_url
    >>> plan = http_plan(parse_url("https://H.example:8443?q=1#f"))
    >>> plan.host, plan.port, plan.is_secure, plan.request
    ('H.example', 8443, True, b'GET /?q=1 HTTP/1.1\r\nHost: H.example:8443\r\n\r\n')
    """
    expect(url, WebURI, WebURL, WebSocketURI)
    host, port = server_of(url)
    if isinstance(url, WebURL):  # whose path is what follows the "/"
        path, query = f"/{url.path or ''}", url.search
    else:
        path, query = url.path or "/", url.query
    target = path if query is None else f"{path}?{query}"
    headers = [("Host", host if port == url.default_port else f"{host}:{port}")]
    if isinstance(url, WebSocketURI):
        headers += [("Upgrade", "websocket"), ("Connection", "Upgrade")]
        headers += [("Sec-WebSocket-Version", "13")]
        if key is not None:
            nonce = b2a_base64(key, newline=False).decode("ascii")
            headers.append(("Sec-WebSocket-Key", nonce))
    return HttpPlan(host, port, url.scheme in {"https", "wss"}, target, tuple(headers))


@dataclass(frozen=True, slots=True)
class ImapPlan:
    """What to ask an IMAP server once somebody is logged in.

    Attributes:
        host, port: the server.
        user: as whom to log in, decoded; None for anybody, or for the anonymous user.
        auth_type: the mechanism to use; "*" or None for any.
        commands: the lines in their order, each to be sent after a tag.

    """

    host: str
    port: int
    user: bytes | None
    auth_type: str | None
    commands: tuple[Command, ...]


def imap_plan(url: ImapURL) -> ImapPlan:
    """Plan the access to a mailbox, to what a search finds in it, or to a message or its part.

    SchemeError, with the offset, where a decoded part holds CR, LF or NUL, as a search with a
    literal does; EncodingError for a mailbox whose name is not UTF-8.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("imap://me@h.d/gray%20council/;UID=20/;SECTION=1.2/;PARTIAL=0.1024")
    >>> imap_plan(url).commands
    (<Command 'SELECT "gray council"'>, <Command 'UID FETCH 20 BODY.PEEK[1.2]<0.1024>'>)
    """
    from uriparse.schemes.messages import ImapURL  # noqa: PLC0415 - loaded for its URLs alone

    expect(url, ImapURL)
    host, port = server_of(url)
    user = None if url.user is None else fit_to_send(url, url.user, "enc-user")
    auth_type = None if url.auth_type is None else url.auth_type.decoded
    commands = []
    if url.urlauth is not None:
        commands.append(Command("URLFETCH", _quoted(str(url).encode("ascii")), is_secret=True))
    elif url.mailbox is not None:
        fit_to_send(url, url.mailbox, "enc-mailbox")
        commands.append(Command("SELECT", _quoted(_modified_utf7(url.mailbox.decoded))))
        if url.search is not None:
            commands.append(Command("UID", b"SEARCH " + fit_to_send(url, url.search, "enc-search")))
        if url.uid is not None:
            section = b"" if url.section is None else fit_to_send(url, url.section, "enc-section")
            part = "" if url.partial is None else f"<{url.partial}>"
            asked = f"FETCH {url.uid} BODY.PEEK[".encode() + section + f"]{part}".encode()
            commands.append(Command("UID", asked))
    return ImapPlan(host, port, user, auth_type, tuple(commands))


def _quoted(text: bytes) -> bytes:
    """Write a quoted string of RFC 3501."""
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _modified_utf7(name: str) -> bytes:
    """Write the name of a mailbox as IMAP has it (RFC 3501 section 5.1.3).

    >>> _modified_utf7("~peter/台北 & x")
    b'~peter/&U,BTFw- &- x'
    """
    found = []
    for is_plain, group in groupby(name, key=lambda character: " " <= character <= "~"):
        text = "".join(group)
        if is_plain:
            found.append(text.replace("&", "&-").encode("ascii"))
        else:
            packed = b2a_base64(text.encode("utf-16-be"), newline=False)
            found.append(b"&" + packed.rstrip(b"=").replace(b"/", b",") + b"-")
    return b"".join(found)
