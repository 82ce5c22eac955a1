"""What follows from the settings of a policy: what those ask who judge texts and addresses by it.

What takes time to find out is found out once for each policy.
"""

from __future__ import annotations

import unicodedata
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from uriparse.door import as_items
from uriparse.grammar import charset
from uriparse.resolution import BaseURI
from uriparse.validation.catalogue import CATALOGUE
from uriparse.validation.findings import Layer, Severity
from uriparse.validation.ports import BLOCKED, default_port, port_number
from uriparse.validation.quick import (
    Acceptor,
    destination_acceptor,
    limited,
    unsure,
    uri_acceptor,
)
from uriparse.validation.special import classes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from uriparse.parsing import Reference
    from uriparse.records import Host

WEB = frozenset({"http", "https"})
"""The schemes that agreement is about, in lower case."""

Address: TypeAlias = IPv4Address | IPv6Address

Wording: TypeAlias = tuple[Severity, Layer, str, str]
"""What a policy makes of a code: severity, layer, sentence and source of its findings."""

_START = {
    ("rfc3986", False): "URI",
    ("rfc3986", True): "URI-reference",
    ("rfc3987", False): "IRI",
    ("rfc3987", True): "IRI-reference",
}


class Rulings:
    """The answers of a policy, whose settings `policy.Policy` checks and keeps."""

    grammar: str
    rule: str | None
    schemes: Collection[str]
    hosts: Collection[str]
    ports: Collection[int | str]
    bad_ports: bool
    userinfo: bool
    fragment: bool
    relative: bool
    max_length: int | None
    max_segments: int | None
    max_parameters: int | None
    agreement: str | None
    addresses: Collection[str]
    names: Collection[str]
    severity: Mapping[str, str] | tuple[tuple[str, Severity], ...]
    refuse: Severity | str
    base: Reference | BaseURI | None

    @cached_property
    def start(self) -> str:
        """The rule that texts are held to."""
        return self.rule or _START[self.grammar, self.relative]

    def wordings(self, scheme: str | None = None) -> Mapping[str, Wording]:
        """Give severity and words of every code, in a URI of some scheme, in lower case."""
        return self._wordings[scheme if scheme in self._wordings else None]

    def permits(self, address: Address | str) -> bool:
        """Whether a client may connect to an address: no class of it is refused.

        Addresses within addresses (IPv4-mapped, 6to4, Teredo, NAT64...) are judged too. The
        unspecified addresses are never permitted: where they lead differs between clients.
        ValueError for a text that is no address; a pure function, it looks nothing up.

        >>> from uriparse.validation import Policy
        >>> [Policy.outbound().permits(one) for one in ("9.9.9.9", "::ffff:127.0.0.1")]
        [True, False]
        """
        return not self.refused_classes(
            ip_address(address) if isinstance(address, str) else address
        )

    def refused_classes(self, address: Address) -> tuple[str, ...]:
        """Name the classes for which an address is refused, none if it is permitted."""
        if not isinstance(address, IPv4Address | IPv6Address):
            raise TypeError(f"an IPv4Address or IPv6Address, not {type(address).__name__}")
        return tuple(name for name in classes_of(address) if name in self._refused_addresses)

    def admit(self, addresses: Iterable[Address | str]) -> tuple[Address, ...]:
        """Give those of some addresses that a client may connect to, in their order."""
        given = as_items(addresses, "addresses", "an iterable of addresses")
        found = (ip_address(one) if isinstance(one, str) else one for one in given)
        return tuple(one for one in found if not self.refused_classes(one))

    @cached_property
    def surely_accepts(self) -> Acceptor:
        """Tell of a text, in one match, that it is accepted, or else that more checks are due."""
        if self.severity or self.refuse is not Severity.ERROR or self.start not in ("URI", "IRI"):
            return unsure
        schemes = None if self.schemes == "*" else self.schemes
        if self.agreement == "destination":
            accepts = destination_acceptor(
                schemes,
                fragments=self.fragment,
                names=self.names,
                addresses=self._refused_addresses,
                allows=self._allowed_place(),
            )
        elif self._asks_for_schemes_alone:
            accepts = uri_acceptor(
                self.start,
                self.grammar,
                schemes,
                fragments=self.fragment,
                userinfos=self.userinfo,
            )
        else:
            return unsure
        return limited(accepts, self.max_length, self.max_segments, self.max_parameters)

    @property
    def _asks_for_schemes_alone(self) -> bool:
        is_open = self.hosts == "*" and self.ports == "*" and self.bad_ports
        return is_open and self.agreement is None and not self.addresses and not self.names

    def _allowed_place(self) -> Callable[[str, str, str | None], bool]:
        """Make the test of a scheme, a host and a port, as `quick` finds them in a text."""
        blocked = frozenset[str]() if self.bad_ports else BLOCKED
        if self.hosts == "*" and self.ports == "*":
            return lambda _scheme, _host, port: port not in blocked

        def allows(scheme: str, host: str, port: str | None) -> bool:
            if not self.allows_host(host):
                return False
            # A port that is listed is allowed, whatever browsers do.
            return port not in blocked if self.ports == "*" else self.allows_port(port, scheme)

        return allows

    @cached_property
    def least_limit(self) -> float:
        """The length below which a text exceeds no limit, in characters."""
        limits = self.max_length, self.max_segments, self.max_parameters
        return min((limit for limit in limits if limit is not None), default=inf)

    @cached_property
    def longest_host(self) -> int:
        """The length of the longest host that is listed, in characters."""
        return max(map(len, self.hosts), default=0)

    @property
    def base_uri(self) -> BaseURI | None:
        """The base that relative references are read against."""
        return self.base if isinstance(self.base, BaseURI) else None

    def needs_agreement(self, scheme: str | None) -> bool:
        """Whether clients have to agree on a URI of some scheme, in lower case; None for none.

        Agreement was measured for http and https. A scheme that the policy refuses is none of
        those that it allows without agreement.
        """
        if self.agreement is None:
            return False
        is_other = scheme is not None and scheme not in WEB
        return not (is_other and self.allows_scheme(scheme))

    def allows_scheme(self, scheme: str | None) -> bool:
        """Whether the list of schemes has one, in lower case; None is on no list."""
        return self.schemes == "*" or scheme in self.schemes

    def allows_host(self, host: Host | str | None) -> bool:
        """Whether the list of hosts has one; a missing or empty one is on no list.

        Nor is one with a triplet: Node's `url.parse` and Perl read "evil.com%2f.example.com" as
        evil.com. Before a suffix a reserved character does the same ("evil.com;.example.com"), and
        so does a character of an IRI that NFKC makes one (U+FF0F, CVE-2019-9636).
        """
        if self.hosts == "*":
            return True
        text = str(host or "").lower()
        if not text or "%" in text:
            return False
        if text in self.hosts:
            return True
        folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
        if not charset("reserved").isdisjoint(folded):
            return False
        # No suffix on the list is longer than the longest host there.
        dot = text.find(".", max(1, len(text) - self.longest_host))
        while dot >= 0:
            if text[dot:] in self.hosts:
                return True
            dot = text.find(".", dot + 1)
        return False

    def allows_port(self, port: str | None, scheme: str | None) -> bool:
        """Whether the list of ports has one, written or meant by a scheme in lower case."""
        if self.ports == "*":
            return True
        default = default_port(scheme)
        number = port_number(port) if port else default
        if number is None:
            return False
        return number in self.ports or (number == default and "default" in self.ports)

    @property
    def judges_addresses(self) -> bool:
        """Whether it asks where an address leads at all."""
        return bool(self.addresses) or self.agreement is not None

    @cached_property
    def refusing(self) -> frozenset[Severity]:
        """The severities that make a text refused; what is not reported never does."""
        least = max(Severity(self.refuse).rank, Severity.INFO.rank)
        return frozenset(severity for severity in Severity if severity.rank >= least)

    def refusing_codes(self, scheme: str | None = None) -> frozenset[str]:
        """Give the codes that make a URI of some scheme, in lower case, refused."""
        return self._refusing_codes[scheme if scheme in self._refusing_codes else None]

    @cached_property
    def _refusing_codes(self) -> dict[str | None, frozenset[str]]:
        """Codes by scheme, and by None for all others."""
        return {
            scheme: frozenset(code for code, words in wordings.items() if words[0] in self.refusing)
            for scheme, wordings in self._wordings.items()
        }

    @cached_property
    def _refused_addresses(self) -> frozenset[str]:
        return frozenset({*self.addresses, "unspecified"})

    @cached_property
    def _wordings(self) -> dict[str | None, dict[str, Wording]]:
        """Severities and words by scheme, and by None for all others, then by code."""
        given: dict[str, Severity] = dict(self.severity)  # type: ignore[arg-type]  # checked pairs
        common = {
            code: (given.get(code, known.severity), known.layer, known.sentence, known.source)
            for code, known in CATALOGUE.items()
        }
        found: dict[str | None, dict[str, Wording]] = {None: common}
        for name, severity in given.items():
            scheme, _, code = name.rpartition(":")
            if scheme:
                wordings = found.setdefault(scheme.lower(), dict(common))
                wordings[code] = (severity, *common[code][1:])
        return found
