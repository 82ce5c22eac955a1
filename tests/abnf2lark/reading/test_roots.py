"""The rules that a file is for: together they lead to all of it, and none leads to another."""

from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark.config import roots
from abnf2lark.ir import reachable

NAMES = [f"r{number}" for number in range(7)]


@each_case(("text", "found"),
    [
        ("a = b\nb = DIGIT\n", ("a",)),
        ('filter = "(" expr ")" / "x"\nexpr = filter / "not" filter\nother = "y"\n',
         ("filter", "other")),
        ('a = "(" a ")" / "x"\nb = "y"\n', ("a", "b")),
        ('top = x\nx = "(" y ")"\ny = [ x ]\n', ("top",)),
        ("a = 1*DIGIT\nDIGIT = %x30-39\nVCHAR = %x21-7E\n", ("a",)),
        ("VCHAR = %x21-7E\nalpha = %x41-5A / %x61-7A\n", ("VCHAR", "alpha")),
    ])  # fmt: skip
def test_the_roots_of_a_file(grammar, text, found):
    assert roots(grammar(text)) == found


@given(st.lists(st.lists(st.sampled_from(NAMES), max_size=3), min_size=7, max_size=7))
def test_roots_lead_to_every_rule_and_none_to_another(grammar, references):
    rows = zip(NAMES, references, strict=True)
    made = grammar("".join(f"{name} = {' '.join(['%x61', *inner])}\n" for name, inner in rows))
    found = roots(made)
    assert set(reachable(made, found)) == set(NAMES)
    assert list(found) == [name for name in NAMES if name in found]
    for name in found:
        assert {*reachable(made, [name])} & {*found} == {name}
