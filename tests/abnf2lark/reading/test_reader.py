"""Every feature of ABNF is read as the abnf package reads it, and each mistake has its message."""

import json
from pathlib import Path

import pytest
from brute.judge import CORE, judge, ours
from brute.words import all_words, words
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from marks import some_slow

from abnf2lark.ir import EMPTY, Alt, Chars, Ref, Rep, Seq, Text
from abnf2lark.problems import GrammarError, Source, has_errors
from abnf2lark.reading import load, reader, scan
from abnf2lark.reading.reader import read_rules

TABLES = tables(__file__)

CASES = json.loads((Path(__file__).parent / "abnf_features.json").read_text(encoding="utf-8"))

CASES = [pytest.param(case, id=case["id"]) for case in CASES]

assert CASES

atoms = st.sampled_from(['"a"', '%s"b"', "%x61.62", "%x61-62", "t", '""', "%d98", '"ab"'])


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_each_feature_has_the_words_that_the_abnf_package_finds(case, end):
    grammar = ours(end.join(case["abnf"]))
    accepts = judge("\n".join(case.get("judged", case["abnf"])))
    found = words(grammar.find("s").body, case["letters"], case["limit"], grammar.rules)
    expected = {w for w in all_words(case["letters"], case["limit"]) if accepts("s", w)}
    assert found == expected
    # So that no case tests nothing: an example of each verdict.
    assert case["good"] in found
    assert case["bad"] not in found


EXACT = {
    '"a"': Chars(((65, 65), (97, 97))), '"-"': Chars.single("-"), '""': EMPTY,
    '"a-"': Seq((Chars(((65, 65), (97, 97))), Chars.single("-"))), '%s"aB"': Text("aB"),
    '%S"a"': Chars.single("a"), '%i"a"': Chars(((65, 65), (97, 97))), '"12"': Text("12"),
    "%x41": Chars.single("A"), "%X41-5a": Chars(((0x41, 0x5A),)), "%d65": Chars.single("A"),
    "%D65-90": Chars(((65, 90),)), "%b1000001": Chars.single("A"), "%B0-1": Chars(((0, 1),)),
    "%x41.42.43": Text("ABC"), "%d13.10": Text("\r\n"), "%x10FFFF": Chars.single("\U0010ffff"),
    "%x0000000000000000000000000000000000000000000041": Chars.single("A"), "x": Ref("x"),
    "x y": Seq((Ref("x"), Ref("y"))), "x / y / x": Alt((Ref("x"), Ref("y"))),
    "x / (y / x)": Alt((Ref("x"), Ref("y"))), "x (y x)": Seq((Ref("x"), Ref("y"), Ref("x"))),
    "[x]": Rep(Ref("x"), 0, 1), "[x y]": Rep(Seq((Ref("x"), Ref("y"))), 0, 1),
    "[x / y]": Rep(Alt((Ref("x"), Ref("y"))), 0, 1), "*x": Rep(Ref("x"), 0, None),
    "1*x": Rep(Ref("x"), 1, None), "*3x": Rep(Ref("x"), 0, 3), "2*3x": Rep(Ref("x"), 2, 3),
    "2x": Rep(Ref("x"), 2, 2), "2*2x": Rep(Ref("x"), 2, 2), "1x": Ref("x"), "1*1x": Ref("x"),
    "0x": EMPTY, "*0x": EMPTY, "00000000012x": Rep(Ref("x"), 12, 12),
    "000000000*00000000012x": Rep(Ref("x"), 0, 12),
    "*(x y)": Rep(Seq((Ref("x"), Ref("y"))), 0, None), "<x>": Ref("<x>"), "X": Ref("X"),
}  # fmt: skip


@pytest.mark.parametrize("text", EXACT)
def test_each_element_is_read_as_the_smallest_expression(text):
    found, problems = read_rules(Source("test.abnf", f"s = {text}\n"), "test")
    assert problems == []
    assert [rule.body for rule in found] == [EXACT[text]]


def test_references_are_spelled_as_their_definitions_and_keep_their_places():
    grammar = ours('Start = one-two\n        / ONE-TWO "x"\nOne-Two = DigIT\n')
    first, second = grammar.rules["Start"].body.items
    assert (first.name, first.position.line, first.position.column) == ("One-Two", 1, 9)
    assert (second.items[0].name, second.items[0].position.line) == ("One-Two", 2)
    assert grammar.rules["One-Two"].body == Ref("DIGIT")
    assert list(grammar.rules) == ["Start", "One-Two", "DIGIT"]
    assert grammar.own == ("Start", "One-Two")
    assert grammar.find("oNE-tWO").name == "One-Two"
    assert grammar.rules["DIGIT"].origin == "core"


def test_added_alternatives_count_as_written_and_are_kept_with_the_rule():
    grammar = ours('s = "1" ; one\nt = "9"\nS =/ "2"\ns =/ "3" / "1"\n')
    assert grammar.rules["s"].body == Alt(tuple(map(Chars.single, "123")))
    assert grammar.rules["s"].position.line == 1
    assert grammar.rules["s"].source == 's = "1"\nS =/ "2"\ns =/ "3" / "1"'


def test_a_rule_of_ones_own_replaces_a_core_rule_for_the_whole_file():
    grammar = ours('s = DIGIT ALPHA\ndigit = "7"\n')
    assert grammar.rules["s"].body == Seq((Ref("digit"), Ref("ALPHA")))
    assert words(grammar.rules["s"].body, "67z", 2, grammar.rules) == {"7z"}


def other_grammar():
    text = 'unit = scale "/" part\nscale = "k" / "m"\npart = DIGIT\n'
    return load(Source("other.abnf", text), "other", (CORE,))[0]


@pytest.mark.parametrize("prose", ["<unit>", "<unit, see [RFC0000], Section 2>", "<unit; any>"])
def test_prose_that_names_an_imported_rule_is_that_rule(prose):
    grammar = ours(f"unit = {prose}\n", (other_grammar(), CORE))
    assert grammar.rules["unit"].body == Ref("other.unit")
    assert words(grammar.rules["unit"].body, "k/1", 3, grammar.rules) == {"k/1"}


def test_an_imported_rule_keeps_the_meaning_of_its_own_references():
    text = 's = scale unit\nscale = "9"\n'
    grammar = ours(text, (other_grammar(), CORE))
    assert grammar.rules["s"].body == Seq((Ref("scale"), Ref("unit")))
    assert grammar.rules["unit"].body.items[0] == Ref("other.scale")
    assert words(grammar.rules["s"].body, "9k/1", 4, grammar.rules) == {"9k/1", "9k/9"}


@pytest.mark.slow
def test_every_core_rule_is_the_one_of_the_abnf_package():
    names = list(CORE.rules)
    assert len(names) == 16
    accepts = judge('s = "s"')
    chars = [*map(chr, range(0x102)), "\r\n", "\t\r\n ", "", " \t", "\n", "\r\n "]
    for name in names:
        found = words(CORE.rules[name].body, "\r\n\t ", 4, CORE.rules)
        singles = words(CORE.rules[name].body, chars[:0x102], 1, CORE.rules)
        for text in chars:
            mine = text in (singles if len(text) == 1 else found)
            assert mine == accepts(name, text), (name, text)


def _nested(inner):
    repeats = st.sampled_from(["*", "1*", "*2", "2", "1*2", "0*1", "2*"])
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(" ".join).map("({})".format),
        st.lists(inner, min_size=2, max_size=3).map(" / ".join).map("({})".format),
        st.lists(inner, min_size=1, max_size=2).map(" / ".join).map("[{}]".format),
        st.builds(lambda count, item: f"{count}({item})", repeats, inner),
    )


@pytest.mark.slow
@given(st.recursive(atoms, _nested, max_leaves=6), st.recursive(atoms, _nested, max_leaves=3))
def test_random_rules_have_the_words_that_the_abnf_package_finds(first, second):
    text = f's = {first}\n  / {second} ; "\nt = "c"\n'
    grammar, accepts = ours(text), judge(text)
    found = words(grammar.rules["s"].body, "aBbc", 3, grammar.rules)
    for word in all_words("aBbc", 3):
        assert (word in found) == accepts("s", word)


def test_a_rule_defined_again_and_again_is_compared_in_steps_that_do_not_grow(monkeypatch):
    folded = 0
    original = reader.ir.replaced

    def counted(node, replace):
        nonlocal folded
        folded += 1
        return original(node, replace)

    monkeypatch.setattr(reader.ir, "replaced", counted)
    taken = []
    for number in (50, 100):
        folded = 0
        text = "a = B\n" + "".join(f'A =/ "{n}"\na = b / "0"\n' for n in range(number))
        _, problems = read_rules(Source("t.abnf", text), "t")
        assert [problem.code for problem in problems] == [
            "repeated-rule",
            *["duplicate"] * (number - 1),
        ]
        taken.append(folded)
    assert taken[1] <= 2.1 * taken[0]


MESSAGES = json.loads((Path(__file__).parent / "scan_messages.json").read_text(encoding="ascii"))

assert MESSAGES


def problems(text):
    return load(Source("g", text), "g", (CORE,))[1]


def headlines(text):
    return [problem.headline().removeprefix("g:") for problem in problems(text)]


@each_case("text", MESSAGES)
def test_the_message_is_exactly_this(text):
    assert headlines(text) == MESSAGES[text]
    assert has_errors(problems(text))


def test_every_problem_of_a_file_is_found_at_once():
    text = """\
; ten faults
a = "x" |
b = c / d
   / <some prose>
b = DIGIT
e =/ DIGIT
f = %x5A-41 3*2DIGIT 200000DIGIT
g = (DIGIT
"""
    assert [message.split(": ")[:2] for message in headlines(text)] == [
        ["2:9", "syntax"], ["5:1", "duplicate"], ["6:1", "no-base"], ["7:5", "range"],
        ["7:13", "repeat"], ["7:22", "repeat"], ["8:5", "syntax"], ["3:5", "undefined"],
        ["3:9", "undefined"], ["4:6", "prose"],
    ]  # fmt: skip
    shown = str(GrammarError(problems(text)))
    assert shown.count("^") == 10
    assert '  a = "x" |\n          ^' in shown


def test_long_lines_are_shown_in_part_and_without_control_characters():
    (problem,) = problems("a = " + '"x" ' * 100 + "\x1b[31m" + " DIGIT" * 100)
    shown = problem.show().splitlines()
    assert "\x1b" not in problem.show()
    assert shown[1].startswith("  …")
    assert shown[1].endswith("…")
    assert len(shown[1]) < 200
    assert shown[1][shown[2].index("^")] == "\ufffd"


HOSTILE = TABLES["hostile"]


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(HOSTILE, "stars", "slashes", "concatenation"))
def test_hostile_text_is_a_problem_and_no_traceback(name):
    text, message = HOSTILE[name]
    found = problems(text)
    assert message in found[0].headline()
    assert len(found[0].show()) < 5_000


def test_lengths_up_to_the_limits_can_be_read():
    assert problems('a = "' + "x" * (scan.MAX_TOKEN - 2) + '"') == []
    assert headlines('a = "' + "x" * (scan.MAX_TOKEN - 1) + '"') == [
        "1:5: syntax: more than 1000 characters without a break cannot be read"
    ]
    assert problems("a = ALPHA" + " " * 100_000 + "/" + " " * 100_000 + "DIGIT") == []
