"""The special-purpose address ranges: data.

The rows are those of IANA's special-purpose address registries for IPv4 and IPv6 (RFC 6890, RFC
8190; last changed on 2025-10-09), of multicast, of the IPv6 address space that is reserved, of the
forms that carry an IPv4 address and are in no registry, or no more, and of public addresses that a
cloud answers for to its own machines. The tables of `ipaddress`
differ between versions of Python, which makes them no ground to judge on.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

AddressClass: TypeAlias = Literal[
    "unspecified",
    "this-network",
    "loopback",
    "private",
    "shared",
    "unique-local",
    "link-local",
    "site-local",
    "multicast",
    "broadcast",
    "documentation",
    "benchmarking",
    "reserved",
    "protocol-assignment",
    "anycast",
    "dummy",
    "discard",
    "as112",
    "amt",
    "orchid",
    "drone-tag",
    "srv6",
    "6to4-relay",
    "mapped",
    "compatible",
    "translated",
    "nat64",
    "nat64-local",
    "6to4",
    "teredo",
    "isatap",
    "cloud",
]
"""What an address is for, where it is for something special."""

ADDRESS_CLASSES: Final[frozenset[AddressClass]] = frozenset(get_args(AddressClass))
"""All class names."""

NOT_GLOBAL: Final[frozenset[AddressClass]] = ADDRESS_CLASSES - {"mapped", "nat64"}
"""The classes that a client which fetches for others must not reach.

That is all but two, for a class is refused where the packet may end on the client's own machine or
network, and where no server can be:

- the machine itself and its networks: from `unspecified` to `site-local`, and `srv6`;
- the host under the machine, which gives away credentials and settings: `cloud`;
- no single host: `multicast`, `broadcast`;
- nobody, or whoever uses it in spite of that: `documentation`, `benchmarking`, `reserved`, `dummy`,
  `discard`, and the identifiers that are no locations: `orchid`, `drone-tag`;
- infrastructure that the nearest network answers for, perhaps one's own, though the registry calls
  most of it globally reachable: `anycast` (port control, relays), `as112`, `amt`, `6to4-relay`, and
  the rest of `protocol-assignment`;
- tunnels and translators that a machine or a site may run for itself: `compatible`, `translated`,
  `nat64-local`, `6to4`, `teredo`, `isatap`.

`mapped` is how a socket for both versions writes an IPv4 address, and `nat64` how a network without
IPv4 reaches one: with these the IPv4 address within decides, which is judged in any case.
"""


class SpecialRange(NamedTuple):
    """One row of the table.

    Attributes:
        network: the prefix, in the notation of `ipaddress.ip_network`.
        kind: the class of its addresses.
        name: what the registry calls it.
        source: the RFC that reserves it.
        rest: whether it only has the addresses that no range within it has: `::1` is loopback and
            not an IPv4-compatible address, though it looks like one.

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
    # All but 2000::/3, from which addresses are given out, as the registry cuts it.
    *(
        _R(network, "reserved", "Reserved by IETF", "RFC 4291 section 2.4", rest=True)
        for network in (
            *("::/8", "100::/8", "400::/6", "800::/5", "1000::/4", "4000::/3", "6000::/3"),
            *("8000::/3", "a000::/3", "c000::/3", "e000::/4", "f000::/5", "f800::/6", "fe00::/9"),
        )
    ),
)

ISATAP: Final = _R("::/0", "isatap", "ISATAP interface identifier", "RFC 5214 section 6.1")
"""No range: the second half of an address tells it, whatever the network."""
