"""The authority component (RFC 3986 section 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

from uriparse.door import as_optional_str, as_text, refusal
from uriparse.errors import ComponentError
from uriparse.records.components import check, compose_authority, grammar_of_records, rule_of
from uriparse.records.hosts import Host, host_of, read_host
from uriparse.textual import ComparedAsText

if TYPE_CHECKING:
    from typing import Self

_LONGEST_PORT = 20
"""Digits of a port number, leading zeros apart, that `port_number` reads."""

_new = object.__new__


@final
class Authority(ComparedAsText):
    """An authority: `[ userinfo "@" ] host [ ":" port ]`.

    userinfo: None without "@", `""` for an empty one.
    host: never None; an empty name is `RegName("")`.
    port: the digits as written; None without ":", `""` for an empty one.

    Immutable; equal to its text, hashed and ordered as it is. `repr` masks the password.

    The constructor checks its parts, the host given as text or as `Host`; ComponentError.

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
        host: str | Host,
        port: str | None = None,
        *,
        grammar: str = "rfc3986",
    ) -> Self:
        """Check the parts and keep them; grammar "rfc3987" allows those of IRIs."""
        return _of_parts(userinfo, host, port, grammar_of_records(grammar))

    @property
    def userinfo(self) -> str | None:
        """The text before "@"; None without one."""
        return self._userinfo

    @property
    def host(self) -> Host:
        """The host, of its kind; an empty one is `RegName("")`."""
        return self._host

    @property
    def port(self) -> str | None:
        """The text after ":"; None without one, `""` where nothing follows."""
        return self._port

    @property
    def port_number(self) -> int | None:
        """The port as a number, None where it is absent or empty.

        Not bounded by 65535, for the grammar is not; but ComponentError for more than 20 digits,
        leading zeros apart, so that no hostile text is turned into a huge number.
        """
        if not self._port:
            return None
        digits = self._port.lstrip("0") or "0"
        if len(digits) > _LONGEST_PORT:
            raise ComponentError(
                f"port: a number of {len(digits)} digits is not read, {_LONGEST_PORT} at most",
                component="port",
                rule="port",
                value=self._port,
            )
        return int(digits)

    def __repr__(self) -> str:
        return (
            f"<Authority {compose_authority(mask(self._userinfo), self._host.text, self._port)!r}>"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _unchecked_authority, (self._userinfo, self._host, self._port)


def _of_parts(userinfo: str | None, host: str | Host, port: str | None, grammar: str) -> Authority:
    """Check the parts of an authority and put them together."""
    userinfo = as_optional_str(userinfo, "userinfo")
    port = as_optional_str(port, "port")
    if not isinstance(host, str | Host):
        raise refusal(host, "host", "a str or a Host")
    if userinfo is not None:
        check("userinfo", userinfo, grammar)
    checked = read_host(as_text(host), grammar)
    if port is not None:
        check("port", port, grammar)
    return _unchecked_authority(userinfo, checked, port)


def _unchecked_authority(userinfo: str | None, host: Host, port: str | None) -> Authority:
    """Make an authority without checking it, of parts that come from records."""
    authority = _new(Authority)
    authority._userinfo = userinfo  # noqa: SLF001 - the constructor checks, this is not for others
    authority._host = host  # noqa: SLF001 - same
    authority._port = port  # noqa: SLF001 - same
    authority._text = compose_authority(userinfo, host.text, port)  # noqa: SLF001 - same
    return authority


def authority_of(text: str, grammar: str = "rfc3986") -> Authority:
    """Read an authority by the rule `authority`; ComponentError if the text is none.

    >>> authority_of("@h:").userinfo, authority_of("h").userinfo
    ('', None)
    """
    match = check("authority", text, grammar)
    userinfo = match[rule_of("userinfo", grammar)]
    return _unchecked_authority(userinfo, host_of(match, grammar), match["port"])


def mask(userinfo: str | None) -> str | None:
    """Return the userinfo with what follows its first ":" as `***`.

    >>> mask("user:secret"), mask("user"), mask(None)
    ('user:***', 'user', None)
    """
    if userinfo is None:
        return None
    user, colon, _ = userinfo.partition(":")
    return f"{user}:***" if colon else user


def checked_authority(
    authority: str | Authority | None,
    userinfo: str | None,
    host: str | Host | None,
    port: str | None,
    grammar: str,
) -> Authority | None:
    """Check an authority that is given whole or in parts; None if neither is there.

    ComponentError for what breaks its rule and for a userinfo or port without a host; TypeError
    for both.
    """
    if authority is not None:
        if userinfo is not None or host is not None or port is not None:
            raise TypeError("give the authority, or its userinfo, host and port, but not both")
        if not isinstance(authority, str | Authority):
            raise refusal(authority, "authority", "a str, an Authority or None")
        return authority_of(as_text(authority), grammar)
    if host is not None:
        return _of_parts(userinfo, host, port, grammar)
    for component, given in (("userinfo", userinfo), ("port", port)):
        value = as_optional_str(given, component)
        if value is not None:
            raise ComponentError(
                f"{component}: an authority that has one has a host, which may be empty",
                component=component,
                rule="authority",
                value=value,
            )
    return None
