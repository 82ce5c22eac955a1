"""Directories of grammars: their settings, and the rules that a file is for."""

import json
from pathlib import Path

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT

from abnf2lark.config import load_bundles, roots
from abnf2lark.ir import reachable
from abnf2lark.problems import InputError

TABLES = tables(__file__)

CASES = json.loads(Path(__file__).with_name("settings_cases.json").read_text(encoding="utf-8"))

assert CASES

TITLES = 'title = "x"\nsource = "y"\n'

BASE = "word = 1*ALPHA\ndigit = DIGIT\n"

MAIL = 'mail = local "@" domain\nlocal = 1*atext\ndomain = 1*ALPHA\natext = ALPHA / DIGIT\n'
NAMES = [f"r{number}" for number in range(7)]


@pytest.fixture
def directory(tmp_path):
    """Write a directory of grammars from a case, or from nothing for one that is right."""

    def write(case):
        title = case.get("title", 'title = "x"')
        core, base = f"[core]\n{TITLES}", f"[base]\n{TITLES}"
        mail = f'[mail]\n{title}\nsource = "y"\n{case.get("mail", "")}\n'
        parts = [case.get("first", ""), core, base, mail, case.get("last", "")]
        (tmp_path / "grammars.toml").write_text("\n".join(parts))
        (tmp_path / "core.abnf").write_bytes((ROOT / "grammar" / "core.abnf").read_bytes())
        (tmp_path / "base.abnf").write_text(BASE)
        (tmp_path / "mail.abnf").write_text(case.get("abnf", MAIL))
        return tmp_path

    return write


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_is_wrong_is_named(directory, case):
    place = directory(case)
    if not case["expected"]:
        load_bundles(place)
        return
    with pytest.raises(InputError) as caught:
        load_bundles(place)
    path = place / "grammars.toml"
    assert str(caught.value).splitlines() == [f"{path}: {text}" for text in case["expected"]]


def test_every_grammar_file_needs_settings(directory):
    place = directory({})
    (place / "mial.abnf").write_text("a = ALPHA\n")
    (place / "zzz.abnf").write_text("a = ALPHA\n")
    (place / "notes.txt").write_text("mine")
    with pytest.raises(InputError) as caught:
        load_bundles(place)
    toml = place / "grammars.toml"
    advice = "give it one with a title and a source"
    assert str(caught.value).splitlines() == [
        f'{place / "mial.abnf"}: {toml} has no table [mial]: {advice}; is "mail" meant?',
        f"{place / 'zzz.abnf'}: {toml} has no table [zzz]: {advice}",
    ]


@each_case(("text", "found"), TABLES["the_roots_of_a_file"])
def test_the_roots_of_a_file(grammar, text, found):
    assert list(roots(grammar(text))) == found


@given(st.lists(st.lists(st.sampled_from(NAMES), max_size=3), min_size=7, max_size=7))
def test_roots_lead_to_every_rule_and_none_to_another(grammar, references):
    rows = zip(NAMES, references, strict=True)
    made = grammar("".join(f"{name} = {' '.join(['%x61', *inner])}\n" for name, inner in rows))
    found = roots(made)
    assert set(reachable(made, found)) == set(NAMES)
    assert list(found) == [name for name in NAMES if name in found]
    for name in found:
        assert {*reachable(made, [name])} & {*found} == {name}
