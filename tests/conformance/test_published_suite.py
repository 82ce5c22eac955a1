"""tests/published: by other judges, and by its own runners in the languages of this machine."""

import json
import re
import shutil
import subprocess

import pytest
from cases import tables
from command_runs import run_program
from conformance.foreign_mutants import Reader, Rows, mutants, rules
from conformance.program_mutants import run, take_apart
from conformance.reported_results import normalized, resolved
from marks import mostly_slow
from paths import ROOT

from tools.suite_cover import Trials, cover, fewest
from uriparse.conformance import suite

TABLES = tables(__file__)

HOME = ROOT / "tests/published"
GRAMMARS = {"IRI": "rfc3987"}
SYNTAX = ["URI", "URI-reference", "IRI", "IPv6address", "IPv4address", "host"]
KINDS = ["components", "limits", "resolution", "normalization", "equivalence"]


def cases(name):
    return json.loads((HOME / f"{name}.json").read_text("ascii"))["cases"]


@pytest.mark.parametrize("rule", SYNTAX)
@pytest.mark.parametrize("folder", ["syntax", "characters", "faults"])
def test_verdicts_and_components_by_another_judge(folder, rule):
    reader = Reader(rules(GRAMMARS.get(rule, "rfc3986"), rule), rule)
    found = cases(f"{folder}/{rule}")
    assert len({case["id"] for case in found}) == len(found) > (0 if folder == "faults" else 85)
    for case in found:
        assert reader.accepts(case["text"]) is case["valid"], case
        if rule == "URI" and case["valid"]:
            assert tuple(case["components"].values()) == take_apart(case["text"])
        assert not re.search("[\ud800-\udfff]", case["text"])
    table = rule if folder == "syntax" else f"{folder}-{rule}"
    lines = (HOME / f"tsv/{table}.tsv").read_text("ascii").splitlines()
    tiny = [(case["id"], case["valid"], case["text"]) for case in found if case["tier"] == "tiny"]
    read = (line.split("\t") for line in lines)
    assert [(name, v == "1", bytes.fromhex(text).decode()) for name, v, text in read] == tiny
    assert len(tiny) == len(found)


@pytest.mark.parametrize("rule", [
    pytest.param("IPv4address", marks=pytest.mark.slow),
    pytest.param("IPv6address", marks=pytest.mark.oracle),
    *(pytest.param(rule, marks=pytest.mark.oracle) for rule in ("host", "URI", "IRI")),
])  # fmt: skip
def test_tiny_detects_every_edit_of_another_mutator(rule):
    grammar = GRAMMARS.get(rule, "rfc3986")
    tiny = [case for case in cases(f"syntax/{rule}") if case["tier"] == "tiny"]
    texts = [(case["text"], case["valid"]) for case in tiny]
    # Lone surrogates alone tell that a range of IRIs ends at U+D7FF; they have a file of their own.
    texts += [
        (bytes.fromhex(case["utf16"]).decode("utf-16-be", "surrogatepass"), case["valid"])
        for case in cases("syntax/beyond-unicode")
        if case["id"].partition("/")[0] == rule
    ]
    rows = Rows(texts)
    own = Reader(rules(grammar, rule), rule)
    readers = (Reader({**every, **changed}, rule) for every, changed in mutants(grammar, rule))
    found = [rows.misses(own, reader) for reader in readers]
    assert found.count(False) > 500
    assert True not in found


def test_a_cover_detects_what_its_texts_do_and_none_is_redundant():
    rule, grammar = "dec-octet", "rfc3986"
    texts = [row.text for row in suite(rule)]
    trials = Trials(rule, grammar)
    every = range(len(trials.mutants))
    whole = set().union(*trials.told(texts, every).values())
    told = trials.told(cover(rule, grammar, texts), every)
    assert len(told) < 40 < len(whole)
    assert set().union(*told.values()) == whole
    for text in told:
        assert set().union(*(told[other] for other in told if other != text)) < whole


def test_redundant_texts_are_removed():
    """The greedy choice takes "both" first, which the others then make redundant."""
    told = {"both": {2, 3, 4, 5}, "one": {1, 2, 3}, "two": {4, 5, 6}, "in one": {1}}
    assert fewest(told) == ["one", "two"]


def test_operations_by_other_programs():
    resolve, normalize = run("resolve"), run("normalize")
    for case in cases("resolution"):
        # Section 5.3 would make an authority of a path that begins with "//".
        by = resolved if case["section"] == "3.3" else resolve
        assert by(case["base"], case["reference"]) == case["expected"]
        loose = case.get("expected if not strict", case["expected"])
        if case["base"][0] != "A" and by is resolve:
            assert resolve(case["base"], case["reference"], strict=False) == loose
    for case in cases("normalization"):
        by = normalized if case["section"] == "3.3" else normalize
        assert by(case["text"]) == case["expected"]
    for case in cases("equivalence"):
        assert (normalize(case["one"]) == normalize(case["other"])) is case["expected"]
    for case in cases("components"):
        assert take_apart(case["text"]) == tuple(case["expected"].values())


def test_files_are_as_the_schema_says():
    schema = json.loads((HOME / "schema.json").read_text("ascii"))
    case_schema = schema["$defs"]["case"]
    known = case_schema["properties"]
    for path in sorted(HOME.rglob("*.json")):
        if path.name == "schema.json":
            continue
        made = json.loads(path.read_text("ascii"))
        assert made["kind"] in schema["properties"]["kind"]["enum"]
        assert set(schema["required"]) <= made.keys() <= set(schema["properties"])
        for case in made["cases"]:
            assert set(case_schema["required"]) <= case.keys() <= set(known)
            assert re.fullmatch(known["id"]["pattern"], case["id"])
            assert case["tier"] in known["tier"]["enum"]


RUNNERS = TABLES["runners"]


@pytest.mark.slow
@pytest.mark.parametrize("program", mostly_slow(RUNNERS, "python", "node"))
def test_runners_run(program, tmp_path, monkeypatch):
    import sys

    if program != "python" and shutil.which(program) is None:
        pytest.skip(f"there is no {program}")
    command, kind = RUNNERS[program]
    words = command.format(python=sys.executable, folder=tmp_path).split()
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    if "-o" in words:
        run_program(*words, cwd=HOME / "runners", text=False)
        words = [str(tmp_path / "run")]
    name = {"json": "../syntax/IPv4address.json", "tsv": "../tsv/URI.tsv"}[kind]
    done = run_program(*words, name, cwd=HOME / "runners", timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    found = re.fullmatch(rf"{re.escape(name)}: ([0-9]+) of ([0-9]+) differ", last)
    total = len((HOME / "runners" / name).read_text("ascii").splitlines()) - 2 * (kind == "json")
    # None of these parsers knows the rule IPv4address, and none does all that URI says.
    assert int(found[2]) == total
    assert len(done.stdout.splitlines()) == int(found[1]) + 1 > 1


@pytest.mark.long
def test_files_and_digests_of_all_cases_are_as_they_are_made():
    import sys

    command = [sys.executable, "-m", "tools.uri_test_suite", "--check"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    listed = (HOME / "full.sha256").read_text("ascii").splitlines()
    made = {line.split("  ")[1] for line in listed}
    by_hand = {"README.md", "LICENSE", "schema.json", "full.sha256"}
    there = (path for path in HOME.rglob("*") if path.is_file() and path.parent.name != "runners")
    assert {path.relative_to(HOME).as_posix() for path in there} == made | by_hand
