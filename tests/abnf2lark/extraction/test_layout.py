"""ABNF in documents: the layout of real files, and excerpts."""

import json
from pathlib import Path

import pytest
from bundles import BUNDLES
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from marks import by_grammar

from abnf2lark.automata import Alphabet, languages
from abnf2lark.config import bundled_directory, core_grammar
from abnf2lark.extraction import extract
from abnf2lark.extraction.layout import printed_lines, without_pages
from abnf2lark.problems import Source
from abnf2lark.reading import load

CORE = core_grammar()

PRINTED = {
    name: (bundled_directory() / f"{name}.abnf").read_text(encoding="utf-8").splitlines()
    for name in BUNDLES
}

FOOT = "Berners-Lee, et al.         Standards Track                    [Page {}]"

HEAD = "RFC 3986                   URI Generic Syntax               January 2005"

OLD_FOOT = "     August 13, 1982              - {} -                      RFC #822"

OLD_HEAD = "     Standard for ARPA Internet Text Messages"

STYLES = {
    "modern": (FOOT, "\f", HEAD), "without form feeds": (FOOT, "", HEAD),
    "old": (OLD_FOOT, "\f", OLD_HEAD), "head on the form feed's line": (FOOT, None, HEAD),
}  # fmt: skip


def pages(lines, length, indent=3, style="modern"):
    """Print lines as an RFC: pages of a length, each with a foot and the next with a head."""
    foot, feed, head = STYLES[style]
    out = []
    for number, start in enumerate(range(0, len(lines), length), 1):
        if start:
            out += [f"\f{head}"] if feed is None else [feed, head] if feed else [head]
            out += ["", ""]
        out += [f"{' ' * indent}{line}" if line else "" for line in lines[start : start + length]]
        out += ["", "", "", foot.format(number)]
    return "\n".join(out) + "\n"


def read_again(name, text):
    """Return the rules found in a text, bound as those of the grammar are."""
    made = extract(Source(f"{name}.txt", text), (CORE,))
    assert [problem.headline() for problem in made.problems] == []
    imports = (*(BUNDLES[other].grammar for other in BUNDLES[name].settings.imports), CORE)
    taken = [
        (BUNDLES[other].grammar, rule)
        for other, rules in BUNDLES[name].settings.imports.items()
        for rule in rules
    ]
    imports = imports[:-1] if name == "core" else imports
    found, problems = load(Source(name, made.text), name, imports, taken)
    assert not problems
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", by_grammar(BUNDLES))
def test_a_printed_grammar_comes_back_whole(name):
    grammar = BUNDLES[name].grammar
    found = read_again(name, pages(PRINTED[name], 5))
    assert found.own == grammar.own
    assert [
        rule for rule in grammar.own if found.rules[rule].body != grammar.rules[rule].body
    ] == []


@pytest.mark.slow
@given(st.integers(1, 60), st.integers(0, 12), st.sampled_from(sorted(STYLES)))
def test_neither_page_length_nor_indentation_counts(length, indent, style):
    lines = PRINTED["rfc3986"][8:32]  # as far as IP-literal
    once = extract(Source("t", pages(lines, 1000)), (CORE,))
    text = pages(lines, length, indent, style)
    made = extract(Source("t", text), (CORE,))
    assert [line for line in made.lines if line[:1] != ";"] == [
        line for line in once.lines if line[:1] != ";"
    ]
    printed = text.split("\n")
    for number, (line, shift) in made.origins.items():
        assert shift <= 0
        assert printed[line - 1].lstrip() == made.lines[number - 1].lstrip()


def kept(text):
    return [(line.number, line.text) for line in without_pages(printed_lines(text))]


def test_only_heads_and_feet_go():
    text = 'a = b\n    c d\n\f\n  e f\n\n  "g"\n'  # no foot, so no head
    assert [text.strip() for _, text in kept(text) if text.strip()] == [
        "a = b", "c d", "e f", '"g"',
    ]  # fmt: skip
    text = 'a = b\n  / "x"\n\f\n  / "y"\n\n\f\n  / "x"\n'  # signs of ABNF, though they recur
    assert [text.strip() for _, text in kept(text) if text.strip()] == [
        "a = b", '/ "x"', '/ "y"', '/ "x"',
    ]  # fmt: skip


def test_alternatives_that_lost_their_rule_are_told():
    made = extract(Source("t", '   a = b\n\ntext\n\n         / "c"\n'), (CORE,))
    assert [problem.headline() for problem in made.problems] == [
        't:5:10: left-out: expected a rule name, found "/"'
    ]
    assert '; line 5, left out: expected a rule name, found "/"' in made.text


@pytest.mark.slow
@each_case("text", [
    "\f" * 3000, "\f\n" * 3000, "[Page 1]\n\n" * 3000, "a\n\f\n" * 3000, "a = b\n\f\n" * 1000,
    "<" * 30000, "a = " + "<" * 20000, '"' * 30001, "a" * 30000, "x\n\f\n RFC" + " " * 30000 + "x",
    "a = " + "1" * 30000,
])  # fmt: skip
def test_strange_texts_are_read_to_their_end(text):
    assert extract(Source("t", text), (CORE,)).problems


EXCERPTS = sorted((Path(__file__).parent / "excerpts").glob("*.txt"))

MESSAGES = json.loads((Path(__file__).parent / "messages.json").read_text(encoding="utf-8"))

assert len(EXCERPTS) >= 11


def made(path, core):
    return extract(Source(path.name, path.read_bytes().decode()), (core,))


@each_case("path", EXCERPTS)
def test_the_rules_are_found_with_their_lines(path, core):
    assert made(path, core).text == path.with_suffix(".abnf").read_text(encoding="utf-8")


@each_case("path", EXCERPTS)
def test_what_is_no_rule_is_told_with_its_line(path, core):
    told = [
        f"{problem.severity} {problem.headline().removeprefix(path.name)}"
        for problem in made(path, core).problems
    ]
    assert told == MESSAGES.pop(path.stem, [])


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
