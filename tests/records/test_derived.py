"""What a record tells beyond its components: user, ports, origin, and its methods."""

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse.normalization import SCHEME_DEFAULTS

TABLES = tables(__file__)


@pytest.mark.parametrize(
    ("text", "user", "password"),
    TABLES["user_and_password_are_the_userinfo_around_its_first_colon"],
)
def test_user_and_password_are_the_userinfo_around_its_first_colon(text, user, password):
    record = uriparse.parse(text)
    assert (record.user, record.password) == (user, password)
    if record.authority is not None:
        assert (record.authority.user, record.authority.password) == (user, password)


@each_case(("text", "number", "effective"), TABLES["ports"])
def test_ports(text, number, effective):
    assert (uriparse.parse(text).port_number, uriparse.parse(text).effective_port) == (
        number,
        effective,
    )


def test_a_port_too_long_to_be_a_number():
    record = uriparse.parse("http://h:" + "9" * 10_000)
    for name in ("port_number", "effective_port"):
        with pytest.raises(uriparse.ComponentError, match="10000 digits"):
            getattr(record, name)
    assert record.origin == "http://h:" + "9" * 10_000


@each_case(("text", "origin"), TABLES["origin"])
def test_origin(text, origin):
    assert uriparse.parse(text).origin == origin


def test_the_origin_of_an_iri_keeps_its_name():
    iri = uriparse.parse("http://BÜCHER.Example/é", "IRI", grammar="rfc3987")
    assert iri.origin == "http://bÜcher.example"


@given(
    st.sampled_from([*SCHEME_DEFAULTS, "x", "HTTP"]),
    st.sampled_from(["h", "H", "", "[::A]", "%C3%a9"]),
    st.sampled_from([None, "", "80", "080", "443", "7"]),
)
def test_what_is_equivalent_has_one_origin(scheme, host, port):
    uri = uriparse.URI(scheme=scheme, host=host, port=port, path="/a")
    normal = uriparse.normalize(uri, "scheme")
    assert normal.origin == uri.origin
    if uri.origin is not None:
        assert uri.origin == uriparse.URI(uri.origin).origin
        assert uriparse.URI(uri.origin).effective_port == uri.effective_port


def test_methods_are_the_functions():
    base = uriparse.parse("HTTP://a:80/b/c")
    for reference in ("../g", uriparse.RelativeRef("?q"), b"#f", "http:g"):
        for strict in (True, False):
            found = base.resolve(reference, strict=strict)
            assert found == uriparse.resolve(base, reference, strict=strict)
    assert base.normalize() == uriparse.normalize(base)
    assert base.normalize("scheme") == uriparse.normalize(base, "scheme") == "http://a/b/c"
    with pytest.raises(uriparse.ResolutionError, match="is a relative reference"):
        uriparse.parse("a").resolve("b")
    with pytest.raises(uriparse.URISyntaxError):
        base.resolve("a b")
    with pytest.raises(ValueError, match='level must be "syntax" or "scheme", not "simple"'):
        base.normalize("simple")
