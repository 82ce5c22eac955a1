"""Random grammars of three rules, of which one may refer to the others."""

from hypothesis import strategies as st

from abnf2lark.ir import Chars, Position, Ref, Rep, Rule, RuleSet, alt, seq

from .expressions import classes, expressions

HERE = Position(1, 1)
STRUCTURES = st.recursive(
    st.sampled_from("ab").map(Ref) | st.sampled_from("ab").map(Ref) | expressions,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(seq),
        st.lists(inner, min_size=2, max_size=2).map(alt),
        st.sampled_from([(0, 1), (0, None), (1, None), (2, 3)]).flatmap(
            lambda counts: inner.map(lambda item: Rep(item, *counts))
        ),
    ),
    max_leaves=5,
)


def rules(**bodies):
    return RuleSet(
        "test", {name: Rule(name, body, "test", HERE) for name, body in bodies.items()}, (*bodies,)
    )


LETTER = st.sampled_from("abc").map(Chars.single)
S = Ref("s")
RECURSIVE = st.one_of(
    st.builds(
        lambda mark, end, inner: alt([seq([mark, S, end]), inner]), LETTER, LETTER, expressions
    ),
    st.builds(lambda inner, mark: alt([inner, seq([mark, S])]), expressions, LETTER),
)
"""Rules that lead back to themselves in the middle or at the end."""


def _made_of(items, leaves):
    return st.recursive(
        items,
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(seq),
            st.lists(inner, min_size=2, max_size=2).map(alt),
            st.sampled_from([(0, 1), (0, 1), (0, None), (1, None)]).flatmap(
                lambda counts: inner.map(lambda item: Rep(item, *counts))
            ),
        ),
        max_leaves=leaves,
    )


_TOKENS = _made_of(classes, 3)
_SYMBOLS = st.one_of(st.sampled_from("ab").map(Ref), st.sampled_from("ab").map(Ref), LETTER)


@st.composite
def recursive_grammars(draw):
    """Draw a grammar of which the first rule stands in itself, between tokens that overlap."""
    first, last = draw(LETTER), draw(LETTER)
    inner = draw(_made_of(_SYMBOLS, 4))
    return rules(s=alt([seq([first, Ref("s"), last]), inner]), a=draw(_TOKENS), b=draw(_TOKENS))
