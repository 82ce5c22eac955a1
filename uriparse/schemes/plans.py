"""Access plans: what a client of a scheme would do with its URL. No connection is ever opened.

A URL says where something is and how to reach it, not what may be done with it; and nobody but who
gives the names out can promise that it will lead to the same thing tomorrow (RFC 1738 sections 2
and 6). So plans are for access, and say what would be sent, never what will be found.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, get_args

from uriparse._base.coerce import Data, Text, as_choice, as_data, as_optional_str, as_str, refusal
from uriparse.components.servers import significant
from uriparse.errors import excerpt
from uriparse.schemes.encoding import first_octet, octets_of
from uriparse.schemes.ftp import FtpURL
from uriparse.schemes.gopher import GopherURL
from uriparse.schemes.http import WebSocketURI, WebURI, WebURL
from uriparse.schemes.news import NewsURI, NewsURL, NntpURL
from uriparse.schemes.plan_parts import (
    ENDS_A_LINE,
    Command,
    expect,
    fit_to_send,
    no_plan,
    server_of,
)
from uriparse.schemes.services import Kind, ProsperoURL, TelnetURL, WaisURL
from uriparse.schemes.url import URL

if TYPE_CHECKING:
    from uriparse.schemes.gopher import GopherPlus
    from uriparse.schemes.messages import ImapURL

__all__ = [
    "Command", "FtpPlan", "GopherPlan", "HttpPlan", "ImapPlan", "NntpPlan", "Plan",
    "ProsperoPlan", "TelnetAdvice", "WaisPlan", "access_plan", "ftp_plan", "gopher_plan",
    "guess_type", "http_plan", "imap_plan", "news_plan", "nntp_plan", "prospero_plan",
    "telnet_advice", "wais_plan",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _ServerPlan:
    """What plans have in common.

    host, port: the server.
    """

    host: str
    port: int


# What an FTP client does to fetch what an ftp URL names (RFC 1738 section 3.2).

Operation: TypeAlias = Literal["retrieve", "store", "list"]
"""RFC 1738 describes how to retrieve and to list, and leaves others open."""

ANONYMOUS: Final = "anonymous"
"""The user to log in as where a URL names none."""

_OPERATIONS: tuple[Literal["retrieve", "store"], ...] = ("retrieve", "store")
_VERBS: dict[Operation, str] = {"retrieve": "RETR", "store": "STOR", "list": "NLST"}

_TEXT_SUFFIXES = frozenset(
    """
    txt text asc md rst readme html htm sgml xml tex ps c h cc cpp py pl sh java f csv tsv json
    ini cfg conf log
    """.split()  # noqa: SIM905 - a table in words is easier to read
)
_TEXT_NAMES = frozenset({"readme", "index", "motd", "license", "copying", "changelog", "makefile"})


@dataclass(frozen=True, slots=True)
class FtpPlan(_ServerPlan):
    """What to send on a new connection, and for what.

    commands: the lines in their order. PASS is sent if the server asks for it. The plan
        always begins with the login: after one CWD it is unknown where another leads, so
        a connection that has served one plan is of no use to the next (section 3.2.5).
    operation: what is done.
    """

    commands: tuple[Command, ...]
    operation: Operation

    @property
    def is_guessed(self) -> bool:
        """Return whether the URL leaves open a command that is in the plan."""
        return any(command.is_guessed for command in self.commands)


def ftp_plan(
    url: FtpURL, *, email: str | None = None, operation: Literal["retrieve", "store"] = "retrieve"
) -> FtpPlan:
    """Plan the access to a file or a directory.

    email: the address that is the password of the anonymous user, by convention; if None, a
        person is to be asked for it.
    operation: what to do with a file. A URL that says `;type=d`, and one without a name at its
        end, is for listing, the latter as a guess.

    Without a type the name's suffix decides, as a guess. SchemeError, with the offset, where a
    decoded part holds CR, LF or NUL, or the port is invalid; ValueError for such an address.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("ftp://myname@host.dom/%2Fetc/motd")
    >>> [str(command) for command in ftp_plan(url).commands]
    ['USER myname', 'PASS <password>', 'CWD /etc', 'TYPE A', 'RETR motd']
    """
    expect(url, FtpURL)
    operation = as_choice(operation, "operation", _OPERATIONS)
    email = as_optional_str(email, "email")
    server = server_of(url)
    commands = [*_login(url, email)]
    commands += [Command("CWD", fit_to_send(url, cwd, "cwd")) for cwd in url.cwds]
    name = b"" if url.name is None else fit_to_send(url, url.name, "name")
    lists = url.typecode == "d" or (not name and url.typecode is None)
    if lists:
        guessed = url.typecode is None
        commands.append(Command(_VERBS["list"], name or None, is_guessed=guessed))
        return FtpPlan(*server, tuple(commands), "list")
    code = url.typecode or guess_type(name)
    commands.append(Command("TYPE", code.upper().encode(), is_guessed=url.typecode is None))
    commands.append(Command(_VERBS[operation], name))
    return FtpPlan(*server, tuple(commands), operation)


def guess_type(name: Data) -> Literal["a", "i"]:
    """Guess from a decoded file name whether the file is text ("a") or octets ("i").

    Octets are never harmed by "i", so all that is not known to be text is taken for them.

    >>> guess_type("rfc1436.txt"), guess_type("eudrm144.zip"), guess_type("README")
    ('a', 'i', 'a')
    """
    data = as_data(name, "name")
    text = data.decode("latin-1") if isinstance(data, bytes) else data
    _, dot, suffix = text.lower().rpartition(".")
    if dot:
        return "a" if suffix in _TEXT_SUFFIXES else "i"
    return "a" if suffix in _TEXT_NAMES else "i"


def _login(url: FtpURL, email: str | None) -> Iterator[Command]:
    """Yield USER and PASS."""
    if url.user is not None:
        yield Command("USER", fit_to_send(url, url.user, "user"))
        if url.password is None:
            yield Command("PASS", prompt="password")
        else:
            yield Command("PASS", fit_to_send(url, url.password, "password"), is_secret=True)
        return
    yield Command("USER", ANONYMOUS.encode())
    if email is None:
        yield Command("PASS", prompt="e-mail address")
        return
    address = octets_of(email)
    if not ENDS_A_LINE.isdisjoint(address):
        raise ValueError("an e-mail address has no CR, LF or NUL")
    yield Command("PASS", address)


# What a Gopher client sends for a gopher URL (RFC 1738 section 3.4, RFC 1436).

EmptySearch: TypeAlias = Literal["keep", "omit"]
"""What to do with an empty search before a Gopher+ string.

`"keep"`: it is sent, between two tabs (section 3.4.3). `"omit"`: one tab is sent (section 3.4.9).
"""

EMPTY_SEARCHES: tuple[EmptySearch, ...] = get_args(EmptySearch)

ENDS_A_FIELD: Final = ENDS_A_LINE | frozenset(b"\t")
"""Octets that no selector and no search holds."""

_TAB, _LINE_END = b"\t", b"\r\n"

_FORM = b"!+ASK"
"""The attribute that is a form to be filled in."""


@dataclass(frozen=True, slots=True)
class GopherPlan(_ServerPlan):
    """What to send on a new connection.

    request: the octets to send, the end of the line included.
    type: of the item that will come, one character.
    plus: what the Gopher+ string asks for; None without one.
    form: the octets to send instead for the form of an `"ask-form"`, which is the item's
        attribute +ASK; None for all others. A person fills it in, and a URL whose Gopher+
        string is that of `GopherPlus.filled` brings the answers back (section 3.4.5).
    """

    request: bytes
    type: str
    plus: GopherPlus | None
    form: bytes | None = None


def gopher_plan(url: GopherURL, *, empty_search: EmptySearch | None = None) -> GopherPlan:
    r"""Plan the request for an item, a search, or a Gopher+ item.

    empty_search: what to do with a search that is present and empty; None keeps it, as
        section 3.4.3 says, but for filled forms, where section 3.4.9 omits it.

    SchemeError, with the offset, where the decoded selector or search holds TAB, CR, LF or NUL,
    where the Gopher+ string does outside the block of a filled form, or the port is invalid.

    >>> from uriparse.schemes import parse_url
    >>> gopher_plan(parse_url("gopher://h.d/7s%20x%09a%20b")).request
    b's x\ta b\r\n'
    >>> gopher_plan(parse_url("gopher://h.d/0s%09%09+"), empty_search="omit").request
    b's\t+\r\n'
    """
    expect(url, GopherURL)
    if empty_search is not None:
        empty_search = as_choice(empty_search, "empty_search", EMPTY_SEARCHES)
    server = server_of(url)
    request = fit_to_send(url, url.selector, "selector", refused=ENDS_A_FIELD)
    plus = url.plus
    filled = plus if plus is not None and plus.kind == "filled-form" else None
    reading = empty_search or ("omit" if filled else "keep")
    if url.search is not None and (url.search or plus is None or reading == "keep"):
        request += _TAB + fit_to_send(url, url.search, "search", refused=ENDS_A_FIELD)
    if filled is not None:
        return GopherPlan(*server, request + _TAB + filled.octets, url.type, filled)
    form = None
    if plus is not None and url.gopher_plus is not None:
        form = request + _TAB + _FORM + _LINE_END if plus.kind == "ask-form" else None
        request += _TAB + fit_to_send(url, url.gopher_plus, "gopher_plus", refused=ENDS_A_FIELD)
    return GopherPlan(*server, request + _LINE_END, url.type, plus, form)


# What a news reader does with a news or an nntp URL (RFC 1738 sections 3.6 and 3.7, RFC 977).

NOT_IN_IDS: Final = ENDS_A_LINE | frozenset(b"\t <>")
"""Octets that no message id holds (RFC 1036 section 2.1.5)."""

_NOT_IN_GROUPS: Final = ENDS_A_LINE | frozenset(b"\t ")
"""Octets that no newsgroup's name or pattern holds (RFC 3977 section 4.1): they end an argument."""


@dataclass(frozen=True, slots=True)
class NntpPlan:
    """What to ask a news server.

    host, port: the server; both None for a news URL, which leaves it to the reader's own.
    commands: the lines in their order.
    """

    host: str | None
    port: int | None
    commands: tuple[Command, ...]


def nntp_plan(url: NntpURL) -> NntpPlan:
    """Plan the access to a newsgroup, or to an article of it by number.

    SchemeError where the port is invalid. Of an article's number the server is the judge.

    >>> from uriparse.schemes import parse_url
    >>> nntp_plan(parse_url("nntp://h.d/g.r/012")).commands
    (<Command 'GROUP g.r'>, <Command 'ARTICLE 12'>)
    """
    expect(url, NntpURL)
    server = server_of(url)
    commands = [Command("GROUP", fit_to_send(url, url.group, "group", refused=_NOT_IN_GROUPS))]
    if url.digits is not None:
        commands.append(Command("ARTICLE", significant(url.digits).encode()))
    return NntpPlan(*server, tuple(commands))


def news_plan(url: NewsURL | NewsURI) -> NntpPlan:
    """Plan the access to newsgroups or to an article by its id, on whatever server one has.

    A URL of today (RFC 5538) may name the server, and many groups by a pattern (RFC 3977
    section 7.6.3). SchemeError, with the offset, where a decoded id or pattern holds what none
    can, or the port is invalid.

    >>> from uriparse.schemes import parse_url
    >>> [news_plan(parse_url(url)).commands[0] for url in ("news:*", "news:a.b", "news:1@h.d")]
    [<Command 'LIST'>, <Command 'GROUP a.b'>, <Command 'ARTICLE <1@h.d>'>]
    >>> news_plan(parse_url("news://h.d/a.*")).commands
    (<Command 'LIST ACTIVE a.*'>,)
    """
    expect(url, NewsURL, NewsURI)
    host, port = server_of(url) if isinstance(url, NewsURI) and url.host else (None, None)
    return NntpPlan(host, port, (_asked(url),))


def _asked(url: NewsURL | NewsURI) -> Command:
    """Return the command for what a URL names."""
    named = url.grouppart if isinstance(url, NewsURL) else url.newsgroups or url.article
    if url.kind == "all" or named is None:
        return Command("LIST")
    if url.kind == "article":
        article = fit_to_send(url, named, "article", refused=NOT_IN_IDS)
        return Command("ARTICLE", b"<" + article + b">")
    if url.kind == "group":
        return Command("GROUP", fit_to_send(url, named, "group", refused=_NOT_IN_GROUPS))
    pattern = fit_to_send(url, named, "newsgroups", refused=_NOT_IN_GROUPS)
    return Command("LIST", b"ACTIVE " + pattern)


# What a Prospero client asks a directory server for (RFC 1738 section 3.11).


@dataclass(frozen=True, slots=True)
class ProsperoPlan(_ServerPlan):
    """What to ask for; how is a matter of the Prospero protocol, whose messages are datagrams.

    The answer says how the object is accessed, perhaps by a URL of another scheme: a prospero URL
    names a directory entry, never the object itself.

    hsoname: the object's name, which only its server understands.
    fields: pairs of name and value that say which of the objects is meant, in their order.
    """

    hsoname: bytes
    fields: tuple[tuple[bytes, bytes], ...] = ()


def prospero_plan(url: ProsperoURL) -> ProsperoPlan:
    """Plan the question for how an object is accessed.

    SchemeError, with the offset, where anything decoded holds CR, LF or NUL, for Prospero speaks
    in lines; or where the port is invalid.

    >>> from uriparse.schemes import parse_url
    >>> plan = prospero_plan(parse_url("prospero://host.dom//pros/name;OBJECT-VERSION=3"))
    >>> plan.hsoname, plan.fields
    (b'/pros/name', ((b'OBJECT-VERSION', b'3'),))
    """
    expect(url, ProsperoURL)
    return ProsperoPlan(
        *server_of(url),
        fit_to_send(url, url.hsoname, "hsoname"),
        tuple(
            (fit_to_send(url, name, "field"), fit_to_send(url, value, "field"))
            for name, value in url.fields
        ),
    )


# What to say to a person about an interactive service (RFC 1738 section 3.8).

_CONTROLS = ENDS_A_LINE | frozenset(range(0x20)) | frozenset(range(0x7F, 0x100))


@dataclass(frozen=True, slots=True)
class TelnetAdvice(_ServerPlan):
    """Where to connect, and as whom to log in there; nothing of it is sent by the client.

    user: the name that the URL suggests; None without one.
    password: the password that it suggests, kept out of `repr`; None without one.
    is_encoded: whether user and password are left as written in the URL, because one of
        them, decoded, would hold a control character or one that is not ASCII.
    """

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
    """Return the advice in a telnet URL. SchemeError where the port is invalid.

    >>> from uriparse.schemes import parse_url
    >>> print(telnet_advice(parse_url("telnet://guest@well.sf.ca.us/")))
    connect to well.sf.ca.us, port 23; it is suggested to log in as "guest"
    >>> telnet_advice(parse_url("telnet://u%0D%0Ax@h.d/")).user
    'u%0D%0Ax'
    """
    expect(url, TelnetURL)
    server, given = server_of(url), (url.user, url.password)
    unsafe = any(part is not None and first_octet(part, _CONTROLS) is not None for part in given)
    user, password = (
        None if part is None else str(part) if unsafe else part.decoded for part in given
    )
    return TelnetAdvice(*server, user, password, unsafe)


# What a WAIS client asks a server for (RFC 1738 section 3.9, RFC 1625).


@dataclass(frozen=True, slots=True)
class WaisPlan(_ServerPlan):
    """What to ask for; how is a matter of Z39.50, whose requests are not lines of text.

    kind: `"database"` (which can be searched), `"search"` or `"document"`.
    database: its name.
    search: the words to search for; None unless that is the kind.
    wtype: the type of the document; None unless that is the kind.
    wpath: the document's id, which only its server understands; None unless that is the kind.
    """

    kind: Kind
    database: bytes
    search: bytes | None = None
    wtype: bytes | None = None
    wpath: bytes | None = None


def wais_plan(url: WaisURL) -> WaisPlan:
    """Plan a search, or the access to a database or a document.

    SchemeError, with the offset, where anything decoded but the document's id holds CR, LF or
    NUL, or the port is invalid.

    >>> from uriparse.schemes import parse_url
    >>> wais_plan(parse_url("wais://h.d/db?a%20b")).search
    b'a b'
    """
    expect(url, WaisURL)
    return WaisPlan(
        *server_of(url),
        url.kind,
        fit_to_send(url, url.database, "database"),
        None if url.search is None else fit_to_send(url, url.search, "search"),
        None if url.wtype is None else fit_to_send(url, url.wtype, "wtype"),
        None if url.wpath is None else url.wpath.octets,
    )


# What a client of http, https, ws, wss or imap sends.


@dataclass(frozen=True, slots=True)
class HttpPlan(_ServerPlan):
    """A request of HTTP/1.1 for a URL.

    is_secure: whether the connection is one over TLS.
    target: the path and the query to ask for.
    headers: pairs of name and value. The user and the password of a URL are not sent: RFC 9110
        section 4.2.4 deprecates them. In the target that a gateway is asked for they are.
    """

    is_secure: bool
    target: str
    headers: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        """Show the target, a password masked."""
        return f"<HttpPlan {self.host}:{self.port} {excerpt.masked(self.target)!r}>"

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


def _by_gateway(url: URL, gateway: Text) -> HttpPlan:
    """Plan the request by which a gateway is asked for a URL: as a proxy, for all of it."""
    from uriparse.schemes.url_parsing import parse_url  # noqa: PLC0415 - imports nothing of plans

    via = parse_url(gateway)
    if (
        not isinstance(via, WebURI)
        or not via.userinfo is via.query is via.fragment is None
        or via.path not in {"", "/"}
    ):
        raise no_plan(via, "is not a gateway: that is http or https, a host and a port")
    host, port = server_of(via)
    target = str(url).partition("#")[0]
    server = target.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]
    return HttpPlan(host, port, via.scheme == "https", target, (("Host", server),))


@dataclass(frozen=True, slots=True)
class ImapPlan(_ServerPlan):
    """What to ask an IMAP server once somebody is logged in.

    user: as whom to log in, decoded; None for anybody, or for the anonymous user.
    auth_type: the mechanism to use; "*" or None for any.
    commands: the lines in their order, each to be sent after a tag.
    """

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
    server = server_of(url)
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
    return ImapPlan(*server, user, auth_type, tuple(commands))


def _quoted(text: bytes) -> bytes:
    """Write a quoted string of RFC 3501."""
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _modified_utf7(name: str) -> bytes:
    """Write the name of a mailbox as IMAP has it (RFC 3501 section 5.1.3)."""
    found = []
    for is_plain, group in groupby(name, key=lambda character: " " <= character <= "~"):
        text = "".join(group)
        if is_plain:
            found.append(text.replace("&", "&-").encode("ascii"))
        else:
            packed = b2a_base64(text.encode("utf-16-be"), newline=False)
            found.append(b"&" + packed.rstrip(b"=").replace(b"/", b",") + b"-")
    return b"".join(found)


Plan: TypeAlias = (
    FtpPlan | GopherPlan | NntpPlan | ProsperoPlan | WaisPlan | TelnetAdvice | HttpPlan | ImapPlan
)

_PLANS: Final[tuple[tuple[tuple[type[URL], ...], Callable[[Any], Plan]], ...]] = (
    ((NntpURL,), nntp_plan),
    ((WaisURL,), wais_plan),
    ((ProsperoURL,), prospero_plan),
    ((TelnetURL,), telnet_advice),
    ((NewsURL, NewsURI), news_plan),
    ((WebURI, WebURL, WebSocketURI), http_plan),
)
"""The plans without options, by the classes of their URLs."""


def access_plan(
    url: URL,
    *,
    email: str | None = None,
    empty_search: EmptySearch | None = None,
    gateways: Mapping[str, Text] | None = None,
) -> Plan:
    r"""Plan the access to what a URL names; options as in `ftp_plan` and `gopher_plan`.

    A pure function: it never opens a connection.

    gateways: by scheme, in any letter case, the gateway to ask instead of the server (RFC 1738
        section 4), an http or https URL of a host and a port; "*" for schemes that have no plan of
        their own. It is asked as a proxy, for the whole URL without its fragment (RFC 9112 section
        3.2.2): it sees a password, and what TLS would hide.

    SchemeError for schemes that have no plan, such as file and mailto, for another gateway, and
    where the scheme's own plan says.

    >>> from uriparse.schemes import parse_url
    >>> plan = access_plan(parse_url("wais://h.d/db?x"), gateways={"wais": "http://proxy.d:8001/"})
    >>> plan.host, plan.port, plan.request
    ('proxy.d', 8001, b'GET wais://h.d/db?x HTTP/1.1\r\nHost: h.d\r\n\r\n')
    >>> access_plan(parse_url("gopher://h.d")).request
    b'\r\n'
    """
    if not isinstance(gateways, Mapping | None):
        raise refusal(gateways, "gateways", "a mapping of schemes to URLs or None")
    known = {as_str(name, "a scheme").lower(): at for name, at in (gateways or {}).items()}
    if isinstance(url, URL) and url.scheme in known:
        return _by_gateway(url, known[url.scheme])
    if isinstance(url, FtpURL):
        return ftp_plan(url, email=email)
    if isinstance(url, GopherURL):
        return gopher_plan(url, empty_search=empty_search)
    for kinds, plan in _PLANS:
        if isinstance(url, kinds):
            return plan(url)
    expect(url, URL)
    if url.scheme == "imap":
        return imap_plan(cast("ImapURL", url))  # whose class is checked there
    if "*" in known:
        return _by_gateway(url, known["*"])
    raise no_plan(url, "is of a scheme without one")
