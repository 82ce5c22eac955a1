"""Parts of a rule that are too large: counted rule by rule, and the smallest one named."""

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

import abnf2lark
from abnf2lark.automata import Alphabet, TooLargeError, comparison, part_of_many_states
from abnf2lark.ir import Chars, Ref, Rep
from abnf2lark.reading.large_parts import Sizes, large_part

SMALLER = "; write smaller numbers, or * without any"

ONE_BY_ONE = "; make it simpler, or take the rules in it one by one"

WORDS = " / ".join(f'"w{number}"' for number in range(200))
GRAMMARS = st.lists(
    st.sampled_from(["{}", "{} {}", "2{}", "3*7{}", "[ {} ]", '"x" / {}']), max_size=6
)


@each_case(("text", "told"), [
    ('a = 3*5000( b )\nb = "x" [ "y" ]\n', f"3*5000b in a (own.abnf:1){SMALLER}"),
    ('a = "q" b\n\nb =\n  "r"\n  *9000c\nc = "x"\n', f"*9000c in b (own.abnf:5){SMALLER}"),
    ('a = 3*5( 3*5( 3*5"x" ) )\n', f'3*5( 3*5( 3*5"x" ) ) in a (own.abnf:1){SMALLER}'),
    (f'a = "x" / {"2(" * 12}a{")" * 12}\n',
     "2( 2( 2( 2( 2( 2( 2( 2( 2( 2( 2( 2a ) ) ) ) ) ) ) … in a"),
    (f'a = b "x"\nb = 1*3c\nc = {WORDS}\n', "c (own.abnf:3), a choice of 200 alternatives; "),
    (f'a = b "x"\nb = *c\nc = 9{"( x )"}\nx = {WORDS}\n', "x (own.abnf:4), a choice of 200"),
    ("a = b c\nb = d d\nc = d d\nd = 9DIGIT\n", f"a (own.abnf:1){ONE_BY_ONE}"),
    ('a = "("  b ")"\nb = *a 80"x"\n', f'80"x" in b (own.abnf:2){SMALLER}'),
    (f"a = 2000( {WORDS} )\n",
     '2000( "w0" / "w1" / "w2" / "w3" / "w4" / "w5" / "w … in a (own.abnf:1)' + SMALLER),
])  # fmt: skip
def test_what_takes_the_most_places_is_named(text, told):
    grammar = abnf2lark.load(text, name="own.abnf").known
    assert str(large_part(grammar, "a")).startswith(f"what makes it large is {told}")


@pytest.mark.slow
@pytest.mark.parametrize(("text", "told"), [
    ('a = "q" b "r" / c\nb = *( "x" / "y" ) "x" 40( "x" / "y" )\nc = 2000"z"\n',
     f'40( "x" / "y" ) in b (own.abnf:2){SMALLER}'),
    ('a = *"z" b\nb = [ "z" *e "x" c ]\nc = d d d d\nd = e e e e\ne = "x" / "y"\n',
     f'"z" *e "x" c in b (own.abnf:2){ONE_BY_ONE}'),
    (f'a = 2b *( "x" / "y" )\nb = {WORDS}\n', f"a (own.abnf:1){ONE_BY_ONE}"),
    ('a = 90000"x"\n', f'90000"x" in a (own.abnf:1){SMALLER}'),
])  # fmt: skip
def test_the_smallest_part_with_too_many_states_is_named(monkeypatch, text, told):
    monkeypatch.setattr(comparison, "MAX_STEPS", 100_000)
    grammar = abnf2lark.load(text, name="own.abnf").known
    assert str(part_of_many_states(grammar, "a")) == f"what makes it large is {told}"


@given(GRAMMARS)
def test_places_are_those_of_the_rule_written_out(links):
    text = "".join(f"r{n} = {link.replace('{}', f'r{n + 1}')}\n" for n, link in enumerate(links))
    grammar = abnf2lark.load(f'{text}r{len(links)} = "xyz" / ALPHA\n').known
    assert Sizes(grammar, "r0").of(Ref("r0")) == written(grammar, Ref("r0"))
    part = large_part(grammar, "r0")
    assert part.rule in grammar.rules
    assert part.place == grammar.rules[part.rule].place


def written(grammar, node):
    """Count the characters that a rule has room for when all is written out."""
    match node:
        case Ref(name):
            return written(grammar, grammar.rules[name].body)
        case Rep(item, low, high):
            return sum(written(grammar, item) for _ in range(max(low if high is None else high, 1)))
        case _ if hasattr(node, "items"):
            return sum(written(grammar, item) for item in node.items)
        case _:
            return len(getattr(node, "value", "c"))


def test_sets_that_cut_each_other_to_pieces_are_refused():
    bodies = [Chars.of([(first, first + 3_000)]) for first in range(256, 3_256)]
    with pytest.raises(TooLargeError):
        Alphabet(bodies)
    assert Alphabet(bodies[:300]).size == 600
