"""Hosts of RFC 1738 (section 3.1), and a looser kind for the names that people have given since.

RFC 1738 has domain names whose last label begins with a letter, and four decimal numbers. It has
no trailing dot, no underscore, no triplets and no IPv6 address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

from uriparse.coerce import as_str
from uriparse.errors import ComponentError
from uriparse.grammar import matcher
from uriparse.records.components import name_problems
from uriparse.schemes.encoding import Encoded, _trusted_field

if TYPE_CHECKING:
    from ipaddress import IPv4Address


class _Host(Encoded):
    """A host of one kind. ComponentError for a text that its rule does not derive."""

    __slots__ = ()
    _rule: ClassVar[str]
    _grammar: ClassVar[str] = "rfc1738"

    def __new__(cls, text: str, start: int | None = None) -> Self:
        """Check and keep the text."""
        plain = as_str(text, "text")
        if not plain or matcher(cls._rule, cls._grammar).fullmatch(plain) is None:
            raise ComponentError(
                f"host: the text is no {cls.__name__}, by the rule {cls._rule} of {cls._grammar}",
                component="host",
                rule=cls._rule,
                value=plain,
            )
        return _trusted_field(cls, plain, start)

    @property
    def problems(self) -> tuple[str, ...]:
        """What keeps it from being a name of the DNS; empty for an address.

        Of: `"too long"` (more than 255 characters), `"triplet"`, `"trailing dot"`,
        `"empty label"`, `"long label"` (more than 63 characters), `"hyphen at an end"`,
        `"underscore"`, `"character"` (another that host names lack), `"numeric top label"`.

        >>> HostNumber("999.0.0.1").problems, HostNumber("10.0.0.1").problems
        (('numeric top label',), ())
        """
        if self.startswith("[") or matcher("IPv4address").fullmatch(self) is not None:
            return ()
        return tuple(name_problems(str(self)))


class HostName(_Host):
    """A domain name (rule `hostname`). ComponentError for a text that is none.

    >>> HostName("info.cern.ch").labels
    ('info', 'cern', 'ch')
    """

    __slots__ = ()
    _rule = "hostname"

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, as written."""
        return tuple(self.split("."))


class HostNumber(_Host):
    """Four groups of digits (rule `hostnumber`), which need not be below 256.

    ComponentError for a text that is none.

    >>> HostNumber("10.0.0.1").address, HostNumber("999.0.0.1").address
    (IPv4Address('10.0.0.1'), None)
    """

    __slots__ = ()
    _rule = "hostnumber"

    @property
    def address(self) -> IPv4Address | None:
        """The address, where RFC 3986 sees one too: numbers up to 255, no leading zeros."""
        if matcher("IPv4address").fullmatch(self) is None:
            return None
        from ipaddress import IPv4Address  # noqa: PLC0415 - loaded for those who ask

        return IPv4Address(str(self))


class RelaxedHost(_Host):
    """A host that RFC 3986 allows and RFC 1738 does not, taken with `relaxed_host`.

    ComponentError for a text that not even RFC 3986 allows, and for an empty one.

    >>> RelaxedHost("my_host.example.").problems
    ('trailing dot', 'underscore')
    """

    __slots__ = ()
    _rule = "host"
    _grammar = "rfc3986"


Host: TypeAlias = HostName | HostNumber | RelaxedHost
"""Whichever kind was written; each is a `str`."""


def read_host(text: str) -> Host | None:
    """Tell the kind of a host; None if even RFC 3986 has none such, or it is empty.

    >>> type(read_host("1.2.3.4")).__name__, type(read_host("h_h")).__name__, read_host("a b")
    ('HostNumber', 'RelaxedHost', None)
    """
    if matcher("hostname", "rfc1738").fullmatch(text):
        return _trusted_field(HostName, text)
    if matcher("hostnumber", "rfc1738").fullmatch(text):
        return _trusted_field(HostNumber, text)
    if not text or matcher("host").fullmatch(text) is None:
        return None
    return _trusted_field(RelaxedHost, text)
