"""Which of several definitions counts, what belongs to a section, and what is not a rule at all."""

from pathlib import Path

import abnf
import pytest
from cases import each_case
from paths import ROOT

import abnf2lark
from abnf2lark.extraction import extract
from abnf2lark.problems import InputError, Source, has_errors
from abnf2lark.reading import load

TEXT = (Path(__file__).parent / "excerpts/rfc5234.txt").read_text(encoding="utf-8")
TWO = '1.  One\n\n  a = "1"\n\n2.  Two\n\n  a = "2"\n\n  b = "3"\n'


def found(core, text, **options):
    made = extract(Source("t", text), (core,), **options)
    grammar, problems = load(Source("t", made.text), "t", (core,))
    assert not problems
    return made, grammar


@pytest.mark.slow
def test_the_grammar_of_abnf_reads_what_the_package_abnf_reads(core):
    made, grammar = found(core, TEXT, wanted=["4"])
    assert not has_errors(made.problems)
    assert len(grammar.own) == 33
    read = abnf2lark.load(made.text)
    for name in ("rfc2397", "rfc3966", "rfc8089"):
        text = (ROOT / f"grammar/{name}.abnf").read_text(encoding="utf-8").replace("\n", "\r\n")
        for changed in (text, text.replace("=", ":", 1), text + "a = (b\r\n"):
            try:
                abnf.parser.ABNFGrammarRule("rulelist").parse_all(changed)
                expected = True
            except abnf.ParseError:
                expected = False
            assert read.matches(changed, "rulelist") is expected, (name, changed[:60])


def test_the_section_with_most_rules_wins(core):
    made, grammar = found(core, TEXT)
    assert not has_errors(made.problems)
    spelled = {rule.name: rule.source.split("=")[1].strip() for rule in grammar.rules.values()}
    assert spelled["rulename"] == 'ALPHA *(ALPHA / DIGIT / "-")'
    assert spelled["CRLF"].split() == ["CR", "LF"]


@each_case(("text", "options", "value", "severity"), [
    (TWO, {}, "2", "warning"), (TWO, {"prefer": "first"}, "1", "warning"),
    (TWO, {"prefer": "last"}, "2", "warning"), (TWO, {"wanted": ["1"]}, "1", None),
    (TWO, {"wanted": ["section 2."]}, "2", None), (TWO, {"wanted": ["two"]}, "2", None),
    (TWO.replace("Two", "Two\n\n   This is informative."), {}, "1", "warning"),
    (TWO.replace("  b = ", "  c: "), {}, "1", "error"),  # nothing decides
    (TWO.replace("2.  ", "# "), {}, "2", "warning"),
])  # fmt: skip
def test_of_several_definitions_one_counts(text, options, value, severity, core):
    made, grammar = found(core, text, **options)
    assert str(grammar.rules["a"].body) == f"Chars(ranges=(({ord(value)}, {ord(value)}),))"
    told = [problem.severity for problem in made.problems if problem.code == "duplicate"]
    assert told == ([severity] if severity else [])


def test_a_section_takes_what_it_needs_of_others(core):
    text = "1.  A\n\n  a = b\n\n2.  B\n\n  b = c\n  d = a\n\nAppendix C.\n\n  c = 1*DIGIT\n"
    assert found(core, text, wanted=["1"])[1].own == ("a", "b", "c")
    assert found(core, text, wanted=["C"])[1].own == ("c",)
    with pytest.raises(InputError, match=r"--section 9: there is no such section"):
        extract(Source("t", text), (core,), wanted=["9"])


def test_what_is_added_goes_with_its_definition(core):
    text = '1.  A\n\n  a = "1"\n  a =/ "2"\n\n2.  B\n\n  a = "3"\n  b = a\n  c = b\n'
    assert found(core, text)[0].lines[-7] == 'a = "3"'
    _, grammar = found(core, text, prefer="first")
    assert len(grammar.rules["a"].body.items) == 2


@each_case(("drawn", "severity"), [
    ("   |           |          |\n", "warning"), ("  .------.\n  | .--. |\n", "warning"),
    ("   | obsolete rule  | translation |\n", "warning"),
    ('   |  Note: the "Set-Cookie" field.\n', "warning"),
    ('      "a"   =  "b"  ; strict\n            /  "c"  ; else\n', "warning"),
    ('text\n\n      / "c"\n', "error"), ('text\n\n      | "c" d_e\n', "error"),
])  # fmt: skip
def test_boxes_and_tables_are_not_errors_and_lost_alternatives_are(drawn, severity, core):
    made = extract(Source("t", f"  a = 1*DIGIT\n\n{drawn}"), (core,))
    assert [problem.severity for problem in made.problems] == [severity]


def test_the_options_of_the_command(abnf2lark, tmp_path):
    (tmp_path / "t.txt").write_text(TWO)
    assert 'a = "2"' in abnf2lark("extract", "t.txt").out
    assert 'a = "1"' in abnf2lark("extract", "t.txt", "--section", "One").out
    assert 'a = "1"' in abnf2lark("extract", "t.txt", "--prefer", "first").out
    done = abnf2lark("extract", "t.txt", "--section", "Tow")
    assert (done.code, done.out) == (2, "")
    assert done.err == "abnf2lark: --section Tow: there is no such section\n"
