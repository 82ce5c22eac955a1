"""The generator is fit to test with: its words are words, all of them, and the same ones again."""

import itertools
import random

import pytest
from marks import by_grammar, one_in
from oracle.derivatives import derivatives
from oracle.deriving import SHORT, Deriver, choice_points, choices, mutate
from oracle.generation import distinct, grammar, spoiled, thorough, words
from oracle.judges import NAME, by_derivatives, source

import uriparse
from abnf2lark.ir import Alt, Chars, Rep, children, reachable, walk
from abnf2lark.tables.error_automaton import nested

GRAMMARS = uriparse.grammars()
RULES = [(name, rule) for name in GRAMMARS for rule in uriparse.rules(name)]
assert len(RULES) >= 36 + 25 + 67


@pytest.mark.parametrize("name", by_grammar(GRAMMARS))
def test_every_choice_in_a_grammar_is_aimed_at(name):
    """Each alternative, each bound of a repetition, both ends of each range."""
    reached = reachable(grammar(name), list(uriparse.rules(name)))
    wanted = {
        (rule, type(node), choice)
        for rule in reached
        for node in walk(grammar(name).rules[rule].body)
        for choice in choices(nested(node))
    }
    assert {kind for _, kind, _ in wanted} <= {Alt, Chars, Rep}
    aimed = {
        (point.home, point.choice)
        for rule in uriparse.rules(name)
        for point in choice_points(rule, name)
    }
    found = {(home, type(node_at(name, home, way)), choice) for (home, way), choice in aimed}
    assert found == wanted


def node_at(name, rule, way):
    node = grammar(name).rules[rule].body
    for number in way:
        node = children(node)[number]
    return node


@pytest.mark.parametrize(("name", "rule", "home", "sign"), [
    ("rfc3986", "URI-reference", "IPvFuture", "[v"), ("rfc3986", "URI", "port", ":"),
    ("rfc3987", "IRI", "iprivate", "?"), ("rfc1738", "url", "ftptype", ";type="),
    ("rfc1738", "url", "gopher-plus-string", "%09"),
])  # fmt: skip
def test_a_derivation_goes_through_its_spot(name, rule, home, sign):
    deriver = Deriver(name, random.Random(1))
    aims = [point for point in choice_points(rule, name) if point.home[0] == home]
    assert aims
    for aim in aims:
        word = deriver.word(rule, aim).lower()
        assert sign in word
        assert word.index(sign) <= deriver.at


def test_an_aimed_choice_is_taken_where_it_was_aimed_at():
    deriver = Deriver("rfc3986", random.Random(2))
    aims = [point for point in choice_points("h16") if point.path == ()]
    lengths = {aim.choice: len(deriver.word("h16", aim)) for aim in aims}
    assert lengths == {1: 1, 2: 2, 3: 3, 4: 4}
    for aim in choice_points("IPv4address"):
        word = deriver.word("IPv4address", aim)
        assert aim.home[0] == "dec-octet" or word[deriver.at] == chr(aim.choice)
        assert word.count(".", 0, deriver.at) == aim.path[0] // 2


def test_thorough_words_go_through_every_spot():
    pairs = list(thorough("rfc3986", "IP-literal", 2))
    assert len(pairs) == len(choice_points("IP-literal"))
    assert all(len(bad) == 2 for _, bad in pairs)


def test_words_are_the_same_for_the_same_seed_alone():
    def some(seed):
        return list(itertools.islice(words("rfc3986", "URI", seed), 50))

    assert some(3) == some(3)
    assert some(3) != some(4)


@pytest.mark.parametrize(("name", "rule"), one_in(4, by_grammar(RULES)))
def test_words_are_words_and_short(name, rule):
    for word in distinct(words(name, rule), 2):
        assert by_derivatives(name, rule, word), word
        assert len(word) < SHORT * 6


def test_spoiled_words_differ_by_little():
    chance = random.Random(5)
    for word in itertools.islice(words("rfc3987", "IRI"), 300):
        bad = mutate(word, chance, "rfc3987")
        assert bad != word
        assert len(bad) <= len(word) + 2


def test_spoiled_words_are_of_both_kinds():
    verdicts = [
        by_derivatives("rfc3986", "URI", s) for s in distinct(spoiled("rfc3986", "URI"), 300)
    ]
    assert 30 < sum(verdicts) < 270


def test_derivatives_by_hand():
    judge = derivatives("rfc3986")
    assert judge.accepts("dec-octet", "255")
    assert not judge.accepts("dec-octet", "256")
    assert judge.continuable("dec-octet", "256") == 2
    assert judge.continuable("URI", "http://h/%zz") == 10
    assert judge.continuable("URI", "http://[1:2") == 11
    assert judge.continuable("path-empty", "x") == 0
    for prefix in ("", "a", "http://[1::", "x:%"):
        assert judge.accepts("URI", prefix + judge.completion("URI", prefix))


@pytest.mark.parametrize("name", by_grammar(GRAMMARS))
def test_names_are_told_from_text_in_grammar_files(name):
    found = {match[0] for match in NAME.finditer(source(name)) if match[0][0].isalpha()}
    assert set(grammar(name).own) <= found
    known = {rule.casefold() for rule in grammar(name).rules}
    assert {word.casefold() for word in found} - known <= {"pchar", "ipchar"}
