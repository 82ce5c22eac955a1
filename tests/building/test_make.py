"""References made of data: every piece comes back, whatever it holds."""

from ipaddress import ip_address

import pytest
from building_data import NAMES, PAIRS, TEXTS, same
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import (
    URI,
    ComponentError,
    IPv6,
    RegName,
    RelativeRef,
    URIError,
    make,
    query_pairs,
    unquote,
)

TABLES = tables(__file__)

SCHEMES = st.none() | st.sampled_from(["http", "x+y", "URN"])
HOSTS = st.none() | st.sampled_from(["", "h.example", "1.2.3.4", "::1", "[v1.a]", "exämple"])
MAYBE = st.none() | TEXTS


def data(text):
    return None if text is None else unquote(text)


@given(
    SCHEMES,
    HOSTS,
    st.lists(NAMES, max_size=4),
    st.booleans(),
    PAIRS,
    MAYBE,
    st.sampled_from(["rfc3986", "rfc3987"]),
)
def test_the_data_come_back(scheme, host, segments, rooted, query, fragment, grammar):
    if host is None and scheme == "http":
        scheme = "x"
    made = same(
        make(
            scheme=scheme,
            host=host,
            segments=segments,
            rooted=rooted,
            query=query,
            fragment=fragment,
            grammar=grammar,
        )
    )
    assert type(made) is (RelativeRef if scheme is None else URI)
    assert made.scheme == scheme
    assert [unquote(segment) for segment in made.segments] in (segments, [".", *segments])
    assert query_pairs(made) == tuple(query)
    assert data(made.fragment) == fragment
    assert (made.host is None) == (host is None)
    if segments and (rooted or host is not None):
        assert made.path.startswith("/")


@pytest.mark.parametrize("scheme", ["http", "HTTPS", "ftp", "ws"])
def test_what_has_a_server_is_given_one(scheme):
    """Without "//" browsers read the path of http:a as its host."""
    with pytest.raises(ComponentError, match=f"^host: a URI of {scheme} has one: give host$"):
        make(scheme=scheme, segments=["a"])
    assert str(make(scheme=scheme, host="h", segments=["a"])) == f"{scheme}://h/a"


@given(TEXTS, MAYBE)
def test_user_and_password_come_back(user, password):
    made = same(make(scheme="x", user=user, password=password, host="h"))
    assert (data(made.user), data(made.password)) == (user, password)
    assert (":***@h" in repr(made)) == (password is not None)


@pytest.mark.parametrize(("host", "grammar", "made"), [
    ("::1", "rfc3986", IPv6("[::1]")), ("[::1]", "rfc3986", IPv6("[::1]")),
    (ip_address("::1"), "rfc3986", IPv6("[::1]")), (RegName("a%41"), "rfc3986", RegName("a%41")),
    ("ü", "rfc3986", RegName("%C3%BC")), ("ü", "rfc3987", RegName("ü", "rfc3987")),
])  # fmt: skip
def test_hosts(host, grammar, made):
    found = make(host=host, grammar=grammar).host
    assert (found, type(found)) == (made, type(made))


@pytest.mark.parametrize("host", ["fe80::1%eth0", "[fe80::1%25eth0]", "::%", "fe80::1%é"])
def test_no_host_has_a_zone(host):
    with pytest.raises(ComponentError, match="no zone identifier follows an IPv6 ad") as caught:
        make(host=host)
    assert caught.value.offset == host.index("%")


@pytest.mark.parametrize(
    ("host", "offset"),
    [("h:80", 1), ("a/b", 1), ("u@h", 1), ("a%41", 1), ("éa b", 2), ("[::g]", 0)],
)
def test_what_is_no_name_is_no_host(host, offset):
    for grammar in ("rfc3986", "rfc3987"):
        with pytest.raises(ComponentError, match="is not part of a name") as caught:
            make(scheme="x", host=host, grammar=grammar)
        assert (caught.value.component, caught.value.offset) == ("host", offset)


@each_case(("parts", "error", "words"), TABLES["no_references"])
def test_no_references(parts, error, words):
    with pytest.raises((URIError, TypeError), match=words) as caught:
        make(**parts)
    assert type(caught.value).__name__ == error
    assert "secret" not in str(caught.value)
