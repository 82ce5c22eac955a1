"""Which IP addresses a policy refuses: by their classes, and by networks of the caller's own."""

from collections.abc import Collection, Iterator
from ipaddress import ip_network
from itertools import chain

from uriparse.validation.special import ADDRESS_CLASSES, NOT_GLOBAL, Address, Ranges, parts_of

_ALWAYS = frozenset({"unspecified"})
"""Refused even if allowed: clients differ in where such an address connects to."""


class _Networks:
    """Finds the narrowest network of an address in one look-up for each length of a prefix."""

    def __init__(self, names: Collection[str]) -> None:
        networks = [ip_network(name) for name in names if name not in ADDRESS_CLASSES]
        self._prefixes = {
            (one.version, one.prefixlen, _prefix(one.network_address, one.prefixlen))
            for one in networks
        }
        self._lengths = {
            version: sorted({one.prefixlen for one in networks if one.version == version})[::-1]
            for version in (4, 6)
        }

    def longest(self, address: Address) -> int:
        """Return the length of the prefix of the narrowest network; -1 if there is none."""
        version = address.version
        for length in self._lengths[version]:
            if (version, length, _prefix(address, length)) in self._prefixes:
                return length
        return -1


def _prefix(address: Address, length: int) -> int:
    return int(address) >> address.max_prefixlen - length


class AddressRules:
    """The addresses that a policy refuses.

    Of the networks that are listed, the narrowest decides, and of two alike the refused one. Where
    none is listed, the classes decide. An address inside another (IPv4-mapped, NAT64, 6to4...) is
    judged by itself too, so that no form of an address opens more than the address.

    refused, allowed: networks and classes; "*" allows all classes that are not listed as refused.
    """

    def __init__(self, refused: Collection[str], allowed: Collection[str]) -> None:
        self._refused, self._allowed = _Networks(refused), _Networks(set(allowed) - {"*"})
        self._classes = _ALWAYS | effective(refused, allowed, NOT_GLOBAL)
        self.are_any = self._classes == _ALWAYS and not refused

    def reasons(self, address: Address) -> tuple[str, ...]:
        """Return the classes and networks for which an address is refused; `()` if for none."""
        return tuple(dict.fromkeys(chain(*(self.own(*part) for part in parts_of(address)))))

    def own(self, address: Address, ranges: Ranges) -> Iterator[str]:
        """Yield those of an address in some ranges, but not of the addresses inside it."""
        refusing, allowing = self._refused.longest(address), self._allowed.longest(address)
        if refusing >= max(allowing, 0):
            yield str(ip_network(f"{address}/{refusing}", strict=False))
        classes = _ALWAYS if allowing > refusing else self._classes
        yield from (row.kind for row in ranges if row.kind in classes)


def effective(
    refused: Collection[str], allowed: Collection[str], default: Collection[str]
) -> frozenset[str]:
    """Return the classes that are refused: those listed, and by default those not allowed."""
    return frozenset(refused).union(() if allowed == "*" else set(default) - set(allowed))
