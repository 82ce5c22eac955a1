"""Generated texts: of the rule or not, as judges say that share nothing with the generator."""

import json
from itertools import islice
from random import Random

import pytest
from brute.judge import judge
from brute.words import rule_words
from cases import documents, each_case, tables
from hypothesis import given, settings
from hypothesis import strategies as st

import abnf2lark as compiler
from abnf2lark import InputError, LimitError

TABLES = tables(__file__)

LETTERS = "ABab"
LENGTH = 5

# Rules of all kinds of recursion, ambiguity and emptiness, of the letters above.
GRAMMARS = TABLES["grammars"]
COUNTED = compiler.load(GRAMMARS["counted"])
OF_COUNTED = rule_words(COUNTED.known.rules, LETTERS, LENGTH)["s"]


@each_case("name", GRAMMARS)
def test_all_texts_in_order_of_length(name):
    own = rule_words(compiler.load(GRAMMARS[name]).known.rules, LETTERS, LENGTH)["s"]
    found = list(compiler.load(GRAMMARS[name]).generate_all(LENGTH))
    assert found == sorted(own, key=lambda text: (len(text), text))


@each_case("name", GRAMMARS)
def test_texts_are_those_of_the_rule_and_changed_ones_are_not(name):
    own = rule_words(compiler.load(GRAMMARS[name]).known.rules, LETTERS, LENGTH)["s"]
    grammar = compiler.load(GRAMMARS[name])
    found = set(islice(grammar.generate(3, LENGTH), 200))
    assert found <= own
    assert len(found) > len(own) // 4 or len(found) > 20
    for text in islice(grammar.generate(3, LENGTH - 1, invalid=True), 60):
        assert text not in own
        assert len(text) <= LENGTH + 1


JSON = documents(__file__)["JSON"]


# Without ambiguity, so that a text needs the alternatives that it was derived by.
PLAIN = {
    "json": JSON,
    "sums": 'sum = term *( ( "+" / "-" ) term )\nterm = 1*DIGIT / "(" sum ")"',
    "deep": "s = 2*4( a / b )\na = %s'x' [ c ] %s';'\nb = %s'y' [ s %s'z' ] %s'.'\n"
    "c = %s'u' / %s'v' d\nd = 40%s'w' [ %s'q' ] *2%s'r'".replace("'", '"'),
}


def test_rules_that_nest_deeply_are_no_recursion():
    rules = [f'r{number} = "(" r{number + 1} ")" / "x" r{number + 1}' for number in range(400)]
    grammar = compiler.load("\n".join([*rules, 'r400 = "."']))
    assert len(next(grammar.generate(0, 800))) >= 401
    with pytest.raises(LimitError, match="nest too deeply to list"):
        list(grammar.generate_all(800))


@given(st.data())
@settings(max_examples=30)
def test_drawn_texts_are_texts(data):
    grammar, own = COUNTED, OF_COUNTED
    assert data.draw(grammar.strategy(size=LENGTH)) in own
    assert data.draw(grammar.strategy(size=LENGTH - 1, invalid=True)) not in own


@pytest.mark.parametrize(("arguments", "error", "message"), [
    ({"size": -1}, ValueError, "size is at least 0, not -1"),
    ({"size": "9"}, TypeError, "size is an int, not str"),
    ({"seed": 0.5}, TypeError, "seed is an int, not float"),
    ({"rule": "no"}, InputError, 'grammar has no rule "no"'),
    ({"rule": "none"}, InputError, "none derives no text, or none of up to 1,000,000 char"),
    ({"rule": "huge"}, InputError, "huge derives no text, or none of up to 1,000,000 char"),
])  # fmt: skip
def test_what_cannot_be_generated(arguments, error, message):
    grammar = compiler.load("any = *%x0-10FFFF\nnone = %xD800-DFFF\nhuge = 90000( 90000ALPHA )")
    with pytest.raises(error, match=message):
        grammar.generate(**arguments)
    if "seed" not in arguments:
        own = {"limit" if name == "size" else name: value for name, value in arguments.items()}
        with pytest.raises(error, match=message.replace("size", "limit")):
            grammar.generate_all(**{"limit": 3, **own})


def test_a_rule_that_refuses_nothing_has_no_invalid_texts():
    grammar = compiler.load("any = *%x0-10FFFF")
    with pytest.raises(
        InputError, match="no invalid text was found: 1,000 changed texts are valid"
    ):
        next(grammar.generate(invalid=True))


# Records of generated texts, changed by generated values.


@each_case("name", ["sums", "json"])
def test_changed_records_print_as_texts_that_parse_back(name):
    grammar = compiler.load(PLAIN[name])
    records, accepts = grammar.records(), judge(PLAIN[name])
    chance = Random(1)
    values = {rule: list(islice(grammar.generate(2, 8, rule), 40)) for rule in records.slots}
    changed = 0
    for text in islice(grammar.generate(1, 25), 60):
        record = records.parse(text)
        for slot in records.slots[records.rule]:
            old = getattr(record, slot.name)
            new = [chance.choice(values[slot.rule]) for _ in range(chance.randint(1, 3))]
            if slot.shape != "many":
                new = new[:1] if old is not None else []
            made = records.replace(record, **{slot.name: new})
            told = getattr(made, slot.name)
            told = told if isinstance(told, tuple) else () if told is None else (told,)
            assert [str(one) for one in told] == new
            assert records.parse(str(made)) == made
            assert accepts(records.rule, str(made)), (text, new)
            changed += str(made) != text
    assert changed > 40


# The command.


def rows(text):
    return [(row["text"], row["valid"]) for row in map(json.loads, text.splitlines())]


def test_the_command_writes_what_is_generated(abnf2lark):
    grammar = compiler.load(PLAIN["sums"])
    done = abnf2lark("generate", "t.abnf", "term", "--count", 20, "--seed", 4, t=PLAIN["sums"])
    assert (done.code, done.err) == (0, "")
    assert rows(done.out) == [(text, True) for text in islice(grammar.generate(4, 40, "term"), 20)]
    done = abnf2lark("generate", "t.abnf", "--count", 200, "--invalid", "12.5%", "--size", 9)
    accepts = judge(PLAIN["sums"])
    assert [accepts("sum", text) for text, _ in rows(done.out)] == [
        valid for _, valid in rows(done.out)
    ]
    assert [valid for _, valid in rows(done.out)].count(False) == 25
    done = abnf2lark("generate", "t.abnf", "--all", 2, "-o", "out.ndjson")
    assert (done.code, done.out) == (0, "")
    done = abnf2lark("generate", "t.abnf", "--all", 2)
    assert rows(done.out) == [
        *((digit, True) for digit in "0123456789"),
        *((f"{a}{b}", True) for a in "0123456789" for b in "0123456789"),
    ]
    assert len(rows(abnf2lark("generate", "t.abnf").out)) == 10


@pytest.mark.parametrize(("arguments", "code", "message"), TABLES["what_the_command_refuses"])
def test_what_the_command_refuses(abnf2lark, arguments, code, message):
    text = f"{PLAIN['sums']}\nany = *%x0-10FFFF\n"
    done = abnf2lark("generate", "t.abnf", *arguments, t=text)
    assert done.code == code
    assert message in done.err
