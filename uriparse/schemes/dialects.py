"""How three generations of rules read one text: RFC 1738, RFC 2396 and RFC 3986."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from uriparse._base.coerce import Text, as_text
from uriparse.errors import URISyntaxError
from uriparse.parsing import parse
from uriparse.records import IPv4, IPv6, IPvFuture
from uriparse.schemes.encoding import HostNumber
from uriparse.schemes.file import FileURL
from uriparse.schemes.http import WebURL
from uriparse.schemes.registry import RFC1738
from uriparse.schemes.services import WaisURL
from uriparse.schemes.url import URL, LoginURL, ServerURL
from uriparse.schemes.url_parsing import parse_url

__all__ = ["COMPONENTS", "Dialect", "Dialects", "Difference", "Reading", "dialects"]


# How three generations of rules read one text, and where they part.
#
# RFC 1738 (1994) by the rule of the text's scheme, RFC 2396 (1998) and RFC 3986 (2005) by their
# rule `URI-reference`. Where two of them accept a text and see different hosts in it, programs
# that follow one or the other will not agree on whom they talk to.
#
# Texts and components are left out of every `repr`, since there may be a password in them.

Dialect: TypeAlias = Literal["rfc1738", "rfc2396", "rfc3986"]

COMPONENTS: Final = ("scheme", "userinfo", "host", "host_kind", "port", "path", "query", "fragment")
"""What the readings are compared by, in the words of RFC 3986.

`host_kind` is `"name"`, `"IPv4"`, `"IPv6"`, `"IPvFuture"` or, for an authority in which RFC 2396
sees no server, `"registry"`.
"""

_AUTHORITY_ENDS = (
    'RFC 1738 allows "?" in a user name and goes on to "/", where the others end the authority'
)
_QUERY_BEGINS = (
    '"?" begins a query everywhere in RFC 3986, but in opaque parts not in RFC 2396,'
    " and only in http and wais URLs in RFC 1738"
)
_OPAQUE = "RFC 1738 sees no host there, and takes all after the scheme as it is"
_REGISTRY = "RFC 2396 sees no server there, and takes the authority for a registered name"
_TAIL = frozenset({"path", "query", "fragment"})
_BOUNDED = "RFC 3986 alone bounds the numbers of an IPv4 address"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one dialect makes of the text.

    dialect: which.
    components: by the names in `COMPONENTS`, None where absent; empty if it is refused.
    record: the record of RFC 1738's scheme rule, for that dialect; otherwise None.
    error: why the dialect refuses the text; None if it accepts it.
    """

    dialect: Dialect
    components: Mapping[str, str | None] = field(repr=False)
    record: URL | None = None
    error: URISyntaxError | None = None

    @property
    def accepts(self) -> bool:
        """Return whether the dialect derives the text."""
        return self.error is None

    @property
    def host(self) -> str | None:
        """The host, as written; None where there is none or the text is refused."""
        return self.components.get("host")


@dataclass(frozen=True, slots=True)
class Difference:
    """A component that dialects which accept the text see differently.

    component: its name in `COMPONENTS`.
    values: what each of these dialects sees.
    reason: the rule at which they part.
    """

    component: str
    values: Mapping[Dialect, str | None] = field(repr=False)
    reason: str


@dataclass(frozen=True, slots=True)
class Dialects:
    """The three readings of a text.

    text: the text.
    rfc1738, rfc2396, rfc3986: the readings.
    """

    text: str = field(repr=False)
    rfc1738: Reading
    rfc2396: Reading
    rfc3986: Reading

    @property
    def readings(self) -> tuple[Reading, Reading, Reading]:
        """The readings, oldest first."""
        return self.rfc1738, self.rfc2396, self.rfc3986

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The components that accepting dialects see differently."""
        accepting = [reading for reading in self.readings if reading.accepts]
        found = []
        for component in COMPONENTS:
            values = {reading.dialect: reading.components[component] for reading in accepting}
            if len(set(values.values())) > 1:
                reason = self._reason(component)
                found.append(Difference(component, MappingProxyType(values), reason))
        return tuple(found)

    def _reason(self, component: str) -> str:
        """Name the rule at which the dialects part over a component."""
        if self.rfc2396.components.get("host_kind") == "registry" and component not in _TAIL:
            return _REGISTRY
        if self.rfc1738.accepts and self.rfc1738.host != self.rfc3986.host:
            return _OPAQUE if self.rfc1738.host is None else _AUTHORITY_ENDS
        return _BOUNDED if component == "host_kind" else _QUERY_BEGINS

    @property
    def agree(self) -> bool:
        """Return whether all accept the text with the same components, or all refuse it."""
        return len({reading.accepts for reading in self.readings}) == 1 and not self.differences

    @property
    def hosts_differ(self) -> bool:
        """Return whether two accepting dialects see two hosts, letter case apart."""
        hosts = {reading.host.lower() for reading in self.readings if reading.host is not None}
        return len(hosts) > 1


def dialects(text: Text) -> Dialects:
    """Read a text by RFC 1738, by RFC 2396 and by RFC 3986.

    >>> view = dialects("ftp://host?x@evil.d/")
    >>> view.rfc1738.host, view.rfc2396.host, view.rfc3986.host, view.hosts_differ
    ('evil.d', 'host', 'host', True)
    >>> [reading.accepts for reading in dialects("http://h.d/~u").readings]
    [False, True, True]
    """
    plain = as_text(text)
    return Dialects(
        plain,
        _reading("rfc1738", _rfc1738, plain),
        _reading("rfc2396", _rfc2396, plain),
        _reading("rfc3986", _rfc3986, plain),
    )


def older_host(text: str) -> str | None:
    """Return the host that RFC 1738 sees; None where there is none or the text is refused.

    RFC 2396 sees that of RFC 3986, if any: an authority ends alike in both.
    """
    return _reading("rfc1738", _rfc1738, text).host


def _reading(dialect: Dialect, read: Callable[[str], _Read], text: str) -> Reading:
    try:
        components, record = read(text)
    except URISyntaxError as error:
        return Reading(dialect, MappingProxyType({}), None, error)
    found = {name: components.get(name) for name in COMPONENTS}
    return Reading(dialect, MappingProxyType(found), record)


_Read: TypeAlias = "tuple[Mapping[str, str | None], URL | None]"


def _rfc1738(text: str) -> _Read:
    record = parse_url(text, registry=RFC1738)
    scheme, _, rest = record.url.partition(":")
    found: dict[str, str | None] = {"scheme": scheme, "fragment": record.fragment}
    if isinstance(record, LoginURL) and record.user is not None:
        secret = "" if record.password is None else f":{record.password}"
        found["userinfo"] = f"{record.user}{secret}"
    host = record.host if isinstance(record, ServerURL | FileURL) else None
    if host is not None or isinstance(record, FileURL):
        found["host"] = "" if host is None else str(host)
        found["host_kind"] = "IPv4" if isinstance(host, HostNumber) else "name"
        _, slash, path = rest[2:].partition("/")
        rest = slash + path
    if isinstance(record, ServerURL):
        found["port"] = record.port
    if isinstance(record, WebURL | WaisURL) and record.search is not None:
        rest, _, found["query"] = rest.partition("?")
    return {**found, "path": rest}, record


def _rfc2396(text: str) -> _Read:
    from uriparse.trees import RFC2396Transformer, parse_tree  # noqa: PLC0415 - loads lark

    tree = parse_tree(text, "URI-reference", grammar="rfc2396")
    # An authority that fits the rule `server` has a host, which is empty if the authority is; one
    # that is only a `reg-name` has none that RFC 2396 would know of.
    found = {"path": "", **RFC2396Transformer().fields(tree)}
    if "host" in found:
        found["host_kind"] = "IPv4" if isinstance(found["host"], IPv4) else "name"
    elif "authority" in found:
        found["host_kind"] = "registry"
    return {name: str(value) for name, value in found.items()}, None


def _rfc3986(text: str) -> _Read:
    reference = parse(text)
    written = {name: getattr(reference, name) for name in COMPONENTS if name != "host_kind"}
    host = reference.host
    if host is not None:
        kind = type(host).__name__ if isinstance(host, IPv4 | IPv6 | IPvFuture) else "name"
        written |= {"host": str(host), "host_kind": kind}
    return written, None
