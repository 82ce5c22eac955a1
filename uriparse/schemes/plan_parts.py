"""What access plans are made of: servers, command lines, and octets that are fit to be sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from uriparse._base.coerce import refusal
from uriparse.components.servers import HIGHEST_PORT, significant
from uriparse.errors import SchemeError, excerpt
from uriparse.schemes.encoding import Encoded, first_octet
from uriparse.schemes.read_by_scheme import cause_error

if TYPE_CHECKING:
    from uriparse.schemes.current_uri import AuthorityURI
    from uriparse.schemes.url import URL, ServerURL

Prompt: TypeAlias = Literal["password", "e-mail address"]
"""What a person has to be asked for."""

ENDS_A_LINE: Final = frozenset(b"\0\n\r")
"""Octets that no argument of a command line holds."""

_TELNET_ESCAPE = b"\xff"
_NAMES = {0x00: "NUL", 0x09: "TAB", 0x0A: "LF", 0x0D: "CR", 0x20: "space"}


@dataclass(frozen=True, slots=True)
class Command:
    r"""One line of a protocol that is spoken in lines.

    verb: the command, ASCII letters only; SchemeError for others.
    argument: its argument, decoded; None without one, `b""` for a null one.
    prompt: what a person has to be asked for, to be the argument; None for nothing.
    is_guessed: whether the URL leaves it open and this is the likely one.
    is_secret: whether the argument is not to be shown; `str` and `repr` mask it.

    >>> Command("CWD", b"/etc").octets, str(Command("PASS", b"x", is_secret=True))
    (b'CWD /etc\r\n', 'PASS ***')
    """

    verb: str
    argument: bytes | None = field(default=None, repr=False)
    prompt: Prompt | None = None
    is_guessed: bool = False
    is_secret: bool = False

    def __post_init__(self) -> None:
        # A verb is sent as it is: a line end in it would begin a second command.
        if not (self.verb.isascii() and self.verb.isalpha()):
            raise SchemeError(f"{excerpt.quoted(self.verb)} is not a command: ASCII letters only")

    @property
    def octets(self) -> bytes:
        r"""The line as it is sent, CR and LF included.

        The lines of FTP and NNTP go over a Telnet connection or one like it, so an octet 0xFF is
        doubled, or it would begin a Telnet command (RFC 959 section 4.1, RFC 854).

        ValueError for a command that waits for what a person is to be asked.

        >>> Command("CWD", b"\xff").octets
        b'CWD \xff\xff\r\n'
        """
        if self.prompt is not None:
            raise ValueError(f"{self.verb} waits for the {self.prompt}")
        line = self.verb.encode("ascii")
        if self.argument is not None:
            line += b" " + self.argument.replace(_TELNET_ESCAPE, _TELNET_ESCAPE * 2)
        return line + b"\r\n"

    def __str__(self) -> str:
        if self.prompt is not None:
            return f"{self.verb} <{self.prompt}>"
        if self.argument is None:
            return self.verb
        shown = (
            excerpt.MASK if self.is_secret else self.argument.decode("utf-8", "backslashreplace")
        )
        return f"{self.verb} {shown}"

    def __repr__(self) -> str:
        return f"<Command {str(self)!r}{' guessed' if self.is_guessed else ''}>"


def expect(url: URL, *kinds: type[URL]) -> None:
    """Raise TypeError unless a URL is of a class that the plan is for."""
    if not isinstance(url, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise refusal(url, "url", f"a record of the class {expected}")


def fit_to_send(
    url: URL, part: Encoded, component: str, *, refused: frozenset[int] = ENDS_A_LINE
) -> bytes:
    """Decode a field for sending; SchemeError, with the offset, for an octet among `refused`."""
    unfit = first_octet(part, refused)
    if unfit is None:
        return part.octets
    offset, octet = unfit
    name = _NAMES.get(octet, f"octet 0x{octet:02X}")
    place = (part.start or 0) + offset
    raise cause_error(url, url.scheme, place, component, "escape", "protocol-delimiter", octet=name)


def server_of(url: ServerURL | AuthorityURI) -> tuple[str, int]:
    """Return host and port, the default if empty; SchemeError for an invalid port."""
    if url.host is None or (not url.port and url.default_port is None):
        raise no_plan(url, "names no server")
    if not url.port:
        return str(url.host), url.default_port or 0
    digits = significant(url.port)
    if len(digits) > len(str(HIGHEST_PORT)) or not 0 < int(digits) <= HIGHEST_PORT:
        place = url.port.start or 0
        shown = excerpt.quoted(digits)
        raise cause_error(url, url.scheme, place, "port", "port", "port-range", port=shown)
    return str(url.host), int(digits)


def no_plan(url: URL, reason: str) -> SchemeError:
    """Make the error for a URL that says too little to be acted on."""
    return SchemeError(
        f"{url.scheme} URL: no plan, for it {reason}", scheme=url.scheme, text=str(url)
    )
