"""Lint and containment: what is wrong or doubtful in a grammar is named."""

import json
from pathlib import Path

import pytest
from cases import documents, each_case, tables
from marks import some_slow
from paths import GRAMMARS

from abnf2lark.building.project import BuildError, rendered
from abnf2lark.config import shipped
from abnf2lark.problems import InputError

TABLES = tables(__file__)

BUNDLED = tuple(shipped())

CASES = json.loads(Path(__file__).with_name("lint_cases.json").read_text(encoding="utf-8"))

assert CASES

ERRORS = {
    "undefined", "syntax", "duplicate", "no-base", "prose", "range", "code-point", "repeat",
    "empty", "endless", "encoding",
}  # fmt: skip

WARNINGS = {
    "left-recursion", "empty-repetition", "core-rule", "dead-alternative", "shadowed-alternative",
    "ambiguous", "unreachable", "repeated-rule", "surrogate",
}  # fmt: skip


LINT = ["lint", "--first-match", "--ignore", "last-line"]


def code(headline):
    return headline.split(": ")[1]


def test_every_code_has_a_case():
    codes = {code(line) for case in CASES for line in case["expected"]}
    assert codes == (ERRORS | WARNINGS) - {"encoding"}


@pytest.mark.slow
@each_case("case", CASES)
def test_lint(abnf2lark, case):
    done = abnf2lark(*LINT, "t.abnf", *case.get("arguments", ()), t=case["abnf"])
    assert done.out.splitlines()[::3] == case["expected"]
    assert done.code == int(any(code(line) in ERRORS for line in case["expected"]))


@pytest.mark.slow
@each_case("case", CASES)
def test_lint_as_json(abnf2lark, case):
    done = abnf2lark(*LINT, "t.abnf", "--json", *case.get("arguments", ()), t=case["abnf"])
    found = json.loads(done.out)
    assert done.err == ""
    lines = [
        f"{one['file']}:{one['line']}:{one['column']}: {one['code']}: {one['message']}"
        for one in found
    ]
    assert lines == case["expected"]
    assert all((one["severity"] == "error") == (one["code"] in ERRORS) for one in found)
    if "witness" in case:
        assert [one["witness"] for one in found] == [case["witness"]]


def test_the_place_is_shown_and_the_problems_are_counted(abnf2lark):
    done = abnf2lark(*LINT, "t.abnf", t='a = b /\t\tc\nc = "x" / "x"\n')
    assert done.out == (
        't.abnf:1:5: undefined: "b" is not defined\n'
        "  a = b /\t\tc\n"
        "      ^\n"
        "t.abnf:2:11: dead-alternative: this alternative can never be chosen: "
        'all that it matches is matched before, "x" by alternative 1\n'
        '  c = "x" / "x"\n'
        "            ^\n"
    )
    assert done.err == "1 error, 1 warning\n"


@each_case(("text", "told"), TABLES["a_grammar_that_defines_what_is_missing_is_named"])
def test_a_grammar_that_defines_what_is_missing_is_named(abnf2lark, text, told):
    for command in ("lint", "pattern", "check"):
        done = abnf2lark(command, "t.abnf", *["a"] * (command == "pattern"), t=text)
        hint = done.err.splitlines()[-1]
        assert told in hint
        assert (" --import " in hint) == bool(told)
        name = hint.rpartition(" ")[2]
        if told:
            assert abnf2lark("lint", "t.abnf", "--import", name).code == 0


def test_rules_are_taken_from_imports(abnf2lark):
    assert abnf2lark("lint", "t.abnf", "--import", "rfc3986", t="a = <host, see x>\n").code == 0
    assert abnf2lark("lint", "t.abnf", "--import", "u.abnf", u='b = "x"\n', t="a = b\n").code == 0
    both = ["--import", "u.abnf", "--import", "v.abnf"]
    assert abnf2lark("lint", "w.abnf", *both, v="c = b\n", w="d = c b\n").code == 0


REFUSALS = TABLES["refusals"]


@each_case("name", REFUSALS)
def test_what_cannot_be_used_is_named(abnf2lark, name):
    arguments, message = REFUSALS[name]
    done = abnf2lark(*arguments, t='foo = "x"\n')
    assert (done.code, done.out, done.err) == (2, "", f"abnf2lark: {message}\n")


HOSTILE = TABLES["hostile"]


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(HOSTILE, "10,000 groups", "many copies"))
def test_no_file_makes_a_traceback(abnf2lark, name):
    content, codes = HOSTILE[name]
    done = abnf2lark(*LINT, "t.abnf", "--json", t=content)
    assert [one["code"] for one in json.loads(done.out)] == codes
    shown = abnf2lark(*LINT, "t.abnf", t=content)
    assert shown.code == done.code
    assert "\x1b" not in shown.out
    assert all(len(line) < 400 for line in shown.out.splitlines())


CLAIM = documents(__file__)["CLAIM"]


@pytest.fixture
def build(tmp_path):
    def make(claim):
        (tmp_path / "core.abnf").write_text((GRAMMARS / "core.abnf").read_text())
        (tmp_path / "a.abnf").write_text('narrow = 2DIGIT\nwide = 1*DIGIT\nodd = wide / "x"\n')
        (tmp_path / "b.abnf").write_text("other = 1*HEXDIG\n")
        (tmp_path / "grammars.toml").write_text(CLAIM % claim)
        return rendered(tmp_path, tmp_path / "out", lambda *_: None)

    return make


@pytest.mark.slow
@pytest.mark.parametrize("claim", ['narrow = "wide"', 'wide = "b:other"', 'narrow = "NARROW"'])
def test_what_holds_builds(build, claim):
    assert build(claim)


@pytest.mark.parametrize(("claim", "message"), TABLES["what_does_not_hold_is_refuted_by_a_word"])
def test_what_does_not_hold_is_refuted_by_a_word(build, claim, message):
    with pytest.raises(BuildError) as caught:
        build(claim)
    assert str(caught.value).endswith(message)


@pytest.mark.slow
@pytest.mark.parametrize("claim", ['none = "wide"', 'wide = "none"', 'wide = "c:wide"'])
def test_what_is_not_there_is_named(build, claim):
    with pytest.raises(InputError, match=r"^within of a: there is no rule "):
        build(claim)
