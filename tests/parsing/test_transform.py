"""Three ways to a record: fast readers, the generic one and Lark trees; all lead to the same."""

import copy as copying
import dataclasses
import pickle
import threading
import types

import pytest
from cases import each_case, vectors
from hypothesis import given
from hypothesis import strategies as st
from lark import Token, Tree
from parsing.reference_texts import ALTERNATIVES, HOSTILE_TEXTS, REFERENCE_RULES, texts

from uriparse import UnknownRuleError, URISyntaxError, parse, parse_tree, transform, try_parse
from uriparse.grammar import dispatch, matchers
from uriparse.grammar.matchers import tables
from uriparse.records import readers
from uriparse.schemes import RFC1738, URL, Encoded, Scheme, parse_url
from uriparse.schemes.fields import url_field
from uriparse.trees import (
    ParseTree,
    ReferenceTransformer,
    RFC2396Transformer,
    URLTransformer,
    tree_parser,
)

ROWS = vectors("components")
ROWS = [row for row in ROWS if "path" in row]
assert ROWS
FIELDS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "grammar"]


def same(one, other):
    return one == other and all(getattr(one, name) == getattr(other, name) for name in FIELDS)


@each_case("row", ROWS)
def test_vectors(row):
    text = row["text"]
    for detail in ("components", "full"):
        assert same(transform(parse_tree(text, detail=detail)), parse(text))


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
        assert same(transform(parse_tree(text, rule, grammar=grammar)), record)


@pytest.mark.parametrize(("tree", "grammar", "message"), [
    (Tree("nonsense", []), "rfc3986", "unknown rule of rfc3986: 'nonsense'"),
    (Tree("URI", [Tree("nonsense", [])]), "rfc3986", "node nonsense is not a component of rfc"),
    (parse_tree("a:b", "IRI", grammar="rfc3987"), "rfc3986", "unknown rule of rfc3986: 'IRI'"),
    (parse_tree("h", "host"), None, "a tree of host is not a reference"),
    (parse_tree("h", "authority"), None, "a tree of authority is not a reference"),
    (parse_tree("h", "host", grammar="rfc1738"), None, "no record is made of a tree of host"),
    (parse_tree("{a}", "expression", grammar="rfc6570"), None, "no record is made"),
])  # fmt: skip
def test_unknown_nodes_are_refused(tree, grammar, message):
    with pytest.raises(UnknownRuleError, match=message):
        transform(tree, grammar=grammar, text=tree.text if grammar is None else "a:b")


def test_a_node_that_no_field_holds_is_an_error():
    tree = parse_tree("http://u@h:1/a?b")
    tree.children[0].children.append(Tree("path", []))  # a rule, but not one of these trees
    with pytest.raises(TypeError, match="a reference has no field for the rule 'path'"):
        transform(tree)
    tree = parse_tree("http://h.d/a", "httpurl", grammar="rfc1738")
    tree.children.append(Tree("fpath", [Token("FPATH", "b", start_pos=0)]))  # of ftp
    with pytest.raises(TypeError, match="HttpURL has no field for the rule 'fpath'"):
        transform(tree)


def test_the_text_of_a_tree_stays_with_it():
    for detail in ("components", "full"):
        tree = parse_tree("http://u:secret@h/", detail=detail)
        for copy in (copying.copy(tree), copying.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
            assert transform(copy) == tree.text
            assert copy == tree
            for node in (copy, *copy.iter_subtrees()):
                assert "secret" not in repr(node)


def test_a_tree_of_lark_needs_the_text_for_a_url():
    tree = Tree("ftpurl", [])
    with pytest.raises(TypeError, match="needs the text"):
        transform(tree, grammar="rfc1738")


def test_depth_costs_no_recursion():
    tree = parse_tree("a:b")
    for _ in range(10_000):
        tree = ParseTree("URI-reference", [tree])
    assert transform(tree, text="a:b") == "a:b"


class Segments(ReferenceTransformer):
    """Collects the segments of a path, and who is asked for them."""

    def __init__(self):
        super().__init__()
        self.segments, self.hosts = [], []

    def segment(self, children):
        self.segments.append("".join(children))

    def host(self, children):
        found = self.__default__("host", children)
        self.hosts.append(str(found["host"]))
        return found


def test_a_subclass_overrides_the_method_of_a_rule():
    for detail, segments in (("components", []), ("full", ["a", "b"])):
        own = Segments()
        assert own.transform(parse_tree("http://h.d/a/b", detail=detail)) == "http://h.d/a/b"
        assert (own.hosts, own.segments) == (["h.d"], segments)


class Queries(ReferenceTransformer):
    def query(self, children):
        return self.__default__("query", children)


def test_a_method_may_return_the_default():
    for detail in ("components", "full"):
        for text in ("http://h/a?b%20c#d", "?", "a"):
            assert Queries().transform(parse_tree(text, detail=detail)) == parse(text)


class Logins(URLTransformer):
    def login(self, children):
        self.logins = children
        return self.__default__("login", children)


def test_a_rule_may_have_the_name_of_a_method():
    own = tree_parser('note: "n:" record\nrecord: /[a-z]+/', "note")

    class Note(URL):
        body: Encoded = url_field("record")

    registry = RFC1738.with_scheme(Scheme("n", Note, "note", tree_parser=own))
    assert parse_url("n:abc", registry=registry).body == "abc"


def test_a_subclass_reads_urls():
    tree = parse_tree("ftp://u:p@h.d/", "ftpurl", grammar="rfc1738")
    own = Logins(RFC1738["ftp"])
    assert own.transform(tree).password == "p"
    assert [*own.logins[0]] == ["user"]
    scheme = dataclasses.replace(RFC1738["ftp"], transformer=Logins)
    assert transform(tree, registry=RFC1738.with_scheme(scheme)) == tree.text


@pytest.mark.parametrize("base", [ReferenceTransformer, URLTransformer, RFC2396Transformer])
def test_a_method_of_no_rule_is_an_error(base):
    def misspelt(self, children):
        raise NotImplementedError

    with pytest.raises(UnknownRuleError, match=r"Own.hots: no rule .+ did you mean hosts?\?"):
        type("Own", (base,), {"hots": misspelt})
    made = types.new_class(
        "Own", (base,), {"rules": ["hots"]}, lambda body: body.update(hots=misspelt)
    )
    assert made.hots is misspelt


def only_generic(rule, grammar):
    read = readers.nothing
    for name in reversed(dispatch(rule, grammar)):
        read = readers.generic_reader(readers.component_reader(name, grammar), grammar, read)
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
