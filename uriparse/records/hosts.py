"""The four kinds of host (RFC 3986 section 3.2.2).

Values: immutable, compared as their text. The parser has decided the kind.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar, cast, final

from uriparse._base import engine as _engine
from uriparse._base import migration_hints as hints
from uriparse._base.coerce import ComparedAsText, Text, as_text, refusal
from uriparse.components.component_text import broken, grammar_of_records, name_problems, rule_of
from uriparse.errors import unfit
from uriparse.grammar import matcher
from uriparse.grammar.matchers import tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Address, IPv6Address

    from uriparse._compiled.names import RecordGrammar

_H = TypeVar("_H", bound="_Host")
_new = object.__new__


class _Host(
    ComparedAsText, hints.Foreign, foreign=hints.foreign_names("text", "host", value="host")
):
    """A host: one of `RegName`, `IPv4`, `IPv6`, `IPvFuture`, as `text` was written.

    `match` works by kind: `case IPv4(text)`. Type checkers see `Host` as the union of the four
    classes; at run time `Host(text)` returns the right one of them. A host equals its text,
    `host == "example.com"`, and has the hash and the order of its text; letter case counts (see
    `equivalent` for hosts that mean the same).

    The constructors check: ComponentError if `text` is not a host, or a host of another kind, where
    the first kind that matches wins: `1.2.3.4` is not a `RegName`.

    >>> RegName("example.com").text, str(IPv6("[::1]"))
    ('example.com', '[::1]')
    """

    __slots__ = ("_text",)
    __match_args__ = ("text",)

    def __new__(
        cls, text: Text | IPv4Address | IPv6Address, grammar: RecordGrammar | str = "rfc3986"
    ) -> Self:
        """Check and keep `text`; grammar "rfc3987" allows the names of IRIs."""
        plain = as_text(address_text(text) or text)  # type: ignore[arg-type]  # TypeError then
        host = read_host(plain, grammar_of_records(grammar))
        if not isinstance(host, cls):
            raise unfit(
                "host",
                f"the text is that of {type(host).__name__}, not of {cls.__name__}",
                _RULES.get(cls.__name__, "host"),
                value=plain,
            )
        return host

    @property
    def text(self) -> str:
        """The host as written, brackets included; `""` where the authority names none."""
        return self._text

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The address as a value of `ipaddress`; None for `RegName` and `IPvFuture`."""
        return None

    @property
    def problems(self) -> tuple[str, ...]:
        """Why it cannot be a DNS name; empty for addresses, which are not names.

        Of: `"empty"`, `"too long"` (more than 255 characters), `"triplet"`, `"trailing dot"`,
        `"empty label"`, `"long label"` (more than 63 characters), `"hyphen at an end"`,
        `"underscore"`, `"character"` (another that host names lack), `"numeric top label"`.
        Linear in time.

        >>> RegName("-a.b_c").problems, RegName("1.2.3").problems, IPv4("1.2.3.4").problems
        (('hyphen at an end', 'underscore'), ('numeric top label',), ())
        """
        return ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _unchecked_host, (type(self), self._text)


@final
class RegName(_Host):
    """A registered name (`reg-name`), usually of the DNS; may be empty and hold triplets."""

    __slots__ = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What keeps it from being a name of the DNS; see `Host.problems`."""
        return tuple(name_problems(self._text))


@final
class IPv4(_Host):
    """An IPv4 address in four decimal octets (`IPv4address`)."""

    __slots__ = ()

    @property
    def address(self) -> IPv4Address:
        """The address as a value of `ipaddress`."""
        from ipaddress import IPv4Address  # noqa: PLC0415 - loaded for those who ask

        return IPv4Address(self._text)


@final
class IPv6(_Host):
    """An IPv6 address in brackets (`"[" IPv6address "]"`). RFC 3986 has no zone identifiers."""

    __slots__ = ()

    @property
    def address(self) -> IPv6Address:
        """The address as a value of `ipaddress`."""
        from ipaddress import IPv6Address  # noqa: PLC0415 - loaded for those who ask

        return IPv6Address(self._text[1:-1])


@final
class IPvFuture(_Host):
    """An address in brackets whose format is shown by a version flag (`"[" IPvFuture "]"`)."""

    __slots__ = ()


if TYPE_CHECKING:
    Host: TypeAlias = RegName | IPv4 | IPv6 | IPvFuture
else:
    Host = _Host
    Host.__name__ = Host.__qualname__ = "Host"

HostPart: TypeAlias = "str | Host | IPv4Address | IPv6Address"
"""What is taken for a host: its text, a `Host`, or an address, which is written as `str` does."""

KINDS: dict[str, type[Host]] = {kind.__name__: kind for kind in (RegName, IPv4, IPv6, IPvFuture)}
"""The classes by the name that the generated tables know them by."""

_RULES = {
    "Host": "host",
    "RegName": "reg-name",
    "IPv4": "IPv4address",
    "IPv6": "IPv6address",
    "IPvFuture": "IPvFuture",
}


def _unchecked_host(kind: type[_H], text: str) -> _H:
    """Make a host without checking it, of text that a matcher has read as that kind."""
    host = _new(kind)
    host._text = text  # noqa: SLF001 - the constructor checks, and this is for checked text
    return host


def read_host(text: str, grammar: str = "rfc3986") -> Host:
    """Return the kind of a host (brackets included) by the rule `host`; else ComponentError."""
    host = host_reader(grammar)(text)
    if host is None:
        raise broken("host", text, rule_of("host", grammar), grammar)
    return host


@cache
def host_reader(grammar: str) -> Callable[[str], Host | None]:
    """Return a function that does as `read_host`, at two thirds of its cost; None for an error."""
    rule = rule_of("host", grammar)
    if _engine.by_lark is not None:
        components = component_reader(rule, grammar)
        return lambda text: cast("Host | None", (components(text) or {}).get("host"))
    fullmatch, kinds = matcher(rule, grammar).fullmatch, _kinds(grammar)

    def read(text: str) -> Host | None:
        match = fullmatch(text)
        if match is None:
            return None
        host = _new(kinds[match.lastgroup])  # type: ignore[index]  # as above
        host._text = text  # noqa: SLF001 - `_unchecked_host`, written out
        return host

    return read


@cache
def _kinds(grammar: str) -> dict[str, type[Host]]:
    """Map the groups of hosts to the classes of those."""
    return {group: KINDS[kind] for group, kind in tables(grammar).HOSTS.items()}


@cache
def component_reader(rule: str, grammar: str) -> Callable[[str], dict[str, object] | None]:
    """Return a function that makes the components of a text by name; None for an invalid text."""
    if _engine.by_lark is not None:
        return _engine.by_lark.components(rule, grammar)
    fullmatch, fields = matcher(rule, grammar).fullmatch, tables(grammar).FIELDS
    kinds = _kinds(grammar)

    def read(text: str) -> dict[str, object] | None:
        match = fullmatch(text)
        if match is None:
            return None
        found: dict[str, object] = {}
        for group, value in match.groupdict().items():
            if value is not None:
                kind, start = kinds.get(group), match.start(group)
                if kind is not None and text[start - 1 : start] == "[":
                    value = f"[{value}]"  # noqa: PLW2901 - the rules of literals leave them out
                found[fields[group]] = value if kind is None else _unchecked_host(kind, value)
        return found

    return read


def host_of_part(part: HostPart, grammar: str) -> Host:
    """Make a host of what a caller gives for one."""
    if isinstance(part, str | Host):
        return read_host(as_text(part), grammar)
    text = address_text(part)
    if text is None:
        raise refusal(part, "host", "a str, a Host or an address of ipaddress")
    return read_host(text, grammar)


def address_text(value: object) -> str | None:
    """Write an address of `ipaddress` as a host; None for what is not an address."""
    if isinstance(value, str | bytes | ComparedAsText):
        return None
    from ipaddress import IPv4Address, IPv6Address  # noqa: PLC0415 - loaded for addresses only

    if isinstance(value, IPv6Address):
        return f"[{value}]"
    return str(value) if isinstance(value, IPv4Address) else None
