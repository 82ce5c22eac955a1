"""Records, texts and marks as types of pydantic, from version 2.4 on."""

import pickle
from copy import deepcopy
from typing import Annotated

import pytest
from cases import each_case

from uriparse import URI, Policy, RelativeRef, URIReference, check
from uriparse.schemes import URL, HttpURL, scheme_from_abnf
from uriparse.schemes.current import FtpURI, HttpURI, MailtoURI, WebURI
from uriparse.validation import Target

pytest.importorskip("pydantic")

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from uriparse import parse_url
from uriparse.extra.pydantic import (
    IRI,
    IRIReference,
    IRIReferenceStr,
    IRIStr,
    Schemes,
    URIReferenceStr,
    URIStr,
)
from uriparse.schemes import RFC1738

SECRET = "pa55word"
LIMITS = {"max_length": 20, "min_length": 9, "pattern": "^http:"}


class Link(BaseModel):
    """A model of all types."""

    uri: URI
    ref: URIReference = URIReference("")
    rel: RelativeRef | None = None
    text: URIStr | None = None
    iri: IRIStr | None = None
    to: Annotated[URI, Policy.outbound()] | None = None
    secure: Annotated[URIStr, Schemes("https")] | None = None


def refusal(kind, value):
    """The only error for a value."""
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value)
    assert SECRET not in str(caught.value)
    (error,) = caught.value.errors()
    assert SECRET not in repr(error)
    return error


def test_values_are_read_and_written():
    texts = {
        "uri": "http://h/%7Ea?b", "ref": "?", "rel": "../a", "text": "a:", "iri": "a:é",
        "to": "https://example.com/", "secure": "HTTPS://h/",
    }  # fmt: skip
    link = Link(**texts)
    kinds = [URI, RelativeRef, RelativeRef, str, str, URI, str]
    assert [type(getattr(link, name)) for name in texts] == kinds
    assert link.model_dump(mode="json") == texts
    assert link.model_dump()["uri"] is link.uri
    again = Link.model_validate_json(link.model_dump_json())
    assert again == link == deepcopy(link) == pickle.loads(pickle.dumps(link))
    assert Link(uri=link.uri).uri is link.uri
    assert Link(uri=b"a:").uri == "a:"


@each_case(("kind", "name"), [
    (URI, "uri"), (URIReference, "uri-reference"), (RelativeRef, "uri-reference"), (URIStr, "uri"),
    (URIReferenceStr, "uri-reference"), (IRIStr, "iri"), (IRIReferenceStr, "iri-reference"),
    *((kind, "uri") for kind in (URL, HttpURL, HttpURI, WebURI, MailtoURI, Target)), (IRI, "iri"),
    (IRIReference, "iri-reference"), (Annotated[URI, Policy.web()], "uri"),
    (Annotated[IRIStr, Schemes("a")], "iri"),
])  # fmt: skip
@each_case("mode", ["validation", "serialization"])
def test_json_schema_names_the_format(kind, name, mode):
    schema = TypeAdapter(kind).json_schema(mode=mode)
    assert schema == {"type": "string", "format": name}


@each_case("kind", [URI, URIReference, URIStr, IRIStr, URIReferenceStr])
@each_case("encode", [str, str.encode])
def test_the_place_of_a_fault_is_told_and_no_password(kind, encode):
    error = refusal(kind, encode(f"http://u:{SECRET}@h:8x/"))
    assert error["type"] == "uri_syntax"
    assert error["msg"].startswith('port: "8x" ')
    assert error["ctx"] == {
        "offset": 21, "component": "port", "rule": "port", "cause": "bad-port",
        "message": error["msg"],
    }  # fmt: skip
    assert error["input"] == "http://u:***@h:8x/"


def test_what_stands_in_a_text_takes_no_place_in_a_message():
    assert '"{offset}"' in refusal(URI, "http://h:{offset}/")["msg"]


@each_case(("value", "shown"), [(5, "int"), (None, "NoneType"), ([f"u:{SECRET}@h"], "list")])
@each_case("kind", [URI, URIStr])
def test_no_text_is_told_by_its_type(kind, value, shown):
    error = refusal(kind, value)
    assert error["type"] == "uri_type"
    assert error["msg"] == f"text must be a str, ASCII bytes or a URI record, not {shown}"
    assert error["input"] == shown


def test_a_record_is_held_to_the_type():
    assert refusal(URI, URIReference("a"))["ctx"]["cause"] == "no-scheme"
    assert refusal(RelativeRef, URI("a:"))["type"] == "uri_syntax"
    assert refusal(URI, URI("a:é", grammar="rfc3987"))["ctx"]["offset"] == 2


@each_case("kind", [URI, URIStr, str])
def test_a_policy_is_a_mark(kind):
    marked = Annotated[kind, Policy.web()]
    assert TypeAdapter(marked).validate_python("http://h/") == "http://h/"
    error = refusal(marked, f"http://u:{SECRET}@h/")
    assert error["type"] == "uri_policy"
    assert error["msg"].startswith("userinfo-refused: ")
    assert (error["ctx"]["code"], error["ctx"]["component"]) == ("userinfo-refused", "userinfo")
    assert error["ctx"]["offset"] == 7
    assert error["input"] == "http://u:***@h/"


@each_case("kind", [URI, URIStr, IRIStr, URIReference, URIReferenceStr])
def test_schemes_are_a_mark(kind):
    adapter = TypeAdapter(Annotated[kind, Schemes("HTTPS", "wss")])
    for text in ["https://h/", "WSS://h/"]:
        assert adapter.validate_python(text) == text
    error = refusal(Annotated[kind, Schemes("HTTPS", "wss")], f"Http://u:{SECRET}@h/")
    assert error["type"] == "uri_scheme"
    assert error["msg"] == 'scheme: the scheme "Http" is not allowed; allowed: https, wss'
    assert error["ctx"]["offset"] == 0


def test_what_has_no_scheme_has_none_of_those_allowed():
    error = refusal(Annotated[URIReference, Schemes("https")], "//h/")
    assert error["msg"] == "scheme: no scheme is not allowed; allowed: https"
    assert refusal(Annotated[URI, Schemes()], "a:")["msg"].endswith("allowed: none")


def test_schemes_are_schemes():
    with pytest.raises(ValueError, match=r'"https:"'):
        Schemes("https:")
    with pytest.raises(TypeError, match=r"^scheme must be a str, not int$"):
        Schemes(5)
    assert Schemes("A") == Schemes("a") != Schemes("b")
    assert len({Schemes("A"), Schemes("a")}) == 1


@each_case("kind", [
    *(URI, URIReference, URIStr, IRIStr, IRI, IRIReference, URL, WebURI),
    Annotated[URI, Policy.web()],
    Annotated[URIStr, Schemes("http", "https")],
])  # fmt: skip
@each_case("limits", [[Field(**LIMITS)], [Field(**{name: LIMITS[name]}) for name in LIMITS]])
def test_constraints_hold_for_the_text(kind, limits):
    limited = Annotated[(kind, *limits)]
    adapter = TypeAdapter(limited)
    for value in ["http://h/%7E", b"http://h/%7E", URI("http://h/%7E")]:
        read = adapter.validate_python(value)
        assert read == "http://h/%7E"
        assert type(read) is type(TypeAdapter(kind).validate_python(value))
    assert adapter.dump_json(read) == b'"http://h/%7E"'
    assert adapter.validate_python("http://h/" + 11 * "a")
    for text, name in [
        (f"http://u:{SECRET}@h/a", "string_too_long"),
        ("http://h", "string_too_short"),
        ("https://h/", "string_pattern_mismatch"),
    ]:
        for value in (text, URI(text)):
            assert refusal(limited, value)["type"] == name
    assert refusal(limited, f"http://u:{SECRET}@h/a")["input"] == "http://u:***@h/a"
    assert refusal(limited, "http://h/a b")["type"] == "uri_syntax"
    assert refusal(limited, 5)["type"] == "uri_type"
    for mode in ("validation", "serialization"):
        schema = adapter.json_schema(mode=mode)
        assert schema.pop("format") == TypeAdapter(kind).json_schema()["format"]
        expected = {"type": "string", "maxLength": 20, "minLength": 9, "pattern": "^http:"}
        assert schema == expected
    assert TypeAdapter(kind).validate_python("https://example.com/beyond-20")  # as it was


@each_case("mark", [Policy.web(), Schemes("http")])
def test_constraints_may_be_before_a_mark(mark):
    limited = Annotated[URI, Field(max_length=10), mark]
    assert refusal(limited, "http://h/ab")["type"] == "string_too_long"
    assert refusal(limited, "ftp://h/")["type"] in {"uri_policy", "uri_scheme"}
    assert TypeAdapter(limited).json_schema()["maxLength"] == 10


def test_constraints_in_models_optional_and_in_lists():
    class Limited(BaseModel):
        model_config = ConfigDict(str_to_lower=True)
        one: URI | None = Field(None, max_length=9)
        all: list[Annotated[URIStr, Field(max_length=9)]] = []
        bare: Annotated[URI, StringConstraints(strip_whitespace=True)] = URI("a:")

    limited = Limited(one="http://H/", all=["a:B"], bare=" a:C ")
    assert (limited.one, limited.all, limited.bare) == ("http://H/", ["a:B"], "a:C")
    assert deepcopy(limited) == Limited.model_validate_json(limited.model_dump_json())
    with pytest.raises(ValidationError) as caught:
        Limited(one="http://host/", all=["a:b", "http://host/"])
    places = [(error["loc"], error["type"]) for error in caught.value.errors()]
    assert places == [(("one",), "string_too_long"), (("all", 1), "string_too_long")]


class Typed(BaseModel):
    """A model of the records of schemes, of IRIs and of destinations."""

    web: WebURI
    mail: MailtoURI | None = None
    old: HttpURL | None = None
    to: Target | None = None
    iri: IRI | None = None
    near: IRIReference | None = None


def test_records_of_schemes_targets_and_iris_are_read_and_written():
    texts = {
        "web": "HTTPS://h/%7Ea?b#c", "mail": "mailto:joe@h.example?subject=hi", "old": "http://h/a",
        "to": "https://example.com/a?b", "iri": "http://é.example/é", "near": "é",
    }  # fmt: skip
    typed = Typed(**texts)
    assert typed.mail.addresses == ("joe@h.example",)
    assert type(typed.old) is HttpURL
    assert typed.to == check(texts["to"])
    assert (type(typed.iri), typed.iri.grammar, type(typed.near)) == (URI, "rfc3987", RelativeRef)
    assert typed.model_dump(mode="json") == texts
    assert typed.model_dump() == {name: getattr(typed, name) for name in texts}
    assert Typed.model_validate_json(typed.model_dump_json()) == typed == deepcopy(typed)
    assert pickle.loads(pickle.dumps(typed)) == typed


def test_a_record_of_the_class_is_taken_and_another_is_read_by_its_text():
    record = parse_url("http://h/")
    for kind in (URL, WebURI, HttpURI):
        assert TypeAdapter(kind).validate_python(record) is record
    old = TypeAdapter(HttpURL).validate_python(record)
    assert (type(old), old) == (HttpURL, parse_url("http://h/", registry=RFC1738))
    assert type(TypeAdapter(HttpURI).validate_python(URI("http://h/"))) is HttpURI


@each_case(("kind", "text", "allowed"), [
    (HttpURI, f"https://u:{SECRET}@h/", "http"), (HttpURL, f"https://u:{SECRET}@h/", "http"),
    (MailtoURI, "http://[::1]/", "mailto"), (WebURI, f"ftp://u:{SECRET}@h/", "http, https"),
    (FtpURI, "unknown:a", "ftp"),
])  # fmt: skip
def test_a_class_of_records_refuses_other_schemes(kind, text, allowed):
    for value in (text, URI(text)):
        error = refusal(kind, value)
        found = text.partition(":")[0]
        assert error["type"] == "uri_scheme"
        assert error["msg"] == f'scheme: the scheme "{found}" is not allowed; allowed: {allowed}'
        assert error["ctx"]["offset"] == 0


def test_a_class_of_records_reads_by_the_rule_of_its_scheme():
    error = refusal(FtpURI, f"ftp://u:{SECRET}@h/a;type=z")
    assert (error["type"], error["ctx"]["rule"]) == ("uri_syntax", "ftptype")
    assert refusal(HttpURL, "http://a_b/")["type"] == "uri_syntax"  # as RFC 1738 has it
    assert TypeAdapter(HttpURI).validate_python("http://a_b/").host == "a_b"
    assert refusal(URL, "a")["type"] == "uri_syntax"
    assert refusal(HttpURI, 5)["type"] == "uri_type"


def test_a_scheme_of_ones_own_is_a_type():
    own = scheme_from_abnf(
        "shop", 'shop = "shop:" shelf\nshelf = 1*DIGIT', rule="shop", fields={"shelf": "shelf"}
    )
    adapter = TypeAdapter(own.record)
    assert adapter.validate_python("shop:12").shelf == "12"
    assert refusal(own.record, "shop:x")["type"] == "uri_syntax"
    assert refusal(own.record, "http://h/")["type"] == "uri_scheme"


def test_a_target_is_read_by_the_outbound_policy():
    for value in (f"http://u:{SECRET}@127.0.0.1/", URI("http://127.0.0.1/"), b"http://127.0.0.1/"):
        error = refusal(Target, value)
        assert error["type"] == "uri_policy"
    assert error["ctx"]["code"] == "address-refused"
    forged = Target("http", "h.example", 80, None, "http://127.0.0.1/")
    assert refusal(Target, forged)["ctx"]["code"] == "address-refused"
    assert TypeAdapter(Target).validate_python(check("https://example.com")).port == 443
    narrow = Annotated[Target, Policy(hosts=["example.com"])]
    assert TypeAdapter(narrow).validate_python("https://example.com/").host == "example.com"
    assert refusal(narrow, "https://example.org/")["type"] == "uri_policy"


@each_case(("kind", "fits"), [
    (Target, "https://example.com/"), (MailtoURI, "mailto:abcdefgh@host"),
    (HttpURL, "http://host.example/"), (IRI, "http://h/" + 11 * "é"),
])  # fmt: skip
def test_length_is_that_of_the_text(kind, fits):
    limited = Annotated[kind, Field(max_length=20)]
    assert len(fits) == 20
    read = TypeAdapter(limited).validate_python(fits)
    assert str(read) == fits
    assert TypeAdapter(limited).validate_python(read) == read
    assert TypeAdapter(limited).json_schema()["maxLength"] == 20
    longer = TypeAdapter(kind).validate_python(fits + "a")
    for value in (fits + "a", longer):
        assert refusal(limited, value)["type"] == "string_too_long"
