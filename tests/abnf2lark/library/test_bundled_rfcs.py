"""The whole grammars of RFCs that come with the compiler, before the examples of their texts.

`rfc_examples.json` has texts of a rule with their verdicts: those that hold are from the document
or are made of its parts, those that do not are what it forbids.
"""

import json
from functools import cache
from pathlib import Path

import pytest

import abnf2lark
from abnf2lark.config import library_directory, read_source, shipped
from abnf2lark.second_reading import second_reading

NAMES = [path.stem for path in sorted(library_directory().glob("*.abnf"))]
EXAMPLES = json.loads(Path(__file__).with_name("rfc_examples.json").read_text(encoding="utf-8"))
SMALL = {"rfc3339", "rfc4647", "rfc6838", "rfc8259", "semver"}
EACH = pytest.mark.parametrize(
    "name",
    [name if name in SMALL else pytest.param(name, marks=pytest.mark.long) for name in NAMES],
)

CONTRADICTED = [
    ("rfc9110", "Last-Modified", "Tue, 14 July 04:58:08 GMT"),  # section 8.8.2.1
    ("rfc9110", "Content-Range", "exampleunit 1.2-4.3/25"),  # section 14.6
    ("rfc9051", "command", 'a3.1 LIST "" (% music/rock)\r\n'),  # no space between patterns
    ("rfc5545", "attach", "ATTACH:CID:jsmith.part3.960817T083000.xyzMail@example.com\r\n"),
    ("rfc5545", "organizer", "ORGANIZER:jsmith@example.com\r\n"),
]
"""Examples of the texts that their own rules refuse."""

ALLOWED = ("ambiguous", "core-rule", "empty-repetition", "left-recursion", "computed")
"""What lint says of them: that is how the documents are written."""


@cache
def load(name):
    return abnf2lark.load(name)


@EACH
def test_examples(name):
    grammar = load(name)
    for rule, text, verdict in EXAMPLES[name]:
        assert grammar.known.find(rule) is not None
        assert grammar.matches(text, rule) == verdict, (rule, text)
        if verdict:
            assert "".join(grammar.tree(text, rule).scan_values(lambda _: True)) == text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rule", "text"), CONTRADICTED)
def test_what_a_text_contradicts(name, rule, text):
    assert not load(name).matches(text, rule)


@EACH
def test_a_file_says_what_it_is(name):
    text = read_source(library_directory() / f"{name}.abnf").text
    head = " ".join(line.removeprefix("; ") for line in text.partition("\n\n")[0].splitlines())
    _, settings = shipped()[name]
    assert head.startswith(f"{settings.title}. {settings.source}. Errata applied: ")
    problems = [problem for problem in load(name).lint() if problem.code not in ALLOWED]
    assert problems == []


@EACH
def test_two_readers_read_alike(name):
    assert second_reading(read_source(library_directory() / f"{name}.abnf")) == ([], "")


def test_citations_lead_from_one_to_another():
    citing = abnf2lark.load("field = <token, see [HTTP], Section 5.6.2> *( SP <host, see [URI]> )")
    assert citing.matches("x-y [::1]")
    assert not citing.matches("x/y")
    http = load("rfc9110")
    assert http.matches("Joe <joe@example.org>", "From")
    assert http.known.rules["rfc5322.comment"].origin == "rfc5322"
    assert load("rfc9112").known.rules["rfc9110.token"].origin == "rfc9110"


def test_a_whole_grammar_is_meant_by_its_name():
    assert {"http-URI", "Accept", "token"} <= {*load("RFC9110").rules}
    assert load("rfc3986").rules[0] == "URI"


@pytest.mark.slow
def test_a_project_imports_them(abnf2lark, tmp_path):
    (tmp_path / "grammar").mkdir()
    (tmp_path / "grammar" / "own.abnf").write_text('field = "lang=" Language-Tag\n')
    table = '[own]\ntitle = "Own"\nsource = "here"\nimports = { rfc5646 = ["Language-Tag"] }\n'
    (tmp_path / "grammar" / "grammars.toml").write_text(table)
    assert abnf2lark("build", "--out", "made").code == 0
    assert "Language-Tag" in (tmp_path / "made" / "own.lark").read_text()
