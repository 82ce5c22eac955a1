"""Every scheme's URLs: what the fields of its records hold."""

import copy
import pickle

import pytest
from cases import each_case, tables, vectors
from rfc1738_urls import equivalent, parse_url
from schemes.corruption import plain

from uriparse import schemes
from uriparse.errors import ComponentError, SchemeError
from uriparse.schemes import Encoded, RelaxedHost
from uriparse.schemes.plans import nntp_plan

TABLES = tables(__file__)


def field(record, path):
    value = record
    for name in path.split("."):
        value = getattr(value, name)
    return value


def parsed(case):
    return parse_url(case["text"], relaxed_host=case.get("relaxed_host", False))


@each_case("case", vectors("schemes_urls"))
def test_fields(case):
    record = parsed(case)
    assert type(record).__name__ == case["kind"]
    found = {path: plain(field(record, path)) for path in case["fields"]}
    assert found == case["fields"]
    assert str(record) == case["text"]


@each_case("case", vectors("schemes_urls"))
def test_a_record_is_a_value(case):
    record = parsed(case)
    again = parsed(case)
    assert record == again
    assert hash(record) == hash(again)
    assert record == case["text"]
    assert copy.copy(record) is record
    assert copy.deepcopy(record) is record
    restored = pickle.loads(pickle.dumps(record))
    assert restored == record
    assert restored.as_dict() == record.as_dict()
    assert restored.host.start == record.host.start if getattr(record, "host", None) else True
    with pytest.raises(AttributeError, match="immutable"):
        record.scheme = "x"
    with pytest.raises(AttributeError, match="immutable"):
        del record.scheme


@each_case("case", vectors("schemes_urls"))
def test_fields_know_where_they_lie(case):
    record = parsed(case)
    for name in type(record).SLOTS:
        value = getattr(record, name)
        if isinstance(value, Encoded) and value.start is not None:
            assert case["text"][value.start : value.end] == value, name
        if isinstance(value, Encoded) and value:
            assert value.start is not None, name


@each_case("case", vectors("schemes_urls"))
def test_bytes_give_the_same_record(case):
    """L-005: what counts is the characters, not how they are coded."""
    relaxed = case.get("relaxed_host", False)
    assert parse_url(case["text"].encode("ascii"), relaxed_host=relaxed) == parsed(case)


@each_case("case", vectors("schemes_refusals"))
def test_refusals(case):
    with pytest.raises(SchemeError) as caught:
        parse_url(case["text"])
    error = caught.value
    assert error.scheme == case["scheme"]
    assert error.offset == case["offset"]
    assert error.text == case["text"]
    assert error.rule is not None
    for name in ("component", "cause"):
        if name in case:
            assert getattr(error, name) == case[name]
    assert f"at offset {error.offset}" in str(error)
    assert "\n" not in str(error)
    assert error.pointer().count("\n") == 1


@pytest.mark.parametrize("text", [
    *("http://[::1]80/", "http://[::1]x:80/", "http://u@[::1]80/", "ldap://[::1]a/b"),
    *("ttp://[::1]:a80/", "news:a@[::1]x", "ftp://[::1].d/x"),
])  # fmt: skip
def test_a_relaxed_host_is_all_that_is_read_as_the_host(text):
    """Nothing goes unread behind its brackets, and no port is made of it."""
    with pytest.raises(SchemeError):
        parse_url(text, relaxed_host=True)


@each_case("case", [c for c in vectors("schemes_urls") if "relaxed_host" in c])
def test_relaxed_hosts_are_asked_for(case):
    """C-065: without relaxed_host the rule of RFC 1738 binds."""
    relaxed = parsed(case)
    host = relaxed.domain if case["kind"] == "NewsURL" else relaxed.host
    if not isinstance(host, RelaxedHost):
        assert parse_url(case["text"]) == relaxed
    elif case["kind"] == "OtherURL" and "[" not in case["text"]:
        assert parse_url(case["text"]).host is None
    else:
        with pytest.raises(SchemeError):
            parse_url(case["text"])


@each_case(("text", "words"), TABLES["messages_help"])
def test_messages_help(text, words):
    with pytest.raises(SchemeError, match="offset") as caught:
        parse_url(text)
    assert words in str(caught.value)


def test_records_match():
    match parse_url("ftp://foo@host.com/a/b;type=d"):
        case schemes.FtpURL(user="foo", cwds=(cwd,), name=name, typecode="d"):
            assert (cwd, name) == ("a", "b")
        case _:
            pytest.fail("the record did not match")


def test_records_are_not_constructed():
    with pytest.raises(TypeError, match="from_parts"):
        schemes.FtpURL("ftp://h.d/")


def test_huge_numbers_are_refused_when_read():
    """B-015: the grammar bounds neither ports nor article numbers."""
    url = parse_url("nntp://h.d:" + "9" * 5000 + "/g/" + "0" * 5000 + "7")
    assert url.article == 7
    with pytest.raises(ComponentError, match="5000 digits"):
        _ = url.port_number


def test_huge_numbers_are_compared_and_shown():
    """Whatever needs no number of them takes digits of any length."""
    text = "nntp://h.d:" + "9" * 5000 + "/g/" + "8" * 5000
    url = parse_url(text)
    assert url.as_dict()["article"] == "8" * 5000
    assert equivalent(text, text.replace(":9", ":09").replace("/8", "/008"))
    assert not equivalent(text, text.replace("/8", "/9"))
    [_, article] = nntp_plan(parse_url("nntp://h.d/g/" + "8" * 5000)).commands
    assert article.argument == b"8" * 5000


@pytest.mark.parametrize(("text", "relaxed"), TABLES["long_input_ends"])
def test_long_input_ends(text, relaxed):
    """X-018: one answer or the other, deterministic, without recursion."""
    try:
        url = parse_url(text, relaxed_host=relaxed)
    except SchemeError as refusal:
        url, error = text, refusal
    else:
        error = None
    assert str(url) == text
    assert error is None or 0 <= error.offset <= len(text)
