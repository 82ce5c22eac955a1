"""The figures that uriparse holds itself to, each as a ratio in one run, passed or failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import columns, linearity, ours, startup
from .contenders import OURS, Contender, load
from .peers_other import FIND_URIS, PARSE_URL, PURE, RFC1738
from .peers_parse import PARSE, READ
from .peers_valid import ENGINES, IS_VALID, LARK, PARSE_TREE
from .tables import ratio, seconds, table
from .timing import Measure, race

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .operations import Inputs
    from .races import Settings

RECORDS = ("is_valid", "try_parse", "parse")
"""Entry points held to a time at 1 MB, and not only to its growth."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One promise and what came of it.

    Attributes:
        measured: as people read it; "" where a part is not there.
        limit: the same for what is allowed.
        passed: None where it could not be measured.

    """

    what: str
    measured: str = ""
    limit: str = ""
    passed: bool | None = None


def _at_most(what: str, value: float | None, limit: float, show: Callable[[float], str]) -> Figure:
    if value is None:
        return Figure(what, limit=f"<= {show(limit)}")
    return Figure(what, show(value), f"<= {show(limit)}", value <= limit)


def measure(inputs: Inputs, settings: Settings, tell: Callable[[str], None]) -> Iterator[Figure]:
    """Yield every figure."""
    tell("figures: speed ...")
    yield from _speed(inputs, settings)
    tell("figures: refusing ...")
    yield from _refusing(inputs, settings)
    tell("figures: validating ...")
    yield from _validating(inputs, settings)
    tell("figures: trees ...")
    yield from _trees(inputs, settings)
    tell("figures: other operations ...")
    yield from _others(inputs, settings)
    tell("figures: columns ...")
    yield from _columns(inputs)
    yield from _large(tell)
    tell("figures: start-up ...")
    yield from _starting()


def _race(
    contenders: Sequence[Contender], texts: Sequence[str], settings: Settings
) -> Callable[[str], float | None]:
    """Race those that are there; the answer looks a median up by name."""
    calls, _missing = load(contenders)
    measures: dict[str, Measure] = {}
    if calls:
        measures = race(
            {contender.name: call for contender, call in calls.items()},
            texts,
            rounds=max(settings.rounds, 9),
            budget=settings.budget,
        )
    return lambda name: measures[name].seconds if name in measures else None


def _by(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one / other


def _pick(contenders: Sequence[Contender], *names: str) -> list[Contender]:
    return [contender for contender in contenders if contender.name in names]


def _speed(inputs: Inputs, settings: Settings) -> Iterator[Figure]:
    from uriparse import implementation

    texts = inputs["real"]
    valid = Contender("is_valid", ours.is_valid)
    peers = ("urllib.parse", "uritools", "pydantic-core", "can-ada")
    took = _race([valid, *_pick(PARSE, OURS, *peers)], texts, settings)
    split = took("urllib.parse")
    record = took(OURS)
    yield _at_most("is_valid by urlsplit", _by(took("is_valid"), split), 0.35, ratio)
    yield _at_most("parse by urlsplit", _by(record, split), 0.6, ratio)
    yield _at_most("parse by uritools.urisplit", _by(record, took("uritools")), 1.2, ratio)
    native = implementation == "native"
    by_rust = _by(record, took("pydantic-core"))
    yield _at_most("parse by pydantic_core.Url", by_rust, 0.5 if native else 2.5, ratio)
    if native:
        yield _at_most("parse by can_ada.parse", _by(record, took("can-ada")), 0.8, ratio)
        judged = _race([valid, *_pick(IS_VALID, "can-ada")], texts, settings)
        by_c = _by(judged("is_valid"), judged("can-ada"))
        yield _at_most("is_valid by can_ada.can_parse", by_c, 0.4, ratio)
    read = _race(_pick(READ, OURS, *peers), texts, settings)
    every = read(OURS)
    yield _at_most("parse and read all by urlsplit", _by(every, read("urllib.parse")), 0.6, ratio)
    yield _at_most("parse and read all by uritools", _by(every, read("uritools")), 1.2, ratio)
    if native:
        by_rust = _by(every, read("pydantic-core"))
        yield _at_most("parse and read all by pydantic_core.Url", by_rust, 0.6, ratio)


def _refusing(inputs: Inputs, settings: Settings) -> Iterator[Figure]:
    from uriparse import implementation

    contenders = [
        Contender("is_valid", ours.is_valid),
        Contender("try_parse", ours.try_parse),
        Contender("parse", ours.parse),
    ]
    valid = _race(contenders, inputs["real"], settings)
    invalid = _race(contenders, inputs["invalid"], settings)
    most = 1.0 if implementation == "native" else 1.5
    for name in ("is_valid", "try_parse"):
        yield _at_most(f"{name}: invalid by valid", _by(invalid(name), valid(name)), most, ratio)
    sixty = [text for text in inputs["invalid"] if 50 <= len(text) <= 70] or inputs["invalid"]
    diagnosed = _race(contenders[-1:], sixty, settings)
    yield _at_most("parse with diagnosis at 60 characters", diagnosed("parse"), 60e-6, seconds)


def _validating(inputs: Inputs, settings: Settings) -> Iterator[Figure]:
    """Judge what the policy accepts and what it refuses, beside parsing either in Python."""
    from uriparse.validation import validate as judge

    contenders = [Contender("validate", ours.validate), Contender("parse", ours.parse_pure)]
    accepted = [text for text in inputs["real"] if judge(text).accepted]
    refused = [*(f"http://u@{text[7:]}" for text in accepted if text.startswith("http://h"))]
    refused += [text.replace(".com", "%2ecom") for text in accepted if ".com" in text]
    many = [f"http://u:p@a_b.localhost.:8080/~x/%2e%2e/%0a{text[8:]}" for text in accepted]
    for name, texts, most in (
        ("accepted", accepted, 2.2),
        ("refused", refused, 30),
        ("refused, twelve findings", many, 30),
    ):
        took = _race(contenders, texts, settings)
        yield _at_most(
            f"validate by parse, pure: {name}", _by(took("validate"), took("parse")), most, ratio
        )
    contenders[0] = Contender("validate", ours.validate_findings)
    for name, texts in (("refused", refused), ("refused, twelve findings", many)):
        took = _race(contenders, texts, settings)
        yield _at_most(
            f"validate by parse, pure: {name}, all of them read",
            _by(took("validate"), took("parse")),
            30,
            ratio,
        )


def _trees(inputs: Inputs, settings: Settings) -> Iterator[Figure]:
    by_lark = _race(_pick(ENGINES, LARK), inputs["real"], settings)(LARK)
    yield _at_most("tree and record by Lark", by_lark, 25e-6, seconds)
    took = _race(_pick(PARSE_TREE, OURS, "abnf", "rfc3987-syntax"), inputs["real"], settings)
    tree = took(OURS)
    yield _at_most("parse_tree", tree, 45e-6, seconds)
    yield _at_most("parse_tree by abnf", _by(tree, took("abnf")), 1 / 50, lambda r: f"{r:.4f}")
    yield _at_most(
        "parse_tree by rfc3987-syntax",
        _by(tree, took("rfc3987-syntax")),
        1 / 250,
        lambda r: f"{r:.4f}",
    )


def _others(inputs: Inputs, settings: Settings) -> Iterator[Figure]:
    from uriparse import implementation

    native = implementation == "native"
    for subject, limit in (("http", 5e-6), ("ftp", 6e-6), ("mailto", 5e-6)):
        took = _race(_pick(PARSE_URL, OURS, RFC1738, PURE), inputs[subject], settings)
        for name in (OURS, RFC1738):
            most = 2e-6 if native else limit
            yield _at_most(f"parse_url on {subject}: {name}", took(name), most, seconds)
        if native:
            yield _at_most(f"parse_url on {subject}: {PURE}", took(PURE), limit, seconds)
    for subject, least in (("plain prose", 20), ("linked prose", 100 if native else 10)):
        prose = inputs[subject]
        each = _race(FIND_URIS[:1], prose, settings)(OURS)
        name, bound = f"find_uris on {subject}", f">= {least} MB/s"
        rate = len(prose[0]) / each / 1e6 if each else 0
        passed = rate >= least if each else None
        yield Figure(name, f"{rate:.0f} MB/s" if each else "", bound, passed)


def _columns(inputs: Inputs) -> Iterator[Figure]:
    """Judge and split what the kernel reads; in Python there is nothing promised of columns."""
    from uriparse import implementation

    took: dict[str, float] = {}
    if implementation == "native":
        engines = {"Arrow": columns.ENGINES["Arrow"]}
        took = {row.way: row.seconds for row in columns.measure(inputs, str, engines=engines)}
    for way, limit in (("uriparse is_valid", 90e-9), ("uriparse split", 200e-9)):
        yield _at_most(f"a row of a column: {way}", took.get(way), limit, seconds)


def _large(tell: Callable[[str], None]) -> Iterator[Figure]:
    groups: dict[str, list[linearity.Growth]] = {}
    for growth in linearity.measure((), tell):
        groups.setdefault(growth.entry, []).append(growth)
    for entry, growths in groups.items():
        crooked = [growth for growth in growths if not growth.linear]
        worst = max((g.factor or float("inf") for g in crooked or growths), default=0.0)
        where = f" ({', '.join(g.shape for g in crooked)})" if crooked else ""
        yield Figure(
            f"{entry}: growth from 1 to 8 MB, {len(growths)} shapes",
            ratio(worst) + where if crooked or worst <= linearity.MOST_GROWTH else "in the noise",
            f"<= {ratio(linearity.MOST_GROWTH)}",
            not crooked,
        )
        if entry in RECORDS:
            slowest = max((g.seconds[1] or float("inf") for g in growths), default=0.0)
            yield _at_most(f"{entry}: 1 MB of any shape", slowest, 0.05, seconds)


def _starting() -> Iterator[Figure]:
    first = startup.measure(11)
    yield _at_most("import uriparse", first.seconds[0], 0.025, seconds)
    yield Figure(
        "lark loaded by the import",
        "yes" if first.lark_loaded else "no",
        "no",
        not first.lark_loaded,
    )
    yield _at_most("first parse", first.first_parse, 0.015, seconds)
    yield _at_most("first parse_tree", first.seconds[3], 0.12, seconds)


def render(figures: Sequence[Figure]) -> str:
    """One table, with a verdict in each line."""
    words = {True: "pass", False: "FAIL", None: "not there"}
    rows = [[f.what, f.measured, f.limit, words[f.passed]] for f in figures]
    return table("figures", ["", "measured", "limit", ""], rows)
