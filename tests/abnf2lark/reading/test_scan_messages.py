"""What is said about malformed grammars: the smallest text that causes each message."""

import json
from pathlib import Path

import pytest
from brute.judge import CORE
from cases import each_case
from marks import some_slow

from abnf2lark.problems import GrammarError, Source, has_errors
from abnf2lark.reading import load, scan

MESSAGES = json.loads((Path(__file__).parent / "scan_messages.json").read_text(encoding="ascii"))
assert MESSAGES


def problems(text):
    return load(Source("g", text), "g", (CORE,))[1]


def headlines(text):
    return [problem.headline().removeprefix("g:") for problem in problems(text)]


@each_case("text", MESSAGES)
def test_the_message_is_exactly_this(text):
    assert headlines(text) == MESSAGES[text]
    assert has_errors(problems(text))


@each_case("text", MESSAGES)
def test_it_stays_the_same_between_other_rules_but_for_the_line(text):
    if not text.strip(" \n").startswith(("a", "A", "1", '"', "=")):
        return  # a file without rules is none any more
    lines = text.count("\n") + 1
    around = f'before = ALPHA ; "\r\n\r\n{text}\nafter-it = before\n; end\n'
    found = [problem for problem in problems(around) if problem.code != "undefined"]
    wanted = [m for m in MESSAGES[text] if ": undefined: " not in m]
    moved = [
        f"{int(line) + 2 if int(line) <= lines else line}:{rest.replace('in line 1', 'in line 3')}"
        for line, rest in (message.split(":", 1) for message in wanted)
    ]
    assert [problem.headline().removeprefix("g:") for problem in found] == moved


def test_every_hint_about_a_character_is_among_them():
    said = "\n".join(message for found in MESSAGES.values() for message in found)
    for char in "\"|'<%{_":
        assert scan._bad_character(char) in said


def test_every_problem_of_a_file_is_found_at_once():
    text = """\
; ten faults
a = "x" |
b = c / d
   / <some prose>
b = DIGIT
e =/ DIGIT
f = %x5A-41 3*2DIGIT 200000DIGIT
g = (DIGIT
"""
    assert [message.split(": ")[:2] for message in headlines(text)] == [
        ["2:9", "syntax"],
        ["5:1", "duplicate"],
        ["6:1", "no-base"],
        ["7:5", "range"],
        ["7:13", "repeat"],
        ["7:22", "repeat"],
        ["8:5", "syntax"],
        ["3:5", "undefined"],
        ["3:9", "undefined"],
        ["4:6", "prose"],
    ]
    shown = str(GrammarError(problems(text)))
    assert shown.count("^") == 10
    assert '  a = "x" |\n          ^' in shown


def test_a_place_is_shown_below_its_line():
    (problem,) = problems('a = DIGIT\r\n\t/ ("x"\r\n')
    assert problem.show() == 'g:2:4: syntax: "(" is never closed\n  \t/ ("x"\n  \t  ^'
    assert problem.as_dict() == {
        "file": "g",
        "line": 2,
        "column": 4,
        "severity": "error",
        "code": "syntax",
        "message": '"(" is never closed',
    }


def test_long_lines_are_shown_in_part_and_without_control_characters():
    (problem,) = problems("a = " + '"x" ' * 100 + "\x1b[31m" + " DIGIT" * 100)
    shown = problem.show().splitlines()
    assert "\x1b" not in problem.show()
    assert shown[1].startswith("  …")
    assert shown[1].endswith("…")
    assert len(shown[1]) < 200
    assert shown[1][shown[2].index("^")] == "\ufffd"


HOSTILE = {
    "parentheses": ("a = " + "(" * 10_000 + '"x"' + ")" * 10_000, "1:45: syntax: groups nested"),
    "brackets": ("a = " + "[" * 10_000, "1:45: syntax: groups nested"),
    "closing": ("a = x" + ")" * 100_000, '1:6: syntax: ")" closes nothing'),
    "name": ("a" * 1_000_000 + ' = "x"', "1:1: syntax: more than 1000 characters"),
    "string": ('a = "' + "x" * 1_000_000 + '"', "1:5: syntax: more than 1000 characters"),
    "open-string": ('a = "' + "x" * 1_000_000, "1:5: syntax: a string is closed"),
    "open-prose": ("a = <" + "x" * 1_000_000, "1:5: syntax: a prose-value is closed"),
    "spaces": ("a = " + " " * 1_000_000 + "|", "1:1000005: syntax: alternatives are separated"),
    "slashes": ("a = " + "/" * 1_000_000, '1:5: syntax: expected an element, found "/"'),
    "stars": ("a = " + "*" * 1_000_000, "1:6: syntax: an element has one repeat only"),
    "digits": ("a = " + "9" * 1_000_000, "1:5: syntax: more than 1000 characters"),
    "number": ("a = %x" + "4" * 1_000_000, "1:5: syntax: more than 1000 characters"),
    "large-number": ("a = %d" + "9" * 900, "1:5: code-point: "),
    "large-repeat": ("a = " + "9" * 900 + '"x"', "1:5: repeat: "),
    "huge-repeat": ("a = *" + "9" * 20 + "(*99999999DIGIT)", "1:5: repeat: "),
    "concatenation": ("a = " + "b " * 50_000, '1:5: undefined: "b" is not defined'),
    "values": ("a = %x" + "41." * 300_000 + "41", "1:5: syntax: more than 1000 characters"),
    "nul": ("\0" * 1_000_000, "1:1: syntax: U+0000 has no meaning in ABNF"),
    "nul-in-a-rule": ("a = DIGIT\0DIGIT", "1:10: syntax: U+0000 has no meaning in ABNF"),
    "surrogate": ("a = \ud800", "1:5: syntax: U+D800 has no meaning in ABNF"),
    "byte-order-mark": ("\ufeffa = DIGIT", "1:1: syntax: U+FEFF has no meaning in ABNF"),
    "not-a-grammar": ("\x7fELF\x02\x01\x01" + "\0\n" * 1_000, "1:1: syntax: U+007F"),
}


@pytest.mark.parametrize("name", some_slow(HOSTILE, "stars", "slashes", "concatenation"))
def test_hostile_text_is_a_problem_and_no_traceback(name):
    text, message = HOSTILE[name]
    found = problems(text)
    assert message in found[0].headline()
    assert len(found[0].show()) < 5_000


@each_case("opener", ["(", "[", "*(", "2("])
def test_what_is_nested_as_deeply_as_allowed_can_be_read(opener):
    closer = "]" if opener == "[" else ")"
    text = "a = " + opener * scan.MAX_NESTING + '"x"' + closer * scan.MAX_NESTING
    assert problems(text) == []


def test_lengths_up_to_the_limits_can_be_read():
    assert problems('a = "' + "x" * (scan.MAX_TOKEN - 2) + '"') == []
    assert headlines('a = "' + "x" * (scan.MAX_TOKEN - 1) + '"') == [
        "1:5: syntax: more than 1000 characters without a break cannot be read"
    ]
    assert problems("a = ALPHA" + " " * 100_000 + "/" + " " * 100_000 + "DIGIT") == []
