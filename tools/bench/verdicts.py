"""How often a contender's yes or no differs from the grammar's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .contenders import Contender, Verdict, load, verdict
from .peers_valid import abnf_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .timing import Call

SAMPLE = 150
"""Inputs on which the ground truth itself is checked, and slow contenders are judged."""

SAMPLE_LENGTH = 80
"""In characters; longer inputs are left out of that sample, for `abnf` needs minutes."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Wrong answers among `judged` inputs: accepts an invalid URI, or refuses a valid one."""

    judged: int
    accepts: int
    refuses: int

    @property
    def share(self) -> float:
        """Wrong answers, as a share of all."""
        return (self.accepts + self.refuses) / self.judged if self.judged else 0.0


@dataclass(frozen=True, slots=True)
class Truth:
    """The grammar's answers, and how far an independent oracle agrees with them."""

    texts: Sequence[str]
    answers: Sequence[bool]
    checked: int
    disagreements: tuple[str, ...]


def truth(texts: Sequence[str], is_valid: Verdict) -> Truth:
    """`is_valid` on every text, and `abnf` on a sample of the short ones if it is installed."""
    answers = [is_valid(text) for text in texts]
    oracle = Contender("abnf", abnf_tree, answers=False)
    calls, _missing = load([oracle])
    if oracle not in calls:
        return Truth(texts, answers, 0, ())
    judge = verdict(oracle, calls[oracle])
    sample = _sample(texts)
    differing = tuple(texts[at] for at in sample if judge(texts[at]) != answers[at])
    return Truth(texts, answers, len(sample), differing)


def errors(contender: Contender, call: Call, known: Truth) -> Errors:
    """Compare a contender with the truth; a slow one on the sample alone."""
    judge = verdict(contender, call)
    chosen = _sample(known.texts) if contender.slow else range(len(known.texts))
    accepts = refuses = judged = 0
    for at in chosen:
        judged += 1
        answer = judge(known.texts[at])
        accepts += answer and not known.answers[at]
        refuses += known.answers[at] and not answer
    return Errors(judged, accepts, refuses)


def _sample(texts: Sequence[str]) -> list[int]:
    short = [at for at, text in enumerate(texts) if len(text) <= SAMPLE_LENGTH]
    step = max(1, len(short) // SAMPLE)
    return short[::step][:SAMPLE]
