"""The strings that readers are tried on: valid, different, and none of the automaton left out."""

from urllib.parse import unquote

import pytest
from agreement.drawing import Drawing, covering, is_agreed, is_unseen

from uriparse import is_valid

RULES = ("destination-URI", "request-URI")


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_words_are_of_the_rule(rule):
    drawing = Drawing(rule, 0)
    words = {drawing.word() for _ in range(500)}
    assert len(words) > 400
    assert min(map(len, words)) < 20
    assert max(map(len, words)) > 200
    for word in words:
        assert is_valid(word, rule, grammar="agreed")
        assert is_valid(word, "URI")


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule", ["request-URI", pytest.param("destination-URI", marks=pytest.mark.slow)]
)
def test_each_transition_is_taken(rule):
    drawing = Drawing(rule, 0)
    assert len(drawing.transitions) > 8000
    for state, label in drawing.transitions:
        word = drawing.through((state, label))
        assert is_valid(word, rule, grammar="agreed")
        way = drawing.ways[state]
        assert word.startswith(way)
        assert word[len(way)] in drawing.characters[label]


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_only_misspelt_addresses_leave_transitions_out(rule):
    """No agreed text begins with "[00": the transitions that it takes lead to none.

    Nor does a request hold a control, so that those through its octets lead to none either.
    """
    texts, missed = covering(rule)
    assert len(texts) > 7000
    assert all(is_agreed(text, rule) for text in texts)
    drawing = Drawing(rule, 0)
    assert len(missed) < len(drawing.transitions) / 10
    for state, label in missed:
        way = drawing.ways[state]
        if "[" in way:
            assert "]" not in way
        else:
            word = drawing.through((state, label))
            assert is_agreed(word)
            assert any(map(is_unseen, unquote(word)))


@pytest.mark.parametrize("text", ["http://[::1]/", "http://a/", f"http://{'a.' * 126}a/"])
def test_agreed(text):
    assert is_agreed(text)


@pytest.mark.parametrize("text", [
    "http://[0::1]/", "http://[::ffff:1:2]/", "http://[1:0:0:2:3:4:5:6]/", f"http://{'a.' * 127}a/",
])  # fmt: skip
def test_not_agreed(text):
    assert is_valid(text, "destination-URI", grammar="agreed")
    assert not is_agreed(text)
