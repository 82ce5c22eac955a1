"""Linear recursion as loops: the same texts, and no recursion left."""

import re

from brute.judge import CORE, judge, ours
from brute.words import all_words
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.automata import compare_rules
from abnf2lark.ir import spelled
from abnf2lark.patterns.rule_expression import proved_matcher
from abnf2lark.reading.recursion import recursive_rules, with_loops

ITEMS = st.sampled_from(['"a"', '"b"', '*"c"', '[ "a" ]', '"b" "c"'])
NAMES = ["s", "t", "u"]


@st.composite
def systems(draw):
    """Draw rules each alternative of which has another rule at one end, or none."""
    last = draw(st.booleans())
    lines = []
    for name in NAMES:
        ways = [draw(ITEMS)]
        for _ in range(draw(st.integers(1, 2))):
            # Something is read before it goes on, so that no judge goes round in circles.
            item = draw(st.sampled_from(['"a"', '"b"', '"b" "c"']))
            other = draw(st.sampled_from(NAMES))
            way = f"{item} {other}" if last else f"{other} {item}"
            ways.append(draw(st.sampled_from([way, f"{item} [ {other} ]" if last else way])))
        lines.append(f"{name} = {' / '.join(ways)}\n")
    return last, "".join(lines)


@given(systems())
def test_the_same_texts_match_without_recursion(system):
    last, text = system
    made = with_loops(ours(text))
    assert not recursive_rules(made)
    if not last:
        return  # a judge that reads from the left goes round in circles
    accepts = judge(text)
    for rule in NAMES:
        found = re.compile(proved_matcher(ours(text), rule, ()).pattern)
        for word in all_words("abc", 4):
            assert bool(found.fullmatch(word)) == accepts(rule, word), (rule, word)


@each_case(
    ("recursive", "loop"),
    [
        ("s = l / l s\nl = ALPHA\n", "s = 1*ALPHA\n"),
        ("s = l / s l\nl = ALPHA\n", "s = 1*ALPHA\n"),
        ('s = i / s "." i\ni = 1*DIGIT\n', 's = 1*DIGIT *( "." 1*DIGIT )\n'),
        ('s = "a" [ t ]\nt = "b" [ s ]\n', 's = "a" *( "ba" ) [ "b" ]\n'),
        ('s = t "x" / "y"\nt = s "a" / t "b"\n', 's = "y" *( "a" *"b" "x" )\n'),
        ('s = s "a" / t\nt = "b" t / "c"\n', 's = *"b" "c" *"a"\n'),
    ],
)
def test_rules_that_are_loops(recursive, loop):
    assert compare_rules(ours(recursive), "s", ours(loop), "s").relation == "equal"


def test_a_loop_beside_one_more_turn_is_written_as_one():
    made = with_loops(ours('s = i / i s\ni = "x" / "y" [ i ]\nt = "." i t / "." i\n'))
    assert spelled(made.rules["s"].body) == "1*i"
    assert spelled(made.rules["t"].body) == '1*( "." i )'


@each_case("text", ['s = "(" s ")" / "x"\n', 's = s s / "x"\n', 's = *( "x" s )\n'])
def test_other_recursion_stays(text):
    grammar = ours(text)
    assert with_loops(grammar) == grammar


def test_some_rules_alone_can_be_made_loops():
    grammar = ours('s = t / t s\nt = "a" / "a" t\n')
    assert recursive_rules(with_loops(grammar, ["t"])) == {"s"}
    assert with_loops(CORE) == CORE


def ring(number, ways):
    """Give rules each of which leads to those behind it, around."""
    return "".join(
        f"r{n} = "
        + "".join(f'"{chr(97 + way)}" r{(n + way) % number} / ' for way in range(1, ways + 1))
        + f'"{n}"\n'
        for n in range(number)
    )


def test_rules_whose_loops_would_be_long_stay():
    grammar = ours(ring(29, 12))
    assert with_loops(grammar) == grammar
    assert not recursive_rules(with_loops(ours(ring(29, 1))))


def test_of_many_rules_so_many_become_loops_as_can_be_made_in_time(monkeypatch):
    monkeypatch.setattr("abnf2lark.reading.recursion.MAX_STEPS", 20_000)
    one = ring(12, 1)
    many = "".join(one.replace("r", f"group{n}r") for n in range(20))
    left = recursive_rules(with_loops(ours(many)))
    assert 0 < len(left) < 20 * 12
