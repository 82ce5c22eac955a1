"""The way through Lark gives the records that the matchers give, and passes nothing over."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Tree
from places import VECTORS

from uriparse import UnknownRuleError, URISyntaxError, parse, parse_tree, try_parse
from uriparse.grammar import matcher
from uriparse.grammar.matchers import dispatch
from uriparse.parsing.tree_parsing import transform

ROWS = json.loads((VECTORS / "components.json").read_text(encoding="utf-8"))
ROWS = [row for row in ROWS if "path" in row]
assert ROWS
RULES = [
    ("URI-reference", "rfc3986"),
    ("URI", "rfc3986"),
    ("absolute-URI", "rfc3986"),
    ("relative-ref", "rfc3986"),
    ("IRI-reference", "rfc3987"),
    ("IRI", "rfc3987"),
    ("absolute-IRI", "rfc3987"),
    ("irelative-ref", "rfc3987"),
]
FIELDS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "grammar"]
HOSTILE_TEXTS = st.text(alphabet="ahx0129:/?#[]@%.!é \n\\", max_size=16)


def texts(name, grammar):
    """Valid texts of a rule. Those with letters beyond ASCII are put together from pieces."""
    if grammar == "rfc3986":
        return st.from_regex(matcher(name, grammar), fullmatch=True)
    heads = ["", "x:", "//é", "X+1://", "//u:é@[::1]:8", "x://例.é:", "//@1.2.3.4", "x://[v1.a]"]
    pieces = ["a", "Z", "0", "%C3%A9", "é", "例", "\U00010000", "!", ":", "@", "/", "?", "#"]
    tails = st.lists(st.sampled_from([*pieces, "\ue000"]), max_size=8).map("".join)
    joined = st.builds("{}{}{}".format, st.sampled_from(heads), st.sampled_from(["", "/"]), tails)
    return joined.filter(matcher(name, grammar).fullmatch)


def same(one, other):
    return one == other and all(getattr(one, name) == getattr(other, name) for name in FIELDS)


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_vectors(row):
    text = row["text"]
    assert same(transform(parse_tree(text)), parse(text))


@pytest.mark.parametrize(("rule", "grammar"), RULES)
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
