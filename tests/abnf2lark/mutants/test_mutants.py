"""Edits of grammars, the texts that tell them, and few texts that tell all."""

from itertools import product

from bundles import BUNDLES
from cases import each_case, tables

from abnf2lark.automata import Alphabet, languages
from abnf2lark.config import core_grammar
from abnf2lark.ir import reachable, spelled
from abnf2lark.mutants import mutant_automata
from abnf2lark.mutants import witnesses as searching
from abnf2lark.mutants.edits import mutants
from abnf2lark.mutants.mutant_automata import accepted
from abnf2lark.mutants.witnesses import Laboratory, witnesses
from abnf2lark.problems import Source
from abnf2lark.reading import load

TABLES = tables(__file__)

CORE = core_grammar()
SMALL = 'a = 1*2b [ ":" *c ]\nb = "x" / c\nc = %x30-31 / "%" 2"z"\n'
LETTERS = "xX01/2:;9%$&zZyY"


def grammar(text):
    found, problems = load(Source("own.abnf", text), "own", (CORE,))
    assert not problems
    return found


EDITS = TABLES["edits"]


@each_case("text", EDITS)
def test_every_edit_is_made(text):
    found = [mutant.edit for mutant in mutants(grammar(f"{text}\n"), "a")]
    assert len(found) == len(set(found))
    assert {edit.partition(": ")[2] for edit in found} == set(EDITS[text])


def test_parts_are_left_out_doubled_made_optional_and_swapped():
    found = {m.edit for m in mutants(grammar("a = b c\nb = %x0-7F\nc = %x0-7F\n"), "a")}
    assert {edit for edit in found if edit.startswith("a: ")} == {
        *("a: without b", "a: without c", "a: b twice", "a: c twice"),
        *("a: b → [ b ]", "a: c → [ c ]", "a: b and c swapped", "a: b → c", "a: c → b"),
    }


def test_a_literal_is_one_part_as_written():
    found = {m.edit for m in mutants(grammar('a = b "xy" "z1"\nb = %x0-7F\n'), "a")}
    assert {edit for edit in found if '"xy' in edit or '"z1"' in edit} == {
        *(f"a: without {word}" for word in ('"xy"', '"z1"')),
        *(f"a: {word} twice" for word in ('"xy"', '"z1"')),
        *(f"a: {word} → [ {word} ]" for word in ('"xy"', '"z1"')),
        *('a: b and "xy" swapped', 'a: "xy" and "z1" swapped'),
    }


def test_a_literal_that_is_optional_by_mistake_is_told():
    found = witnesses(grammar('c = "ab" 1*SP d\nd = "x"\n'), "c")
    assert any(text.strip(" ").lower() == "x" for text, _ in found.texts)


def test_alternatives_are_left_out_and_swapped():
    text = "a = b / c\nb = %x0-7F\nc = %x0-7F\nc-nz = b\n"
    found = {m.edit for m in mutants(grammar(text), "a")}
    assert {edit for edit in found if edit.startswith("a: ")} == {
        *("a: without b", "a: without c", "a: b and c swapped"),
        *("a: b → nothing", "a: c → nothing"),
        "a: c → c-nz",  # b for c is to leave c out
        "a: b → c-nz",  # since all three are characters
    }


def test_a_place_has_a_copy_of_its_own():
    text = 'a = b "/" b\nb = 1*c\nc = "x"\n'
    found = {m.edit for m in mutants(grammar(text), "a")}
    assert {edit for edit in found if "here" in edit} == {
        *("a: b here: 1*c → 2*c", "a: b here: 1*c → *c", "a: b here: 1*c → c"),
        "a: b here: c → b",
    }
    # Each is made twice: at the one place and at the other.
    bodies = [m for m in mutants(grammar(text), "a") if "here" in m.edit]
    assert len(bodies) == 8
    assert not any("c here" in edit for edit in found)  # one place refers to it


def test_rules_of_a_kind_are_exchanged():
    text = "a = d m\nd = DIGIT\nm = *d\nh = 1*HEXDIG\nlong = 4d\nt = 3d\n"
    found = {m.edit for m in mutants(grammar(text), "a")}
    assert {"a: m → t", "a: m → h", "a: m → long", "a: d → m", "a: m → d"} <= found
    assert not {"a: d → long", "a: d → h"} & found  # "m" is of the same body


def test_no_edit_makes_a_rule_lead_to_itself():
    found = mutants(BUNDLES["rfc3986"].grammar, "URI")
    rules = BUNDLES["rfc3986"].grammar
    for mutant in found:
        assert mutant.rule in reachable(rules, ["URI"])
    assert len(found) == len({(mutant.rule, mutant.body) for mutant in found}) == 3836


@each_case("text", [
    '"ab"', '%s"a"', '"a"', "1*3b", "*b", "2b", '[ b "/" ]', '*( b / "," )', "%x41-5A", "%x0D.0A",
])  # fmt: skip
def test_what_is_spelled_reads_back(text):
    body = grammar(f"a = {text}\nb = DIGIT\n").rules["a"].body
    again = grammar(f"a = {spelled(body)}\nb = DIGIT\n").rules["a"].body
    assert again == body


def by_brute_force(one, other, longest):
    """Give the lengths of the shortest texts of either language alone."""
    lost = gained = None
    for length in range(longest + 1):
        for text in map("".join, product("x01:%z", repeat=length)):
            left, right = one(text), other(text)
            if left and not right and lost is None:
                lost = length
            if right and not left and gained is None:
                gained = length
    return lost, gained


def judge(rules, start, changed):
    bodies = dict(rules)
    bodies.update(changed)
    alphabet = Alphabet(rule.body for rule in bodies.values())
    language = languages(bodies, alphabet, [start])[start]
    return lambda text: language.accepts(text, alphabet)


def test_differences_are_the_shortest_there_are():
    from dataclasses import replace

    own = grammar(SMALL)
    laboratory = Laboratory(own, "a")
    right = judge(own.rules, "a", {})
    both = 0
    for mutant in laboratory.mutants[::9]:
        wrong = judge(
            own.rules, "a", {mutant.rule: replace(own.rules[mutant.rule], body=mutant.body)}
        )
        _, (lost, gained, _) = laboratory.difference(mutant)
        for text, belongs in ((lost, True), (gained, False)):
            if text is not None:
                assert right(text) is belongs
                assert wrong(text) is not belongs
        found = by_brute_force(right, wrong, 4)
        for text, length in zip((lost, gained), found, strict=True):
            if length is not None:
                assert text is not None, mutant.edit
                assert len(text) <= length
            elif text is not None:
                assert len(text) > 4 or not set(text) <= set("x01:%z")
        both += lost is not None and gained is not None
    assert both


def test_witnesses_tell_every_mutant_both_ways():
    own = grammar(SMALL)
    laboratory = Laboratory(own, "a")
    found = witnesses(own, "a")
    assert found.mutants == len(laboratory.mutants)
    assert len({text for text, _ in found.texts}) == len(found.texts) < found.mutants
    equal = 0
    words = [laboratory.classes.bits_of(text) for text, _ in found.texts]
    own_verdicts = accepted(laboratory.own, words)
    for mutant in laboratory.mutants:
        reader, (lost, gained, _) = laboratory.difference(mutant)
        told = set()
        for verdicts in zip(own_verdicts, accepted(reader, words), strict=True):
            if verdicts[0] is not verdicts[1]:
                told.add(verdicts[0])
        assert told == {way for way, text in ((True, lost), (False, gained)) if text is not None}
        equal += not told
    assert equal == found.equal > 0


def test_what_takes_too_long_is_given_up_and_not_called_equal(monkeypatch):
    own = grammar(SMALL)
    whole = witnesses(own, "a")
    assert whole.undecided == 0
    monkeypatch.setattr(mutant_automata, "MAX_PAIRS", 3)
    found = witnesses(own, "a")
    assert found.undecided > 0
    assert found.equal <= whole.equal
    assert found.equal + found.undecided > whole.equal
    assert found.mutants == whole.mutants


def test_large_automata_are_made_again_and_tell_the_same(monkeypatch):
    own = grammar(SMALL)
    whole = witnesses(own, "a")
    monkeypatch.setattr(searching, "LARGE", 2)
    assert witnesses(own, "a") == whole
