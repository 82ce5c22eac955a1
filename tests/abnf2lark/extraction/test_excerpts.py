"""ABNF from RFC text: excerpts of RFCs of all ages, each with the ABNF that is in it.

`excerpts/X.txt` is laid out as RFC X is; `excerpts/X.abnf` is what comes of it, `told.json` what is
said about it.
"""

import json
from pathlib import Path

from bundles import BUNDLES
from cases import each_case

from abnf2lark.automata import Alphabet, languages
from abnf2lark.extraction import extract
from abnf2lark.problems import Source
from abnf2lark.reading import load

EXCERPTS = sorted((Path(__file__).parent / "excerpts").glob("*.txt"))
TOLD = json.loads((Path(__file__).parent / "told.json").read_text(encoding="utf-8"))
assert len(EXCERPTS) >= 11


def made(path, core):
    return extract(path.name, path.read_bytes().decode(), (core,))


@each_case("path", EXCERPTS)
def test_the_rules_are_found_with_their_lines(path, core):
    assert made(path, core).text == path.with_suffix(".abnf").read_text(encoding="utf-8")


@each_case("path", EXCERPTS)
def test_what_is_no_rule_is_told_with_its_line(path, core):
    told = [
        f"{problem.severity} {problem.headline().removeprefix(path.name)}"
        for problem in made(path, core).problems
    ]
    assert told == TOLD.pop(path.stem, [])


@each_case("path", EXCERPTS)
def test_every_line_of_a_rule_is_a_line_of_the_document(path, core):
    extracted = made(path, core)
    printed = path.read_bytes().decode().split("\n")
    for number, (line, shift) in extracted.origins.items():
        here = extracted.lines[number - 1]
        there = printed[line - 1].replace("|", "/").replace("_", "-")
        assert here.replace("|", "/").replace("_", "-").split() == there.split()
        assert len(here) - len(here.lstrip()) == len(there) - len(there.lstrip()) + shift


@each_case("name", ["rfc3986", "rfc2396"])
def test_whole_rules_are_those_of_the_grammar_by_the_automata(name, core):
    path = next(path for path in EXCERPTS if path.stem == name)
    reference = BUNDLES[name].grammar
    # What an excerpt does not define is taken from the grammar itself.
    found, problems = load(Source(name, made(path, core).text), "found", (reference, core))
    assert not problems
    skipped = {"IPv6address"} if name == "rfc3986" else set()  # shortened in the excerpt
    skipped |= {"dec-octet"}
    alphabet = Alphabet(rule.body for one in (found, reference) for rule in one.rules.values())
    compared = [rule for rule in found.own if rule not in skipped]
    assert len(compared) >= 5
    ours = languages(found.rules, alphabet, compared)
    theirs = languages(reference.rules, alphabet, compared)
    assert [rule for rule in compared if ours[rule] != theirs[rule]] == []
