"""What real files have in them: several of them, marks, dialects, slips."""

import json
import re

from brute.judge import ours
from cases import each_case, tables

from abnf2lark.config import core_grammar
from abnf2lark.problems import Source, joined
from abnf2lark.reading import load
from abnf2lark.reading.scan import chunks

TABLES = tables(__file__)
READ_AS = TABLES["READ_AS"]


def leniently(text):
    grammar, problems = load(Source("g", text, lenient=True), "g", (core_grammar(),))
    assert {problem.code for problem in problems} <= {"lenient"}
    return grammar, [problem.message for problem in problems]


@each_case("text", READ_AS)
def test_dialects_are_read_as_what_they_seem_to_mean(text):
    found, told = leniently(text)
    wanted = ours(READ_AS[text])
    assert {n: r.body for n, r in found.rules.items() if n in found.own} == {
        n: r.body for n, r in wanted.rules.items() if n in wanted.own
    }
    assert told or "\n/" in text or "\t" in text
    assert load(Source("g", text), "g", (core_grammar(),))[1], "it is no ABNF"


@each_case("text", READ_AS.values())
def test_leniency_changes_nothing_about_abnf(text):
    found, told = leniently(text)
    assert told == []
    assert found.rules == {**ours(text).rules, **found.rules}


def test_what_is_uncertain_is_refused_with_a_hint():
    for lenient in (False, True):
        text = 'a = "x", "y"'
        _, problems = load(Source("g", text, lenient=lenient), "g", (core_grammar(),))
        assert [problem.headline() for problem in problems] == [
            'g:1:8: syntax: "," is EBNF (ISO 14977): in ABNF a space stands between elements'
        ]
        _, problems = load(Source("g", 'a = "a".."z"', lenient=lenient), "g", (core_grammar(),))
        assert [problem.code for problem in problems] == ["syntax"]  # or with capital letters?


@each_case("end", ["\n", "\r\n", "\r", "\f"])
def test_each_line_end_ends_a_line(end):
    source = Source("g", f'a = "x" ; "{end}  / "y"{end}b = a')
    assert [re.sub("  +", " ", chunk.text) for chunk in chunks(source)] == [
        'a = "x" / "y"',
        "b = a",
    ]
    assert source.line(3) == "b = a"


def test_a_mark_of_byte_order_is_passed_over(abnf2lark):
    done = abnf2lark("pattern", "t.abnf", "a", t="\ufeffa = DIGIT\n".encode())
    assert (done.code, done.out) == (0, "\\A[0-9]\\Z\n")


def test_problems_of_several_files_have_the_lines_of_their_own():
    source = joined(
        [Source("a", 'x = "1"'), Source("b", '  y = "2"\r\n    x\r\n'), Source("c", "z=")]
    )
    assert [source.place(line) for line in (1, 2, 3, 4)] == [("a", 1), ("b", 1), ("b", 2), ("c", 1)]
    grammar, problems = load(source, "g", (core_grammar(),))
    assert grammar.own[:2] == ("x", "y")  # a deeper line of another file goes on with nothing
    assert [problem.headline() for problem in problems] == [
        "c:1:3: syntax: expected an element, found the end of the rule"
    ]


def test_files_that_belong_together_are_one_grammar(abnf2lark):
    files = {"t": 'a = "x"\n', "u": 'a =/ b\nb = "y"\n'}
    done = abnf2lark("ebnf", "t.abnf", "u.abnf", **files)
    assert done.out == "a ::= [Xx] | b\nb ::= [Yy]\n"
    together = abnf2lark("lint", "--together", "t.abnf", "u.abnf", **files)
    assert (together.code, together.out) == (0, "")
    apart = abnf2lark("lint", "t.abnf", "u.abnf", **files)
    assert (apart.code, apart.out.splitlines()[0]) == (
        1,
        'u.abnf:1:1: no-base: "a" has no definition that "=/" could add to; write "="',
    )
    again = abnf2lark("lint", "--together", "t.abnf", "v.abnf", v='\na = "z"\n', **files)
    assert again.out.splitlines()[0] == (
        'v.abnf:2:1: duplicate: "a" is defined already in t.abnf, line 1; '
        'write "=/" to add alternatives'
    )


def test_lint_hints_at_leniency(abnf2lark):
    done = abnf2lark("lint", "t.abnf", t="a ::= 'x'\nb = a | ^\n")
    assert done.err == (
        "t.abnf: with --lenient, 1 of 2 such slips would be read as what it seems to mean\n"
        "2 errors, 0 warnings\n"
    )
    assert abnf2lark("lint", "t.abnf", "--lenient", t="a ::= 'x'\n").code == 0


def test_a_bundled_grammar_is_looked_into(abnf2lark):
    assert (abnf2lark("lint", "rfc3986").code, abnf2lark("lint", "rfc4151").out) == (0, "")
    assert "punctuation" in abnf2lark("lint", "rfc1738", "--start", "url").out


def test_warnings_can_be_left_out_and_errors_not(abnf2lark):
    text = 'digit = %x30-39\na = b *( *digit )\na = "x"\n'
    codes = lambda *more: [  # noqa: E731
        one["code"] for one in json.loads(abnf2lark("lint", "t.abnf", "--json", *more, t=text).out)
    ]
    assert codes() == ["core-rule", "undefined", "empty-repetition", "duplicate"]
    assert codes("--ignore", "core-rule", "--ignore", "undefined") == [
        "undefined", "empty-repetition", "duplicate",
    ]  # fmt: skip
    done = abnf2lark("lint", "t.abnf", "--ignore", "corerule", t=text)
    assert (done.code, done.err) == (
        2,
        'abnf2lark: corerule: there is no such problem; is "core-rule" meant?\n',
    )


def test_colours_are_for_those_who_want_them(abnf2lark, monkeypatch):
    plain = abnf2lark("lint", "t.abnf", t="a = b\n").out
    coloured = abnf2lark("lint", "t.abnf", "--color", "always", t="a = b\n").out
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
    assert "\x1b[1;31mundefined\x1b[0m" in coloured
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in abnf2lark("compile", "t.abnf", t="a = b\n").err
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in abnf2lark("compile", "t.abnf", t="a = b\n").err


def test_the_command_tells_its_release_and_guesses_at_slips(abnf2lark):
    assert re.fullmatch(r"abnf2lark \S.*\n", abnf2lark("--version").out)
    assert abnf2lark("lnt").err.endswith('; is "lint" meant?\n')
