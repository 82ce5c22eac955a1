"""Extract: the rules of a document in its order, each below the lines that it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from abnf2lark.extraction.candidates import OLDER, candidates
from abnf2lark.extraction.judging import prose, read_candidate
from abnf2lark.extraction.pages import printed_lines, without_pages
from abnf2lark.reading.ir import Position
from abnf2lark.reading.problems import Problem, Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from abnf2lark.extraction.judging import Reading
    from abnf2lark.reading.ir import Grammar, Node


MAX_NAMED = 5  # words of prose shown in a message


@dataclass(slots=True)
class Extract:
    """The ABNF of a document, what was left out of it, and where each line comes from."""

    document: Source
    lines: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    # From a line of the text, counted from 1, to its line in the document and how far it moved.
    origins: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The ABNF file."""
        return "".join(f"{line}\n" for line in self.lines)

    def in_document(self, problem: Problem) -> Problem:
        """Give a problem of the text its place in the document."""
        here = problem.position
        number, shift = self.origins.get(here.line, (1, 0))
        column = max(1, here.column - shift)
        return replace(problem, source=self.document, position=Position(number, column))

    def rule(self, reading: Reading, note: str) -> None:
        """Add a rule, or in comments what was left out."""
        self.lines += ["", f"; {_numbers(reading)}{note}"]
        for index, (line, text) in enumerate(
            zip(reading.candidate.lines, reading.text.split("\n"), strict=True)
        ):
            self.lines.append(f";   {text}" if note else text)
            if not note:
                self.origins[len(self.lines)] = (line.number, reading.candidate.shift(index))

    def left_out(self, reading: Reading, problem: Problem) -> None:
        """Add a problem, and what was left out for it in comments."""
        self.problems.append(problem)
        self.rule(reading, f", left out: {problem.message}")


def extract(name: str, text: str, imports: Sequence[Grammar]) -> Extract:
    """Find the rules in a document; the imports are known names.

    What looks like a rule and is none is left out and named: as an error where it was meant to be
    ABNF and no other rule of its name can be read, else as a warning. So is a rule that comes a
    second time.
    """
    printed = printed_lines(text)
    document = Source(name, "\n".join(line.replace("\f", " ") for line in printed))
    readings = [read_candidate(document, one) for one in candidates(without_pages(printed))]
    readable = {one.name.casefold() for one in readings if one.rule is not None}
    known = readable.union(rule.casefold() for grammar in imports for rule in grammar.rules)
    made = Extract(document, [f"; The ABNF in {name}, by the lines it stands in there."])
    earlier: dict[str, dict[Node, Reading]] = {}
    for reading in readings:
        problem = (
            _unreadable(reading, readable)
            or _example(document, reading)
            or _prose(document, reading, known)
        )
        if problem is not None:
            # name=value without a space, and no ABNF: nobody took it for a rule
            if reading.meant or reading.rule is not None or reading.candidate.heading.spaced:
                made.left_out(reading, problem)
        elif reading.rule is not None:
            same = earlier.setdefault(reading.name.casefold(), {})
            first = same.setdefault(reading.rule.body, reading)
            if first is not reading:
                made.problems.append(_alike(document, reading, first))
            elif len(same) > 1 and reading.candidate.heading.sign == "=":
                del same[reading.rule.body]
                made.left_out(reading, _otherwise(document, reading, next(iter(same.values()))))
            else:
                made.rule(reading, "")
    made.problems += _older(document, [one for same in earlier.values() for one in same.values()])
    if not earlier:
        here = Position(1, 1)
        made.problems.append(Problem(document, here, "empty", "no rule of ABNF in this text"))
    return made


def _unreadable(reading: Reading, readable: set[str]) -> Problem | None:
    if reading.problem is None:
        return None
    if reading.meant and reading.name.casefold() not in readable:
        return reading.problem
    return replace(reading.problem, severity="warning")


def _example(document: Source, reading: Reading) -> Problem | None:
    """Leave out name="value": headers and markup in examples are written like that, no rule is."""
    if reading.candidate.heading.spaced:
        return None
    return _warning(document, reading, 'no space beside "=", as in an example')


def _prose(document: Source, reading: Reading, known: set[str]) -> Problem | None:
    words = prose(reading, known)
    if not words:
        return None
    shown = " ".join(words[:MAX_NAMED]) + (" …" if len(words) > MAX_NAMED else "")
    return _warning(document, reading, f'it reads like prose: none of "{shown}" is a rule')


def _alike(document: Source, reading: Reading, first: Reading) -> Problem:
    text = f'"{reading.name}" is defined alike in {_numbers(first)}'
    return replace(_warning(document, reading, text), code="repeated")


def _otherwise(document: Source, reading: Reading, first: Reading) -> Problem:
    text = f'"{reading.name}" is defined otherwise in {_numbers(first)}, which is kept'
    return replace(_warning(document, reading, text), code="duplicate", severity="error")


def _older(document: Source, kept: Sequence[Reading]) -> Iterator[Problem]:
    """Tell of signs that ABNF has others for: for each sign once, where it comes first."""
    for sign, replacement in OLDER.items():
        found = [one for one in kept if one.older[sign]]
        if found:
            count = sum(one.older[sign] for one in found)
            text = f'"{sign}" is no ABNF: "{replacement}" is written for it, in all rules'
            problem = _warning(document, found[0], f"{text} ({count} times)")
            yield replace(problem, code="older-sign")


def _warning(document: Source, reading: Reading, text: str) -> Problem:
    first = reading.candidate.lines[0]
    return Problem(document, Position(first.number, first.depth + 1), "left-out", text, "warning")


def _numbers(reading: Reading) -> str:
    """Say in which lines of the document a rule stands."""
    first, last = reading.candidate.lines[0].number, reading.candidate.lines[-1].number
    return f"line {first}" if first == last else f"lines {first}-{last}"
