"""Records, hosts and authorities compare as their text, with text and with each other."""

import operator

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from str_subclasses import STR_SUBCLASSES

from uriparse import URI, Authority, RegName, parse, parse_url

TEXT = "http://u:p@h:80/a"
BLOCKLIST = ["h", "evil.example", "[::1]", "1.2.3.4"]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]

HOSTS = ["", "h", "[::1]", "1.2.3.4"]
AUTHORITIES = [*HOSTS, "h:80", "u@h"]
REFERENCES = ["", "h", "1.2.3.4", "u@h", "h:80", "http://h/a", "x:", "a/b"]
VALUES = st.sampled_from(
    [
        *(value for text in REFERENCES for value in (text, parse(text))),
        *(value for text in AUTHORITIES for value in (text, parse(f"//{text}").authority)),
        *(parse(f"//{text}").host for text in HOSTS),
        parse_url("http://h/a"),
    ]
)


@pytest.mark.parametrize("name", BLOCKLIST)
def test_a_host_is_found_in_a_list_of_names_and_a_name_among_hosts(name):
    host = parse(f"//{name}").host
    for holder in (list, tuple, set, frozenset, dict.fromkeys):
        assert host in holder(BLOCKLIST)
        assert name in holder([host])
    assert {host: 1}[name] == {name: 1}[host] == 1


@given(VALUES, VALUES)
@pytest.mark.parametrize("compare", COMPARISONS)
def test_all_compare_as_their_texts(compare, one, other):
    assert compare(one, other) is compare(str(one), str(other))
    assert (one == other) <= (hash(one) == hash(other))


@pytest.mark.parametrize("kind", STR_SUBCLASSES)
def test_a_subclass_of_str_is_its_characters(kind):
    record = parse(TEXT)
    assert record == kind(TEXT)
    assert kind(TEXT) == record
    assert record != kind("x:")
    assert record <= kind(TEXT)


@each_case("value", [parse(TEXT), RegName("h"), Authority(None, "h")])
@each_case("other", [None, 5, b"h", TEXT.encode(), ["h"], object()])
def test_nothing_else_is_a_text(value, other):
    assert value != other
    assert other != value
    with pytest.raises(TypeError, match="not supported between instances of"):
        _ = value < other


def test_records_and_texts_are_sorted_together():
    texts = ["http://b/", "a", "http://a/", "//h", "http://a"]
    records = [parse(text) if index % 2 else text for index, text in enumerate(texts)]
    assert sorted(records) == sorted(texts)
    assert max(records) == "http://b/"
    assert isinstance(min(map(parse, texts[::2])), URI)
