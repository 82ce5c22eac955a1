"""Two ways from a text to a record, by captures and by trees: they lead to the same."""

import dataclasses
import sys
import typing
from collections import ChainMap, defaultdict
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from cases import each_case, vectors
from command_runs import run_python
from hypothesis import example, given
from hypothesis import strategies as st
from rfc1738_urls import parse_url
from schemes.corruption import IN_FORCE, corrupted

from uriparse import _scheme_facts as scheme_facts
from uriparse import parse_tree, transform
from uriparse.errors import SchemeError
from uriparse.schemes import (
    CURRENT,
    RFC1738,
    Encoded,
    HttpURL,
    Scheme,
    ServerURL,
    constraints,
)
from uriparse.schemes.fields import url_field
from uriparse.schemes.other import OTHER_URL
from uriparse.schemes.read_by_scheme import as_parsed, read, read_source
from uriparse.schemes.registry import is_scheme

RECORDS = {
    scheme.record
    for registry in (RFC1738, CURRENT)
    for scheme in (*registry.values(), OTHER_URL, CURRENT.other)
}


def shown(value):
    """A value with all that it tells: its kind, its text and where it lies."""
    if isinstance(value, Encoded):
        return type(value).__name__, str(value), value.start
    return value


def attempt(way):
    """What comes of it: every slot of a record, or every fact of an error."""
    try:
        record = way()
    except SchemeError as error:
        return str(error), vars(error)
    return type(record), {name: shown(getattr(record, name)) for name in type(record).SLOTS}


@each_case("case", vectors("more_schemes"))
def test_the_two_ways_lead_to_the_same_in_schemes_that_are_loaded_later(case):
    text = case["text"]
    name = text.partition(":")[0].lower()
    source = as_parsed(text, CURRENT[name])
    tree = attempt(lambda: read_source(source, CURRENT[name], by_tree=True))
    assert tree == attempt(lambda: read(text, name, CURRENT[name]))


@given(text=corrupted(), relaxed=st.booleans())
@example(text="x://h.://d", relaxed=True)  # whose host is none once it is read on
@example(text="ttp://[::1]:a80/", relaxed=True)  # and here RFC 1738 has no such scheme part
def test_the_two_ways_lead_to_the_same(text, relaxed):
    word, colon, _ = text.partition(":")
    if not colon or not is_scheme(word):
        return
    scheme = RFC1738.get(word.lower(), OTHER_URL)
    by_captures = attempt(lambda: read(text, word.lower(), scheme, relaxed_host=relaxed))
    source = as_parsed(text, scheme, relaxed_host=relaxed)
    assert attempt(lambda: read_source(source, scheme, by_tree=True)) == by_captures


@given(text=corrupted(IN_FORCE))
def test_they_do_by_the_rfcs_in_force_too(text):
    word, colon, _ = text.partition(":")
    if not colon or not is_scheme(word):
        return
    scheme = CURRENT.get(word.lower(), CURRENT.other)
    by_captures = attempt(lambda: read(text, word.lower(), scheme))
    assert (
        attempt(lambda: read_source(as_parsed(text, scheme), scheme, by_tree=True)) == by_captures
    )
    url, error = by_captures
    if not isinstance(url, type):
        assert 0 <= error["offset"] <= len(text)


@each_case("name", [*RFC1738, "x-other"])
@pytest.mark.not_by_lark("no text is read by captures")
def test_every_shipped_scheme_is_captured(name):
    assert RFC1738.get(name, OTHER_URL).expressions


def test_fields_of_prospero_are_those_of_the_tree():
    text = "prospero://h.d/a%3B;x=1;=;x=;%3B=a:b"
    tree = RFC1738["prospero"].tree(text)
    names = [[token.start_pos for token in node.children] for node in tree.find_data("fieldname")]
    fields = parse_url(text).fields
    assert fields == (("x", "1"), ("", ""), ("x", ""), ("%3B", "a:b"))
    assert [[] if name.start is None else [name.start] for name, _ in fields] == names
    for field in fields:
        for part in field:
            assert not part or text[part.start : part.end] == part


@pytest.mark.parametrize("tail", ["//pros/name", "//a;b=c", "/;a=;="])
def test_a_semicolon_of_a_host_opens_no_field(tail):
    """RFC 3986 has ";" in the names of hosts, RFC 1738 has not."""
    text = f"prospero://;x=1.d{tail}"
    found = CURRENT["prospero"].tree(text).find_data("fieldspec")
    written = ["".join(node.scan_values(lambda _: True)) for node in found]
    url = parse_url(text, registry=CURRENT)
    assert [name + value for name, value in url.fields] == written


def web(record, rule="httpurl", **options):
    return RFC1738.with_scheme(Scheme("web", record, rule, word="http", **options))


class Shouting(HttpURL):
    @classmethod
    def complete(cls, found, url):
        del url
        found["search"] = Encoded(found["search"].upper())


class Partial(ServerURL):
    path: Encoded = url_field("hpath")


class OfItsOwn(ServerURL):
    """States each field, as HttpURL does."""

    path: Encoded = url_field("hpath")
    search: Encoded = url_field("search")


def test_a_record_adds_to_what_is_captured():
    assert parse_url("web://h.d/?a", registry=web(Shouting)).search == "A"


@pytest.mark.not_by_lark("no text is read by captures")
def test_a_record_that_only_states_fields_is_captured():
    registry = web(OfItsOwn)
    assert registry["web"].expressions
    assert parse_url("web://h.d/x?y", registry=registry).as_dict() == {
        "host": "h.d", "port": None, "path": "x", "search": "y",
    }  # fmt: skip


def test_a_rule_without_a_field_is_an_error_all_the_same():
    with pytest.raises(TypeError, match="Partial has no field for the rule 'search'"):
        parse_url("web://h.d/?a", registry=web(Partial))


def test_a_rule_without_captures_is_read_by_its_tree():
    registry = web(HttpURL, "url")
    assert registry["web"].expressions is None
    url = parse_url("web://h.d/x", registry=registry)
    assert (url.scheme, url.path) == ("web", "x")


@each_case("record", sorted(RECORDS, key=lambda record: record.__name__))
def test_annotations_agree_with_the_fields_stated(record):
    own = (vars(sys.modules[one.__module__]) for one in record.__mro__)
    hints = get_type_hints(record, {**ChainMap(*own, vars(constraints), vars(typing))})
    assert all(hasattr(record, name) for name in record.__match_args__)
    for name, stated in record.FIELDS.items():
        assert (name in record.SLOTS) is (stated.derived is None)
        for kind in stated.kinds.values():
            assert issubclass(kind, get_args(hints[name]) or hints[name])


SAMPLES = defaultdict(list)
for _case in (*vectors("current_uris"), *vectors("more_schemes"), *vectors("schemes_urls")):
    SAMPLES[_case["text"].partition(":")[0].lower()].append(_case["text"])
assert SAMPLES.keys() >= {*RFC1738, *CURRENT}


def loaded(code):
    code = f"import sys, uriparse; {code}; print(*sys.modules)"
    done = run_python(code)
    return done.stdout.split()


@pytest.mark.not_by_lark("Lark is loaded at once")
def test_urls_are_parsed_without_lark():
    assert "lark" not in loaded("uriparse.parse_url('wais://h.d/a')")


@each_case("case", vectors("current_uris"))
def test_the_tree_holds_the_same_fields(case):
    record = parse_url(case["text"], registry=CURRENT)
    scheme = CURRENT.get(record.scheme, CURRENT.other)
    by_tree = read_source(as_parsed(case["text"], scheme), scheme, by_tree=True)
    assert by_tree.as_dict() == record.as_dict()
    assert (by_tree.fragment, type(by_tree)) == (record.fragment, type(record))


@pytest.mark.parametrize(("detail", "names"), [
    ("components", [*RFC1738, *CURRENT]), ("full", ["ftp", "mailto", "prospero"]),
    pytest.param("full", [*RFC1738, *CURRENT], marks=pytest.mark.slow),
])  # fmt: skip
def test_the_trees_of_every_scheme_become_its_records(detail, names):
    """Every slot is that of the fast reader, whatever tree the record is made of."""
    for name in names:
        as_its_trees(name, detail)


def as_its_trees(name, detail):
    for registry in (RFC1738, CURRENT):
        scheme = registry.get(name)
        for text in SAMPLES[name] if scheme is not None else ():
            source = as_parsed(text, scheme)
            want = attempt(lambda: read(source.parsed, scheme.word or name, scheme))  # noqa: B023
            if isinstance(want[0], str):
                continue  # invalid, or valid in the other registry alone
            tree = parse_tree(source.parsed, scheme.rule, grammar=scheme.grammar, detail=detail)
            own = registry.with_scheme(dataclasses.replace(scheme, name=scheme.word or name))
            assert attempt(lambda: transform(tree, registry=own)) == want  # noqa: B023


def test_a_leaf_holds_its_text_only():
    class Wrong(ServerURL):
        path: Encoded = url_field("httpurl", "hpath")

    scheme = Scheme("web", Wrong, "httpurl", word="http")
    with pytest.raises(TypeError, match="more than its text"):
        read_source(as_parsed("web://h.d/x", scheme), scheme, by_tree=True)


def test_the_table_of_schemes_is_sorted_and_explains_its_facts():
    place = Path(scheme_facts.__file__).with_name("scheme_facts.txt")
    head, *blocks = place.read_text(encoding="utf-8").split("\n\n")
    explained = {
        name for line in head.splitlines() for name in line[2:].partition(": ")[0].split(", ")
    }
    assert set(scheme_facts.Fact.__args__) <= explained
    for block in blocks[:-1]:
        _, *rows = block.strip().splitlines()
        assert rows == sorted(rows)
        assert len({row.split()[0] for row in rows}) == len(rows) > 10
        for row in rows:
            facts = row.partition(" | ")[0].split()[4:]
            known = {*scheme_facts.Fact.__args__, "word", "fragment"}
            assert {fact.partition("=")[0] for fact in facts} <= known


def test_every_scheme_with_a_host_has_a_port_or_says_that_it_has_none():
    registries = RFC1738, CURRENT
    schemes = [scheme for registry in registries for scheme in registry.values()]
    assert len(schemes) > 60
    for scheme in schemes:
        if not {scheme.record.HOST_FIELD, "hosts"}.isdisjoint(scheme.record.FIELDS):
            assert scheme.name in scheme_facts.PORTS, (
                f"{scheme.name}: its port, or '-', in the table"
            )
        if "port" in scheme.record.FIELDS:
            assert scheme.default_port == scheme_facts.PORTS[scheme.name]
        assert scheme.hierarchical == (scheme.name in scheme_facts.schemes_with("hierarchical"))
