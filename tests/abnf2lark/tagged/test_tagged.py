"""Tagged automata tell of a text what its matcher captures, or are refused."""

import re
from dataclasses import replace

import pytest
from brute.expressions import ALPHABET, LETTERS, capturing
from brute.words import all_words
from bundles import BUNDLES
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.automata import Alphabet, languages
from abnf2lark.ir import Capture, Position, Ref, Rep, Rule, RuleSet, rebuild, walk
from abnf2lark.ir import children as parts_of
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import has_capture
from abnf2lark.patterns.proof import ProofError
from abnf2lark.tagged.automaton import (
    IDLE,
    AmbiguousTagsError,
    Layout,
    Mark,
    choices,
    layout,
    merged,
    tagged,
)
from abnf2lark.tagged.format import NOWHERE, over_octets, read, spelled, written
from abnf2lark.tagged.tagged_proof import prove_language, tagged_content
from uriparse._native import tagged as shipped

WORDS = list(all_words(LETTERS, 5))
HERE = Position(1, 1)
SHIPPED = ("rfc3986", "rfc3987")


def tables_of(grammar):
    return read(shipped(grammar).TABLES)


def as_rules(node):
    """Make the captured parts of an expression rules of their own, which it refers to."""
    rules = {}

    def step(node):
        if isinstance(node, Capture):
            rules[node.rule] = Rule(node.rule, node.item, "t", HERE)
            return Ref(node.rule)
        parts = parts_of(node)
        return rebuild(node, [step(part) for part in parts]) if parts else node

    rules["root"] = Rule("root", step(node), "t", HERE)
    return RuleSet("t", rules, tuple(rules))


def in_a_loop(node):
    return any(isinstance(part, Rep) and has_capture(part) for part in walk(node))


@given(capturing().filter(lambda node: not in_a_loop(node)))
def test_what_is_told_is_what_python_captures(node):
    grammar = as_rules(node)
    names = tuple(grammar.rules)[:-1]
    inside = {name: Mark(number) for number, name in enumerate(names)}
    told = Layout(names, (("Record",),), {}, {}, {"root": Mark(None, (0, 1), inside)})
    try:
        made = tagged(grammar, ALPHABET, told, ("root",))
    except AmbiguousTagsError as error:
        assert str(error).startswith("root: two ways to read a text")  # noqa: PT017 - or none
        return
    tables = read(written(merged(over_octets(made, ALPHABET)), told))
    wanted = re.compile(pattern(node, replace(PYTHON, possessive=False)))
    for word in WORDS:
        match = wanted.fullmatch(word)
        found = tables.run(0, word.encode())
        if match is None:
            assert isinstance(found, int)
        else:
            spans = [match.span(name) for name in names]
            assert found.spans() == [None if span == (-1, -1) else span for span in spans]
            assert found.values == (1,)


def test_two_values_for_one_place_are_refused_by_the_name_of_the_rule(grammar):
    made = grammar('r = "x" a "1" / 2"x" b "2"\na = 1*"x"\nb = 1*"x"\n')
    told = Layout(
        ("f",), (("R",),), {}, {}, {"r": Mark(None, (0, 1), dict.fromkeys("ab", Mark(0)))}
    )
    alphabet = Alphabet(rule.body for rule in made.rules.values())
    message = (
        "^r: two ways to read a text are in progress at once that do not agree where f begins$"
    )
    with pytest.raises(AmbiguousTagsError, match=message):
        tagged(made, alphabet, told, ("r",))


def test_two_values_for_one_constant_are_refused(grammar):
    made = grammar('r = a "x" "1" / b "x" "2"\na = "y"\nb = "y"\n')
    values = {"a": Mark(constant=(1, 1)), "b": Mark(constant=(1, 2))}
    told = Layout((), (("R",), ("A", "B")), {}, {}, {"r": Mark(None, (0, 1), values)})
    alphabet = Alphabet(rule.body for rule in made.rules.values())
    with pytest.raises(AmbiguousTagsError, match=r"do not agree which of A, B it is\Z"):
        tagged(made, alphabet, told, ("r",))


@given(st.integers(0, 0x10FFFF), st.integers(0, 0x10FFFF), st.data())
def test_every_character_of_a_range_is_in_one_box_of_octets(low, high, data):
    low, high = min(low, high), max(low, high)
    boxes = spelled(low, high)
    edges = [low, high, low - 1, high + 1, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000]
    code = data.draw(st.one_of(st.integers(low, high), st.sampled_from(edges)))
    if not 0 <= code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return
    octets = chr(code).encode()
    hits = [
        box
        for box in boxes
        if len(box) == len(octets)
        and all(a <= octet <= b for octet, (a, b) in zip(octets, box, strict=True))
    ]
    assert len(hits) == (low <= code <= high)


def test_the_kinds_of_a_field_span_the_innermost_rule_that_holds_them():
    for name, owner in (("rfc3986", "host"), ("rfc3987", "ihost")):
        bundle = BUNDLES[name]
        assert layout(bundle.grammar, bundle.settings).owners == {"host": owner}
    without = replace(BUNDLES["rfc3986"].settings, fields={"scheme": "a:S", "port": "a:P"})
    odd = replace(without, fields={"URI": "a:S", "absolute-URI": "a:P"})
    with pytest.raises(AmbiguousTagsError, match=r"\AURI, absolute-URI are kinds of a field"):
        layout(BUNDLES["rfc3986"].grammar, odd)


@pytest.mark.slow
def test_tables_that_accept_something_else_are_refused():
    bundle = BUNDLES["rfc3986"]
    rules = bundle.grammar.rules
    alphabet = Alphabet(rule.body for rule in rules.values())
    found = languages(rules, alphabet, shipped("rfc3986").STARTS)
    tables, starts = tables_of("rfc3986"), shipped("rfc3986").STARTS
    prove_language("rfc3986", tables.automaton(starts), found, alphabet)
    edges = [at for at, target in enumerate(tables.targets) if target != NOWHERE]
    for at in edges[:: len(edges) // 3]:
        bent = replace(tables, targets=(*tables.targets[:at], NOWHERE, *tables.targets[at + 1 :]))
        with pytest.raises(ProofError, match="does not accept what its rules match"):
            prove_language("rfc3986", bent.automaton(starts), found, alphabet)


@pytest.mark.slow
def test_tables_that_tell_something_else_are_refused(monkeypatch):
    from abnf2lark.tagged import tagged_proof

    bundle = BUNDLES["rfc3986"]
    rules = bundle.grammar.rules
    alphabet = Alphabet(rule.body for rule in rules.values())
    found = languages(rules, alphabet, rules)

    def lazy(data):
        tables = read(data)
        busy = max(tables.cells, key=tables.cells.count) or 1
        acts = [IDLE if n == busy else act for n, act in enumerate(tables.acts)]
        return replace(tables, acts=tuple(acts))

    monkeypatch.setattr(tagged_proof, "read", lazy)
    with pytest.raises(ProofError, match="tables report"):
        tagged_content(bundle, found, alphabet)


@pytest.mark.slow
@each_case("grammar", SHIPPED)
def test_what_is_read_back_is_what_was_written(grammar):
    bundle, module, tables = BUNDLES[grammar], shipped(grammar), tables_of(grammar)
    told = layout(bundle.grammar, bundle.settings)
    made = tables.automaton(module.STARTS)
    assert written(made, told) == written(merged(made), told)
    assert tuple(module.STARTS) == tuple(choices(bundle.grammar, told.marks))
    assert (told.fields, told.constants, told.kinds) == (
        module.FIELDS, module.CONSTANTS, module.KINDS,
    )  # fmt: skip


def test_tables_of_another_format_are_not_read():
    with pytest.raises(ValueError, match="not tables of this format"):
        read(b"TAGS\2\0" + bytes(300))
