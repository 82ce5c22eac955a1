"""The benchmark tool: its inputs, its judgements and its forms of output. No time is tested."""

import json
import xml.etree.ElementTree as ET
from random import Random

import pytest
from cases import each_case

import uriparse
from tools.bench import (
    browser_changes,
    columns,
    figures,
    linearity,
    plot,
    races,
    refusals,
    shapes,
    subjects,
    tables,
    timing,
    verdicts,
)
from tools.bench.command import main
from tools.bench.contenders import Contender, load
from tools.bench.operations import OPERATIONS, Inputs
from tools.bench.verdicts import Errors
from uriparse import URIError, is_valid


def missing():
    raise ImportError


@each_case(
    "name", ["real", "short", "long", "ipv6", "messy", "schemes", "web", "http", "ftp", "mailto"]
)
def test_subjects_are_uris_and_come_from_their_seed(name):
    texts = Inputs(7)[name]
    assert texts == Inputs(7)[name] != Inputs(8)[name]
    assert len(texts) >= 100
    assert all(is_valid(text) for text in texts)


def test_references_are_references():
    assert all(is_valid(text, "URI-reference") for text in Inputs(1)["references"])


def test_invalid_is_invalid():
    texts = Inputs(1)["invalid"]
    assert len(texts) > 100
    assert not any(is_valid(text, "URI-reference") for text in texts)


@pytest.mark.slow
def test_every_subject_of_an_operation_can_be_made():
    inputs = Inputs(1)
    for operation in OPERATIONS:
        assert operation.contenders
        for subject in operation.subjects:
            assert all(isinstance(text, str) for text in inputs[subject])


def test_a_corpus_gives_its_valid_lines(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("\ufeffhttp://a/\nno uri\n\nhttp://b/\n", encoding="utf-8")
    assert sorted(Inputs(1, path)["real"]) == ["http://a/", "http://b/"]


def test_plain_prose_has_colons_and_linked_prose_has_uris():
    assert subjects.plain_prose(20_000, Random(1)).count(":") > 20
    assert subjects.linked_prose(20_000, Random(1)).count("://") > 20


def test_there_are_fourteen_shapes_of_about_the_size_asked_for():
    assert len(shapes.SHAPES) == 14
    for name, table in vars(shapes).items():
        for make in table.values() if name.endswith("SHAPES") else ():
            assert 9_960 <= len(make(10_000)) <= 10_000


def test_contenders_that_are_not_there_are_named():
    here, away = Contender("here", lambda: str), Contender("away", missing)
    assert load([here, away]) == ({here: str}, ["away"])


def test_a_race_runs_everyone_on_the_same_inputs():
    runs = {"one": [], "other": []}
    measures = timing.race(
        {name: texts.append for name, texts in runs.items()}, ["a", "b"], rounds=3, budget=1
    )
    assert runs["one"] == runs["other"]
    assert {name: measure.inputs for name, measure in measures.items()} == {"one": 2, "other": 2}
    assert all(measure.best <= measure.seconds for measure in measures.values())


def test_the_slow_run_on_fewer_inputs():
    def slow(_):
        return sum(range(20_000))

    measure = timing.race({"slow": slow}, ["x"] * 1000, rounds=1, budget=0.01)["slow"]
    assert 1 <= measure.inputs < 1000


def test_refusals_are_answers():
    def refuse(_):
        raise ValueError

    assert timing.once(refuse, ["a", "b"]) >= 0


def test_wrong_verdicts_are_counted():
    known = verdicts.truth(["a:", "b", "c:", "%"], is_valid)
    assert known.answers == [True, False, True, False]
    assert (known.checked, known.disagreements) == (4, ())
    everything = Contender("everything", missing, answers=False)
    nothing = Contender("nothing", missing, answers=True)
    assert verdicts.errors(everything, str, known) == Errors(judged=4, accepts=2, refuses=0)
    assert verdicts.errors(nothing, lambda _: None, known) == Errors(4, 0, 2)


def test_growth():
    assert linearity.Growth("f", "s", (0.001, 0.01, 0.08)).linear
    assert linearity.Growth("f", "s", (0.001, 0.01, 0.15)).linear  # beyond the caches
    assert not linearity.Growth("f", "s", (0.001, 0.01, 0.21)).linear
    assert not linearity.Growth("f", "s", (1.0, 10.0, None)).linear
    assert linearity.Growth("f", "s", (1e-6, 1e-6, 1e-3)).linear  # too short to tell
    crooked = linearity.Growth("f", "s", (1.0, 10.0, None))
    assert "NOT LINEAR" in linearity.render([crooked])


def test_what_a_character_costs_is_shown():
    slow = linearity.Growth("f", "s", (0.01, 0.2, 0.8))  # at 1 MB twice what it is at 8 MB
    fast = linearity.Growth("f", "s", (1e-5, 1e-4, 8e-4))
    assert (slow.each, fast.each) == pytest.approx((2e-7, 1e-10))
    assert linearity.render([slow]).split()[-3:] == ["ns", "x4.00", "slow"]
    assert "slow" not in linearity.render([fast])


@pytest.mark.slow
@each_case("name", [name for name, _, _ in linearity.ENTRY_POINTS])
def test_every_entry_point_takes_its_shapes(name):
    ((loader, given),) = (
        (made, kinds) for entry, made, kinds in linearity.ENTRY_POINTS if entry == name
    )
    try:
        call = loader()
    except ImportError:
        return  # an engine that is not installed
    for make in given.values():
        try:
            call(make(300))
        except URIError:
            continue


def test_figures_pass_and_fail_and_are_not_there():
    shown = figures.render(
        [
            figures._at_most("a", 1.0, 2.0, tables.ratio),
            figures._at_most("b", 3.0, 2.0, tables.ratio),
            figures._at_most("c", None, 2.0, tables.ratio),
        ]
    )
    assert [line.split()[-1] for line in shown.splitlines()[3:]] == ["pass", "FAIL", "there"]


@each_case(
    ("value", "shown"),
    [
        (6.8e-7, "680 ns"),
        (1.234e-6, "1.23 µs"),
        (0.0124, "12.4 ms"),
        (2, "2.00 s"),
        (1e-11, "0.01 ns"),
    ],
)
def test_times_as_people_read_them(value, shown):
    assert tables.seconds(value) == shown


def test_the_chart_is_xml_with_a_bar_for_each():
    rows = [
        races.Row("parse", "real", name, False, time, 1.0, 1, None, Errors(4, wrong, 0))
        for name, time, wrong in (("uriparse", 1e-6, 0), ("a<b", 2e-5, 1))
    ]
    image = ET.fromstring(plot.draw(rows))
    space = "{http://www.w3.org/2000/svg}"
    assert len(image.findall(f"{space}rect")) == 2
    words = " ".join(image.itertext())
    assert "a<b" in words
    assert "25% wrong" in words
    assert "exact" in words
    assert ET.fromstring(plot.draw([])).tag == f"{space}svg"


ARGUMENTS = ["--operation", "parse", "--subject", "ipv6", "--rounds", "1", "--budget", "0.001"]


@pytest.mark.slow
def test_tables(capsys, tmp_path):
    chart = tmp_path / "chart.svg"
    assert main([*ARGUMENTS, "--peer", "urllib.parse", "--plot", str(chart)]) == 0
    out = capsys.readouterr().out
    assert "parse: ipv6" in out
    assert "urllib.parse" in out
    assert ET.fromstring(chart.read_text("utf-8")) is not None


@pytest.mark.slow
def test_json(capsys):
    assert main([*ARGUMENTS, "--peer", "urllib.parse", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    ours, theirs = answer["rows"]
    assert (ours["contender"], ours["ratio"], ours["errors"]["accepts"]) == ("uriparse", 1.0, 0)
    assert theirs["errors"]["accepts"] > 0
    assert answer["about"]["packages"]["uriparse"]


def test_what_browsers_change_is_counted():
    found = browser_changes.measure(["http://h/", "http:h", "http:\\\\h", "a b", "http://h/|"])
    assert (found.texts, found.unchanged, found.refused) == (5, 2, 1)
    assert found.failures == {"missing-scheme-non-relative-URL": 1}
    assert found.steps["invalid-reverse-solidus"] == 1
    assert (found.saved, found.lost) == (1, 0)
    assert "no URI, whose URL is one" in browser_changes.render(found)


@pytest.mark.slow
def test_refusals_are_counted_beside_those_of_others(monkeypatch):
    """Whoever is asked takes an ordinary URL, and no text without a host."""
    told = []
    monkeypatch.setattr(refusals, "hostile", lambda: ["http://", "a b"])
    shares = list(
        refusals.measure(["http://93.184.215.14/", "https://w3.org/", "a:b"], told.append)
    )
    assert [share.name for share in shares][:1] == ["uriparse"]
    assert {(s.hostile, s.of_hostile, s.real, s.of_real) for s in shares} == {(2, 2, 0, 2)}
    assert len(told) >= len(refusals.JUDGES)
    assert ["uriparse", "2", "of", "2", "0", "of", "2"] in [
        line.split() for line in refusals.render(shares).splitlines()
    ]


@pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
def test_columns_are_measured_and_judged_beside_the_engines_own():
    pytest.importorskip("pyarrow")
    told, engines = [], {name: columns.ENGINES[name] for name in ("Arrow", "Polars", "DuckDB")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "ROUNDS", 1)
        rows = list(columns.measure(Inputs(1), told.append, 10, engines))
    away = [line for line in told if "not there" in line]
    assert len({row.engine for row in rows}) + len(away) == len(engines)
    judged = [row for row in rows if row.judged]
    assert {(row.accepts, row.refuses) for row in judged} == {(0, 0)}
    assert "Arrow: uriparse is_valid" in columns.render(rows)


@pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
def test_what_is_promised_of_columns_is_promised_of_the_kernel(monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(columns, "ROWS", 10)
    monkeypatch.setattr(columns, "ROUNDS", 1)
    for known, there in (("native", True), ("python", False)):
        monkeypatch.setattr(uriparse, "implementation", known)
        made = list(figures._columns(Inputs(1)))
        assert [bool(figure.measured) for figure in made] == [there, there]


def test_the_help_says_how_to_run_it(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "python -m tools.bench" in capsys.readouterr().out
