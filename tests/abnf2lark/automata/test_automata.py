"""Automata against the brute-force enumeration of all words up to length five."""

import pytest
from brute.expressions import ALPHABET, LETTERS, expressions, language
from brute.words import all_words, words
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark import automata
from abnf2lark.automata.language import blocks
from abnf2lark.ir import MAX_CODE_POINT, Alt, Chars, Position, Ref, Rep, Rule, Seq, Text

LIMIT = 5
WORDS = all_words(LETTERS, LIMIT)
EVERYTHING = Rep(Chars.of([(ord(letter), ord(letter)) for letter in LETTERS]), 0, None)
SIZE = ALPHABET.size


def short(found):
    """Give the short words of a language over the letters."""
    return {word for word in WORDS if found.accepts(word, ALPHABET)}


def brute(node):
    return words(node, LETTERS, LIMIT)


@given(expressions)
def test_an_automaton_has_the_words_of_its_expression(node):
    assert short(language(node)) == brute(node)


@given(expressions, expressions)
def test_union_intersection_and_difference(left, right):
    one, two = language(left), language(right)
    assert short(one | two) == brute(left) | brute(right)
    assert short(one & two) == brute(left) & brute(right)
    assert short(one - two) == brute(left) - brute(right)
    assert (one <= two) == (one - two == automata.Language.empty(SIZE)) == (one | two == two)


@given(expressions)
def test_complement(node):
    found = language(node)
    assert short(~found) == set(WORDS) - brute(node)
    assert ~~found == found
    assert not found & ~found
    assert found | ~found == automata.Language.everything(SIZE)


@given(expressions, expressions)
def test_concatenation(left, right):
    joined = language(left) + language(right)
    firsts, seconds = brute(left), brute(right)
    expected = {a + b for a in firsts for b in seconds if len(a + b) <= LIMIT}
    assert short(joined) == expected
    assert joined == language(Seq((left, right)))


@given(expressions, expressions, expressions)
def test_languages_obey_the_laws_of_sets_and_words(left, middle, right):
    one, two, three = language(left), language(middle), language(right)
    assert (one + two) + three == one + (two + three)
    assert one + (two | three) == (one + two) | (one + three)
    assert one - (two | three) == (one - two) - three
    assert ~(one | two) == ~one & ~two
    assert one + automata.Language.nothing(SIZE) == automata.Language.nothing(SIZE) + one == one
    assert one + automata.Language.empty(SIZE) == automata.Language.empty(SIZE)


@given(expressions, expressions)
def test_equality_is_that_of_the_languages(left, right):
    one, two = language(left), language(right)
    assert (one == two) == (one <= two <= one)
    if one == two:
        assert hash(one) == hash(two)
        assert brute(left) == brute(right)
    else:
        differing = ((one - two) | (two - one)).witness(ALPHABET)
        assert one.accepts(differing, ALPHABET) != two.accepts(differing, ALPHABET)


@given(expressions)
def test_nullable_first_and_the_empty_word(node):
    found = language(node)
    assert found.nullable() == ("" in brute(node)) == found.accepts("", ALPHABET)
    assert short(found.without_empty()) == brute(node) - {""}
    firsts = {word[0] for word in brute(node) if word}
    begun = {letter for letter in LETTERS if ALPHABET.class_of(letter) in found.first()}
    assert firsts <= begun
    for letter in begun:
        assert found & (language(Chars.single(letter)) + automata.Language.everything(SIZE))


@given(expressions, st.text(LETTERS, max_size=3))
def test_what_comes_after_a_prefix(node, prefix):
    found = language(node)
    state = 0
    for char in prefix:
        state = found.edges[state].get(ALPHABET.class_of(char), -1)
        if state < 0:
            assert not any(word.startswith(prefix) for word in brute(node))
            return
    rest = found.after(state)
    assert {prefix + word for word in short(rest) if len(prefix + word) <= LIMIT} == {
        word for word in brute(node) if word.startswith(prefix)
    }
    assert rest  # every state leads to acceptance
    assert prefix in short(automata.Language(found.edges, {state}, found.size))


@given(expressions)
def test_a_witness_is_a_shortest_word(node):
    found = language(node)
    witness = found.witness(ALPHABET)
    assert found.accepts(witness, ALPHABET)
    assert len(witness) == min(map(len, brute(node)), default=len(witness))
    assert len(witness) > LIMIT or brute(node)
    assert automata.Language.empty(SIZE).witness(ALPHABET) is None


@given(expressions, expressions, expressions)
def test_a_common_word_is_a_shortest_one_and_outside_of_the_third(left, right, third):
    one, two, three = language(left), language(right), language(third)
    for outside in (None, three):
        found = automata.common_word(one, two, ALPHABET, outside=outside)
        wanted = one & two if outside is None else (one & two) - three
        witness = wanted.witness(ALPHABET)
        assert (found is None) == (witness is None)
        if found is not None:
            assert wanted.accepts(found, ALPHABET)
            assert len(found) == len(witness)


@given(expressions, expressions)
def test_automata_are_minimal_and_numbered_breadth_first(left, right):
    for found in (
        language(left),
        language(left) | language(right),
        language(left) + language(right),
    ):
        # No two states go on alike, all can be reached, and all lead to acceptance.
        rests = [found.after(state) for state in range(len(found))]
        assert len(set(rests)) == len(rests)
        assert all(rests) or rests == [automata.Language.empty(SIZE)]
        seen = [0]
        for state in range(len(found)):
            row = found.edges[state]
            seen.extend(row[label] for label in sorted(row))
        assert list(dict.fromkeys(seen)) == list(range(len(found)))


@given(expressions)
def test_blocks_are_the_classes_of_states_that_go_on_alike(node):
    found = language(node)
    # Two copies of every state: each is in one block with its twin, and with no other state.
    count = len(found)
    rows = {
        state + shift: {
            label: target + (count if (label + state + shift) % 2 else 0)
            for label, target in found.edges[state].items()
        }
        for state in range(count)
        for shift in (0, count)
    }
    block = blocks(rows, {s + shift for s in found.final for shift in (0, count)})
    assert all(block[state] == block[state + count] for state in range(count))
    assert len(set(block.values())) == count


@given(expressions)
def test_references_mean_the_rules_they_name(node):
    here = Position(1, 1)
    rules = {
        "deep": Rule("deep", node, "test", here),
        "twice": Rule("twice", Seq((Ref("deep"), Ref("deep"))), "test", here),
        "s": Rule("s", Alt((Ref("twice"), Rep(Ref("deep"), 0, 1))), "test", here),
    }
    found = automata.languages(rules, ALPHABET, ["s"])
    assert list(found) == ["deep", "twice", "s"]
    assert short(found["s"]) == words(rules["s"].body, LETTERS, LIMIT, rules)


@given(st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), min_size=1), max_size=4))
def test_an_alphabet_is_the_coarsest_partition_that_tells_the_sets_apart(lists):
    sets = [Chars.of([(low, low + more) for low, more in spans]) for spans in lists]
    alphabet = automata.Alphabet(sets)
    profiles = {}
    for code in (*range(60), 1000, MAX_CODE_POINT):
        profile = tuple(code in chars for chars in sets)
        label = alphabet.class_of(chr(code))
        assert profiles.setdefault(profile, label) == label
        assert all((label in alphabet.classes(chars)) == (code in chars) for chars in sets)
        assert ord(alphabet.sample(label)) in alphabet.chars([label])
    assert len(set(profiles.values())) == len(profiles) == alphabet.size
    for chars in sets:
        assert alphabet.chars(alphabet.classes(chars)) == chars
    assert alphabet.chars(range(alphabet.size)) == Chars(((0, MAX_CODE_POINT),))


def test_a_set_that_an_alphabet_cannot_tell_is_refused():
    alphabet = automata.Alphabet([Chars(((97, 99),))])
    for chars in (Chars.single("b"), Chars(((97, 98),)), Chars(((97, 100),)), Chars.single("x")):
        with pytest.raises(ValueError, match="alphabet"):
            alphabet.classes(chars)
        with pytest.raises(ValueError, match="alphabet"):
            language(Alt((Text("ab"), chars)), alphabet)


@pytest.mark.slow
def test_automata_that_grow_too_large_are_given_up():
    doubling = Seq((EVERYTHING, Chars.single("a"), *[EVERYTHING.item] * 15))
    with pytest.raises(automata.TooLargeError):
        language(doubling)
    with pytest.raises(automata.TooLargeError):
        language(Rep(Text("ab"), 100_000, 100_000))
    with pytest.raises(automata.TooLargeError), automata.limited(50):
        language(Rep(Text("ab"), 100, 100))
    with automata.limited(2_000):
        assert len(language(Rep(Text("ab"), 100, 100))) == 201
    assert len(language(Rep(Text("ab"), 1_000, 1_000))) == 2_001  # no limit any more


def test_automata_whose_states_are_large_sets_are_given_up(monkeypatch):
    node = Seq((EVERYTHING, Chars.single("a"), *[EVERYTHING.item] * 6))
    assert len(language(node)) > 100
    monkeypatch.setattr(automata.nfa, "MAX_HELD", 500)
    with pytest.raises(automata.TooLargeError):
        language(node)
