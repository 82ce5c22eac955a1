"""What keeps hosts from being names of the DNS, by every kind of host (L-017, U-031, D-012)."""

import pytest
from cases import each_case

from uriparse import Host, IPv4, IPv6, IPvFuture, RegName, parse, parse_url
from uriparse.errors import SchemeError
from uriparse.schemes import RFC1738, HostName, HostNumber, RelaxedHost

LONG = ".".join(["a" * 63] * 4)
NAMES = {
    "www.rfc-editor.org": (), "3com.com": (), "a--b.c": (), "localhost": (),
    "h.d.": ("trailing dot",), "-h.d": ("hyphen at an end",), "a-.b": ("hyphen at an end",),
    "h_h.d": ("underscore",), "%68.d": ("triplet",), "a..b": ("empty label",),
    "h!d": ("character",), "a.1b": ("numeric top label",), "123": ("numeric top label",),
    "1.2.3": ("numeric top label",), "999.1.1.1": ("numeric top label",), LONG: (),
    f"{LONG}.": ("too long", "trailing dot"), f"{'a' * 64}.b": ("long label",),
    "_-.": ("trailing dot", "hyphen at an end", "underscore"),
}  # fmt: skip


@each_case("name", NAMES)
def test_problems_of_names(name):
    """Said of a name whoever has read it: RFC 3986, RFC 1738, or that with relaxed hosts."""
    assert RegName(name).problems == NAMES[name]
    assert parse(f"http://u@{name}:80/").host.problems == NAMES[name]
    url = parse_url(f"ftp://{name}/", relaxed_host=True, registry=RFC1738)
    assert url.host.problems == NAMES[name]
    assert type(url.host) in {HostName, HostNumber, RelaxedHost}
    assert parse_url(f"http://{name}/").host.problems == NAMES[name]


@each_case("name", [name for name, found in NAMES.items() if found])
def test_strict_hosts_have_no_problems_but_length_and_size(name):
    try:
        url = parse_url(f"ftp://{name}/", registry=RFC1738)
    except SchemeError:
        return
    assert set(url.host.problems) <= {"too long", "long label", "numeric top label"}


@pytest.mark.parametrize("text", ["1.2.3.4", "[::1]", "[v1.a]"])
def test_addresses_have_no_problems(text):
    assert Host(text).problems == ()
    assert type(Host(text)) in {IPv4, IPv6, IPvFuture}
    assert parse_url(f"ftp://{text}/", relaxed_host=True, registry=RFC1738).host.problems == ()


def test_other_hosts():
    assert parse_url("http://[::1]/").host.problems == ()
    assert RegName("").problems == ("empty",)
    assert RegName("bücher.example", "rfc3987").problems == ("character",)
