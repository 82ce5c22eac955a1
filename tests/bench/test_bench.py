"""The benchmark tool: its inputs, its judgements and its forms of output. No time is tested."""

import json

import pytest
from cases import each_case

from tools.bench import figures, linearity, ours
from tools.bench.command import main
from tools.bench.inputs import Inputs
from tools.bench.peers import RACES, outbound
from tools.bench.races import Contender, Errors, Truth
from uriparse import URIError, is_valid

AWAY = Contender("away", "no_such_package:name")
ARGUMENTS = [
    *("--race", "parse", "--subject", "ipv6", "--rounds", "1", "--budget", "0.001"),
    *("--peer", "urllib.parse"),
]


@each_case(
    "name", ["real", "short", "long", "ipv6", "messy", "schemes", "web", "http", "ftp", "mailto"]
)
def test_subjects_are_uris_and_come_from_their_seed(name):
    texts = Inputs(7)[name]
    assert texts == Inputs(7)[name] != Inputs(8)[name]
    assert len(texts) >= 100
    assert all(is_valid(text) for text in texts)


@pytest.mark.slow
def test_every_subject_of_a_race_can_be_made():
    made = Inputs(1)
    for race in RACES:
        for subject in race.subjects:
            assert made[subject]
            assert all(isinstance(text, str) for text in made[subject])


def test_each_race_has_us_first_and_a_bound_names_what_is_raced():
    for race in RACES:
        assert race.contenders[0].ours, race.name
        assert len({contender.name for contender in race.contenders}) == len(race.contenders)
    known = [
        f"{race.name}/{subject}/{contender.name}"
        for race in RACES
        for subject in race.subjects
        for contender in race.contenders
    ]
    for one, other, _ in (*figures.KERNEL, *figures.ALWAYS):
        for name in filter(None, (one, other)):
            before, _, after = name.partition("*")
            assert any(key.startswith(before) and key.endswith(after) for key in known), name


def test_wrong_verdicts_are_counted():
    known = Truth(["a:", "b", "c:", "%"], [True, False, True, False])
    assert known.errors(AWAY, str) == Errors(judged=4, accepts=2, refuses=0)
    says_no = Contender("nothing", "", answers=True)
    assert known.errors(says_no, lambda _: None) == Errors(4, 0, 2)


def test_of_hostile_urls_ours_accepts_none():
    (race,) = (race for race in RACES if race.name == "outbound")
    known = outbound(Inputs(1, count=50))
    assert known.answers.count(False) > 400
    assert known.errors(race.contenders[0], race.contenders[0].load()).accepts == 0


def test_growth():
    assert linearity.Growth("f", "s", (0.001, 0.01, 0.08)).linear
    assert linearity.Growth("f", "s", (0.001, 0.01, 0.15)).linear  # beyond the caches
    assert not linearity.Growth("f", "s", (0.001, 0.01, 0.21)).linear
    assert not linearity.Growth("f", "s", (1.0, 10.0, None)).linear
    assert linearity.Growth("f", "s", (1e-6, 1e-6, 1e-3)).linear  # too short to tell
    crooked = linearity.Growth("f", "s", (1.0, 10.0, None))
    assert "NOT LINEAR" in linearity.render([crooked])


@pytest.mark.slow
@each_case("entry", ours.ENTRIES)
def test_every_entry_point_takes_its_shapes(entry):
    try:
        call = entry.load()
    except ImportError:
        return  # an engine that is not installed
    for make in linearity.shapes_of(entry.name).values():
        try:
            call(make(300))
        except URIError:
            continue


def test_figures_pass_and_fail_and_are_not_there():
    shown = figures.render([figures.at_most(name, value, 2) for name, value in
                            (("a", 1.0), ("b", 3.0), ("c", None))])  # fmt: skip
    assert [line.split()[-1] for line in shown.splitlines()[3:]] == ["pass", "FAIL", "there"]


@pytest.mark.long
def test_json(capsys):
    assert main([*ARGUMENTS, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    first, *_, theirs = answer["races"]
    assert (first["contender"], first["ratio"], first["errors"]["accepts"]) == ("uriparse", 1.0, 0)
    assert theirs["errors"]["accepts"] > 0
    assert answer["about"]["packages"]["uriparse"]
