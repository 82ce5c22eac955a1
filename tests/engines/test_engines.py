"""Expressions give the verdicts of `is_valid` in the engines that they are written for."""

import pytest
from cases import each_case
from engines.judges import JUDGES
from engines.texts import long_texts, texts

import abnf2lark
from uriparse.grammar.expressions import pattern

RULES = (("URI", "rfc3986"), ("URI-reference", "rfc3986"), ("IRI-reference", "rfc3987"))
NAMES = list(JUDGES)
FIRST, *OTHERS = RULES


def differences(judge, rule, grammar, among):
    """The texts that an engine judges otherwise than `is_valid`, shortened."""
    held = {text: right for text, right in among.items() if judge.holds(text)}
    expression = pattern(rule, flavour=judge.flavour, grammar=grammar)
    verdicts = judge.verdicts(expression, list(held))
    assert {True, False} == set(held.values())
    pairs = zip(held.items(), verdicts, strict=True)
    return [text[:100] for (text, right), verdict in pairs if verdict is not right]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("rule", "grammar"), [FIRST, *(pytest.param(*rule, marks=pytest.mark.slow) for rule in OTHERS)]
)
def test_an_engine_judges_as_the_grammar_does(name, rule, grammar):
    among = texts(rule, grammar, corruptions=1_000)
    assert differences(JUDGES[name], rule, grammar, among) == []


EDGES = (0, 0x7F, 0x80, 0xFF, 0x100, 0x2028, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)
CODES = sorted({*range(0x180), *EDGES, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFE, 0x10FFFE})
SPELLED = abnf2lark.load(
    "a = written / even / odd / beyond\n"
    + "".join(
        f"{name} = {text}\n"
        for name, text in {
            "written": '"0" ' + " ".join(f"%x{code:X}" for code in (*range(0x180), *EDGES)),
            "even": '"1" ( ' + " / ".join(f"%x{code:X}" for code in range(0, 0x180, 2)) + " )",
            "odd": '"2" ( ' + " / ".join(f"%x{code:X}" for code in range(1, 0x180, 2)) + " )",
            "beyond": '"3" 2%x80-10FFFF',
        }.items()
    )
)


@pytest.mark.slow
@each_case("name", NAMES)
def test_an_engine_takes_every_character_for_itself(name):
    """Whatever has a meaning in expressions has none, in sets and out of them."""
    judge = JUDGES[name]
    written = "0" + "".join(map(chr, (*range(0x180), *EDGES)))
    among = [written, written[:-1], written + "\n"]
    among += [
        f"{first}{chr(code) * times}" for first in "123" for code in CODES for times in (1, 2)
    ]
    among = [text for text in among if judge.holds(text)]
    verdicts = judge.verdicts(SPELLED.pattern("a", flavour=judge.flavour), among)
    wanted = [SPELLED.matches(text) for text in among]
    assert wanted.count(True) > 300
    pairs = zip(among, verdicts, wanted, strict=True)
    assert [text for text, verdict, right in pairs if verdict is not right] == []


@pytest.mark.long
@each_case("name", NAMES)
@each_case(("rule", "grammar"), RULES[1:])
def test_an_engine_judges_long_texts(name, rule, grammar):
    among = long_texts(rule, grammar, kinds=20)
    assert differences(JUDGES[name], rule, grammar, among) == []


@pytest.mark.oracle
@each_case("name", NAMES)
@each_case(("rule", "grammar"), RULES)
def test_an_engine_judges_all_corruptions(name, rule, grammar):
    among = texts(rule, grammar, corruptions=100_000, seed=1)
    assert differences(JUDGES[name], rule, grammar, among) == []
