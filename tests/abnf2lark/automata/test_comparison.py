"""Comparing two rules: the relation, and shortest texts for it."""

import pkgutil
from dataclasses import astuple

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

import abnf2lark
from abnf2lark.automata import TooLargeError, compare_rules
from abnf2lark.config import core_grammar
from abnf2lark.problems import Source
from abnf2lark.reading import load

pytestmark = pytest.mark.slow

TABLES = tables(__file__)

CORE = core_grammar()
# left, right, relation, only left, only right, both
WORDS = st.lists(st.text("ab", max_size=3), min_size=1, max_size=5)


def grammar(text, name="t"):
    made, problems = load(Source("t.abnf", text), name, (CORE,))
    assert not problems
    return made


def compared(left, right):
    return compare_rules(grammar(f"l = {left}\n"), "l", grammar(f"r = {right}\n"), "r")


@each_case("case", TABLES["cases"])
def test_relations_come_with_shortest_texts(case):
    left, right, relation, only_left, only_right, both = case
    found = compared(left, right)
    assert (found.relation, found.only_left, found.only_right, found.both) == (
        relation, only_left, only_right, both,
    )  # fmt: skip


@given(WORDS, WORDS)
def test_of_finite_rules_it_is_what_sets_say(left, right):
    ours, theirs = set(left), set(right)
    found = compared(*(" / ".join(f'%s"{word}"' for word in words) for words in (left, right)))
    assert (found.only_left is None) == (ours <= theirs)
    assert (found.only_right is None) == (theirs <= ours)
    assert (found.both is None) == ours.isdisjoint(theirs)
    for word, among in (
        (found.only_left, ours - theirs),
        (found.only_right, theirs - ours),
        (found.both, ours & theirs),
    ):
        assert word is None or (word in among and len(word) == min(map(len, among)))


LAST = "*( {a} / {b} ) {a} {count}( {a} / {b} )"
"""What counts is one character, so many before the end; automata have a state for each 2 ** count
ways in which a text can end, but read backwards they have one for each place."""


@pytest.mark.parametrize("count", [3, 14, 40])
def test_a_character_that_counts_far_before_the_end(count):
    """The judge is Python: of all texts of the shortest length, whichever they are."""
    left = LAST.format(a='"x"', b='"y"', count=count)
    other = LAST.format(a='( "x" )', b="( %x59 / %x79 )", count=count)
    assert compared(left, other).relation == "equal"
    further = compared(left, LAST.format(a='"x"', b='"y"', count=count + 1))
    assert further.relation == "overlapping"
    texts = (further.only_left, further.only_right, further.both)
    assert [len(text) for text in texts] == [count + 1, count + 2, count + 2]
    for place, kept in ((-count - 1, (True, False, True)), (-count - 2, (False, True, True))):
        assert tuple(f"y{text}"[place] == "x" for text in texts) == kept
    narrower = compared(left, left.replace("*(", "1*(", 1))
    assert (narrower.relation, narrower.only_right) == ("superset", None)
    assert len(narrower.only_left) == count + 1


@given(st.data())
def test_backwards_it_is_the_same(data):
    rules = st.recursive(
        st.sampled_from(['"a"', '"b"', '"ab"', '[ "b" ]']),
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda some: f"( {' '.join(some)} )"),
            st.lists(inner, min_size=2, max_size=3).map(lambda some: f"( {' / '.join(some)} )"),
            inner.map(lambda one: f"*( {one} )"),
        ),
        max_leaves=5,
    )
    left, right = data.draw(rules), data.draw(rules)
    forth = compared(left, right)
    with pytest.MonkeyPatch.context() as patch:
        calls = []
        within = "abnf2lark.automata.comparison._within"
        real = pkgutil.resolve_name(within)

        def backwards(steps, *sides):
            calls.append(steps)
            if len(calls) == 1:
                raise TooLargeError
            return real(steps, *sides)

        patch.setattr(within, backwards)
        back = compared(left, right)
    for one, other in zip(astuple(forth), astuple(back), strict=True):
        assert (one is None) == (other is None)
        assert one is None or len(one) == len(other)
    for text, judged in zip(astuple(back), ((1, 0), (0, 1), (1, 1)), strict=True):
        if text is not None:
            sides = [abnf2lark.load(f"r = {side}") for side in (left, right)]
            assert tuple(side.matches(text) for side in sides) == judged


def test_the_command_says_it_in_words(abnf2lark):
    done = abnf2lark("diff", "t.abnf:scheme", "rfc3986:scheme", t="scheme = 1*ALPHA\n")
    assert (done.code, done.err) == (1, "")
    assert done.out == (
        "subset: all that t.abnf:scheme matches, rfc3986:scheme matches too\n"
        '  only rfc3986:scheme matches "a+"\n'
    )
    done = abnf2lark("diff", "rfc3986:PORT", "core:digit")
    assert done.out == (
        "superset: all that core:digit matches, rfc3986:PORT matches too\n"
        '  only rfc3986:PORT matches ""\n'
    )
    done = abnf2lark("diff", "rfc3986:query", "rfc3986:fragment")
    assert (done.code, done.out) == (
        0, "equal: rfc3986:query and rfc3986:fragment match the same texts\n",
    )  # fmt: skip
    done = abnf2lark("diff", "t.abnf:a", "t.abnf:b", t='a = "x" / %x0D\nb = "x" / "y"\n')
    assert done.out == (
        "overlapping: t.abnf:a and t.abnf:b each match texts that the other does not\n"
        "  only t.abnf:a matches %x0D\n"
        '  only t.abnf:b matches "y"\n'
        '  both match "x"\n'
    )
    done = abnf2lark("diff", "rfc3986:port", "rfc3986:scheme")
    assert done.out == (
        "disjoint: no text matches both rfc3986:port and rfc3986:scheme\n"
        '  only rfc3986:port matches ""\n'
        '  only rfc3986:scheme matches "a"\n'
    )


REFUSED = TABLES["refused"]


@each_case("operand", REFUSED)
def test_what_cannot_be_compared_is_refused(abnf2lark, operand):
    done = abnf2lark("diff", operand, "rfc3986:URI", t='a = "(" [ a ] ")"\n')
    assert (done.code, done.out, done.err) == (2, "", f"abnf2lark: {REFUSED[operand]}\n")
    again = abnf2lark("diff", "rfc3986:URI", operand)
    assert (again.code, again.err) == (done.code, done.err)
