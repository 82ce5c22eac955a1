"""Hosts of RFC 1738 (section 3.1), and a looser kind for the names that people have given since.

RFC 1738 has domain names whose last label begins with a letter, and four decimal numbers. It has
no trailing dot, no underscore, no triplets and no IPv6 address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from uriparse.grammar import charset, matcher
from uriparse.schemes.encoding import Encoded

if TYPE_CHECKING:
    from ipaddress import IPv4Address

_LONGEST_NAME = 255
_LONGEST_LABEL = 63


class HostName(Encoded):
    """A domain name (rule `hostname`).

    >>> HostName("info.cern.ch").labels
    ('info', 'cern', 'ch')
    """

    __slots__ = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, as written."""
        return tuple(self.split("."))


class HostNumber(Encoded):
    """Four groups of digits (rule `hostnumber`), which need not be below 256.

    >>> HostNumber("10.0.0.1").address, HostNumber("999.0.0.1").address
    (IPv4Address('10.0.0.1'), None)
    """

    __slots__ = ()

    @property
    def address(self) -> IPv4Address | None:
        """The address, where RFC 3986 sees one too: numbers up to 255, no leading zeros."""
        if matcher("IPv4address").fullmatch(self) is None:
            return None
        from ipaddress import IPv4Address  # noqa: PLC0415 - loaded for those who ask

        return IPv4Address(str(self))


class RelaxedHost(Encoded):
    """A host that RFC 3986 allows and RFC 1738 does not, taken with `relaxed_host`.

    >>> RelaxedHost("my_host.example.").problems
    ('trailing dot', 'underscore')
    """

    __slots__ = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What keeps it from being a name of the DNS; empty for an address in brackets.

        Of: `"too long"` (more than 255 characters), `"triplet"`, `"trailing dot"`,
        `"empty label"`, `"long label"` (more than 63 characters), `"hyphen at an end"`,
        `"underscore"`, `"character"` (another that host names lack), `"numeric top label"`.
        """
        if self.startswith("["):
            return ()
        return tuple(_problems(str(self)))


Host: TypeAlias = HostName | HostNumber | RelaxedHost
"""Whichever kind was written; each is a `str`."""


def read_host(text: str) -> Host | None:
    """Tell the kind of a host; None if even RFC 3986 has none such, or it is empty.

    >>> type(read_host("1.2.3.4")).__name__, type(read_host("h_h")).__name__, read_host("a b")
    ('HostNumber', 'RelaxedHost', None)
    """
    if matcher("hostname", "rfc1738").fullmatch(text):
        return HostName(text)
    if matcher("hostnumber", "rfc1738").fullmatch(text):
        return HostNumber(text)
    return RelaxedHost(text) if text and matcher("host").fullmatch(text) else None


def _problems(name: str) -> list[str]:
    found = []
    if len(name) > _LONGEST_NAME:
        found.append("too long")
    if "%" in name:
        found.append("triplet")
    if name.endswith("."):
        found.append("trailing dot")
    labels = name.removesuffix(".").split(".")
    letters_and_digits = charset("alpha", "rfc1738") | charset("digit", "rfc1738")
    between_dots = f".{name.removesuffix('.')}."
    if "" in labels:
        found.append("empty label")
    if max(map(len, labels)) > _LONGEST_LABEL:
        found.append("long label")
    if ".-" in between_dots or "-." in between_dots:
        found.append("hyphen at an end")
    if "_" in name:
        found.append("underscore")
    if not frozenset(name) <= letters_and_digits | {".", "-", "_", "%"}:
        found.append("character")
    if labels[-1] and labels[-1][0] in charset("digit", "rfc1738"):
        found.append("numeric top label")
    return found
