"""The authority component (RFC 3986 section 3.2)."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    ClassVar,
    Protocol,
    Self,
    TypeAlias,
    cast,
    final,
    runtime_checkable,
)

from uriparse import components
from uriparse._base import migration_hints as hints
from uriparse._base.coerce import ComparedAsText, as_optional_str, as_text, refusal
from uriparse.components.component_text import (
    broken,
    check,
    compose_authority,
    grammar_of_records,
    rule_of,
)
from uriparse.errors import unfit
from uriparse.records.hosts import Host, HostPart, component_reader, host_of_part

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar


PortPart: TypeAlias = int | str
"""What is accepted as a port: its number, or the digits to write."""

_USUAL = 0xFFFF
_new = object.__new__


@runtime_checkable
class HasServer(Protocol):
    """What the URLs of every reader have that name a server, in one way.

    So have the records of `parse`, of `parse_url` where the scheme has a server, and of
    `whatwg.parse`, and the `Target` of `check`. `port` is what each of them says of it:
    `effective_port` is the one to connect to.

    host: its `str` is the text; an IPv6 address has its brackets, but for a `Target`.

    >>> from uriparse import parse, parse_url, whatwg
    >>> urls = [read("https://[::1]/") for read in (parse, parse_url, whatwg.parse)]
    >>> {(str(url.host), url.effective_port, url.origin) for url in urls}
    {('[::1]', 443, 'https://[::1]')}
    """

    @property
    def scheme(self) -> str | None:
        """The scheme."""

    @property
    def host(self) -> object | None:
        """The host; None where there is none."""

    @property
    def effective_port(self) -> int | None:
        """The port to connect to; None where none is known."""

    @property
    def origin(self) -> str | None:
        """The origin as text; None, or "null" of a browser, where there is none."""


class WithAuthority:
    """What references and authorities share: the parts of a userinfo, and the port as a number."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def userinfo(self) -> str | None: ...  # noqa: D102 - of the class itself
        @property
        def port(self) -> str | None: ...  # noqa: D102 - same

    @property
    def user(self) -> str | None:
        """The userinfo up to its first ":", as written; None without "@" (RFC 3986 §3.2.1)."""
        return None if self.userinfo is None else self.userinfo.partition(":")[0]

    @property
    def password(self) -> str | None:
        """The userinfo after its first ":", as written; None without ":" (RFC 3986 §3.2.1)."""
        _, colon, password = (self.userinfo or "").partition(":")
        return password if colon else None

    @property
    def port_number(self) -> int | None:
        """The port as a number, None where it is absent or empty.

        Not bounded by 65535; ComponentError for more than 20 digits, leading zeros apart.
        """
        return components.servers.port_number(self.port)


@final
class Authority(
    WithAuthority,
    ComparedAsText,
    hints.Foreign,
    foreign=hints.foreign_names("text", "parts", "authority", value="authority"),
):
    """An authority: `[ userinfo "@" ] host [ ":" port ]`.

    Immutable; equal to its text, hashed and ordered as it is. `repr` masks the password.

    The constructor checks its parts: the host is a text, a `Host` or an address of `ipaddress`, the
    port a text or a number; ComponentError.

    >>> authority = Authority("user:secret", "example.com", "8080")
    >>> authority, str(authority), authority.port_number
    (<Authority 'user:***@example.com:8080'>, 'user:secret@example.com:8080', 8080)
    """

    __slots__ = ("_host", "_port", "_text", "_userinfo")
    __match_args__: ClassVar = ("userinfo", "host", "port")
    _userinfo: str | None
    _host: Host
    _port: str | None

    def __new__(
        cls,
        userinfo: str | None,
        host: HostPart,
        port: PortPart | None = None,
        *,
        grammar: RecordGrammar | str = "rfc3986",
    ) -> Self:
        """Check the parts and keep them; grammar "rfc3987" allows those of IRIs."""
        grammar, userinfo = grammar_of_records(grammar), as_optional_str(userinfo, "userinfo")
        digits = _digits(port)
        if userinfo is not None:
            check("userinfo", userinfo, grammar)
        checked = host_of_part(host, grammar)
        return _unchecked_authority(userinfo, checked, checked_port(digits, grammar))

    @property
    def userinfo(self) -> str | None:
        """The text before "@"; None without one, `""` where nothing precedes it."""
        return self._userinfo

    @property
    def host(self) -> Host:
        """The host, of its kind; an empty one is `RegName("")`."""
        return self._host

    @property
    def port(self) -> str | None:
        """The text after ":"; None without one, `""` where nothing follows."""
        return self._port

    def __repr__(self) -> str:
        return (
            f"<Authority {compose_authority(mask(self._userinfo), self._host.text, self._port)!r}>"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _unchecked_authority, (self._userinfo, self._host, self._port)


def checked_port(port: PortPart | None, grammar: str) -> str | None:
    """Check a port, and return it as the text to write; ComponentError."""
    if type(port) is int and 0 <= port <= _USUAL:  # as most are
        return int.__repr__(port)
    digits = _digits(port)
    if isinstance(port, str):
        check("port", port, grammar)
    return digits


def _digits(port: PortPart | None) -> str | None:
    """Return a port as the text to write; a number with more digits than are read is refused."""
    if port is None:
        return None
    if isinstance(port, str):
        return as_text(port)
    if not isinstance(port, int) or isinstance(port, bool):
        raise refusal(port, "port", "a str, an int or None")
    longest = components.servers.LONGEST_PORT
    if not 0 <= port < 10**longest:
        raise unfit("port", f"a number has no sign and {longest} digits at most")
    return int.__repr__(port)


def _unchecked_authority(userinfo: str | None, host: Host, port: str | None) -> Authority:
    """Make an authority without checking it, of parts that come from records."""
    authority = _new(Authority)
    authority._userinfo = userinfo  # noqa: SLF001 - the constructor checks, this is not for others
    authority._host = host  # noqa: SLF001 - same
    authority._port = port  # noqa: SLF001 - same
    authority._text = compose_authority(userinfo, host.text, port)  # noqa: SLF001 - same
    return authority


def mask(userinfo: str | None) -> str | None:
    """Return the userinfo with its password, if it has one, masked."""
    if userinfo is None:
        return None
    from uriparse.errors.excerpt import MASK  # noqa: PLC0415 - rarely asked for

    user, colon, _ = userinfo.partition(":")
    return f"{user}:{MASK}" if colon else user


def checked_authority(
    authority: str | Authority | None,
    userinfo: str | None,
    host: HostPart | None,
    port: PortPart | None,
    grammar: str,
) -> Authority | None:
    """Check an authority, passed whole or in parts; None if neither is there."""
    if authority is not None:
        if userinfo is not None or host is not None or port is not None:
            raise TypeError("give the authority, or its userinfo, host and port, but not both")
        if not isinstance(authority, str | Authority):
            raise refusal(authority, "authority", "a str, an Authority or None")
        text, rule = as_text(authority), rule_of("authority", grammar)
        found = component_reader(rule, grammar)(text)
        if found is None:
            raise broken("authority", text, rule, grammar)
        given = found.get("userinfo"), found["host"], found.get("port")
        return _unchecked_authority(*cast("tuple[str | None, Host, str | None]", given))
    if host is not None:
        return Authority(userinfo, host, port, grammar=grammar)
    alone = {"userinfo": as_optional_str(userinfo, "userinfo"), "port": _digits(port)}
    for component, value in alone.items():
        if value is not None:
            raise unfit(
                component,
                "an authority that has one has a host, which may be empty",
                "authority",
                value=value,
            )
    return None
