"""What Lark makes of rules takes steps, so that no grammar takes it hours or all memory."""

import lark
import pytest
from marks import some_slow

from abnf2lark.automata import TooLargeError, limited
from abnf2lark.lark_grammars.compiling import compile_grammar
from abnf2lark.lark_grammars.lalr_tables import Analyzer, loaded

LETTERS = 'x: "x"\ny: "y"\nz: "z"\n'


def rules(number, link, last):
    return "".join(link.format(n, n + 1) for n in range(number)) + last.format(number) + LETTERS


GROWING = {
    "rules that begin with each other": lambda n: rules(n, "r{}: r{} x\n", "r{}: z\n"),
    "rules that stand in each other": lambda n: rules(n, "r{}: x r{}\n", "r{}: x | r0\n"),
    "a rule of many symbols": lambda n: "r0: " + "x y " * n + "\n" + LETTERS,
    "many texts and many rules": lambda n: (
        ("r0: (" + " | ".join(f"r{k}" for k in range(1, n)) + ")*\n")
        + "".join(f'r{k}: "{k}"\n' for k in range(1, n))
    ),
    "what a text began with is remembered": lambda n: (
        rules(n, "r{0}: x r{1} | y r{1}\n", "r{}: z\n") + "r: x r | y r | x r0\n"
    ),
}
GENTLY = {"what a text began with is remembered": (4, 8)}  # it doubles each time


def steps(text, start, most=4_000_000):
    with limited(most) as left:
        Analyzer(loaded(text, [start]).rules, [start]).compute_lalr()
    return most - left[0]


@pytest.mark.parametrize("name", some_slow(GROWING, "a rule of many symbols"))
def test_what_grows_takes_more_than_as_many_times_the_steps(name):
    small, large = GENTLY.get(name, (20, 100))
    start = "r" if name in GENTLY else "r0"
    few = steps(GROWING[name](small), start)
    many = steps(GROWING[name](large), start)
    assert many > 1.5 * large / small * few
    with pytest.raises(TooLargeError):
        steps(GROWING[name](large), start, most=many - 1)


def test_the_rest_of_a_table_is_not_made_when_steps_run_out(grammar):
    text = 'a = "x" q / "y" q / "x" r0\nq = a\n'
    text += "".join(f'r{n} = "x" r{n + 1} / "y" r{n + 1}\n' for n in range(40)) + 'r40 = "z"\n'
    made = compile_grammar(grammar(text), ("a",), max_steps=50_000)
    assert (made.parser, made.reason.partition(" for a proof")[0]) == (
        "earley",
        "the automata grow too large",
    )


def test_what_lark_reads_is_what_its_parsers_have():
    text = 'start: a ["," start] | "(" start ")"\na: /[a-z]+/ | b?\nb: "!"\nUNUSED: "?"\n'
    parser = lark.Lark(text, parser="lalr", maybe_placeholders=False)
    assert loaded(text, ["start"]).rules == parser.rules
    found = {terminal.name: terminal.pattern for terminal in loaded(text, ["start"]).terminals}
    assert {one.name: one.pattern for one in parser.terminals}.items() <= found.items()
