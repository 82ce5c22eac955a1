"""Classes of names: by their labels, in any letter case."""

from ipaddress import ip_address, ip_network

from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse.validation.special import (
    NAME_CLASSES,
    NOT_PUBLIC,
    SINGLE_LABEL,
    SPECIAL_NAMES,
    classes_of,
    names_of,
)

TABLES = tables(__file__)

assert SPECIAL_NAMES

LABELS = (
    *("arpa", "in-addr", "ip6", "10", "172", "16", "0", "f", "e", "8", "example", "com", "org"),
    *("localhost", "LOCALHOST", "localdomain", "local", "onion", "home", "internal", "", "a"),
)
labels = st.sampled_from(LABELS)
ZONES = [row.name for row in SPECIAL_NAMES if row.kind == "reverse"]


def kinds(host):
    return tuple(row.kind for row in names_of(host))


# IANA's registry of special-use domain names, all of it.


def scanned(host):
    """The rows whose labels a name ends in, longest first, by comparing with each of them."""
    labels = host.lower().rstrip(".").split(".")
    fits = [
        row for row in SPECIAL_NAMES if labels[-len(row.name.split(".")) :] == row.name.split(".")
    ]
    fits.sort(key=lambda row: len(row.name), reverse=True)
    alone = len(labels) == 1 and labels[0] not in {"", "localhost"}
    return (*fits, SINGLE_LABEL) if alone else tuple(fits)


@given(st.lists(labels | st.text("abc01-.", max_size=5), max_size=40).map(".".join) | st.text())
def test_as_a_scan_of_every_row_says(host):
    assert names_of(host) == scanned(host)


@each_case("row", SPECIAL_NAMES)
def test_every_row_counts_for_itself_and_what_is_below_it(row):
    assert row.source
    assert row.name == row.name.lower()
    for host in (row.name, f"{row.name}.", f"a.{row.name}", f"a.b.{row.name.upper()}."):
        assert row in names_of(host)
    for host in (f"a{row.name}", f"{row.name}.a", f"{row.name}.com"):
        assert row not in names_of(host)


def test_every_class_has_a_row_and_every_domain_one():
    assert {row.kind for row in (*SPECIAL_NAMES, SINGLE_LABEL)} == NAME_CLASSES
    assert len({row.name for row in SPECIAL_NAMES}) == len(SPECIAL_NAMES)
    assert {"example"} == NAME_CLASSES - NOT_PUBLIC


@each_case("name", TABLES["registered"])
def test_the_registry_is_there(name):
    assert names_of(f"a.{name}")[0].name == name


def reversed_network(zone):
    """The network whose addresses a zone of the reverse tree is for."""
    *parts, tree, _ = zone.split(".")
    if tree == "in-addr":
        octets = [*reversed(parts), *["0"] * (4 - len(parts))]
        return ip_network(f"{'.'.join(octets)}/{8 * len(parts)}")
    digits = "".join(reversed(parts)).ljust(32, "0")
    return ip_network((int(digits, 16), 4 * len(parts)))


assert ZONES


@each_case("zone", ZONES)
def test_reverse_zones_are_of_special_addresses(zone):
    network = reversed_network(zone)
    assert classes_of(network.network_address)
    assert classes_of(network.broadcast_address)


@each_case("address", TABLES["the_reverse_names_of_local_addresses_are_special"])
def test_the_reverse_names_of_local_addresses_are_special(address):
    assert kinds(ip_address(address).reverse_pointer) == ("reverse",)


@each_case(("host", "classes"), TABLES["classes"])
def test_classes(host, classes):
    assert list(kinds(host)) == classes
