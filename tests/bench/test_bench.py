"""The benchmark tool: its inputs, its judgements and its forms of output. No time is tested."""

from tools.bench import figures
from tools.bench.inputs import Inputs
from tools.bench.peers import RACES, outbound
from tools.bench.races import Contender, Errors, Truth, load
from tools.bench.timing import LIMITS

AWAY = Contender("away", "no_such_package:name")


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


def test_figures_pass_and_fail_and_are_not_there():
    shown = figures.render([figures.at_most(name, value, 2) for name, value in
                            (("a", 1.0), ("b", 3.0), ("c", None))])  # fmt: skip
    assert [line.split()[-1] for line in shown.splitlines()[3:]] == ["pass", "FAIL", "there"]


def test_what_is_promised_is_measured():
    assert not load([one for race in RACES for one in race.contenders if one.ours])[1]
    known = {f"{race.name}/{subject}/{one.name}" for race in RACES for subject in race.subjects
             for one in race.contenders}  # fmt: skip
    named = [name for one, other, *_ in LIMITS["races"] for name in (one, other)]
    assert [name for name in named if name not in known] == [
        "reject/invalid/*, raising", *[""] * named.count("")]  # fmt: skip
