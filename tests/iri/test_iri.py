"""IRIs to URIs and back: RFC 3987's own examples, and host names."""

from __future__ import annotations

import sys

import pytest
from cases import each_case

from uriparse.errors import EncodingError, URISyntaxError
from uriparse.iri import iri_to_uri, uri_to_iri
from uriparse.parsing import parse
from uriparse.records import URI, IPv4, RelativeRef
from uriparse.validation import validate


@each_case(("iri", "uri"), [
    ("http://résumé.example.org", "http://r%C3%A9sum%C3%A9.example.org"),
    ("http://www.example.org/red%09rosé#red", "http://www.example.org/red%09ros%C3%A9#red"),
    ("http://example.com/\U00010300\U00010301\U00010302",
     "http://example.com/%F0%90%8C%80%F0%90%8C%81%F0%90%8C%82"),
    ("http://bücher.example", "http://b%C3%BCcher.example"), ("x:?\ue000#ß", "x:?%EE%80%80#%C3%9F"),
    ("é@", "%C3%A9@"), ("//ü@h:1/ä", "//%C3%BC@h:1/%C3%A4"),
    ("HTTP://[::1]/%c3%A9?%41", "HTTP://[::1]/%c3%A9?%41"), ("", ""),
])  # fmt: skip
def test_iri_to_uri(iri, uri):
    mapped = iri_to_uri(iri)
    assert mapped == parse(uri)
    assert mapped.grammar == "rfc3986"
    assert iri_to_uri(mapped) == mapped


@each_case(("uri", "iri"), [
    ("http://www.example.org/D%C3%BCrst", "http://www.example.org/Dürst"),
    ("http://www.example.org/D%FCrst", "http://www.example.org/D%FCrst"),
    ("http://xn--99zt52a.example.org/%e2%80%ae", "http://xn--99zt52a.example.org/%E2%80%AE"),
    ("http://www.example.org/r%E9sum%E9.html", "http://www.example.org/r%E9sum%E9.html"),
    ("x:%7E%41%2d", "x:~A-"),
    # Reserved, "%", and ASCII that URIs do not allow.
    ("x:%2f%3A%25%20%3c%00", "x:%2f%3A%25%20%3c%00"),
    # Octets that are no UTF-8: stray, overlong, surrogate, unfinished, out of range.
    ("x:%80%c3%A9", "x:%80é"), ("x:%C0%AF", "x:%C0%AF"), ("x:%ed%a0%80", "x:%ED%A0%80"),
    ("x:%e2%82", "x:%E2%82"), ("x:%e2%82a", "x:%E2%82a"), ("x:%f4%90%80%80", "x:%F4%90%80%80"),
    ("x:%c3%41%a9", "x:%C3A%A9"),
    # No-break space, line separator, joiner, soft hyphen, noncharacter.
    ("x:%C2%A0%E2%80%A8%E2%80%8D%C2%AD%EF%BF%BE", "x:%C2%A0%E2%80%A8%E2%80%8D%C2%AD%EF%BF%BE"),
    # Private use is for queries alone.
    ("x:%EE%80%80?%EE%80%80#%EE%80%80", "x:%EE%80%80?\ue000#%EE%80%80"),
    ("//%C3%BC:%C3%9F@%C3%A9:1", "//ü:ß@é:1"), ("%C3%A9:", None), ("./%C3%A9:", "./é:"),
    # Decoded, they would be dot segments, and the reference would lead elsewhere.
    ("a/%2e./../%2e/%C3%A9.%2e", "a/%2E./../%2E/é.."), ("//h/.%2e", "//h/%2E."),
    ("s:a/%2e./%C3%A9", "s:a/../é"),
    ("http://[::1]:80/%C3%A9?%C3%A9#%C3%A9", "http://[::1]:80/é?é#é"),
])  # fmt: skip
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


def test_kinds_are_kept():
    assert isinstance(iri_to_uri("é"), RelativeRef)
    assert isinstance(uri_to_iri("x:%C3%A9"), URI)


def test_records_and_bytes_are_taken():
    assert iri_to_uri(parse("é", "IRI-reference", grammar="rfc3987")) == parse("%C3%A9")
    assert str(uri_to_iri(b"%C3%A9")) == "é"


def test_what_is_no_iri():
    with pytest.raises(URISyntaxError):
        iri_to_uri("http://h/é é")
    with pytest.raises(URISyntaxError):
        uri_to_iri("http://h/é")


# --- Host names of the DNS.


@each_case(("iri", "uri"), [
    ("http://résumé.example.org", "http://xn--rsum-bpad.example.org"),
    ("http://bücher.example/é", "http://xn--bcher-kva.example/%C3%A9"),
    ("http://BÜCHER.Example", "http://xn--bcher-kva.example"),
    ("http://b%C3%BCcher.example", "http://xn--bcher-kva.example"),
    ("http://é。b./", "http://xn--9ca.b./"), ("http://u@é:80/", "http://u@xn--9ca:80/"),
    ("http://Example.COM/", "http://Example.COM/"), ("http://%41.example/", "http://%41.example/"),
    ("http://1.2.3.4/é", "http://1.2.3.4/%C3%A9"), ("http://[::1]/é", "http://[::1]/%C3%A9"),
    ("mailto:é", "mailto:%C3%A9"), ("//faß.de", "//xn--fa-hia.de"),
])  # fmt: skip
def test_host_to_ascii(iri, uri):
    assert iri_to_uri(iri, idna=True) == parse(uri)


@each_case(("iri", "message"), [
    ("http://evil.com\uff0fa.é/", "^the host is not a valid DNS name: "),
    ("http://a%2Fb.é/", "^the host is not a valid DNS name: "),
    ("http://a%40b.é/", "^the host is not a valid DNS name: "),
    ("http://\uff0541é/", "^the host is not a valid DNS name: "),
    ("http://_x.é/", "^the host is not a valid DNS name: "),
    ("http://xn--é/", "^the host is not a valid DNS name: "),
    ("http://\u0301/", "^the host is not a valid DNS name: "),
    ("http://%FFé/", "is not valid utf-8$"),
    ("http://" + "é" * 64 + "/", "^the host is not a valid DNS name: "),
    ("http://" + "é" * 63 + "/", "^the host is not a valid DNS name: "),
])  # fmt: skip
def test_hosts_that_are_no_dns_names(iri, message):
    with pytest.raises(EncodingError, match=message):
        iri_to_uri(iri, idna=True)


def test_a_decoded_delimiter_is_refused_whatever_the_mapping_lets_through(monkeypatch):
    monkeypatch.setattr("idna.uts46_remap", lambda name, **_: name)
    with pytest.raises(EncodingError, match=r"^the host is not a valid DNS name: "):
        iri_to_uri("http://a%2Fb.é/", idna=True)
    assert str(iri_to_uri("http://a!b.é/", idna=True)) == "http://a!b.xn--9ca/"


@pytest.mark.parametrize(("uri", "iri"), [
    ("http://xn--99zt52a.example.org/%e2%80%ae", "http://納豆.example.org/%E2%80%AE"),
    ("http://XN--bcher-kva.example./", "http://bücher.example./"), ("http://xn--/", "http://xn--/"),
    ("http://xn--a-ecp.ru/", "http://xn--a-ecp.ru/"),
    ("http://xn--" + "a" * 80 + "/", "http://xn--" + "a" * 80 + "/"),
    ("http://h/xn--bcher-kva", "http://h/xn--bcher-kva"),
])  # fmt: skip
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
