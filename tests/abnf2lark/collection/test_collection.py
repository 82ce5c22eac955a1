"""The collection: what each grammar is, and what becomes of a few; the oracles ask all of them."""

import json
from math import inf

import pytest
from collected.trial import Trial

from abnf2lark.config import roots
from abnf2lark.lark_grammars.compiling import compile_grammar
from abnf2lark.reading.recursion import recursion
from tools.collection.command import main, table
from tools.collection.grammars import COLLECTED, FOLDER, GRAMMARS
from tools.collection.measuring import PATIENCE, Figures, Limits, in_this_process
from tools.collection.published import NAMES

FEW = ["json-pointer", "semver"]
SOME = ["caa", "csv", "dns-names", "json", "language-range", "ldap-filter", "pem", "scim-filter"]
TEXTS = 3
LALR = ["iregexp", "jmespath", "json"]
"""Of the grammars that are recursive, those that are LALR; TOML has tests of its own."""


def test_every_file_has_a_source():
    assert COLLECTED.keys() == {path.stem for path in (FOLDER / "grammars").glob("*.abnf")}
    assert len(COLLECTED) >= 40
    assert len(NAMES) >= 32
    assert GRAMMARS.keys() == {*NAMES, *COLLECTED}
    assert all(entry.source for entry in GRAMMARS.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*FEW, *(pytest.param(name, marks=pytest.mark.slow) for name in SOME)]
)
def test_verdicts(name):
    trial = Trial(name)
    parsers = trial.parsers(roots(trial.grammar.known))
    judged = {True: 0, False: 0}
    for rule in trial.rules:
        ways = trial.ways(rule) | dict(filter(None, [parsers.get(rule)]))
        for text, expected in trial.texts(rule, TEXTS):
            judged[expected] += 1
            for way, judge in ways.items():
                assert bool(judge(text)) == expected, (rule, way, text)
    assert all(judged.values())  # some of either verdict


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LALR, pytest.param("mime-header", marks=pytest.mark.slow)])
def test_recursive_grammars_that_are_lalr(name):
    grammar = GRAMMARS[name].load().known
    starts = tuple(roots(grammar))
    assert recursion(grammar, starts)
    assert compile_grammar(grammar, starts).parser == "lalr"


@pytest.mark.slow
def test_the_table(capsys):
    assert main(["json-pointer"]) == 0
    out = capsys.readouterr().out
    head, row, *_ = out.splitlines()
    assert head.split()[:2] == ["grammar", "rules"]
    assert row.split()[:3] == ["json-pointer", "5", "0"]
    assert " LALR " in row
    assert "RFC 6901, sections 3 and 4" in row
    assert "1 grammars, 1 of them collected, and 5 rules\nLALR: 1, Earley: 0\n" in out


def test_what_needs_too_much_is_told(capsys, monkeypatch):
    figures = in_this_process("csv")
    assert figures.parser in ("lalr", "earley")
    assert figures.problems == {"ambiguous": 1, "core-rule": 4}
    assert figures.beyond(Limits(megabytes=inf)) == []  # the other tests are in this process too
    assert figures.beyond(Limits(compile=0, megabytes=1)) == ["compile", "megabytes"]
    shown = table([figures], Limits(compile=0, megabytes=inf))
    assert "csv needs too much: compile\n" in f"{shown}\n"
    given_up = Figures("csv", "")
    assert given_up.compile == PATIENCE
    monkeypatch.setattr("tools.collection.command.measured", lambda name: Figures(name, ""))
    assert main(["csv", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["reason"] == "given up"
    with pytest.raises(SystemExit):
        main(["cvs"])
    assert "cvs is not in the collection" in capsys.readouterr().err
