"""First derivations: the same choices as by plain backtracking, at a cost that does not grow."""

from itertools import product

import pytest
from conformance.first_choices import first_choices
from hypothesis import given
from hypothesis import strategies as st

from uriparse.conformance import RuleTooLargeError
from uriparse.conformance import derivations as unfolding
from uriparse.conformance.coverage import shortest_texts
from uriparse.conformance.derivations import Derivations, Unfolding
from uriparse.conformance.rule_automata import Alphabet

characters = st.builds(
    lambda *ends: ("chars", tuple((ord(a), ord(b)) for a, b in ends)),
    st.sampled_from([("a", "a"), ("a", "c"), ("b", "c"), ("b", "b")]),
)
nodes = st.recursive(
    characters | st.just(("text", "ab")),
    lambda inner: (
        st.lists(inner, min_size=2, max_size=3).map(lambda items: ("alt", tuple(items)))
        | st.lists(inner, max_size=3).map(lambda items: ("seq", tuple(items)))
        | st.builds(
            lambda item, low, more: ("rep", item, low, low + more if more >= 0 else -1),
            inner,
            st.integers(0, 2),
            st.integers(-1, 3),
        )
    ),
    max_leaves=6,
)


def derivations(rule, known, components=frozenset()):
    unfolded = Unfolding(rule, known, components)
    told = [one.spans for here in unfolded.reads for one in here]
    ends = [((code, code),) for here in unfolded.reads for one in here for code in one.ends]
    return Derivations(unfolded, Alphabet(told + ends))


def touched(found):
    """Name the touched choices as the judge names them."""
    numbers = {number: key for key, number in found.unfolding.numbers.items()}
    return {
        (choice.kind, choice.component, choice.rule, place if choice.kind != "rule" else (), value)
        for number, choice in enumerate(found.unfolding.choices)
        for _, _, place, value in [numbers[number]]
        if found.touched >> number & 1
    }


@given(nodes, st.lists(st.text("abc", max_size=5), max_size=8))
def test_choices_of_any_rule(node, texts):
    known = {"r": node}
    for text in texts:
        expected = first_choices(text, "r", known)
        found = derivations("r", known)
        assert found.derive(found.alphabet.labels(text)) is (expected is not None)
        assert touched(found) == (expected or set())


@given(nodes)
def test_each_choice_that_a_text_can_come_to_has_one_that_does(node):
    known = {"r": node}
    found = derivations("r", known)
    texts = shortest_texts(found, (1 << len(found.unfolding.choices)) - 1)
    assert not found.touched
    for number, text in texts.items():
        found = derivations("r", known)
        assert found.derive(found.alphabet.labels(text))
        assert found.touched >> number & 1


@given(nodes)
def test_what_has_no_text_is_come_to_by_none(node):
    known = {"r": node}
    found = derivations("r", known)
    choices = found.unfolding.choices
    texts = shortest_texts(found, (1 << len(choices)) - 1)
    for length in range(5):
        for letters in product("abc", repeat=length):
            labels = found.alphabet.labels("".join(letters))
            if found.derive(labels):
                made = found.choices_of(labels)
                assert {number for number in range(len(choices)) if made >> number & 1} <= {*texts}


def test_what_no_text_comes_to_has_no_text():
    shadowed = ("alt", (("rep", ("chars", ((97, 99),)), 0, -1), ("chars", ((98, 98),))))
    found = derivations("r", {"r": shadowed})
    texts = shortest_texts(found, (1 << len(found.unfolding.choices)) - 1)
    left = [choice for number, choice in enumerate(found.unfolding.choices) if number not in texts]
    assert [(choice.kind, choice.value) for choice in left] == [("alternative", 1)]


def test_a_rule_whose_repetitions_are_too_many_is_refused(monkeypatch):
    monkeypatch.setattr(unfolding, "MAX_STEPS", 1_000)
    node = ("rep", ("seq", (("chars", ((97, 97),)), ("text", "ab"))), 0, 1_000)
    with pytest.raises(RuleTooLargeError, match=r"^r unfolds to more than 1,000 steps, which "):
        Unfolding("r", {"r": node}, set())
