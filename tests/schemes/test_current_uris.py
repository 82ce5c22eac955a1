"""URIs by the RFCs in force: what records hold, what is refused, what means the same."""

import copy
import pickle

import pytest
from cases import each_case, tables, vectors
from schemes.corruption import plain

import uriparse
from uriparse.errors import EncodingError, SchemeError
from uriparse.schemes import CURRENT, RFC1738, Encoded, current, equivalent, parse_url
from uriparse.schemes.equivalence import lowest_rung
from uriparse.schemes.plans import access_plan

TABLES = tables(__file__)


def parsed(text):
    return parse_url(text, registry=CURRENT)


@each_case("case", vectors("current_uris"))
def test_fields(case):
    record = parsed(case["text"])
    assert type(record) is getattr(current, case["kind"])
    assert str(record) == case["text"]
    assert {name: plain(getattr(record, name)) for name in case["fields"]} == case["fields"]


@each_case("case", vectors("current_uris"))
def test_records_are_values(case):
    record = parsed(case["text"])
    assert record == pickle.loads(pickle.dumps(record)) == copy.deepcopy(record)
    assert equivalent(record, case["text"], registry=CURRENT)
    for name in record.__match_args__:
        value = getattr(record, name)
        if isinstance(value, Encoded) and value.start is not None:
            assert case["text"][value.start : value.end] == value


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


def test_registries_made_of_it_read_other_schemes_alike():
    fewer = CURRENT.without("urn")
    assert isinstance(parse_url("urn:~", registry=fewer), current.OtherURI)
    assert parse_url("urn:x", registry=RFC1738.with_scheme(CURRENT["http"])).host is None


def test_a_sign_that_begins_no_fragment_is_shown():
    with pytest.raises(SchemeError, match=r'path: "#" is not allowed unencoded.*found "#"'):
        parsed("ws://h/a#b")


def test_hosts_tell_their_kind():
    host = parsed("http://127.0.0.1/").host
    assert (type(host.kind).__name__, str(host.address)) == ("IPv4", "127.0.0.1")
    assert parsed("http://h/").host.address is None


def test_base64_that_is_none():
    url = parsed("data:;base64,A")
    with pytest.raises(EncodingError, match="not base64"):
        url.content  # noqa: B018 - a property
    assert equivalent(url, "data:;base64,A", registry=CURRENT)


@pytest.mark.parametrize(
    ("text", "line"),
    [("ftp://u:p@[::1]/~a/b", b"CWD ~a\r\n"), ("nntp://h/a.b/5", b"ARTICLE 5\r\n")],
)
def test_plans_are_those_of_the_older_records(text, line):
    assert line in [command.octets for command in access_plan(parsed(text)).commands]


@pytest.mark.parametrize(("text", "server", "line"), TABLES["news_is_asked_of_its_server"])
def test_news_is_asked_of_its_server(text, server, line):
    plan = access_plan(parsed(text))
    assert [plan.host, plan.port] == server
    assert [command.octets for command in plan.commands] == [line]


@pytest.mark.parametrize(
    ("text", "offset"),
    [("news:a%20b", 6), ("news:a%0D%0AQUIT", 6), ("nntp://h/a%20b", 10), ("nntp://h/a%0Ab", 10)],
)
def test_no_name_of_a_newsgroup_is_two(text, offset):
    with pytest.raises(SchemeError) as caught:
        access_plan(parsed(text))
    assert (caught.value.offset, caught.value.cause) == (offset, "protocol-delimiter")


def test_gopher_and_wais_have_plans():
    assert access_plan(parsed("gopher://h/0~a")).request == b"~a\r\n"
    assert access_plan(parsed("wais://h/~db?a/b")).search == b"a/b"
    assert access_plan(parsed("telnet://u~@h")).user == "u~"
