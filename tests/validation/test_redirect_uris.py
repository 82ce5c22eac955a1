"""Redirect URIs of OAuth clients: those that were registered, letter by letter."""

import pytest
from cases import each_case, tables

from uriparse.validation import Policy, PolicyDefinitionError, validate

TABLES = tables(__file__)

REGISTERED = [
    "https://app.example.com/cb", "https://app.example.com/cb?tenant=1", "http://127.0.0.1/native",
    "http://[::1]:8080/native", "com.example.app:/oauth",
]  # fmt: skip
ACCEPTED = [
    *REGISTERED, "http://127.0.0.1:50123/native", "http://127.0.0.1:6000/native",
    "http://[::1]/native", "http://[::1]:49152/native",
]  # fmt: skip
REFUSED = TABLES["REFUSED"]
POLICY = Policy.redirect_uris(REGISTERED)


@each_case("text", ACCEPTED)
def test_what_is_registered_is_accepted(text):
    assert validate(text, POLICY).accepted


@each_case("text", REFUSED)
def test_nothing_else_is(text):
    assert not validate(text, POLICY).accepted


def test_the_reason_is_told():
    (found,) = validate("https://app.example.com/cb/", POLICY).reasons
    assert (found.code, found.span) == ("uri-refused", (0, 27))


def test_a_policy_file_can_list_them():
    policy = Policy.from_toml('preset = "outbound"\nuris = ["https://a.com/cb"]\n')
    assert validate("https://a.com/cb", policy).accepted
    assert not validate("https://a.com/cb2", policy).accepted


@each_case(("uris", "told"), TABLES["what_cannot_be_registered"])
def test_what_cannot_be_registered(uris, told):
    with pytest.raises((TypeError, PolicyDefinitionError), match=told.partition(" must be")[0]):
        Policy.redirect_uris(uris)


def test_no_registered_uri_means_none_is_accepted():
    assert not validate("https://a.com/", Policy.redirect_uris([])).accepted


@each_case(("registered", "text", "accepted"), TABLES["ports_of_localhost_are_free_on_request"])
def test_ports_of_localhost_are_free_on_request(registered, text, accepted):
    """RFC 9700 section 2.1; the table has nothing that is accepted without the request."""
    asked = Policy.redirect_uris([registered], localhost_ports=True)
    assert validate(text, asked).accepted is accepted
    assert not validate(text, Policy.redirect_uris([registered])).accepted
    listed = f'preset = "outbound"\nuris = ["{registered}"]\nlocalhost_ports = true\n'
    listed += "allowed_names = '*'\nallowed_addresses = '*'"
    assert validate(text, Policy.from_toml(listed)).accepted is accepted
