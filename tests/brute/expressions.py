"""Random expressions over a few letters, for laws."""

from hypothesis import strategies as st

from abnf2lark.automata import Alphabet, Nfa
from abnf2lark.ir import EMPTY, Capture, Chars, Rep, Text, alt, children, rebuild, seq

LETTERS = "abc"
ALPHABET = Alphabet([Chars.single(letter) for letter in LETTERS])
OFTEN = [(0, None), (1, None), (0, 1)]
COUNTS = [*OFTEN, *OFTEN, (2, None), (2, 2), (1, 3), (0, 2), (3, 3)]

classes = st.sets(st.sampled_from(LETTERS), min_size=1).map(
    lambda letters: Chars.of([(ord(letter), ord(letter)) for letter in letters])
)
texts = st.text(LETTERS, min_size=2, max_size=3).map(Text)


def _longer(inner):
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(seq),
        st.lists(inner, min_size=2, max_size=3).map(alt),
        st.permutations(range(3)).flatmap(
            lambda order: st.tuples(inner, inner).map(
                lambda pair: alt([(*pair, EMPTY)[place] for place in order])
            )
        ),
        st.builds(lambda item, counts: Rep(item, *counts), inner, st.sampled_from(COUNTS)),
        # Loops whose turns are not empty are the ones that can be possessive.
        st.builds(lambda first, rest, counts: Rep(seq([first, rest]), *counts), classes, inner,
                  st.sampled_from(OFTEN)),
    )  # fmt: skip


def loops_deep(node):
    """Count the repetitions that stand one within the other."""
    return isinstance(node, Rep) + max(map(loops_deep, children(node)), default=0)


# Behind loops three deep whose turns can be empty, Python's `re` needs minutes for five letters.
expressions = st.recursive(
    st.one_of(classes, classes, classes, texts, st.just(EMPTY)), _longer, max_leaves=8
).filter(lambda node: loops_deep(node) <= 2)


@st.composite
def capturing(draw):
    """Draw an expression in which some parts are captured, none of them within another."""
    names = iter("stuvwxyz")

    def mark(node):
        if draw(st.integers(0, 3)) == 0 and (name := next(names, None)):
            return Capture(name, node)
        parts = children(node)
        return rebuild(node, [mark(part) for part in parts]) if parts else node

    return mark(draw(expressions))


@st.composite
def watched(draw):
    """Draw expressions one behind the other, the last captured: it shows where the others end."""
    before = draw(st.one_of(expressions, capturing()))
    return seq([before, Capture("rest", draw(expressions))])


def language(node, alphabet=ALPHABET):
    """Give the language of an expression without references."""
    nfa = Nfa()
    start = nfa.state()
    end = nfa.add(node, start, {}, alphabet)
    return nfa.language(start, {end}, alphabet.size)
