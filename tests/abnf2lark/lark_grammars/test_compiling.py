"""Compile: what each grammar becomes, that Lark loads it, and what it reads."""

import json
from pathlib import Path
from time import process_time

import lark
import pytest
from brute.judge import parses
from cases import each_case
from marks import mostly_slow, some_slow
from paths import GRAMMARS, ROOT

CASES = json.loads(Path(__file__).with_name("compile_cases.json").read_text(encoding="utf-8"))

assert CASES

GOOD = [case for case in CASES if case["parser"] != "error"]


LONG = {"too large", "imported rules"}


def named(cases):
    cases = [
        pytest.param(case, marks=pytest.mark.slow if case["id"] in LONG else ()) for case in cases
    ]
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["id"])


def options(text):
    """Read the header's advice to the user."""
    call = next(line for line in text.splitlines() if "lark.Lark(text, " in line)
    return eval(f"dict({call.partition('text, ')[2][:-1]})")  # our own words


def shape(tree):
    """Give a tree as lists: name, then children; neighbouring tokens are joined."""
    found = [str(tree.data)]
    for child in tree.children:
        if isinstance(child, lark.Tree):
            found.append(shape(child))
        elif len(found) > 1 and isinstance(found[-1], str):
            found[-1] += str(child)
        else:
            found.append(str(child))
    return found


@pytest.fixture(scope="module")
def outcomes():
    return {}


@pytest.fixture
def compiled(abnf2lark, outcomes):
    """Run the command on a case, once for all tests."""

    def run(case):
        key = case["id"]
        if key not in outcomes:
            arguments = case.get("arguments", ())
            outcomes[key] = abnf2lark("compile", "t.abnf", *arguments, t=case["abnf"])
        return outcomes[key]

    return run


@pytest.mark.slow
@named(GOOD)
def test_the_parser_is_named_with_its_reason(compiled, case):
    done = compiled(case)
    assert done.code == 0
    if case["parser"] == "earley":
        assert done.err.splitlines()[1:] == ([case["advice"]] if "advice" in case else [])
        assert done.err.startswith(f"Earley: {case['reason']}")
        assert f"// Earley, because there is no proof for LALR(1): {case['reason']}" in done.out
    else:
        assert done.err.startswith("LALR: proved for ")
    assert options(done.out)["parser"] == case["parser"]


@pytest.mark.slow
@named(GOOD)
def test_the_grammar_reads_what_the_rules_say(compiled, case):
    text = compiled(case).out
    advised = options(text)
    starts = advised["start"] if isinstance(advised["start"], list) else [advised["start"]]
    parser = lark.Lark(text, **advised)
    assert [word for word in case["words"] if not parses(parser, word, starts[0])] == []
    assert [word for word in case["others"] if parses(parser, word, starts[0])] == []
    if "tree" in case:
        word, tree = case["tree"]
        assert shape(parser.parse(word, start=starts[0])) == tree


@pytest.mark.slow
@named([case for case in GOOD if "--start" not in case.get("arguments", ())])
@pytest.mark.parametrize("lexer", ["dynamic", "dynamic_complete"])
def test_the_grammar_can_be_loaded_without_the_advice(compiled, case, lexer):
    text = compiled(case).out
    parser = lark.Lark(text, lexer=lexer)
    assert [word for word in case["words"] if not parses(parser, word, "start")] == []
    assert [word for word in case["others"] if parses(parser, word, "start")] == []


@named([case for case in GOOD if "advice" in case])
def test_the_advice_is_good_and_all_of_it_is_needed(abnf2lark, case):
    advice = case["advice"].split()[5:]
    done = abnf2lark("compile", "t.abnf", *advice, t=case["abnf"])
    assert done.err.startswith("LALR: ")
    for place in range(0, len(advice), 2):
        less = advice[:place] + advice[place + 2 :]
        assert abnf2lark("compile", "t.abnf", *less, t=case["abnf"]).err.startswith("Earley: ")


@named([case for case in CASES if case["parser"] == "error"])
def test_bad_grammars_are_reported_and_nothing_is_written(abnf2lark, tmp_path, case):
    out = tmp_path / "out.lark"
    out.write_text("as it was")
    done = abnf2lark("compile", "t.abnf", "-o", out, "--force", t=case["abnf"])
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(case["message"] + "\n")
    assert out.read_text() == "as it was"


def test_a_rule_of_an_import_can_be_the_start(abnf2lark):
    arguments = ["--import", "rfc3986", "--start", "IPv4address", "--leaf", "ipv4address"]
    done = abnf2lark("compile", "t.abnf", *arguments, t="a = ALPHA\n")
    assert done.code == 0
    parser = lark.Lark(done.out, **options(done.out))
    assert shape(parser.parse("1.2.3.4")) == ["ipv4address", "1.2.3.4"]


@each_case(
    ("starts", "parser"), [(("one",), "lalr"), (("two",), "lalr"), (("one", "two"), "earley")]
)
def test_start_rules_whose_terminals_would_be_mixed_are_not_lalr_together(
    abnf2lark, starts, parser
):
    """Lark's lexer tries what may follow in texts of either where they share states."""
    text = 'one = n [ a ]\ntwo = n [ b ]\na = "/" 1*ALPHA\nb = "/" 1*(ALPHA / DIGIT)\nn = 1*ALPHA\n'
    arguments = [part for start in starts for part in ("--start", start)]
    made = abnf2lark("compile", "t.abnf", *arguments, t=text).out
    assert options(made)["parser"] == parser
    found = lark.Lark(made, **options(made))
    for start in starts:
        assert parses(found, "ab/cd", start)
        assert parses(found, "ab/c1", start) is (start == "two")


@each_case("command", ["compile", "lint"])
def test_a_rule_that_never_ends_is_an_error(abnf2lark, command):
    done = abnf2lark(command, "t.abnf", t='a = "x"\nb = a [ "y" ] b\n')
    assert done.code == 1
    told = done.err if command == "compile" else done.out
    assert told.startswith('t.abnf:2:1: endless: "b" matches nothing: it never ends, b → b\n')


# Grammars with settings.


@pytest.mark.parametrize(
    "name", mostly_slow(["core", "rfc1738", "rfc3261", "rfc3986", "rfc5870"], "core", "rfc5870")
)
def test_a_bundled_grammar_becomes_what_build_writes(abnf2lark, name):
    done = abnf2lark("compile", name)
    assert (done.code, done.err) == (0, "LALR: proved for all its rules\n")
    assert done.out == (ROOT / f"uriparse/_compiled/{name}.lark").read_text(encoding="utf-8")


def test_a_rule_that_only_the_whole_document_has_is_compiled_from_that(abnf2lark):
    assert abnf2lark("compile", "rfc3261", "--start", "CSeq").err.startswith("LALR: ")


TOML = """[t]
title = "T"
source = "of our own"
leaves = ["name", "number"]
"""


def test_settings_of_a_grammar_of_ones_own(abnf2lark, tmp_path):
    rules = 'line = name "=" number\nname = 1*letter\nletter = ALPHA\nnumber = 1*DIGIT\n'
    (tmp_path / "grammars.toml").write_text(TOML)
    done = abnf2lark("compile", "t.abnf", "--settings", "grammars.toml", t=rules)
    assert done.code == 0
    tree = lark.Lark(done.out, parser="lalr", start="line").parse("ab=1")
    assert [str(node.data) for node in tree.children] == ["name", "number"]
    done = abnf2lark("compile", "t.abnf", "--settings", "t.toml", t=rules)
    assert (done.code, done.err) == (
        2,
        "abnf2lark: --settings t.toml: settings are in grammars.toml beside the grammar's file\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(["rfc1738", "rfc3986"], "rfc3986"))
def test_a_grammar_without_settings_is_told_the_leaves_that_make_it_lalr(abnf2lark, name):
    rules = (GRAMMARS / f"{name}.abnf").read_text(encoding="utf-8")
    advice = abnf2lark("compile", "t.abnf", t=rules).err.splitlines()[-1]
    assert advice.startswith("It would be LALR with --leaf ")
    done = abnf2lark("compile", "t.abnf", *advice.split()[5:], t=rules)
    assert done.err.startswith("LALR: ")


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(["sip", "messageformat", "jsonpath"], "jsonpath"))
def test_the_search_for_leaves_has_a_budget(abnf2lark, name):
    """Of processor time; the search took 43, 15 and 14 seconds, and found none."""
    text = (ROOT / f"tools/collection/grammars/{name}.abnf").read_text(encoding="utf-8")
    started = process_time()
    assert abnf2lark("compile", "t.abnf", t=text).err.startswith("Earley: ")
    assert process_time() - started < 12


def test_an_ambiguous_grammar_is_refused_as_others_are_if_that_is_asked_for(abnf2lark):
    done = abnf2lark("compile", "t.abnf", "--strict", "-o", "out", t='e = e "-" e / "1"\n')
    assert done.code == 1
    assert "t is ambiguous: e reads " in done.err
