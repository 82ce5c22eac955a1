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


REFUSALS = TABLES["refusals"]


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(REFUSALS, "too large"))
def test_what_has_no_pattern_is_named(abnf2lark, name):
    text, arguments, (code, message) = REFUSALS[name]
    done = abnf2lark("pattern", "t.abnf", *arguments, t=text)
    assert (done.code, done.out) == (code, "")
    message = message.replace("<flavours>", ", ".join(FLAVOURS))
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
