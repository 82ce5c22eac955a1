"""Special-purpose IP addresses and special-use domain names: their tables and their classes."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_network
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from uriparse._base.coerce import as_str, refusal

__all__ = [
    "ADDRESS_CLASSES", "NAME_CLASSES", "NOT_GLOBAL", "NOT_PUBLIC",
    "AddressClass", "NameClass", "SpecialName", "SpecialRange", "classes_of", "embedded",
    "names_of", "parts_of", "ranges_of",
]  # fmt: skip


# Address ranges: IANA's special-purpose address registries for IPv4 and IPv6 (RFC 6890, RFC 8190;
# last changed on 2025-10-09), multicast, the reserved IPv6 space, forms with an embedded IPv4
# address that no registry lists (any more), and public addresses at which a cloud serves its own
# machines. The tables of `ipaddress` are not used, because they differ between Python versions.

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


_R = SpecialRange

IPV4_RANGES: Final = (
    _R("0.0.0.0/8", "this-network", "This network", "RFC 791 section 3.2"),
    _R("0.0.0.0/32", "unspecified", "This host on this network", "RFC 1122 section 3.2.1.3"),
    _R("10.0.0.0/8", "private", "Private-Use", "RFC 1918"),
    _R("100.64.0.0/10", "shared", "Shared Address Space", "RFC 6598"),
    _R("127.0.0.0/8", "loopback", "Loopback", "RFC 1122 section 3.2.1.3"),
    _R("168.63.129.16/32", "cloud", "Azure host node", "Microsoft Learn: IP address 168.63.129.16"),
    _R("169.254.0.0/16", "link-local", "Link Local", "RFC 3927"),
    _R("172.16.0.0/12", "private", "Private-Use", "RFC 1918"),
    _R("192.0.0.0/24", "protocol-assignment", "IETF Protocol Assignments", "RFC 6890 section 2.1"),
    _R("192.0.0.0/29", "protocol-assignment", "IPv4 Service Continuity Prefix", "RFC 7335"),
    _R("192.0.0.8/32", "dummy", "IPv4 dummy address", "RFC 7600"),
    _R("192.0.0.9/32", "anycast", "Port Control Protocol Anycast", "RFC 7723"),
    _R("192.0.0.10/32", "anycast", "Traversal Using Relays around NAT Anycast", "RFC 8155"),
    _R("192.0.0.170/31", "protocol-assignment", "NAT64/DNS64 Discovery", "RFC 8880"),
    _R("192.0.2.0/24", "documentation", "TEST-NET-1", "RFC 5737"),
    _R("192.31.196.0/24", "as112", "AS112-v4", "RFC 7535"),
    _R("192.52.193.0/24", "amt", "AMT", "RFC 7450"),
    _R("192.88.99.0/24", "6to4-relay", "Deprecated (6to4 Relay Anycast)", "RFC 7526"),
    _R("192.88.99.2/32", "6to4-relay", "6a44-relay anycast address", "RFC 6751"),
    _R("192.168.0.0/16", "private", "Private-Use", "RFC 1918"),
    _R("192.175.48.0/24", "as112", "Direct Delegation AS112 Service", "RFC 7534"),
    _R("198.18.0.0/15", "benchmarking", "Benchmarking", "RFC 2544"),
    _R("198.51.100.0/24", "documentation", "TEST-NET-2", "RFC 5737"),
    _R("203.0.113.0/24", "documentation", "TEST-NET-3", "RFC 5737"),
    _R("224.0.0.0/4", "multicast", "Multicast", "RFC 5771"),
    _R("233.252.0.0/24", "documentation", "MCAST-TEST-NET", "RFC 6676 section 2"),
    _R("240.0.0.0/4", "reserved", "Reserved", "RFC 1112 section 4"),
    _R("255.255.255.255/32", "broadcast", "Limited Broadcast", "RFC 919 section 7"),
)

IPV6_RANGES: Final = (
    _R("::/128", "unspecified", "Unspecified Address", "RFC 4291 section 2.5.2"),
    _R("::1/128", "loopback", "Loopback Address", "RFC 4291 section 2.5.3"),
    _R("::/96", "compatible", "IPv4-compatible Address", "RFC 4291 section 2.5.5.1", rest=True),
    _R("::ffff:0:0/96", "mapped", "IPv4-mapped Address", "RFC 4291 section 2.5.5.2"),
    _R("::ffff:0:0:0/96", "translated", "IPv4-translated Address", "RFC 2765 section 2.1"),
    _R("64:ff9b::/96", "nat64", "IPv4-IPv6 Translation", "RFC 6052 section 2.1"),
    _R("64:ff9b:1::/48", "nat64-local", "Local-Use IPv4-IPv6 Translation", "RFC 8215"),
    _R("100::/64", "discard", "Discard-Only Address Block", "RFC 6666"),
    _R("100:0:0:1::/64", "dummy", "Dummy IPv6 Prefix", "RFC 9780 section 7.1"),
    _R("2001::/23", "protocol-assignment", "IETF Protocol Assignments", "RFC 2928"),
    _R("2001::/32", "teredo", "TEREDO", "RFC 4380 section 2.6"),
    _R("2001:1::1/128", "anycast", "Port Control Protocol Anycast", "RFC 7723"),
    _R("2001:1::2/128", "anycast", "Traversal Using Relays around NAT Anycast", "RFC 8155"),
    _R("2001:1::3/128", "anycast", "DNS-SD Service Registration Protocol Anycast", "RFC 9665"),
    _R("2001:2::/48", "benchmarking", "Benchmarking", "RFC 5180, erratum 1752"),
    _R("2001:3::/32", "amt", "AMT", "RFC 7450"),
    _R("2001:4:112::/48", "as112", "AS112-v6", "RFC 7535"),
    _R("2001:10::/28", "orchid", "Deprecated (previously ORCHID)", "RFC 4843"),
    _R("2001:20::/28", "orchid", "ORCHIDv2", "RFC 7343"),
    _R("2001:30::/28", "drone-tag", "Drone Remote ID Protocol Entity Tags", "RFC 9374"),
    _R("2001:db8::/32", "documentation", "Documentation", "RFC 3849"),
    _R("2002::/16", "6to4", "6to4", "RFC 3056 section 2"),
    _R("2620:4f:8000::/48", "as112", "Direct Delegation AS112 Service", "RFC 7534"),
    _R("3fff::/20", "documentation", "Documentation", "RFC 9637"),
    _R("5f00::/16", "srv6", "Segment Routing (SRv6) SIDs", "RFC 9602"),
    _R("fc00::/7", "unique-local", "Unique-Local", "RFC 4193"),
    _R("fe80::/10", "link-local", "Link-Local Unicast", "RFC 4291 section 2.5.6"),
    _R("fec0::/10", "site-local", "Site-Local Unicast, deprecated", "RFC 3879 section 4"),
    _R("ff00::/8", "multicast", "Multicast", "RFC 4291 section 2.7"),
    _R("200::/7", "reserved", "Reserved by IETF, formerly NSAP", "RFC 4048", rest=True),
    # All but 2000::/3, from which addresses are allocated, divided as in the registry.
    *(
        _R(network, "reserved", "Reserved by IETF", "RFC 4291 section 2.4", rest=True)
        for network in (
            *("::/8", "100::/8", "400::/6", "800::/5", "1000::/4", "4000::/3", "6000::/3"),
            *("8000::/3", "a000::/3", "c000::/3", "e000::/4", "f000::/5", "f800::/6", "fe00::/9"),
        )
    ),
)

ISATAP: Final = _R("::/0", "isatap", "ISATAP interface identifier", "RFC 5214 section 6.1")
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


_EXTRACTORS: Mapping[str, Callable[[int], tuple[int, ...]]] = {
    **dict.fromkeys(
        ("mapped", "compatible", "translated", "nat64", "isatap"),
        lambda number: (number & _32_BITS,),
    ),
    "nat64-local": _nat64_positions,
    "6to4": lambda number: (number >> 80 & _32_BITS,),
    # The client's address is inverted, so that no NAT on the way recognizes and rewrites it.
    "teredo": lambda number: (number >> 64 & _32_BITS, ~number & _32_BITS),
}


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


def address_starts(*listed: object) -> list[int]:
    """Return the IPv4 addresses at which a class or one of the listed networks begins or is over.

    listed: networks; classes and "*" in it are passed over.
    """
    names = {str(one) for one in listed} - ADDRESS_CLASSES - {"*"}
    networks = [one for one in map(ip_network, names) if one.version == 4]
    starts = {int(one.network_address) for one in networks}
    ends = {int(one.broadcast_address) + 1 for one in networks}
    return sorted(starts.union(_V4.starts, ends) - {1 << 32})


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

_N = SpecialName
_LOCAL_ZONES = "RFC 6303 section 4"

SPECIAL_NAMES: Final = (
    _N(LOOPBACK_NAME, "localhost", "RFC 6761 section 6.3"),
    _N("localhost.localdomain", "localhost", "nss-myhostname(8)"),
    *(
        _N(name, "localhost", "/etc/hosts of Fedora and RHEL (package setup)")
        for one in ("localhost4", "localhost6")
        for name in (one, f"{one}.localdomain{one[-1]}")
    ),
    _N("local", "local", "RFC 6762 section 3"),
    _N("internal", "internal", "ICANN Board resolution 2024.07.29.06"),
    _N("home.arpa", "home.arpa", "RFC 8375"),
    *(
        _N(name, "private-namespace", "RFC 6762 appendix G")
        for name in ("corp", "home", "intranet", "lan", "private")
    ),
    _N("localdomain", "private-namespace", "/etc/hosts of Fedora and RHEL; VMware's DHCP servers"),
    _N("metadata.goog", "cloud", "Google Compute Engine, VM metadata: metadata.google.internal"),
    _N("cluster.local", "cluster", "Kubernetes, DNS for Services and Pods"),
    _N("kubernetes.default.svc", "cluster", "Kubernetes, Accessing the API from a Pod"),
    _N("onion", "onion", "RFC 7686"),
    _N("alt", "alt", "RFC 9476"),
    _N("test", "test", "RFC 6761 section 6.2"),
    _N("invalid", "invalid", "RFC 6761 section 6.4"),
    *(
        _N(name, "example", "RFC 6761 section 6.5")
        for name in ("example", "example.com", "example.net", "example.org")
    ),
    _N("ipv4only.arpa", "ipv4only.arpa", "RFC 8880"),
    _N("resolver.arpa", "resolver.arpa", "RFC 9462"),
    _N("service.arpa", "service.arpa", "RFC 9665"),
    _N("eap.arpa", "eap.arpa", "RFC 9965"),
    _N("eap-noob.arpa", "eap.arpa", "RFC 9140"),
    _N("6tisch.arpa", "6tisch.arpa", "RFC 9031"),
    _N("0.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("10.in-addr.arpa", "reverse", "RFC 6761 section 6.1"),
    *(_N(f"{n}.100.in-addr.arpa", "reverse", "RFC 7793") for n in range(64, 128)),
    _N("127.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("254.169.in-addr.arpa", "reverse", "RFC 6762 section 12"),
    *(_N(f"{n}.172.in-addr.arpa", "reverse", "RFC 6761 section 6.1") for n in range(16, 32)),
    _N("170.0.0.192.in-addr.arpa", "reverse", "RFC 8880"),
    _N("171.0.0.192.in-addr.arpa", "reverse", "RFC 8880"),
    _N("2.0.192.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("168.192.in-addr.arpa", "reverse", "RFC 6761 section 6.1"),
    _N("100.51.198.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("113.0.203.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("255.255.255.255.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("0." * 32 + "ip6.arpa", "reverse", _LOCAL_ZONES),
    _N("1." + "0." * 31 + "ip6.arpa", "reverse", _LOCAL_ZONES),
    _N("8.b.d.0.1.0.0.2.ip6.arpa", "reverse", _LOCAL_ZONES),
    _N("d.f.ip6.arpa", "reverse", _LOCAL_ZONES),
    *(_N(f"{n}.e.f.ip6.arpa", "reverse", "RFC 6762 section 12") for n in "89ab"),
)

SINGLE_LABEL: Final = _N("", "single-label", "RFC 1535")
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
