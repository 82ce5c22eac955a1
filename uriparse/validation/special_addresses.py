"""What an address is for, and so is each IPv4 address that it carries.

The address is a value of `ipaddress`, whose own notions of "private" and "global" are not asked.
"""

from __future__ import annotations

from bisect import bisect_right
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import TYPE_CHECKING, TypeAlias

from uriparse.validation.special_ranges import IPV4_RANGES, IPV6_RANGES, ISATAP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from uriparse.validation.special_ranges import AddressClass, SpecialRange

Address: TypeAlias = IPv4Address | IPv6Address

Ranges: TypeAlias = "tuple[SpecialRange, ...]"

_32_BITS = (1 << 32) - 1
_56_BITS = (1 << 56) - 1

# RFC 5214 section 6.1: 00-00-5E-FE before the IPv4 address, the "u" bit set if that is global.
_ISATAP_MARKS = (0x00005EFE, 0x02005EFE)


def classes_of(address: Address) -> tuple[AddressClass, ...]:
    """Name the classes of an address: its own, most specific first, then those of what it carries.

    `()` for an address of which nothing special is known. What is carried is every IPv4 address
    that `embedded` finds. A class stands there once. TypeError for anything but an address.

    >>> classes_of(IPv4Address("192.0.0.9")), classes_of(IPv4Address("8.8.8.8"))
    (('anycast', 'protocol-assignment'), ())
    >>> classes_of(IPv6Address("64:ff9b::127.0.0.1"))
    ('nat64', 'loopback')
    """
    return tuple(dict.fromkeys([row.kind for row in ranges_of(address)]))


def ranges_of(address: Address) -> Ranges:
    """Give the rows of the table that `classes_of` has the classes from, in the same order.

    >>> [row.source for row in ranges_of(IPv6Address("::ffff:10.0.0.1"))]
    ['RFC 4291 section 2.5.5.2', 'RFC 1918']
    """
    if isinstance(address, IPv4Address):
        return _V4.at(int(address))
    number = _number(address)
    own = _own(number)
    carried = [row for inner in _carried(number, own) for row in _V4.at(inner)]
    return tuple(dict.fromkeys([*own, *carried])) if carried else own


def embedded(address: Address) -> tuple[IPv4Address, ...]:
    """Give the IPv4 addresses that an address carries, each once; `()` for an IPv4 address.

    An address carries one if it is IPv4-mapped, -compatible or -translated, of 6to4 (RFC 3056), of
    the well-known NAT64 prefix (RFC 6052), or has an interface identifier of ISATAP (RFC 5214).
    One of Teredo carries two, the server's and the client's (RFC 4380 section 4); one of 6to4 may
    have an identifier of ISATAP too. In the NAT64 prefix for local use (RFC 8215) the place depends
    on a prefix length that the network chose: all places of RFC 6052 section 2.2 are read, but what
    is in 0.0.0.0/8 is padding. A network's own NAT64 or 6rd prefix cannot be told from the address.

    >>> embedded(IPv6Address("2001:0:4136:e378:8000:63bf:3fff:fdd2"))
    (IPv4Address('65.54.227.120'), IPv4Address('192.0.2.45'))
    """
    if isinstance(address, IPv4Address):
        return ()
    number = _number(address)
    return tuple(IPv4Address(inner) for inner in _carried(number, _own(number)))


def _number(address: object) -> int:
    if not isinstance(address, IPv6Address):
        raise TypeError(
            f"address is an IPv4Address or IPv6Address of ipaddress, not {type(address).__name__}"
        )
    return int(address)


def _own(number: int) -> Ranges:
    """Give the rows of an IPv6 address itself."""
    rows = _V6.at(number)
    return (*rows, ISATAP) if number >> 32 & _32_BITS in _ISATAP_MARKS else rows


def _carried(number: int, rows: Ranges) -> Iterable[int]:
    """Read the IPv4 addresses out of an IPv6 address that these rows tell the form of."""
    return dict.fromkeys(
        inner for row in rows if row.kind in _READERS for inner in _READERS[row.kind](number)
    )


def _last(number: int) -> tuple[int]:
    return (number & _32_BITS,)


def _after_16_bits(number: int) -> tuple[int]:
    return (number >> 80 & _32_BITS,)


def _server_and_client(number: int) -> tuple[int, int]:
    # The client's is inverted, so that no translator on the way finds and changes it.
    return number >> 64 & _32_BITS, ~number & _32_BITS


def _all_places(number: int) -> tuple[int, ...]:
    # The octet after 64 bits is skipped: RFC 6052 has it empty, and addresses lie astride it.
    joined = number >> 64 << 56 | number & _56_BITS
    places = [joined >> (88 - length) & _32_BITS for length in (48, 56, 64)]
    return tuple(inner for inner in (*places, number & _32_BITS) if inner >> 24)


_READERS: Mapping[AddressClass, Callable[[int], tuple[int, ...]]] = {
    "mapped": _last,
    "compatible": _last,
    "translated": _last,
    "nat64": _last,
    "nat64-local": _all_places,
    "6to4": _after_16_bits,
    "teredo": _server_and_client,
    "isatap": _last,
}


class _Line:
    """The addresses of one version, cut where a range begins or ends: a search halves them."""

    __slots__ = ("_rows", "_starts")

    def __init__(self, ranges: Iterable[SpecialRange]) -> None:
        networks = [(ip_network(row.network), row) for row in ranges]
        spans = [
            (int(network.network_address), int(network.broadcast_address), row)
            for network, row in sorted(networks, key=lambda entry: -entry[0].prefixlen)
        ]
        ends = {end + 1 for _, end, _ in spans}
        self._starts = sorted({0, *ends, *(start for start, _, _ in spans)})
        self._rows = [
            _outermost_last([row for start, end, row in spans if start <= cut <= end])
            for cut in self._starts
        ]

    def at(self, number: int) -> Ranges:
        """Give the rows of an address, most specific first."""
        return self._rows[bisect_right(self._starts, number) - 1]


def _outermost_last(rows: list[SpecialRange]) -> Ranges:
    """Leave out the rows that only have what no row before them has."""
    return tuple(row for index, row in enumerate(rows) if not (row.rest and index))


_V4 = _Line(IPV4_RANGES)
_V6 = _Line(IPV6_RANGES)
