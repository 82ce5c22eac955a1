"""What an FTP client does to get at what an ftp URL stands for (RFC 1738 section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from uriparse.coerce import Data, as_choice, as_data, as_optional_str
from uriparse.schemes.encoding import octets_of
from uriparse.schemes.plans.access import ENDS_A_LINE, Command, expect, fit_to_send, server_of
from uriparse.schemes.records.ftp import FtpURL

if TYPE_CHECKING:
    from collections.abc import Iterator

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
class FtpPlan:
    """What to send on a new connection, and for what.

    Attributes:
        host, port: the server.
        commands: the lines in their order. PASS is sent if the server asks for it. The plan
            always begins with the login: after one CWD it is unknown where another leads, so
            a connection that has served one plan is of no use to the next (section 3.2.5).
        operation: what is done.

    """

    host: str
    port: int
    commands: tuple[Command, ...]
    operation: Operation

    @property
    def is_guessed(self) -> bool:
        """Whether the URL leaves open a command that is in the plan."""
        return any(command.is_guessed for command in self.commands)


def ftp_plan(
    url: FtpURL,
    *,
    email: str | None = None,
    operation: Literal["retrieve", "store"] = "retrieve",
) -> FtpPlan:
    """Plan the access to a file or a directory.

    email: the address that is the password of the anonymous user, by convention; if None, a
        person is to be asked for it.
    operation: what to do with a file. A URL that says `;type=d`, and one without a name at its
        end, is for listing, the latter as a guess.

    Without a type the name's suffix decides, as a guess. SchemeError, with the offset, where a
    decoded part holds CR, LF or NUL, or the port cannot be; ValueError for such an address.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("ftp://myname@host.dom/%2Fetc/motd")
    >>> [str(command) for command in ftp_plan(url).commands]
    ['USER myname', 'PASS <password>', 'CWD /etc', 'TYPE A', 'RETR motd']
    """
    expect(url, FtpURL)
    operation = as_choice(operation, "operation", _OPERATIONS)
    email = as_optional_str(email, "email")
    host, port = server_of(url)
    commands = [*_login(url, email)]
    commands += [Command("CWD", fit_to_send(url, cwd, "cwd")) for cwd in url.cwds]
    name = b"" if url.name is None else fit_to_send(url, url.name, "name")
    lists = url.typecode == "d" or (not name and url.typecode is None)
    if lists:
        guessed = url.typecode is None
        commands.append(Command(_VERBS["list"], name or None, is_guessed=guessed))
        return FtpPlan(host, port, tuple(commands), "list")
    code = url.typecode or guess_type(name)
    commands.append(Command("TYPE", code.upper().encode(), is_guessed=url.typecode is None))
    commands.append(Command(_VERBS[operation], name))
    return FtpPlan(host, port, tuple(commands), operation)


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
    """Give USER and PASS."""
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
