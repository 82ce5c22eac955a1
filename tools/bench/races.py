"""Races: who takes part in one and how it is loaded, its wrong verdicts, its rows and its table.

A race is registered in one way: as a `Race` of `peers.RACES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from .timing import Call, race, ratio, seconds, table

if TYPE_CHECKING:
    from .inputs import Inputs

OURS = "uriparse"

SAMPLE = 150
"""Inputs of at most 80 characters on which slow contenders are judged."""

Tell = Callable[[str], object]
Verdict = Callable[[str], bool]


def as_it_is(call: Any) -> Call:
    """Return the call that was loaded."""
    return call  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Contender:
    """One library in one race.

    Attributes:
        name: as the tables show it.
        needs: what is imported for it, as "package.module:name", separated by spaces.
        make: takes these and returns the call to time.
        answers: whether the call rejects by returning something false, not by raising.
        native: whether the work is done outside Python.
        slow: left out on long and hostile inputs, where it would take minutes.

    """

    name: str
    needs: str
    make: Callable[..., Call] = as_it_is
    answers: bool = False
    native: bool = False
    slow: bool = False

    @property
    def ours(self) -> bool:
        """Whether this is uriparse."""
        return self.name.startswith(OURS)

    def load(self) -> Call:
        """Import what is needed: ImportError or AttributeError where it is not there."""
        return self.make(*map(resolve_name, self.needs.split()))

    def verdict(self, call: Call) -> Verdict:
        """Return the call as a function that says whether it accepts a text."""

        def judge(text: str) -> bool:
            try:
                answer = call(text)
            except Exception:  # noqa: BLE001 - peers raise what they like
                return False
            return bool(answer) if self.answers else True

        return judge


def load(contenders: Iterable[Contender]) -> tuple[dict[Contender, Call], list[str]]:
    """Return the calls of those that are there, and the names of the others."""
    calls: dict[Contender, Call] = {}
    missing: list[str] = []
    for contender in contenders:
        try:
            calls[contender] = contender.load()
        except (ImportError, AttributeError):
            missing.append(contender.name)
    return calls, missing


@dataclass(frozen=True, slots=True)
class Errors:
    """Wrong verdicts on `judged` inputs: accepts an invalid text, or refuses a valid one."""

    judged: int
    accepts: int
    refuses: int


@dataclass(frozen=True, slots=True)
class Truth:
    """Texts, and whether each is valid."""

    texts: Sequence[str]
    answers: Sequence[bool]

    def errors(self, contender: Contender, call: Call) -> Errors:
        """Compare a contender with the truth; a slow one on the sample alone."""
        judge = contender.verdict(call)
        chosen = list(zip(self.texts, self.answers, strict=True))
        if contender.slow:
            short = [pair for pair in chosen if len(pair[0]) <= 80]
            chosen = short[:: max(1, len(short) // SAMPLE)][:SAMPLE]
        pairs = [(judge(text), answer) for text, answer in chosen]
        return Errors(len(pairs), pairs.count((True, False)), pairs.count((False, True)))


@dataclass(frozen=True, slots=True)
class Race:
    """One table: who does what.

    Attributes:
        name: as `--race` takes it.
        subjects: names of the inputs it runs on.
        contenders: uriparse first.
        truth: returns what is right, if verdicts are compared.

    """

    name: str
    subjects: tuple[str, ...]
    contenders: tuple[Contender, ...]
    truth: Callable[[Inputs], Truth] | None = None


UNSUITED_TO_SLOW = frozenset({"long", "hostile"})
"""Subjects on which the slow contenders are left out."""

BULK = frozenset({"plain prose", "linked prose"})
"""Subjects that are one large text: measured in characters a second."""


@dataclass(frozen=True, slots=True)
class Row:
    """One contender on one subject.

    Attributes:
        seconds: median for one input, or for the whole text where the subject is one text.
        ratio: its time by ours; None where we are not there.
        inputs: how many inputs it ran on.
        rate: million characters a second, for bulk subjects.
        errors: wrong verdicts, if the race compares them.

    """

    race: str
    subject: str
    contender: str
    native: bool
    seconds: float
    ratio: float | None
    inputs: int
    rate: float | None = None
    errors: Errors | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """How hard to measure, and whom."""

    rounds: int = 7
    budget: float = 0.25
    peers: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()

    def narrowed(self, one: Race) -> Race:
        """Return a race with what was asked for: uriparse always is."""
        contenders = (c for c in one.contenders if c.ours or not self.peers or c.name in self.peers)
        subjects = (name for name in one.subjects if not self.subjects or name in self.subjects)
        return replace(one, contenders=tuple(contenders), subjects=tuple(subjects))


def run(races: Iterable[Race], inputs: Inputs, settings: Settings, tell: Tell) -> Iterator[Row]:
    """Yield the rows of each race on each of its subjects that was asked for."""
    for one in map(settings.narrowed, races):
        if not one.subjects:
            continue
        calls, missing = load(one.contenders)
        if missing:
            tell(f"{one.name}: not there: {', '.join(missing)}")
        wrong: dict[Contender, Errors] = {}
        if one.truth is not None:
            known = one.truth(inputs)
            wrong = {c: known.errors(c, call) for c, call in calls.items()}
        for subject in one.subjects:
            tell(f"{one.name} on {subject} ...")
            texts = inputs[subject]
            fit = {c: calls[c] for c in calls if not (c.slow and subject in UNSUITED_TO_SLOW)}
            named = {c.name: call for c, call in fit.items()}
            took = race(named, texts, rounds=settings.rounds, budget=settings.budget)
            ours = next((took[c.name].seconds for c in fit if c.ours), None)
            for c in fit:
                each, count = took[c.name].seconds, took[c.name].inputs
                times, rate = ours and each / ours, len(texts[0]) / each / 1e6
                bulk = rate if subject in BULK else None
                yield Row(
                    one.name, subject, c.name, c.native, each, times, count, bulk, wrong.get(c)
                )


def render(rows: Iterable[Row]) -> str:
    """One table for each race and subject, fastest first."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.race, row.subject), []).append(row)
    return "\n".join(_render(*key, group) for key, group in groups.items())


def _render(name: str, subject: str, rows: list[Row]) -> str:
    bulk = any(row.rate for row in rows)
    compared = any(row.errors for row in rows)
    head = ["", "MB/s" if bulk else "median", "to ours", "inputs"]
    head += ["wrongly valid", "wrongly invalid", "of"] if compared else []
    body = []
    for row in sorted(rows, key=lambda row: row.seconds):
        cells = [
            row.contender + (" (native)" if row.native else ""),
            f"{row.rate:.1f}" if row.rate else seconds(row.seconds),
            ratio(row.ratio),
            str(row.inputs),
        ]
        if wrong := row.errors:
            cells += [str(wrong.accepts), str(wrong.refuses), str(wrong.judged)]
        body.append(cells)
    return table(f"{name}: {subject}", head, body)
