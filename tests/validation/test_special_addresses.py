"""Classes of addresses: against IANA's columns, `ipaddress` and a scan of every row."""

import json
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from itertools import combinations
from pathlib import Path

import pytest
from cases import each_case, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from uriparse.validation import Policy, Severity, special, validate

TABLES = tables(__file__)

RANGES = (*special.IPV4_RANGES, *special.IPV6_RANGES)
REGISTRIES = json.loads((Path(__file__).parent / "iana_registries.json").read_text())
BLOCKS, OTHERS = REGISTRIES["blocks"], REGISTRIES["others"]
assert RANGES
assert BLOCKS
assert OTHERS

CLOUDS = {"168.63.129.16/32"}
NETWORKS = {row: ip_network(row.network) for row in RANGES}


def around(network):
    """The first address of a network and the last, and one more on either side."""
    make = type(network.network_address)
    first, last = int(network.network_address), int(network.broadcast_address)
    wanted = (first - 1, first, first + 1, (first + last) // 2, last - 1, last, last + 1)
    return [make(number) for number in wanted if 0 <= number < 1 << network.max_prefixlen]


KNOWN = {*NETWORKS.values(), *(ip_network(block) for block, _ in [*BLOCKS, *OTHERS])}
EDGES = [address for network in KNOWN for address in around(network)]


def refused(address):
    return not special.NOT_GLOBAL.isdisjoint(special.classes_of(address))


# --- a second reading, without tables of integers


def scanned(address):
    """The rows that hold an address, by asking each; those with `rest` only if no other does."""
    version = address.version
    holding = [row for row, n in NETWORKS.items() if n.version == version and address in n]
    holding.sort(key=lambda row: NETWORKS[row].prefixlen, reverse=True)
    return [row for row in holding if not row.rest or row is holding[0]]


def carried(address):
    """The IPv4 addresses in an IPv6 address, read off its octets."""
    octets = address.packed
    found = []
    for row in scanned(address):
        if row.kind in {"mapped", "compatible", "translated", "nat64"}:
            found.append(octets[12:])
        elif row.kind == "6to4":
            found.append(octets[2:6])
        elif row.kind == "teredo":
            found += [octets[4:8], bytes(octet ^ 255 for octet in octets[12:])]
        elif row.kind == "nat64-local":
            places = [
                octets[6:8] + octets[9:11], octets[7:8] + octets[9:12], octets[9:13], octets[12:16],
            ]  # fmt: skip
            found += [place for place in places if place[0]]
    if octets[8:12] in {b"\0\0\x5e\xfe", b"\2\0\x5e\xfe"}:
        found.append(octets[12:])
    return list(dict.fromkeys(IPv4Address(four) for four in found))


def scanned_through(address):
    if address.version == 4:
        return scanned(address)
    isatap = [special.ISATAP] if address.packed[8:12] in {b"\0\0\x5e\xfe", b"\2\0\x5e\xfe"} else []
    rows = [*scanned(address), *isatap]
    return list(dict.fromkeys([*rows, *(r for inner in carried(address) for r in scanned(inner))]))


v4 = st.integers(0, (1 << 32) - 1).map(IPv4Address) | st.sampled_from(
    [edge for edge in EDGES if edge.version == 4]
)


@st.composite
def v6(draw):
    """Any address; or in a row's network, its second half one of ISATAP now and then."""
    network = draw(st.sampled_from([NETWORKS[row] for row in special.IPV6_RANGES]))
    host_bits = 128 - network.prefixlen
    number = int(network.network_address) | draw(st.integers(0, (1 << host_bits) - 1))
    inner = int(draw(v4))
    form = draw(st.integers(0, 4))
    if form == 1:
        number = number >> 32 << 32 | inner
    elif form == 2:
        number = number >> 64 << 64 | draw(st.sampled_from((0, 2))) << 56 | 0x5EFE << 32 | inner
    elif form == 3:
        number = draw(st.integers(0, (1 << 128) - 1))
    return IPv6Address(number)


@settings(max_examples=8 * settings.default.max_examples)
@given(v4 | v6())
def test_as_a_scan_of_every_row_says(address):
    assert list(special.ranges_of(address)) == scanned_through(address)
    assert list(special.classes_of(address)) == list(
        dict.fromkeys(r.kind for r in special.ranges_of(address))
    )
    assert list(special.embedded(address)) == (carried(address) if address.version == 6 else [])
    assert set(special.classes_of(address)) <= special.ADDRESS_CLASSES


def test_at_both_ends_of_every_range():
    for address in EDGES:
        assert list(special.ranges_of(address)) == scanned_through(address), address
    for row, network in NETWORKS.items():
        ends = {network.network_address, network.broadcast_address}
        outside = [address for address in around(network) if address not in network]
        held = [row in special.ranges_of(end) for end in ends]
        assert all(held) or row.rest, row
        assert not any(row in special.ranges_of(address) for address in outside), row


def test_the_classes_of_what_is_carried_come_along():
    for address in EDGES:
        for inner in special.embedded(address):
            assert set(special.classes_of(inner)) <= set(special.classes_of(address))


# --- the table


def test_every_row_has_a_source_and_a_class():
    for row in (*RANGES, special.ISATAP):
        assert row.name
        assert row.source.startswith("RFC ") or row.kind == "cloud", row
        assert row.kind in special.ADDRESS_CLASSES
    assert {row.kind for row in (*RANGES, special.ISATAP)} == special.ADDRESS_CLASSES


def test_ranges_are_apart_or_within_each_other_and_none_is_there_twice():
    for left, right in combinations(NETWORKS.values(), 2):
        assert left != right
        if left.version == right.version and left.overlaps(right):
            assert left.subnet_of(right) or right.subnet_of(left)


@pytest.mark.parametrize("version", [4, 6])
def test_each_version_has_its_own_table(version):
    rows = special.IPV4_RANGES if version == 4 else special.IPV6_RANGES
    assert {NETWORKS[row].version for row in rows} == {version}


def test_the_ipv6_space_is_reserved_but_for_what_is_given_out():
    given_out = {"2000::/3", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"}
    parts = [n for r, n in NETWORKS.items() if r.kind == "reserved" and n.version == 6]
    size = sum(part.num_addresses for part in [*parts, *map(ip_network, given_out)])
    assert size == 1 << 128
    assert special.classes_of(IPv6Address("2a00::1")) == ()
    assert special.classes_of(IPv6Address("4000::1")) == ("reserved",)


# --- IANA's columns


def test_the_table_is_the_registries():
    """One row has two addresses that the registry lists one by one."""
    blocks = {block for block, _ in [*BLOCKS, *OTHERS]}
    blocks = blocks - {"192.0.0.170/32", "192.0.0.171/32"} | {"192.0.0.170/31"}
    rows = {row.network for row in RANGES if row.source != "RFC 4291 section 2.4"}
    assert rows == blocks | CLOUDS


def test_the_addresses_of_clouds():
    """All others of https://learn.microsoft.com/azure, AWS and so on are of special ranges."""
    assert {row.network for row in RANGES if row.kind == "cloud"} == CLOUDS
    assert special.classes_of(IPv4Address("168.63.129.16")) == ("cloud",)
    for carrying in ("168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::168.63.129.16"):
        assert refused(ip_address(carrying))
    for text in ("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "192.0.0.192"):
        assert refused(ip_address(text))
    assert not refused(IPv4Address("168.63.129.17"))


@each_case(("block", "reachable"), BLOCKS)
def test_what_the_registries_call_unreachable_is_refused(block, reachable):
    """The mapped ones are judged by the address within."""
    network = ip_network(block)
    inside = [address for address in around(network) if address in network]
    if block == "::ffff:0:0/96":
        assert {"mapped"} == {special.classes_of(address)[0] for address in inside}
        assert not refused(IPv6Address("::ffff:8.8.8.8"))
    elif not reachable:
        assert all(map(refused, inside))


def test_of_what_the_registries_call_reachable_only_nat64_is_reached():
    """The others are answered for by the nearest network, or are not locations (see NOT_GLOBAL)."""
    reachable = {block for block, value in BLOCKS if value}
    kinds = {block: special.classes_of(ip_network(block).network_address)[0] for block in reachable}
    assert {block for block, kind in kinds.items() if kind not in special.NOT_GLOBAL} == {
        "64:ff9b::/96"
    }
    assert set(kinds.values()) == {"nat64", "anycast", "as112", "amt", "orchid", "drone-tag"}
    assert not refused(IPv6Address("64:ff9b::8.8.8.8"))
    assert refused(IPv6Address("64:ff9b::10.0.0.1"))
    assert {"mapped", "nat64"} == special.ADDRESS_CLASSES - special.NOT_GLOBAL


# --- ipaddress


@given(v4 | v6() | st.sampled_from(EDGES))
def test_ipaddress_agrees_where_its_versions_do(address):
    """What it calls loopback and so on is that; what it does not call global is refused.

    Of IPv4-mapped addresses later versions say what they say of the address within, as we do.
    """
    own = [row.kind for row in scanned(address)]
    assert address.is_multicast == ("multicast" in own)
    assert address.is_link_local == ("link-local" in own)
    assert address.is_unspecified == ("unspecified" in own)
    if "mapped" in own:
        assert refused(address) == refused(address.ipv4_mapped)
        return
    assert address.is_loopback == ("loopback" in own)
    assert refused(address) or ((address.is_global and not address.is_reserved) or "nat64" in own)
    if address.version == 6:
        assert address.is_site_local == ("site-local" in own)


# Where this says that the address is global (in some version of Python or in all) it must not be
# reached: Python lacks the block, knows no class for it, or calls anycast and tunnels global.
GLOBAL_TO_SOME_PYTHON = {
    *("multicast", "as112", "amt", "anycast", "orchid", "drone-tag", "6to4-relay"),
    *("compatible", "translated", "6to4", "isatap", "site-local", "reserved"),
    *("nat64-local", "documentation", "srv6", "dummy", "protocol-assignment", "cloud"),
}


def test_what_ipaddress_calls_global_and_we_refuse_is_known():
    through = {"mapped", "nat64"}
    edges = [edge for edge in EDGES if edge.is_global and refused(edge)]
    kinds = {scanned(edge)[0].kind for edge in edges if not through & set(special.classes_of(edge))}
    assert kinds <= GLOBAL_TO_SOME_PYTHON
    assert {"multicast", "as112", "6to4-relay", "srv6", "dummy"} <= kinds


@given(v6())
def test_ipaddress_reads_the_same_addresses_out(address):
    inner = list(special.embedded(address))
    for expected in ([address.ipv4_mapped], [address.sixtofour], list(address.teredo or [None])):
        if expected != [None]:
            assert inner[: len(set(expected))] == list(dict.fromkeys(expected))


# --- by example


@each_case(("text", "classes"), TABLES["classes"])
def test_classes(text, classes):
    assert [*special.classes_of(ip_address(text))] == classes


@pytest.mark.parametrize(("text", "inner"), TABLES["each_address_is_read_out_once"])
def test_each_address_is_read_out_once(text, inner):
    assert [str(address) for address in special.embedded(ip_address(text))] == inner


def test_a_zone_does_not_count():
    assert special.classes_of(IPv6Address("fe80::1%eth0")) == ("link-local",)


@each_case("function", [special.classes_of, special.ranges_of, special.embedded])
@each_case("value", ["127.0.0.1", b"\x7f\0\0\1", 2130706433, None])
def test_only_addresses_are_taken(function, value):
    message = (
        f"address must be an IPv.Address or IPv.Address of ipaddress, not {type(value).__name__}"
    )
    with pytest.raises(TypeError, match=f"^{message}$"):
        function(value)


def test_the_quick_way_to_yes_knows_every_range_of_addresses():
    blocks = [ip_network(row.network) for row in special.IPV4_RANGES]
    ends = {int(end) for block in blocks for end in (block[0], block[-1])}
    near = {number + step for number in ends for step in (-1, 0, 1)}
    accepted = 0
    for number in near:
        address = IPv4Address(number % (1 << 32))
        report = validate(f"http://{address}/")
        assert report.accepted is Policy.outbound().permits(address)
        assert report.accepted is not any(f.severity is Severity.ERROR for f in report.findings)
        accepted += report.accepted
    assert 0 < accepted < len(near)
