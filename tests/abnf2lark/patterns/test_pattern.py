"""The regular expressions that the command prints, and what has none."""

import json
import re
from pathlib import Path

import pytest
from marks import some_slow

from abnf2lark.patterns.flavours import FLAVOURS

CASES = json.loads(Path(__file__).with_name("pattern_cases.json").read_text(encoding="utf-8"))
assert CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["abnf"])
def test_pattern(abnf2lark, case):
    arguments = case.get("arguments", ())
    done = abnf2lark(
        "pattern", "t.abnf", "--rule", "A", *arguments, t=case["abnf"], u="host-part = 1*ALPHA\n"
    )
    assert (done.code, done.out) == (0, case["pattern"] + "\n")
    assert done.err == (case["err"] + "\n" if "err" in case else "")
    re.compile(done.out.rstrip("\n"))


def test_a_bundled_grammar_can_be_used(abnf2lark):
    done = abnf2lark("pattern", "t.abnf", "--import", "rfc3986", "--rule", "URI", t="a = <URI>\n")
    pattern = re.compile(done.out.rstrip("\n"))
    assert pattern.fullmatch("http://[::1]/%7Euser?#")
    assert not pattern.fullmatch("http://[::1/")


REFUSALS = {
    "recursive": (
        'a = b\nb = "(" c ")"\nc = *( b / ALPHA )\n',
        ["--rule", "a"],
        (1, "a has no regular expression: it is recursive, b → c → b"),
    ),
    "too large": (
        'a = 90000( "x" / "yy" )\n',
        ["--rule", "a"],
        (1, "a is too large for a regular expression"),
    ),
    "unknown": (
        "item = 1*DIGIT\n",
        ["--rule", "Itme"],
        (2, '--rule Itme: t has no rule "Itme"; is "item" meant?'),
    ),
    "unknown capture": (
        "item = 1*DIGIT\n",
        ["--rule", "item", "--capture", "digits"],
        (2, '--capture digits: t has no rule "digits"; is "DIGIT" meant?'),
    ),
    "unknown flavour": (
        "item = 1*DIGIT\n",
        ["--rule", "item", "--flavour", "sed"],
        (2, f"--flavour sed: one of {', '.join(FLAVOURS)} is known"),
    ),
}


@pytest.mark.parametrize("name", some_slow(REFUSALS, "too large"))
def test_what_has_no_pattern_is_named(abnf2lark, name):
    text, arguments, (code, message) = REFUSALS[name]
    done = abnf2lark("pattern", "t.abnf", *arguments, t=text)
    assert (done.code, done.out, done.err) == (code, "", f"abnf2lark: {message}\n")


def test_a_rule_beside_a_recursive_one_has_a_pattern(abnf2lark):
    done = abnf2lark("pattern", "t.abnf", "--rule", "b", t='a = "(" a ")" / b\nb = 1*DIGIT\n')
    assert (done.code, done.out) == (0, "[0-9]++\n")


def test_a_pattern_for_postgresql_holds_what_it_knows(abnf2lark):
    arguments = ("--rule", "a", "--capture", "b", "--flavour", "postgresql")
    grammar = 'a = b *( "x" / "-" / "]" ) [ "y" ] 1*%xE9-EF "+"\nb = 2DIGIT %x1F600\n'
    done = abnf2lark("pattern", "t.abnf", *arguments, t=grammar)
    wanted = r"(?:[0-9]{2}\U0001f600)[\-X\]x]*[Yy]?[\u00e9-\u00ef]+\+"
    assert (done.code, done.out) == (0, wanted + "\n")
