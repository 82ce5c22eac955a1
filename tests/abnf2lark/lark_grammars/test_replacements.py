"""What is lost where one action or token is taken in place of another: worked out by hand."""

import pytest
from brute.tables import Table
from cases import each_case

from abnf2lark.automata import TooLargeError, limited

LISTS = 's = "(" s ")" / x *( "," x )\nx = 1*"x"\n'
OPTIONAL = 's = "(" s ")" / t u\nt = "a" [ "b" ]\nu = "b" / "c"\n'
MARKED = 's = "[" s "]" / a "!" / b "?"\na = 1*"x"\nb = 1*"x"\n'
WITHIN = 's = "[" s "]" / a / b\na = 1*"x"\nb = 1*"x" [ "?" ]\n'
BEHIND = 's = "[" s "]" / a s2 / b "?"\ns2 = "?" / "(" s ")"\na = 1*"x"\nb = 1*"x"\n'


@each_case(
    ("text", "taken", "meant", "lost"),
    [
        (LISTS, "X", "X", None),  # what follows is no part of it
        (OPTIONAL, "T", "T", "ab"),
        (MARKED, "A", "A", None),
        (MARKED, "A", "B", "x?"),
        (MARKED, "B", "A", "x!"),
        (WITHIN, "A", "B", "x?"),
        (WITHIN, "B", "A", None),
        (BEHIND, "A", "B", None),  # since behind that there is all that is behind the other
        (BEHIND, "B", "A", "x("),
    ],
)
def test_tokens(grammar, text, taken, meant, lost):
    table = Table(grammar(text))
    state = table.actions.starts[0]
    assert table.replacements.refute_token(state, taken, meant, table.anything) == lost
    inside = table.behind(next(name for name in table.languages if name.startswith("_L")))
    assert table.replacements.refute_token(inside, taken, meant, table.anything) == lost


def test_a_guard_keeps_what_would_be_lost(grammar):
    table = Table(grammar(OPTIONAL))
    state = table.actions.starts[0]
    followed = table.languages["U"] + table.anything
    assert table.replacements.refute_token(state, "T", "T", followed) is None


# Before a mark either can end; what they are made of nests, so that no stack is the last.
MADE = 'p = x\nq = x\nx = "<" [ x ] ">"\nm = "!"\nn = "?"\n'


@each_case(
    ("text", "kept", "dropped", "lost"),
    [
        ("s = p m / q m [ m ]\n", "q", "p", None),
        ("s = p m / q m [ m ]\n", "p", "q", "!!"),
        ("s = p m n / q m m\n", "p", "q", "!!"),
        ("s = p m n / q m m\n", "q", "p", "!?"),
        ('s = p m / "(" s ")" / "(" q m ")" n\n', "p", "q", "!)?"),
        ('s = p m / "(" s ")" / "(" q m ")" n\n', "q", "p", "!))"),
    ],
)
def test_reductions(grammar, text, kept, dropped, lost):
    table = Table(grammar(text + MADE))
    [(state, token)] = table.actions.conflicts()
    first, second = (table.reduction(state, token, name) for name in (kept, dropped))
    assert table.replacements.refute_action(state, token, first, second) == lost


@each_case(
    ("text", "lost"),
    [
        ("s = r n\nr = p m / p\np = x [ m ]\n", None),
        ("s = r n\nr = p m / p\np = x [ m n ]\n", "!?"),
        ("s = r n\nr = p m / p\np = x [ m [ m ] ]\n", None),
        ("s = r n\nr = p m m / p\np = x [ m ]\n", "!!?"),
    ],
)
def test_reductions_where_the_token_is_shifted(grammar, text, lost):
    table = Table(grammar(text + MADE.replace("p = x\nq = x\n", "")))
    found = {
        table.replacements.refute_action(state, token, None, table.reduction(state, token, "p"))
        for state, token in table.actions.conflicts()
    }
    assert found == {lost}


SUM = 's = s "+" s / s "*" s / "(" s ")" / x\nx = 1*"x"\n'


def test_sums_of_sums_are_read_whichever_is_begun_first(grammar):
    table = Table(grammar(SUM))
    conflicts = list(table.actions.conflicts())
    assert len(conflicts) == 4  # either mark behind either sum
    for state, token in conflicts:
        [rule] = table.actions.reductions[state][token]
        assert table.replacements.refute_action(state, token, None, rule) is None
    behind = table.behind("X")
    for token in {token for _, token in conflicts}:
        assert table.replacements.refute_token(behind, token, token, table.anything) is None


def test_what_was_decided_otherwise_is_forgotten(grammar):
    table = Table(grammar("s = p m n / q m m\n" + MADE))
    [(state, token)] = table.actions.conflicts()
    for kept, lost in [("p", "!!"), ("q", "!?"), ("p", "!!")]:
        table.replacements.decide({kept: 2})
        assert table.replacements.refute_token(state, token, token, table.anything) == lost


def test_a_proof_that_would_not_end_is_given_up(grammar):
    table = Table(
        grammar(
            's = "a" s "b" / "a" s "c" / x\nx = 1*"x"\n',
        )
    )
    with pytest.raises(TooLargeError), limited(10):
        table.replacements.refute_token(table.actions.starts[0], "X", "X", table.anything)
