"""IRIs to URIs and back: RFC 3987's own examples, and host names."""

from __future__ import annotations

import sys

import pytest
from cases import each_case, tables

from uriparse.errors import EncodingError, URISyntaxError
from uriparse.iri import iri_to_uri, uri_to_iri
from uriparse.parsing import parse
from uriparse.records import IPv4
from uriparse.validation import validate

TABLES = tables(__file__)


@each_case(("iri", "uri"), TABLES["iri_to_uri"])
def test_iri_to_uri(iri, uri):
    mapped = iri_to_uri(iri)
    assert mapped == parse(uri)
    assert mapped.grammar == "rfc3986"
    assert iri_to_uri(mapped) == mapped


@each_case(("uri", "iri"), TABLES["uri_to_iri"])
def test_uri_to_iri(uri, iri):
    if iri is None:
        with pytest.raises(URISyntaxError):
            uri_to_iri(uri)
        return
    mapped = uri_to_iri(uri)
    assert str(mapped) == iri
    assert mapped == parse(iri, "IRI-reference", grammar="rfc3987")
    assert mapped.grammar == "rfc3987"


def test_the_host_may_turn_out_to_be_an_address():
    assert uri_to_iri("http://%31.2.3.4/").host == IPv4("1.2.3.4")


def test_what_is_no_iri():
    with pytest.raises(URISyntaxError):
        iri_to_uri("http://h/é é")
    with pytest.raises(URISyntaxError):
        uri_to_iri("http://h/é")


# --- Host names of the DNS.


@each_case(("iri", "uri"), TABLES["host_to_ascii"])
def test_host_to_ascii(iri, uri):
    assert iri_to_uri(iri, idna=True) == parse(uri)


@each_case(("iri", "message"), TABLES["hosts_that_are_no_dns_names"])
def test_hosts_that_are_no_dns_names(iri, message):
    with pytest.raises(EncodingError, match=message):
        iri_to_uri(iri, idna=True)


def test_a_decoded_delimiter_is_refused_whatever_the_mapping_lets_through(monkeypatch):
    monkeypatch.setattr("idna.uts46_remap", lambda name, **_: name)
    with pytest.raises(EncodingError, match=r"^the host is not a valid DNS name: "):
        iri_to_uri("http://a%2Fb.é/", idna=True)
    assert str(iri_to_uri("http://a!b.é/", idna=True)) == "http://a!b.xn--9ca/"


@pytest.mark.parametrize(("uri", "iri"), TABLES["host_to_unicode"])
def test_host_to_unicode(uri, iri):
    assert str(uri_to_iri(uri, idna=True)) == iri


@pytest.mark.parametrize("call", [iri_to_uri, uri_to_iri])
def test_only_hosts_that_need_it_load_the_package(monkeypatch, call):
    monkeypatch.setitem(sys.modules, "idna", None)
    host = "é" if call is iri_to_uri else "xn--9ca"
    with pytest.raises(ImportError, match="idna"):
        call(f"http://{host}/", idna=True)
    assert str(call("http://h/", idna=True)) == "http://h/"
    assert validate("https://c--x.example.ru/").accepted


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["%C3%A9", "%FF", "%c3", "%41", "a", "%e2%80%ae", "%F0%90"])
def test_a_megabyte_is_no_trouble(unit):
    text = "http://h/" + unit * (1_000_000 // len(unit))
    assert iri_to_uri(uri_to_iri(text)).path.startswith("/")


@pytest.mark.parametrize("unit", ["é.", "%C3%A9.", "\u0301", "a\u0301\u0316.", "xn--9ca."])
def test_a_megabyte_of_host_is_no_trouble(unit):
    text = "http://" + unit * (1_000_000 // len(unit))
    if "xn" in unit:
        assert str(uri_to_iri(text, idna=True)) == text
    else:
        with pytest.raises(
            EncodingError, match=r"^the host has \d+ characters, more than a DNS name allows$"
        ):
            iri_to_uri(text, idna=True)
