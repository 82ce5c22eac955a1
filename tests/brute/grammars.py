"""Random grammars of three rules, of which one may refer to the others."""

from hypothesis import strategies as st

from abnf2lark.reading.ir import Grammar, Position, Ref, Rep, Rule, alt, seq

from .expressions import expressions

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
    return Grammar(
        "test", {name: Rule(name, body, "test", HERE) for name, body in bodies.items()}, (*bodies,)
    )
