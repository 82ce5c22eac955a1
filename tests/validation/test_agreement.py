"""The signs of disagreement stand exactly where the grammar of agreement ends."""

import ipaddress
import itertools
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from uriparse import is_valid
from uriparse.validation import Policy, validate
from uriparse.validation.agreement import destination, is_canonical, is_request

OUTBOUND = Policy.outbound()
REQUEST = OUTBOUND.replace(agreement="request")

PIECES = [
    *("http", "https", "HTTP", "ftp", ":", "//", "/", "?", "#", "@", ".", "..", "-", "_", "~"),
    *("a", "Z", "9", "h.com", "xn--", "0x7f", "127.0.0.1", "1.2.3", "[::1]", "[::ffff:7f00:1]"),
    *("[", "]", "[v1.a]", "[FE80::1]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "::", "%2e", "%2E"),
    *("%41", "%C3%A9", "%c3", "%00", "%27", "'", ";", "*", "80", "0", "65535", "65536", "\u00e9"),
    *("a" * 63, "a" * 64, "a." * 126, " ", "\\", "%2B", "%2F", "&", "=", "+"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
near = st.builds("{}{}".format, st.sampled_from(["http://", "https://h.com", "http:"]), texts)


def is_agreed(text):
    """The law's other side, from the grammar and the three checks beside it alone."""
    if not is_valid(text, "destination-URI", grammar="agreed"):
        return False
    host = text.partition("//")[2].partition("/")[0].partition("#")[0]
    if host.startswith("["):
        address = ipaddress.IPv6Address(host[1 : host.index("]")])
        plain = address.compressed == host[1 : host.index("]")]
        return plain and address.ipv4_mapped is None
    return len(host.partition(":")[0]) <= 253


@given(st.one_of(texts, near))
@example("http://" + "a." * 126 + "a")
@example("http://" + "a." * 126 + "aa")
@example("http://_a/")
def test_there_is_a_sign_exactly_where_the_grammar_ends(text):
    findings = validate(text, OUTBOUND).findings
    assert any(found.layer == "agreement" for found in findings) is not is_agreed(text)


@given(near)
def test_there_is_a_sign_exactly_where_a_client_would_rewrite_the_request(text):
    findings = validate(text, REQUEST).findings
    agreed = is_valid(text, "request-URI", grammar="agreed") and is_agreed(text)
    assert any(found.layer == "agreement" for found in findings) is not agreed
    assert is_request(text) is agreed


@given(st.one_of(texts, near))
def test_what_is_agreed_is_a_uri(text):
    if destination(text) is not None:
        assert is_valid(text, "URI")


def test_ipv6_has_one_spelling():
    draw = random.Random(5)
    for _ in range(2000):
        groups = [draw.choice([0, 0, 1, 0xFFFF, draw.randrange(1 << 16)]) for _ in range(8)]
        number = sum(group << 16 * place for place, group in enumerate(groups))
        address = ipaddress.IPv6Address(number)
        assert is_canonical(address.compressed) is (address.ipv4_mapped is None)
        assert not is_canonical(address.exploded) or address.exploded == address.compressed


@pytest.mark.parametrize("path", ["", "/", "/a", "?b", "#c", "/a/..b?c/../d#e"])
def test_local_references(path):
    assert is_valid(path, "local-reference", grammar="agreed")


@pytest.mark.parametrize("path", ["//a", "a", "a/:80", "/..", "/%2e%2E/a", "/a/.%2e", "/./a", "\\"])
def test_references_that_may_leave(path):
    assert not is_valid(path, "local-reference", grammar="agreed")


# What people write: all but a few of some 50,000 web addresses are of these shapes.
HOSTS = [
    "example.com",
    "www.a-b.co.uk",
    "my_site.example.com",
    "c--x.example.ru",
    "24hours.example",
]
PORTS = ["", ":81", ":8080"]
PATHS = [
    *("/", "/index.html", "/~user/", "/a_b/c-d.asp", "/wiki/Word_(thing)", "/Special:Page", "/.f"),
    *(
        "/s.nl/it.A/id.5/.f",
        "/a;jsessionid=1/b",
        "/x,1,2",
        "/a+b/c!",
        "/$store/*",
        "/a@b",
        "/a&b=c",
    ),
]
QUERIES = [
    "",
    "?id=1&x=y",
    "?a=1;b=2",
    "?/forum/",
    "?u=http://a.b/?c",
    "?q=(a+b)",
    "?me@here",
    "?~",
]
FRAGMENTS = ["", "#top", "#!/a-b_c.d", "#"]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_people_write_is_agreed_on(scheme):
    parts = itertools.product(HOSTS, PORTS, PATHS, QUERIES, FRAGMENTS)
    texts = [f"{scheme}://{''.join(part)}" for part in parts]
    assert len(texts) > 6000
    for text in texts:
        assert is_valid(text)
        assert is_request(text), text
        assert validate(text, OUTBOUND).accepted, text


@pytest.mark.parametrize(
    ("text", "code", "goes"),
    [
        ("https://www.example.com/list.php?", "request-empty-query", True),
        ("https://users.example.net/~me?", "request-empty-query", True),
        ("https://example.net./Doc/a.htm", "host-dots", False),
        ("https://", "empty-host", False),
    ],
)
def test_what_agreement_costs(text, code, goes):
    """What is refused of those few; `goes` if it is for the request alone."""
    assert is_valid(text)
    assert validate(text, OUTBOUND).accepted is goes
    found = [one.code for one in validate(text, REQUEST).findings if one.layer == "agreement"]
    assert found == [code]
