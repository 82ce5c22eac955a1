"""The signs of disagreement stand exactly where the grammar of agreement ends."""

import ipaddress
import itertools
import random
import struct
import unicodedata
from urllib.parse import quote, unquote

import idna
import pytest
from cases import each_case, tables
from hypothesis import example, given
from hypothesis import strategies as st

from uriparse import is_valid
from uriparse.validation import Policy, validate

TABLES = tables(__file__)

OUTBOUND = Policy.outbound()
REQUEST = OUTBOUND.replace(agreement="request")

PIECES = TABLES["pieces"]
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
near = st.builds("{}{}".format, st.sampled_from(["http://", "https://h.com", "http:"]), texts)
UNSEEN = "\u202e\xad"  # of what can be made of the pieces
# What people write: all but a few of some 50,000 web addresses are of these shapes.
HOSTS = [
    "example.com", "www.a-b.co.uk", "my_site.example.com", "c--x.example.ru", "24hours.example",
]  # fmt: skip
PORTS = ["", ":81", ":8080"]
QUERIES = [
    "", "?id=1&x=y", "?a=1;b=2", "?/forum/", "?u=http://a.b/?c", "?q=(a+b)", "?me@here", "?~",
]  # fmt: skip
FRAGMENTS = ["", "#top", "#!/a-b_c.d", "#"]


def is_agreed(text):
    """The law's other side, from the grammar and the checks beside it alone."""
    if not is_valid(text, "destination-URI", grammar="agreed"):
        return False
    host = text.partition("//")[2].partition("/")[0]
    if host.startswith("["):
        address = ipaddress.IPv6Address(host[1 : host.index("]")])
        plain = address.compressed == host[1 : host.index("]")]
        return plain and address.ipv4_mapped is None and text.startswith("http:")
    name = host.partition(":")[0]
    return len(name) <= 253 and all(map(is_kept, name.lower().split(".")))


def is_kept(label):
    """Whether the punycode codec and `idna` know no other way to write a label."""
    if not label.startswith("xn--"):
        return True
    try:
        name = label.encode().removeprefix(b"xn--").decode("punycode")
        mapped = idna.uts46_remap(name, std3_rules=True).encode("punycode")
    except UnicodeError:
        return False
    return f"xn--{mapped.decode()}" == label and not name.isascii() and keeps_16_bits(name)


def keeps_16_bits(name):
    """Whether what a client that cuts code points to 16 bits reads is not a name."""
    beyond = [struct.unpack("<HH", char.encode("utf-32-le"))[0] for char in name if char > "\uffff"]
    composed = [unicodedata.normalize("NFKC", chr(unit)) for unit in beyond]
    return all(
        0xE000 <= unit <= 0xF8FF or chr(unit) != other
        for unit, other in zip(beyond, composed, strict=True)
    )


def is_sent_as_it_is(text):
    sent = unquote(text.partition("#")[0], errors="surrogateescape")
    return is_valid(text, "request-URI", grammar="agreed") and not set(UNSEEN) & set(sent)


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
    agreed = is_agreed(text) and is_sent_as_it_is(text)
    assert any(found.layer == "agreement" for found in findings) is not agreed
    assert agreed or not validate(text, REQUEST).accepted


@given(st.one_of(texts, near))
def test_what_is_agreed_is_a_uri(text):
    if is_valid(text, "destination-URI", grammar="agreed"):
        assert is_valid(text, "URI")


def has_one_reading(address):
    """Whether nothing is found about agreement on an IPv6 address."""
    findings = validate(f"http://[{address}]/", OUTBOUND).findings
    return not any(found.layer == "agreement" for found in findings)


@pytest.mark.slow
def test_ipv6_has_one_spelling():
    draw = random.Random(5)
    for _ in range(2000):
        groups = [draw.choice([0, 0, 1, 0xFFFF, draw.randrange(1 << 16)]) for _ in range(8)]
        number = sum(group << 16 * place for place, group in enumerate(groups))
        address = ipaddress.IPv6Address(number)
        assert has_one_reading(address.compressed) is (address.ipv4_mapped is None)
        assert not has_one_reading(address.exploded) or address.exploded == address.compressed


@pytest.mark.parametrize("path", ["", "/", "/a", "?b", "#c", "/a/..b?c/../d#e"])
def test_local_references(path):
    assert is_valid(path, "local-reference", grammar="agreed")


@pytest.mark.parametrize("path", ["//a", "a", "a/:80", "/..", "/%2e%2E/a", "/a/.%2e", "/./a", "\\"])
def test_references_that_may_leave(path):
    assert not is_valid(path, "local-reference", grammar="agreed")


PATHS = TABLES["paths"]


@each_case("label", TABLES["labels_that_some_client_would_rewrite"])
@each_case("name", ["{}", "{}.com", "www.{}.com", "169.254.{}"])
def test_labels_that_some_client_would_rewrite(name, label):
    text = f"http://{name.format(label)}/"
    assert is_valid(text)
    assert not validate(text, OUTBOUND).accepted


@each_case("name", TABLES["labels_that_all_clients_keep"])
def test_labels_that_all_clients_keep(name):
    assert validate(f"http://{name}/", OUTBOUND).accepted


def test_names_of_labels_take_little_time():
    """A label is decoded where it may be one of the DNS, and nowhere else."""
    for name in ("xn--tda." * 100_000 + "com", "xn--" + "9" * 1_000_000, "xn--a-" * 200_000 + "a"):
        assert not validate(f"http://{name}/", OUTBOUND).accepted


UNSEEN_CHARACTERS = TABLES["unseen_characters"]


@each_case("char", UNSEEN_CHARACTERS)
@each_case("shape", ["http://h.com/{}", "http://h.com/a?b=c{}d"])
def test_requests_without_what_nobody_sees(shape, char):
    text = shape.format(quote(char))
    assert {one.code for one in validate(text, REQUEST).reasons} == {"request-invisible"}
    assert validate(text, OUTBOUND).accepted
    assert validate(f"http://h.com/#{quote(char)}", REQUEST).accepted


def test_requests_of_the_characters_that_are_seen():
    seen = "\xa0\xe9\u0301\u05d0\u20ac\u3042\uac00\U0001f600\U00020bb7"
    assert validate(f"http://h.com/{quote(seen)}?{quote(seen)}", REQUEST).accepted


@each_case(
    "octets",
    ["%80", "%C3", "%C0%AF", "%E2%82", "%ED%A0%80", "%F4%90%80%80", "%FF", "%C3%A9%A9", "%C3a%A9"],
)
@each_case("shape", ["http://h.com/a{}", "http://h.com/?{}%26"])
def test_requests_of_utf8_alone(shape, octets):
    found = validate(shape.format(octets), REQUEST).reasons
    assert {one.code for one in found} == {"request-not-utf8"}


@pytest.mark.parametrize("query", ["&", "a&", "&a", "a&&b", "=", "=a", "a&=&b", "a=&"])
def test_requests_of_parameters_with_names(query):
    found = validate(f"http://h.com/?{query}", REQUEST).reasons
    assert {one.code for one in found} == {"request-empty-parameter"}
    assert validate(f"http://h.com/?{query}", OUTBOUND).accepted


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_people_write_is_agreed_on(scheme):
    parts = itertools.product(HOSTS, PORTS, PATHS, QUERIES, FRAGMENTS)
    texts = [f"{scheme}://{''.join(part)}" for part in parts]
    assert len(texts) > 6000
    for text in texts:
        assert is_valid(text)
        assert validate(text, REQUEST).accepted, text
        assert validate(text, OUTBOUND).accepted, text


@pytest.mark.parametrize(("text", "code", "goes"), TABLES["what_agreement_costs"])
def test_what_agreement_costs(text, code, goes):
    """What is refused of those few; `goes` if it is for the request alone."""
    assert is_valid(text)
    assert validate(text, OUTBOUND).accepted is goes
    found = [one.code for one in validate(text, REQUEST).findings if one.layer == "agreement"]
    assert found == [code]
