"""Special-purpose IP addresses and special-use domain names: their tables and their classes."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_network
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias, cast, get_args

from uriparse._base.coerce import as_str, refusal
from uriparse._data_files import text_beside

__all__ = [
    "ADDRESS_CLASSES", "NAME_CLASSES", "NOT_GLOBAL", "NOT_PUBLIC",
    "AddressClass", "NameClass", "SpecialName", "SpecialRange", "classes_of", "embedded",
    "names_of", "parts_of", "ranges_of",
]  # fmt: skip


# Address ranges and names, as `special.txt` has them. The tables of `ipaddress` are not used, since
# they differ between Python versions.

AddressClass: TypeAlias = Literal[
    # The machine itself and its networks, and the host of a machine in a cloud.
    "unspecified", "this-network", "loopback", "private", "shared", "unique-local",
    "link-local", "site-local", "srv6", "cloud",
    # Not a single host; unassigned; identifiers that are not locations.
    "multicast", "broadcast", "documentation", "benchmarking", "reserved", "dummy",
    "discard", "orchid", "drone-tag",
    # Infrastructure of the nearest network.
    "protocol-assignment", "anycast", "as112", "amt", "6to4-relay",
    # Forms with an IPv4 address inside.
    "mapped", "compatible", "translated", "nat64", "nat64-local",
    "6to4", "teredo", "isatap",
]  # fmt: skip
"""The special purpose of an address."""

ADDRESS_CLASSES: Final[frozenset[AddressClass]] = frozenset(get_args(AddressClass))
"""All classes of addresses."""

NOT_GLOBAL: Final[frozenset[AddressClass]] = ADDRESS_CLASSES - {"mapped", "nat64"}
"""The classes that a client which fetches on behalf of others must not connect to.

All but two: a class is refused if packets may reach the client's own machine or network, or if no
server can have such an address:

- the machine itself and its networks: from `unspecified` to `site-local`, and `srv6`;
- the cloud host of the machine, which hands out credentials and settings: `cloud`;
- not a single host: `multicast`, `broadcast`;
- unassigned, though somebody may use it: `documentation`, `benchmarking`, `reserved`, `dummy`,
  `discard`, and identifiers that are not locations: `orchid`, `drone-tag`;
- infrastructure of the nearest network, which may be one's own, although the registry calls most of
  it globally reachable: `anycast` (port control, relays), `as112`, `amt`, `6to4-relay`, and the
  rest of `protocol-assignment`;
- tunnels and translators that a machine or a site may run itself: `compatible`, `translated`,
  `nat64-local`, `6to4`, `teredo`, `isatap`.

The exceptions: `mapped` is the form of an IPv4 address in a dual-stack socket, and `nat64` reaches
IPv4 from an IPv6-only network. There the embedded IPv4 address decides; it is always checked.
"""


class SpecialRange(NamedTuple):
    """A range of special-purpose addresses.

    network: the prefix, in the notation of `ipaddress.ip_network`.
    kind: the class of its addresses.
    name: the name in the registry.
    source: the RFC that reserves it.
    rest: True if addresses of a narrower range do not count: `::1` is loopback, and not an
        IPv4-compatible address.
    """

    network: str
    kind: AddressClass
    name: str
    source: str
    rest: bool = False


_PREFIXES, _NAMES = (
    [line.split(" | ") for line in block.splitlines()]
    for block in text_beside(__name__, "special.txt").split("\n\n")[1:]
)


def _ranges(mark: str) -> tuple[SpecialRange, ...]:
    """Return the ranges whose prefixes have a mark, that of a version of the protocol."""
    found = []
    for prefix, purpose, name, source in _PREFIXES:
        kind, _, rest = purpose.partition(" ")
        if mark in prefix:
            row = prefix, cast("AddressClass", kind), name, source, bool(rest)
            found.append(SpecialRange(*row))
    return tuple(found)


IPV4_RANGES: Final = _ranges(".")
IPV6_RANGES: Final = _ranges(":")

ISATAP: Final = SpecialRange(
    "::/0", "isatap", "ISATAP interface identifier", "RFC 5214 section 6.1"
)
"""Not a range: ISATAP addresses are recognized by their second half, in any network."""

Address: TypeAlias = IPv4Address | IPv6Address

Ranges: TypeAlias = "tuple[SpecialRange, ...]"

_32_BITS = (1 << 32) - 1
_56_BITS = (1 << 56) - 1

# RFC 5214 section 6.1: 00-00-5E-FE before the IPv4 address, the "u" bit set if that is global.
_ISATAP_MARKS = (0x00005EFE, 0x02005EFE)


def classes_of(address: Address) -> tuple[AddressClass, ...]:
    """Return the classes of an address, most specific first, then those of embedded addresses.

    `()` for an ordinary address. Embedded addresses are those that `embedded` returns. Each class
    occurs once. TypeError unless `address` is an `ipaddress` address.

    >>> classes_of(IPv4Address("192.0.0.9")), classes_of(IPv4Address("8.8.8.8"))
    (('anycast', 'protocol-assignment'), ())
    >>> classes_of(IPv6Address("64:ff9b::127.0.0.1"))
    ('nat64', 'loopback')
    """
    return tuple(dict.fromkeys([row.kind for row in ranges_of(address)]))


def ranges_of(address: Address) -> Ranges:
    """Return the ranges from which `classes_of` has its classes, in the same order.

    >>> [row.source for row in ranges_of(IPv6Address("::ffff:10.0.0.1"))]
    ['RFC 4291 section 2.5.5.2', 'RFC 1918']
    """
    return tuple(dict.fromkeys(row for _, rows in parts_of(address) for row in rows))


def parts_of(address: Address) -> list[tuple[Address, Ranges]]:
    """Return an address with its own ranges, then each embedded address with its ranges.

    >>> [(str(one), *map(str, rows[0][2:4])) for one, rows in parts_of(IPv6Address("2002:a00::"))]
    [('2002:a00::', '6to4', 'RFC 3056 section 2'), ('10.0.0.0', 'Private-Use', 'RFC 1918')]
    """
    if isinstance(address, IPv4Address):
        return [(address, _V4.at(int(address)))]
    if not isinstance(address, IPv6Address):
        raise refusal(address, "address", "an IPv4Address or IPv6Address of ipaddress")
    number = int(address)
    own = _V6.at(number)
    if number >> 32 & _32_BITS in _ISATAP_MARKS:
        own = (*own, ISATAP)
    inner = (_EXTRACTORS[row.kind](number) for row in own if row.kind in _EXTRACTORS)
    return [
        (address, own),
        *((IPv4Address(one), _V4.at(one)) for one in dict.fromkeys(chain(*inner))),
    ]


def embedded(address: Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses in an IPv6 address, each once; `()` for an IPv4 address.

    IPv4-mapped, -compatible and -translated addresses contain one, as do 6to4 addresses (RFC 3056),
    the well-known NAT64 prefix (RFC 6052) and ISATAP interface identifiers (RFC 5214). A Teredo
    address contains two, the server's and the client's (RFC 4380 section 4). A 6to4 address may
    also have an ISATAP identifier. In the local-use NAT64 prefix (RFC 8215) the position depends on
    a prefix length that the network chose: all positions of RFC 6052 section 2.2 are read, except
    results in 0.0.0.0/8, which are padding. A network's own NAT64 or 6rd prefix is not recognized.

    >>> embedded(IPv6Address("2001:0:4136:e378:8000:63bf:3fff:fdd2"))
    (IPv4Address('65.54.227.120'), IPv4Address('192.0.2.45'))
    """
    return tuple(one for one, _ in parts_of(address)[1:] if isinstance(one, IPv4Address))


def _nat64_positions(number: int) -> tuple[int, ...]:
    # RFC 6052 section 2.2 keeps the octet after 64 bits empty, in the middle of some addresses.
    joined = number >> 64 << 56 | number & _56_BITS
    candidates = [joined >> (88 - length) & _32_BITS for length in (48, 56, 64)]
    return tuple(inner for inner in (*candidates, number & _32_BITS) if inner >> 24)


AT_END: Final = frozenset({"mapped", "compatible", "translated", "nat64"})
"""The classes of ranges whose last 32 bits are an IPv4 address."""

_EXTRACTORS: Mapping[str, Callable[[int], tuple[int, ...]]] = {
    **dict.fromkeys((*AT_END, "isatap"), lambda number: (number & _32_BITS,)),
    "nat64-local": _nat64_positions,
    "6to4": lambda number: (number >> 80 & _32_BITS,),
    # The client's address is inverted, so that no NAT on the way recognizes and rewrites it.
    "teredo": lambda number: (number >> 64 & _32_BITS, ~number & _32_BITS),
}

EMBEDDING: Final = frozenset(_EXTRACTORS)
"""The classes of addresses with an IPv4 address in them."""


class _RangeIndex:
    """Looks up the ranges of an address by binary search over all boundaries of ranges."""

    __slots__ = ("_rows", "starts")

    def __init__(self, ranges: Iterable[SpecialRange]) -> None:
        networks = [(ip_network(row.network), row) for row in ranges]
        spans = [
            (int(network.network_address), int(network.broadcast_address), row)
            for network, row in sorted(networks, key=lambda entry: -entry[0].prefixlen)
        ]
        ends = {end + 1 for _, end, _ in spans}
        self.starts = sorted({0, *ends, *(start for start, _, _ in spans)})
        # Of the ranges of an address, a `rest` one counts only if it is the narrowest.
        self._rows = [
            tuple(row for index, row in enumerate(rows) if not (row.rest and index))
            for cut in self.starts
            if [rows := [row for start, end, row in spans if start <= cut <= end]]
        ]

    def at(self, number: int) -> Ranges:
        """Return the ranges of an address, most specific first."""
        return self._rows[bisect_right(self.starts, number) - 1]


def address_starts(*listed: object, version: int = 4) -> list[int]:
    """Return the addresses at which a class or one of the listed networks begins or is over.

    listed: networks; classes and "*" in it are passed over.
    """
    names = {str(one) for one in listed} - ADDRESS_CLASSES - {"*"}
    networks = [one for one in map(ip_network, names) if one.version == version]
    starts = {int(one.network_address) for one in networks}
    ends = {int(one.broadcast_address) + 1 for one in networks}
    known = (_V4 if version == 4 else _V6).starts
    return sorted(starts.union(known, ends) - {1 << (32 if version == 4 else 128)})


_V4 = _RangeIndex(IPV4_RANGES)
_V6 = _RangeIndex(IPV6_RANGES)


# Names: IANA's registries of special-use domain names (RFC 6761) and of locally served zones (RFC
# 6303) as of 2026-05-22, and a few more. They are compared by labels, in any case (RFC 4343).

NameClass: TypeAlias = Literal[
    "localhost", "local", "internal", "home.arpa", "private-namespace", "single-label",
    "onion", "alt", "test", "invalid", "example", "reverse", "cloud", "cluster",
    "ipv4only.arpa", "resolver.arpa", "service.arpa", "eap.arpa", "6tisch.arpa",
]  # fmt: skip
"""The special use of a name."""

NAME_CLASSES: Final[frozenset[NameClass]] = frozenset(get_args(NameClass))
"""All classes of names."""

NOT_PUBLIC: Final[frozenset[NameClass]] = NAME_CLASSES - {"example"}
"""The classes that a client which fetches on behalf of others must not look up.

All but the names for documentation, which resolve like any other (RFC 6761 section 6.5). The
meaning of the others depends on the client: its machine (`localhost`), its link (`local`), its
network (`internal`, `home.arpa`, `private-namespace`, `test`, `reverse`, and names that configure
it), its cloud or cluster (`cloud`, `cluster`: services that hand out credentials) or its search
list (`single-label`); or they are not DNS names at all (`onion`, `alt`, `invalid`), so that a
successful look-up is forged.
"""


class SpecialName(NamedTuple):
    """A domain of special-use names.

    name: the domain in lower case, without a trailing dot; it includes all names below it.
        `""` for the class `single-label`, which has no domain.
    kind: the class of these names.
    source: the RFC or other authority that reserves it.
    """

    name: str
    kind: NameClass
    source: str


LOOPBACK_NAME: Final = "localhost"
"""The one name without a dot that search lists do not complete."""

SPECIAL_NAMES: Final = tuple(
    SpecialName(name, cast("NameClass", kind), source) for name, kind, source in _NAMES
)

SINGLE_LABEL: Final = SpecialName("", "single-label", "RFC 1535")
"""The row for a name without a dot: search lists decide which domain completes it."""

_BY_NAME: Mapping[str, SpecialName] = MappingProxyType({row.name: row for row in SPECIAL_NAMES})
_LONGEST = max(len(row.name) for row in SPECIAL_NAMES)


def names_of(host: str) -> tuple[SpecialName, ...]:
    """Return the rows of a name, those of the longest domain first; `()` if there is none.

    host: the name as it is looked up: decoded and in ASCII. Letter case and a final dot do not
        matter.

    TypeError if it is not a str.

    >>> names_of("printer.local")[0].source
    'RFC 6762 section 3'
    >>> [row.kind for row in names_of("intranet")], names_of("notlocalhost.com")
    (['private-namespace', 'single-label'], ())
    """
    name = as_str(host, "host").rstrip(".").lower()
    # One character more than the longest row: time stays linear, and a cut label equals no row.
    rest, dot = name[-_LONGEST - 1 :], "."
    rows = []
    while dot:
        row = _BY_NAME.get(rest)
        if row is not None:
            rows.append(row)
        _, dot, rest = rest.partition(".")
    # Resolvers do not apply search lists to "localhost" itself: it means the loopback address.
    if name and "." not in name and name != LOOPBACK_NAME:
        rows.append(SINGLE_LABEL)
    return tuple(rows)
