"""Words are misread together as they are one by one."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st
from oracle.word_graph import graph, misread

STATES = range(4)
LETTERS = "ab"

rows = st.fixed_dictionaries({}, optional={letter: st.sampled_from(STATES) for letter in LETTERS})
automata = st.tuples(st.lists(rows, min_size=4, max_size=4), st.sets(st.sampled_from(STATES)))
words = st.dictionaries(
    st.text(LETTERS, max_size=5).map(tuple), st.tuples(st.booleans(), st.integers(1, 3))
)


@given(automata, words)
def test_sets_that_hold_a_misread_word_are_told(automaton, words):
    edges, final = automaton

    def step(state, letter):
        return edges[state].get(letter)

    def accepts(word):
        state = 0
        for letter in word:
            if (state := step(state, letter)) is None:
                return False
        return state in final

    expected = 0
    for word, (valid, sets) in words.items():
        expected |= sets if accepts(word) is not valid else 0
    reader = SimpleNamespace(start=0, final=final, step=step)
    assert misread(graph((word, *rest) for word, rest in words.items()), reader) == expected
