"""The regular expressions that the command prints, and what has none."""

import json
import re
from pathlib import Path

import pytest
from cases import each_case, tables
from marks import some_slow

from abnf2lark.patterns.emit_pattern import FLAVOURS

TABLES = tables(__file__)

CASES = json.loads(Path(__file__).with_name("pattern_cases.json").read_text(encoding="utf-8"))
assert CASES


@each_case("case", CASES)
def test_pattern(abnf2lark, case):
    arguments = case.get("arguments", ())
    done = abnf2lark(
        "pattern", "t.abnf", "A", *arguments, t=case["abnf"], u="host-part = 1*ALPHA\n"
    )
    assert (done.code, done.out) == (0, case["pattern"] + "\n")
    assert done.err == (case["err"] + "\n" if "err" in case else "")
    re.compile(done.out.rstrip("\n"))


@pytest.mark.slow
def test_a_bundled_grammar_can_be_used(abnf2lark):
    done = abnf2lark("pattern", "t.abnf", "--import", "rfc3986", "URI", t="a = <URI>\n")
    pattern = re.compile(done.out.rstrip("\n"))
    assert pattern.fullmatch("http://[::1]/%7Euser?#")
    assert not pattern.fullmatch("http://[::1/")


MEANT = '; is "postgresql" meant?'
GROUPS = "it gives verdicts alone, and captures nothing; leave the captures out"
PRODUCT = "it counts to 1200, repetitions within repetitions multiplied, and RE2 to 1000 at most"
COUNT = "it counts to 256, and PostgreSQL to 255 at most"
PARTS = "write the repetition in parts, one after the other"
BACK = (
    "a loop in it has to backtrack, for which java.util.regex keeps every iteration, "
    "so a long text would exceed its memory; "
    "take the expression for re2, which com.google.re2j reads in Java"
)
HALVES = (
    "all its texts hold surrogates (U+D800 to U+DFFF), which no text can have; "
    "write code points, such as %x1F600"
)
TOO_LARGE = (
    'a is too large for a regular expression: what makes it large is 90000( "x" / "yy" ) in a '
    "(t.abnf:1); write smaller numbers, or * without any"
)
REFUSALS = {
    "recursive": ('a = b\nb = "(" c ")"\nc = *( b / ALPHA )\n', ["a"],
                  (1, "a has no regular expression: it is recursive, b → c → b")),
    "too large": ('a = 90000( "x" / "yy" )\n', ["a"], (1, TOO_LARGE)),
    "unknown": ("item = 1*DIGIT\n", ["Itme"],
                (2, 'RULE Itme: t has no rule "Itme"; is "item" meant?')),
    "unknown capture": ("item = 1*DIGIT\n", ["item", "--capture", "digits"],
                        (2, '--capture digits: t has no rule "digits"; is "DIGIT" meant?')),
    "unknown flavour": ("item = 1*DIGIT\n", ["item", "--flavour", "sed"],
                        (2, f"--flavour sed: one of {', '.join(FLAVOURS)} is known")),
    "a flavour like another": (
        "item = 1*DIGIT\n",
        ["item", "--flavour", "Postgres"],
        (2, f"--flavour Postgres: one of {', '.join(FLAVOURS)} is known{MEANT}"),
    ),
    "no groups": ("item = 1*digits\ndigits = DIGIT\n",
                  ["item", "--flavour", "re2", "--capture", "digits"],
                  (1, f"item has no expression for re2: {GROUPS}")),
    "too high": ("item = 40( 2*30DIGIT )\n", ["item", "--flavour", "re2"],
                 (1, f"item has no expression for re2: {PRODUCT}; {PARTS}")),
    "a count too high": ("item = 256DIGIT\n", ["item", "--flavour", "postgresql"],
                         (1, f"item has no expression for postgresql: {COUNT}; {PARTS}")),
    "gives back": ('item = *( *ALPHA "." ) 1*ALPHA [ "." ]\n',
                   ["item", "--flavour", "java"],
                   (1, f"item has no expression for java: {BACK}")),
    "surrogates": ("item = 1*%xD800-DFFF DIGIT\n", ["item", "--flavour", "rust"],
                   (1, f"item has no expression for rust: {HALVES}")),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(REFUSALS, "too large"))
def test_what_has_no_pattern_is_named(abnf2lark, name):
    text, arguments, (code, message) = REFUSALS[name]
    done = abnf2lark("pattern", "t.abnf", *arguments, t=text)
    assert (done.code, done.out) == (code, "")
    assert done.err.splitlines()[-1] == f"abnf2lark: {message}"


SPELLED = TABLES["spelled"]


@each_case("flavour", SPELLED)
def test_a_pattern_holds_what_its_engine_knows(abnf2lark, flavour):
    grammar = (
        'a = 2DIGIT %x1F600 *( %s"x" / "-" / "]" / "&" / "~" ) [ "y" ] 1*%xE9-EF b "+/ "\n'
        'b = "(" / "|" / "/"\n'
    )
    done = abnf2lark("pattern", "t.abnf", "a", "--flavour", flavour, t=grammar)
    assert (done.code, done.err, done.out) == (0, "", SPELLED[flavour] + "\n")
