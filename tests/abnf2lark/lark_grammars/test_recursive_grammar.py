"""Recursive grammars as LALR: they read what their rules say, or they are refused."""

import json
import random
from collections import Counter

import lark
import pytest
from brute.expressions import expressions
from brute.grammars import LETTER, RECURSIVE, STRUCTURES, S, recursive_grammars, rules
from brute.judge import parses
from brute.tables import Table
from brute.words import all_words, rule_words
from cases import documents, each_case, tables
from collected.samples import Sampler
from hypothesis import example, given, settings
from hypothesis import strategies as st

import abnf2lark
from abnf2lark.automata import TooLargeError
from abnf2lark.charts import States, read
from abnf2lark.ir import (
    EMPTY,
    Chars,
    Position,
    Ref,
    Rep,
    Rule,
    RuleSet,
    alt,
    children,
    optional,
    rebuild,
    seq,
)
from abnf2lark.lark_grammars import recursive_grammar
from abnf2lark.lark_grammars.compiling import compile_grammar, default_nodes
from abnf2lark.lark_grammars.component_grammar import lalr_grammar
from abnf2lark.lark_grammars.component_rules import Plan
from abnf2lark.lark_grammars.recursive_grammar import by_follower, with_follower
from abnf2lark.reading.recursion import cycle, recursion
from tools.collection.grammars import FOLDER

TABLES = tables(__file__)

A, B = Ref("a"), Ref("b")

ENDS = Chars.single("c")

LISTS = Rep(Rep(A, 1, None), 1, None)  # which Lark makes rules of

TWICE = st.builds(lambda inner, mark: alt([seq([S, mark, A]), inner]), expressions, LETTER)


GRAMMAR = FOLDER / "grammars" / "toml.abnf"


@pytest.mark.slow
def test_random_recursive_grammars_are_read_as_their_rules_say_or_refused():
    outcomes = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @given(STRUCTURES, RECURSIVE | TWICE, expressions)
    @example(A, alt([seq([Chars.single("a"), S, Chars.single("b")]), Chars.single("c")]), ENDS)
    @example(A, alt([ENDS, seq([Chars.single("b"), S])]), ENDS)
    @example(LISTS, alt([seq([Chars.single("a"), S, Chars.single("b")]), EMPTY]), ENDS)
    def law(structure, first, second):
        grammar = rules(s=structure, a=first, b=second)
        made = compile_grammar(grammar, ("s",), max_steps=200_000)
        outcomes[made.parser] += 1
        if made.parser == "lalr" and recursion(grammar, ("s",)):
            outcomes["proved"] += 1
            ours = lark.Lark(made.text, parser="lalr", lexer="contextual", start="s")
            known = rule_words(grammar.rules, "abc", 4)["s"]
            for word in all_words("abc", 4):
                assert parses(ours, word) == (word in known), word

    law()
    assert outcomes["proved"] >= 2, outcomes  # one in twenty of those that are drawn


OVERLAPPING = rules(
    s=alt([seq([A, S, A]), seq([Rep(ENDS, 0, None), Rep(B, 0, None), alt([B, A])])]),
    a=alt([Rep(Chars.of([(97, 97), (99, 99)]), 1, None), seq([ENDS, ENDS, ENDS])]),
    b=Chars.single("a"),
)


@pytest.mark.slow
def test_random_recursive_grammars_of_tokens_that_overlap():
    outcomes = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @given(recursive_grammars())
    @example(OVERLAPPING)
    def law(grammar):
        made = compile_grammar(grammar, ("s",), nodes="ab", max_steps=200_000)
        outcomes[made.parser] += 1
        if made.parser == "lalr":
            ours = lark.Lark(made.text, parser="lalr", lexer="contextual", start="s")
            known = rule_words(grammar.rules, "abc", 5)["s"]
            for word in all_words("abc", 5):
                assert parses(ours, word) == (word in known), word

    law()
    assert outcomes["lalr"] >= 2, outcomes


JSON = documents(__file__)["JSON"]


def is_json(text):
    try:
        json.loads(text, parse_constant=json.JSONDecodeError, strict=True)
    except ValueError:
        return False
    except TypeError:
        return False
    return True


@pytest.fixture(scope="module")
def json_parser(core):
    from abnf2lark.problems import Source
    from abnf2lark.reading import load

    grammar, problems = load(Source("json.abnf", JSON), "json", (core,))
    assert not problems
    made = compile_grammar(grammar, ("JSON-text",))
    assert made.parser == "lalr"
    return lark.Lark(made.text, parser="lalr", lexer="contextual", start=made.starts[0])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.slow
@given(VALUES, st.sampled_from([None, 1, "\t"]), st.randoms(use_true_random=False))
def test_json_is_read_as_json_is(json_parser, value, indent, draw):
    text = json.dumps(value, indent=indent, ensure_ascii=draw.choice([True, False]))
    assert parses(json_parser, text)
    assert parses(json_parser, f" \n{text}\t")
    for _ in range(5):
        place = draw.randrange(len(text) + 1)
        other = (
            text[:place] + draw.choice(' ,:[]{}"\\1-e.tn\x01') + text[place + draw.choice([0, 1]) :]
        )
        assert parses(json_parser, other) == is_json(other), other


def test_trees_of_json_hold_what_the_text_does(json_parser):
    tree = json_parser.parse('{"a": [1, -2], "b": {}}')
    numbers = [node for node in tree.iter_subtrees_topdown() if node.data == "number"]
    assert ["".join(node.scan_values(lambda _: True)) for node in numbers] == ["1", "-2"]
    assert [node.data for node in tree.children[0].children[0].children] == [
        "begin_object", "member", "value_separator", "member", "end_object",
    ]  # fmt: skip


@pytest.mark.slow
@each_case(("text", "reason"), TABLES["what_is_not_proved_is_said"])
def test_what_is_not_proved_is_said(grammar, text, reason):
    made = compile_grammar(grammar(text), ("s",))
    assert made.parser == "earley"
    assert made.reason.startswith(reason)


@pytest.mark.slow
@each_case(("text", "words"), TABLES["conflicts_are_decided_where_nothing_is_lost"])
def test_conflicts_are_decided_where_nothing_is_lost(grammar, text, words):
    rules = grammar(text)
    made = lalr_grammar(Plan(rules, ("s",), default_nodes(rules)))
    start = made.components.starts["s"]
    parser = lark.Lark(made.text({}), parser="lalr", lexer="contextual", start=start)
    chart = States(rules)
    for word in all_words(words, 5):
        assert parses(parser, word) == read(chart, "s", word).matches, word


def texts(components, limit=4):
    """Give the texts of the first start, short ones, as rules and terminals derive them."""
    bodies = components.rules | {name: one.node for name, one in components.terminals.items()}
    here = Position(1, 1)
    rules = {name: Rule(name, body, "test", here) for name, body in bodies.items()}
    grammar = RuleSet("test", rules, (*rules,))
    [start] = components.starts.values()
    return rule_words(grammar.rules, "abc", limit)[start]


@pytest.mark.slow
@given(recursive_grammars())
def test_components_read_what_the_rules_do(grammar):
    if not cycle(grammar, ("s",)):
        components = Table(grammar).components
        known = rule_words(grammar.rules, "abc", 4)["s"]
        assert texts(components) == known
        assert texts(by_follower(components)) == known


NESTED_VALUES = """
s = "[" v ws "]" / t
t = "{" v "}" / "{" s ws "}"
v = 1*"x"
ws = *" "
"""


def test_a_rule_is_written_for_each_place(grammar):
    made = by_follower(Table(grammar(NESTED_VALUES), inlined=("ws",)).components)
    assert sorted(made.rules) == ["s", "s__2", "t", "t__2", "v", "v__2"]
    assert made.abnf_names["s__2"] == "s"
    # Within one rule places share a copy: ways that begin alike go on so.
    one = by_follower(
        Table(grammar('s = "[" v "]" / "{" v "}" / "(" s ")"\nv = 1*"x"\n')).components
    )
    assert sorted(one.rules) == ["s", "s__2", "v"]


def test_rules_without_end_are_not_written(grammar, monkeypatch):
    monkeypatch.setattr(recursive_grammar, "MAX_RULES", 1)
    with pytest.raises(TooLargeError):
        by_follower(Table(grammar(NESTED_VALUES)).components)


A, B, C = Ref("a"), Ref("b"), Chars.single("c")


ENDING = st.one_of(
    st.builds(lambda mark, inner: alt([inner, seq([mark, A])]), LETTER, expressions),
    st.builds(lambda mark, inner: seq([inner, mark, optional(A)]), LETTER, expressions),
    st.builds(lambda first, last: alt([seq([first, A]), last, A]), LETTER, expressions),
)


def behind(node, end):
    """Put an end behind each reference to the rule."""
    parts = children(node)
    if node in (A, optional(A)):
        return seq([node, end])
    return rebuild(node, [behind(part, end) for part in parts]) if parts else node


def test_random_rules_are_read_as_before():
    outcomes = Counter()

    @given(STRUCTURES, ENDING, expressions)
    def law(structure, ending, other):
        grammar = rules(s=behind(structure, B), a=ending, b=other)
        made = with_follower(grammar, "a")
        outcomes[made is not None] += 1
        if made is not None:
            assert "a" in grammar.rules
            assert rule_words(made.rules, "abc", 4)["s"] == rule_words(grammar.rules, "abc", 4)["s"]

    law()
    assert outcomes[True] >= 2, outcomes


DOCUMENT = documents(__file__)["DOCUMENT"]


@each_case(("body", "own"), [
    (seq([A, C]), seq([A, B])),  # does not end with itself
    (seq([A, C]), seq([A, B, A])),  # stands in itself, too
    (seq([B, A]), seq([B, A])),  # nothing comes behind it
    (alt([seq([A, C]), seq([A, B])]), seq([B, A])),  # this or that comes behind it
    (seq([Rep(A, 1, None), C]), seq([B, A])),  # it comes behind itself
])  # fmt: skip
def test_what_cannot_be_taken_in_is_left(body, own):
    assert with_follower(rules(s=body, a=own, b=Chars.single("b")), "a") is None


@pytest.fixture(scope="module")
def toml():
    return abnf2lark.load(GRAMMAR.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made(toml):
    return compile_grammar(toml.known, ("toml",))


@pytest.fixture(scope="module")
def parser(made):
    assert made.parser == "lalr", made.reason
    return lark.Lark(made.text, parser="lalr", lexer="contextual", start="toml")


@pytest.mark.slow
def test_words_and_documents_with_a_character_wrong_are_judged_as_by_the_chart(toml, parser):
    draw = random.Random(8)
    sampler = Sampler(toml.known, draw)
    texts = [sampler.word("toml", 40) for _ in range(150)]
    texts += [DOCUMENT[place : place + 60] for place in range(0, len(DOCUMENT), 20)]
    judged = {True: 0, False: 0}
    for text in texts:
        for one in [text, *sampler.spoiled(text)]:
            found = toml.matches(one)
            judged[found] += 1
            assert parses(parser, one) == found, one
    assert min(judged.values()) > 100, judged
