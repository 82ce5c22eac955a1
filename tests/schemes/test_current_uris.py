"""URIs by the RFCs in force: what records hold, what is refused, what means the same."""

from decimal import Decimal

import pytest
from cases import each_case, vectors

import uriparse
from uriparse.errors import EncodingError, SchemeError
from uriparse.schemes import CURRENT, RFC1738, current, equivalent, parse_url
from uriparse.schemes.equivalence import lowest_rung
from uriparse.schemes.plans import access_plan


def plain(value):
    """Give a value of a record as JSON would hold it."""
    match value:
        case tuple():
            return [plain(item) for item in value]
        case bytes():
            return value.decode("latin-1")
        case Decimal():
            return str(value)
        case _:
            return value


def parsed(text):
    return parse_url(text, registry=CURRENT)


@each_case("case", vectors("current_uris"))
def test_fields(case):
    record = parsed(case["text"])
    assert type(record) is getattr(current, case["kind"])
    assert str(record) == case["text"]
    assert {name: plain(getattr(record, name)) for name in case["fields"]} == case["fields"]


@each_case("case", vectors("current_refusals"))
def test_refusals(case):
    with pytest.raises(SchemeError) as caught:
        parsed(case["text"])
    assert caught.value.offset == case["offset"]
    for name in ("component", "cause"):
        assert case[name] in {None, getattr(caught.value, name)}


@each_case("case", vectors("current_equivalence"))
def test_equivalence(case):
    for a, b in ((case["a"], case["b"]), (case["b"], case["a"])):
        assert equivalent(a, b, registry=CURRENT) is case["equivalent"]
        if uriparse.is_valid(a):  # sip takes "[" where RFC 3986 does not
            assert equivalent(a, b) is case["equivalent"]
            assert (lowest_rung(a, b) is not None) is case["equivalent"]


@each_case("case", vectors("current_uris"))
def test_what_is_normalized_means_the_same(case):
    text = case["text"]
    for level in ("syntax", "scheme") if uriparse.is_valid(text) else ():
        assert equivalent(text, str(uriparse.normalize(text, level)), registry=CURRENT)


def test_records_are_compared_as_they_are_and_texts_by_the_registry():
    url = parsed("http://h.d/~a")
    assert equivalent(url, parsed("http://H.D:80/%7Ea"))
    assert not equivalent(url, "http://h.d/a")
    assert equivalent(url, "http://h.d/~a")
    assert not equivalent(url, "http://h.d/a", registry=RFC1738)
    with pytest.raises(SchemeError):
        equivalent(url, "http://h.d/~a", registry=RFC1738)


@pytest.mark.not_by_lark("no text is read by captures")
def test_every_scheme_is_captured_and_has_examples():
    rows = [*vectors("current_uris"), *vectors("more_schemes")]
    assert {parsed(row["text"]).scheme for row in rows} >= CURRENT.keys()
    assert all(scheme.expressions for scheme in (*CURRENT.values(), CURRENT.other))
    assert CURRENT.keys() >= RFC1738.keys()


def test_base64_that_is_none():
    url = parsed("data:;base64,A")
    with pytest.raises(EncodingError, match="not base64"):
        url.content  # noqa: B018 - a property
    assert equivalent(url, "data:;base64,A", registry=CURRENT)


@pytest.mark.parametrize(
    ("text", "offset"),
    [("news:a%20b", 6), ("news:a%0D%0AQUIT", 6), ("nntp://h/a%20b", 10), ("nntp://h/a%0Ab", 10)],
)
def test_no_name_of_a_newsgroup_is_two(text, offset):
    with pytest.raises(SchemeError) as caught:
        access_plan(parsed(text))
    assert (caught.value.offset, caught.value.cause) == (offset, "protocol-delimiter")
