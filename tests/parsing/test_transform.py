"""Three ways to a record: fast readers, the generic one and Lark trees; all lead to the same."""

import threading

import pytest
from cases import each_case, vectors
from hypothesis import given
from hypothesis import strategies as st
from lark import Tree
from parsing.reference_texts import ALTERNATIVES, HOSTILE_TEXTS, REFERENCE_RULES, texts

from uriparse import UnknownRuleError, URISyntaxError, parse, parse_tree, try_parse
from uriparse.grammar import dispatch, matchers
from uriparse.grammar.matchers import tables
from uriparse.parsing import readers
from uriparse.parsing.tree_parsing import transform

ROWS = vectors("components")
ROWS = [row for row in ROWS if "path" in row]
assert ROWS
FIELDS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "grammar"]


def same(one, other):
    return one == other and all(getattr(one, name) == getattr(other, name) for name in FIELDS)


@each_case("row", ROWS)
def test_vectors(row):
    text = row["text"]
    assert same(transform(parse_tree(text)), parse(text))


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
@given(data=st.data())
def test_records_are_those_of_parse(rule, grammar, data):
    name = data.draw(st.sampled_from(dispatch(rule, grammar)))
    valid = texts(name, grammar)
    text = data.draw(st.one_of(valid, HOSTILE_TEXTS))
    record = try_parse(text, rule, grammar=grammar)
    if record is None:
        with pytest.raises(URISyntaxError):
            parse_tree(text, rule, grammar=grammar)
    else:
        assert same(transform(parse_tree(text, rule, grammar=grammar), grammar), record)


@pytest.mark.parametrize(
    ("tree", "grammar", "message"),
    [
        (Tree("nonsense", []), "rfc3986", "node nonsense is not a component of rfc3986"),
        (Tree("URI", [Tree("nonsense", [])]), "rfc3986", "node nonsense"),
        (parse_tree("a:b", detail="full"), "rfc3986", "is not a component of rfc3986"),
        (
            parse_tree("http://h/", "url", grammar="rfc1738"),
            "rfc3986",
            "is not a component of rfc3986",
        ),
        (
            parse_tree("http://h/", "url", grammar="rfc1738"),
            "rfc1738",
            "is not a component of rfc1738",
        ),
        (parse_tree("a:b", "IRI", grammar="rfc3987"), "rfc3986", "is not a component of rfc3986"),
        (parse_tree("h", "host"), "rfc3986", "a tree of host is not a reference"),
        (parse_tree("h", "authority"), "rfc3986", "a tree of authority is not a reference"),
    ],
)
def test_unknown_nodes_are_refused(tree, grammar, message):
    with pytest.raises(UnknownRuleError, match=message):
        transform(tree, grammar)


def test_threads_share_the_trees():
    texts = [row["text"] for row in ROWS]
    expected = [parse(text) for text in texts]
    start = threading.Barrier(8)
    wrong = []

    def work():
        start.wait()
        for text, record in zip(texts, expected, strict=True):
            if not same(transform(parse_tree(text)), record):
                wrong.append(text)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def only_generic(rule, grammar):
    read = readers._nothing
    for name in reversed(dispatch(rule, grammar)):
        read = readers.generic_reader(name, grammar, read)
    return read


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
@given(data=st.data())
def test_fast_readers_read_what_the_generic_one_reads(rule, grammar, data):
    name = data.draw(st.sampled_from(dispatch(rule, grammar)))
    valid = texts(name, grammar)
    text = data.draw(st.one_of(valid, HOSTILE_TEXTS))
    fast = readers.reader(rule, grammar)(text)
    slow = only_generic(rule, grammar)(text)
    assert fast == slow
    if fast is not None:
        assert same(fast, slow)


@pytest.mark.parametrize("grammar", ["rfc3986", "rfc3987"])
def test_common_rules_have_fast_readers(grammar):
    kinds = {
        readers._first_of((rule,), grammar).__qualname__.partition(".")[0]
        for rule in tables(grammar).RECORDS
        if not rule.startswith("absolute")
    }
    assert kinds == {"_plain_reader"}


@pytest.mark.slow
def test_threads_share_everything():
    """Start from nothing compiled, in eight threads at once, and read every component."""
    texts = [row["text"] for row in ROWS] * 8
    expected = [parse(text) for text in texts]
    readers.reader.cache_clear()
    matchers._compiled.cache_clear()
    shared = [readers.reader("URI-reference", "rfc3986")(text) for text in texts]
    readers.reader.cache_clear()
    with pytest.raises(URISyntaxError) as caught:
        parse("http://h/%zz")
    refusal = str(caught.value)
    start = threading.Barrier(8)
    wrong = []

    def work():
        start.wait()
        read = readers.reader("URI-reference", "rfc3986")
        for text, record, want in zip(texts, shared, expected, strict=True):
            own = read(text)
            if not (same(own, want) and same(own, record)):
                wrong.append(text)
            if try_parse("http://h:8x/") is not None:
                wrong.append("http://h:8x/")
            try:
                parse("http://h/%zz")
            except URISyntaxError as error:
                if str(error) != refusal:
                    wrong.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
def test_a_rule_is_read_by_its_alternatives(rule, grammar):
    assert dispatch(rule, grammar) == ALTERNATIVES[rule, grammar]
