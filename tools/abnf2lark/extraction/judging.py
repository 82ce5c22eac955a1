"""Judge candidates: a rule of ABNF, something like it that cannot be read, or prose."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.extraction.candidates import in_abnf
from abnf2lark.reading.ir import Position, Ref, Seq, walk
from abnf2lark.reading.problems import Problem, Source
from abnf2lark.reading.reader import read_rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from abnf2lark.extraction.candidates import Candidate
    from abnf2lark.reading.ir import Node, Rule

# What text has in it that was meant to be ABNF, or a notation like it.
_MEANT = re.compile(r'"[^"]*"|<[^<>]+>|%[xdbXDB][0-9A-Fa-f]| [/|] |[*#][0-9]*[A-Za-z(\[<"]')
_WORD = re.compile("[A-Za-z]?[a-z]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A candidate as it was read: its rule and its text, or the problem for which there is none."""

    candidate: Candidate
    text: str
    older: Counter[str]  # signs of older RFCs for which ABNF's are written
    rule: Rule | None
    problem: Problem | None

    @property
    def name(self) -> str:
        """The name of the rule, or what stands in its place."""
        return self.rule.name if self.rule is not None else self.candidate.heading.name

    @property
    def meant(self) -> bool:
        """Tell whether the text was meant to be ABNF, or a notation like it."""
        return any(_MEANT.search(line.text) for line in self.candidate.lines)


def read_candidate(source: Source, candidate: Candidate) -> Reading:
    """Read a candidate; problems get their places in the document."""
    lines = [in_abnf(line) for line in candidate.written()]
    text = "\n".join(line for line, _ in lines)
    older = Counter(sign for _, signs in lines for sign in signs)
    if candidate.heading.sign.startswith(":"):
        first = candidate.lines[0]
        column = first.text.index(candidate.heading.sign) + 1
        sign = candidate.heading.sign
        problem = _at(source, first.number, column, f'"{sign}" is not ABNF, which defines with "="')
        return Reading(candidate, text, older, None, problem)
    rules, problems = read_rules(Source("", text), "")
    syntax = next((one for one in problems if one.code == "syntax"), None)
    if syntax is None and rules:
        return Reading(candidate, text, older, rules[0], None)
    here = syntax.position if syntax is not None else Position(1, 1)
    place = candidate.lines[here.line - 1].number
    column = here.column - candidate.shift(here.line - 1)
    message = syntax.message if syntax is not None else "this rule cannot be read"
    return Reading(candidate, text, older, None, _at(source, place, column, message))


def _at(source: Source, line: int, column: int, message: str) -> Problem:
    return Problem(source, Position(line, column), "left-out", message)


def prose(reading: Reading, known: AbstractSet[str]) -> list[str]:
    """Return the words by which a readable rule is prose; ``known`` are folded names of rules.

    Those are words in small letters that name no rule, three in a row or nothing but such words.
    """
    if reading.rule is None:
        return []
    body = reading.rule.body
    for run in _runs(body, known):
        if len(run) > 2 or (isinstance(body, Seq) and len(run) == len(body.items) > 1):
            return run
    return []


def _runs(body: Node, known: AbstractSet[str]) -> Iterator[list[str]]:
    """Yield the runs of words that stand next to each other and name no rule."""
    for node in walk(body):
        if not isinstance(node, Seq):
            continue
        run: list[str] = []
        for item in node.items:
            if (
                isinstance(item, Ref)
                and _WORD.fullmatch(item.name)
                and item.name.casefold() not in known
            ):
                run.append(item.name)
            else:
                yield run
                run = []
        yield run
