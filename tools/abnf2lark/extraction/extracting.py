"""Extract ABNF from the lines of an RFC."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Literal

from abnf2lark.extraction.layout import (
    DocumentSection,
    Line,
    printed_lines,
    sections,
    without_pages,
)
from abnf2lark.ir import Node, Position, Ref, Rule, RuleSet, Seq, grouped, references, walk
from abnf2lark.problems import InputError, Problem, Source, meant
from abnf2lark.reading.reader import read_rules

# Gather the lines that may be a rule: one that begins like one, and those that continue it.

# ABNF's own beginning of a rule, and those of other notations that it is mistaken for.
_HEADING = re.compile(
    r"""[ ]*(?P<name><?[A-Za-z][\w-]*>?)
    (?P<before>[ ]*) (?P<defined>::?=|=/?) (?![=>]) (?P<after>[ ]*) (?P<rest>.*)""",
    re.VERBOSE | re.ASCII,
)
# What is in quotes or angle brackets or is a comment, and signs of older RFCs that do not.
_TEXT = re.compile(r'"[^"]*"|<[^<>]*>|;.*|(?P<older>[|_])')
OLDER = {"|": "/", "_": "-"}
_HANGING = ("/", "|", "=", "(", "[", "*")  # what a rule does not end with
_GOING_ON = ("/", "|", ")", "]")  # what a rule does not begin with
MENDED = 6  # columns by which a line is indented that continues a rule and is not deeper


@dataclass(frozen=True, slots=True)
class Heading:
    """The beginning of a rule: its name, its sign, and the column of its first element."""

    name: str
    sign: str
    spaced: bool
    column: int


@dataclass(slots=True)
class Candidate:
    """What may be a rule: its lines in the document, without blank ones."""

    heading: Heading
    lines: list[Line]
    attached: bool = False  # to a line before it that is not a rule's

    nesting: int = 0  # of parentheses, at the end
    last: str = ""  # what is written last, comments apart

    def __post_init__(self) -> None:
        self.count(self.lines[0])

    def count(self, line: Line) -> None:
        """Look at the end of a line."""
        bare = bare_text(line.text).rstrip()
        self.nesting += sum(map(bare.count, "([")) - sum(map(bare.count, ")]"))
        self.last = bare or self.last

    def add(self, line: Line) -> None:
        """Add a line."""
        self.lines.append(line)
        self.count(line)

    def goes_on(self, line: Line, *, blank: bool) -> bool:
        """Return whether a line belongs to the rule.

        Deeper lines do, as far as no blank line is between. Behind one, and where a line is not
        deeper, there must be more than indentation to it; at a page break, where nobody knows about
        blank lines, that it stands below the elements of the rule.
        """
        depth, first = line.depth, self.lines[0].depth
        more = line.text.lstrip().startswith(_GOING_ON)
        unfinished = self.nesting > 0 or self.last.endswith(_HANGING)
        if line.after_break:
            return more or (depth > first and (unfinished or depth >= self.heading.column))
        if blank:
            return depth > first and (unfinished or (more and are_alternatives([line.text])))
        return depth > first or more or unfinished

    def shift(self, index: int) -> int:
        """Return by how many columns a line is to move so that the rule reads as ABNF."""
        first = self.lines[0].depth
        depth = self.lines[index].depth
        return -first if not index or depth > first else MENDED - depth

    def written(self) -> list[str]:
        """Return the lines, the first without indentation and the others deeper."""
        return [
            " " * (line.depth + self.shift(index)) + line.text.lstrip()
            for index, line in enumerate(self.lines)
        ]


def heading(text: str) -> Heading | None:
    """Read the beginning of a rule."""
    found = _HEADING.fullmatch(text)
    if found is None or (found["name"][0] == "<" and "::" not in found["defined"]):
        return None
    spaced = bool(found["before"] or found["after"])
    return Heading(found["name"], found["defined"], spaced, found.start("rest"))


def candidates(lines: Sequence[Line]) -> Iterator[Candidate]:
    """Yield all that may be rules, in the order of the document."""
    filled = [(place, line) for place, line in enumerate(lines) if line.text.strip()]
    growing: Candidate | None = None
    for number, (place, line) in enumerate(filled):
        begun = heading(line.text)
        blank = bool(number) and place - filled[number - 1][0] > 1
        if begun is None and growing is not None and growing.goes_on(line, blank=blank):
            growing.add(line)
            continue
        attached = growing is None and bool(number) and not blank and not line.after_break
        if growing is not None:
            yield growing
        growing = Candidate(begun, [line]) if begun is not None else None
        # Alternatives without a rule before them are reported rather than passed over.
        if begun is None and line.text.lstrip().startswith(("/ ", "| ")):
            growing = Candidate(Heading("", "=", True, 0), [line], attached)
    if growing is not None:
        yield growing


def bare_text(text: str) -> str:
    """Return what is neither in quotes nor in angle brackets nor in a comment."""
    return _TEXT.sub(lambda found: found["older"] or "", text)


def are_alternatives(lines: Iterable[str]) -> bool:
    """Return whether lines go on with a rule, and are not the side of a box or a table."""
    text = "\n ".join(in_abnf(line)[0].strip() for line in lines)
    opened = text.startswith(("/", "|"))
    rules, problems = read_rules(Source("", f"x = {text[1:]}"), "")
    return not opened or (bool(rules) and not problems and _MEANT.search(text) is not None)


def in_abnf(text: str) -> tuple[str, list[str]]:
    """Write a line with ABNF's signs for those of older RFCs; return those that it had."""
    older = [found["older"] for found in _TEXT.finditer(text) if found["older"]]
    return _TEXT.sub(lambda found: OLDER.get(found["older"], found[0]), text), older


# Judge candidates: a rule of ABNF, something like it that cannot be read, or prose.

# What text has in it that was meant to be ABNF, or a notation like it.
_MEANT = re.compile(r'"[^"]*"|<[^<>]+>|%[xdbXDB][0-9A-Fa-f]| [/|] |[*#][0-9]*[A-Za-z(\[<"]')
_WORD = re.compile("[A-Za-z]?[a-z]+")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A candidate as it was read: its rule and its text, or the problem that prevents one."""

    candidate: Candidate
    text: str
    older: Counter[str]  # signs of older RFCs for which ABNF's are written
    rule: Rule | None
    problem: Problem | None

    @property
    def name(self) -> str:
        """The name of the rule, or what is in its place."""
        return self.rule.name if self.rule is not None else self.candidate.heading.name

    @property
    def meant(self) -> bool:
        """Return whether the text was meant to be ABNF, or a notation like it."""
        return any(_MEANT.search(line.text) for line in self.candidate.lines)


def read_candidate(source: Source, candidate: Candidate) -> Parsed:
    """Read a candidate; problems get their places in the document."""
    lines = [in_abnf(line) for line in candidate.written()]
    text = "\n".join(line for line, _ in lines)
    older = Counter(sign for _, signs in lines for sign in signs)
    if candidate.heading.sign.startswith(":") and source.lenient is not True:
        first = candidate.lines[0]
        column = first.text.index(candidate.heading.sign) + 1
        sign = candidate.heading.sign
        problem = _at(source, first.number, column, f'"{sign}" is not ABNF, which defines with "="')
        return Parsed(candidate, text, older, None, problem)
    rules, problems = read_rules(Source("", text, lenient=source.lenient), "")
    syntax = next((one for one in problems if one.code == "syntax"), None)
    if syntax is None and rules:
        return Parsed(candidate, text, older, rules[0], None)
    here = syntax.position if syntax is not None else Position(1, 1)
    place = candidate.lines[here.line - 1].number
    column = here.column - candidate.shift(here.line - 1)
    message = syntax.message if syntax is not None else "this rule cannot be read"
    return Parsed(candidate, text, older, None, _at(source, place, column, message))


def _at(source: Source, line: int, column: int, message: str) -> Problem:
    return Problem(source, Position(line, column), "left-out", message)


def prose(reading: Parsed, known: AbstractSet[str]) -> list[str]:
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
    """Yield the runs of neighbouring words that name no rule."""
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
        """Return a problem of the text its place in the document."""
        here = problem.position
        number, shift = self.origins.get(here.line, (1, 0))
        column = max(1, here.column - shift)
        return replace(problem, source=self.document, position=Position(number, column))

    def confirm(self, problem: Problem) -> None:
        """Write what computed prose is read as in a comment after it."""
        line, column = problem.position.line - 1, problem.position.column
        while ">" not in self.lines[line][column:]:
            line, column = line + 1, 0
        self.lines[line] += f"  ; {problem.message}"

    def rule(self, reading: Parsed, note: str) -> None:
        """Add a rule, or in comments what was left out."""
        self.lines += ["", f"; {_numbers(reading)}{note}"]
        for index, (line, text) in enumerate(
            zip(reading.candidate.lines, reading.text.split("\n"), strict=True)
        ):
            self.lines.append(f";   {text}" if note else text)
            if not note:
                self.origins[len(self.lines)] = (line.number, reading.candidate.shift(index))

    def left_out(self, reading: Parsed, problem: Problem) -> None:
        """Add a problem, and what was left out for it in comments."""
        self.problems.append(problem)
        self.rule(reading, f", left out: {problem.message}")


def extract(
    source: Source,
    imports: Sequence[RuleSet],
    *,
    prefer: Literal["first", "last"] | None = None,
    wanted: Sequence[str] = (),
) -> Extract:
    """Find the rules in a document; the imports are known names.

    What looks like a rule and is not one is left out and reported: as an error if it was meant as
    ABNF and no other rule of its name can be read, else as a warning. So is a rule that comes a
    second time. Of definitions that differ the one is kept that ``prefer`` names, else one of a
    section that does not call itself informative and defines more rules than the others.

    With ``wanted``, the numbers or titles of sections, it is the rules of these sections, and
    those that they need of others. Raises :class:`InputError` for a section that does not exist.
    """
    printed = printed_lines(source.text)
    document = replace(source, text="\n".join(line.replace("\f", " ") for line in printed))
    lines = without_pages(printed)
    found = [read_candidate(document, one) for one in candidates(lines)]
    choice = _Choice(sections(lines), found, prefer)
    readings = choice.needed(wanted) if wanted else found
    readable = {one.name.casefold() for one in readings if one.rule is not None}
    known = readable.union(rule.casefold() for grammar in imports for rule in grammar.rules)
    made = Extract(document, [f"; The ABNF in {source.name}, with its lines there."])
    faults = [_unreadable(one, readable) or _prose(document, one, known) for one in readings]
    rules = [one for one, fault in zip(readings, faults, strict=True) if fault is None]
    defined = grouped(
        (one.name.casefold(), one) for one in rules if one.candidate.heading.sign == "="
    )
    chosen = {name: choice.best(several) for name, several in defined.items()}
    earlier: dict[str, dict[Node, Parsed]] = {}
    dropped: set[str] = set()  # whose last definition was left out, and so what is added to it
    for reading, fault in zip(readings, faults, strict=True):
        if fault is not None:
            # name=value without a space, which is not ABNF: not reported
            if reading.meant or reading.rule is not None or reading.candidate.heading.spaced:
                made.left_out(reading, fault)
            continue
        name = reading.name.casefold()
        same = earlier.setdefault(name, {})
        best, reason = chosen.get(name, (reading, ""))
        first = same.setdefault(_body(reading), reading)
        if first is not reading:
            text = f'"{reading.name}" is defined alike in {_numbers(first)}'
            made.problems.append(replace(_warning(document, reading, text), code="repeated"))
        elif reading.candidate.heading.sign == "=/":
            if name not in dropped:
                made.rule(reading, "")
        elif _body(best) == _body(reading):
            dropped.discard(name)
            made.rule(reading, "")
        else:
            del same[_body(reading)]
            dropped.add(name)
            made.left_out(reading, _otherwise(document, reading, best, reason))
    made.problems += _older(document, [one for same in earlier.values() for one in same.values()])
    if not earlier:
        here = Position(1, 1)
        made.problems.append(Problem(document, here, "empty", "no rule of ABNF in this text"))
    return made


def _body(reading: Parsed) -> Node:
    return reading.rule.body if reading.rule is not None else Seq(())


@dataclass
class _Choice:
    """Chooses among the rules of a document by the sections that they are in."""

    sections: list[DocumentSection]
    readings: list[Parsed]
    prefer: Literal["first", "last"] | None

    def __post_init__(self) -> None:
        found = [self.section(one) for one in self.readings if one.rule is not None]
        self.sizes = Counter(key for one in found for key in (one.chapter, one.first))

    def section(self, reading: Parsed) -> DocumentSection:
        line = reading.candidate.lines[0].number
        return self.sections[bisect_right(self.sections, line, key=lambda one: one.first) - 1]

    def best(self, several: list[Parsed]) -> tuple[Parsed, str]:
        """Return the definition that counts, and why; without a reason, if none is known."""
        if self.prefer is not None:
            return several[0 if self.prefer == "first" else -1], f"the {self.prefer} one"

        def rank(reading: Parsed) -> tuple[bool, int, int]:
            here = self.section(reading)
            return not here.informative, self.sizes[here.chapter], self.sizes[here.first]

        best = max(several, key=rank)
        rivals = [one for one in several if _body(one) != _body(best)]
        if any(rank(one) == rank(best) for one in rivals):
            return several[0], ""
        section = self.section(best)
        return best, f"section {section.name} is where most rules are"

    def needed(self, wanted: Sequence[str]) -> list[Parsed]:
        """Return what is in some sections, and the rules elsewhere that these need."""
        for one in wanted:
            if not any(section.is_in(one) for section in self.sections):
                hint = meant(one, [section.name for section in self.sections if section.name])
                raise InputError(f"--section {one}: there is no such section{hint}")
        inside = [one for one in self.readings if any(map(self.section(one).is_in, wanted))]
        names = {one.name.casefold() for one in inside if one.rule is not None}
        kept, pending = {id(one) for one in inside}, inside
        while pending:
            open_names = {
                ref.name.casefold() for one in pending for ref in references(_body(one))
            } - names
            names |= open_names
            pending = [
                one
                for one in self.readings
                if one.rule is not None and one.name.casefold() in open_names
            ]
            kept |= {id(one) for one in pending}
        return [one for one in self.readings if id(one) in kept]


def _unreadable(reading: Parsed, readable: set[str]) -> Problem | None:
    if reading.problem is None:
        return None
    if reading.name and reading.meant and reading.name.casefold() not in readable:
        return reading.problem
    alone = not reading.name and not reading.candidate.attached
    if alone and are_alternatives(reading.candidate.written()):
        return reading.problem
    return replace(reading.problem, severity="warning")


def _prose(document: Source, reading: Parsed, known: set[str]) -> Problem | None:
    # Headers and markup in examples are written like that, no rule is.
    if not reading.candidate.heading.spaced:
        return _warning(document, reading, 'no space beside "=", as in an example')
    words = prose(reading, known)
    if not words:
        return None
    shown = " ".join(words[:MAX_NAMED]) + (" …" if len(words) > MAX_NAMED else "")
    return _warning(document, reading, f'it reads like prose: none of "{shown}" is a rule')


def _otherwise(document: Source, reading: Parsed, kept: Parsed, reason: str) -> Problem:
    """Report a definition that another one replaces; an error if the reason is unknown."""
    text = f'"{reading.name}" is defined otherwise in {_numbers(kept)}, which is kept'
    text = f"{text}: {reason or 'say with --prefer or --section which one counts'}"
    severity: Literal["error", "warning"] = "warning" if reason else "error"
    return replace(_warning(document, reading, text), code="duplicate", severity=severity)


def _older(document: Source, kept: Sequence[Parsed]) -> Iterator[Problem]:
    """Report signs for which ABNF has others: each once, at its first place."""
    for sign, replacement in OLDER.items():
        places = [
            Position(line.number, found.start() + 1)
            for one in kept if one.older[sign]
            for line in one.candidate.lines
            for found in _TEXT.finditer(line.text) if found["older"] == sign
        ]  # fmt: skip
        if places:
            others = f", {len(places) - 1} more times, too" if places[1:] else ""
            text = f'"{sign}" is not ABNF: "{replacement}" is written for it{others}'
            yield Problem(document, places[0], "older-sign", text, "warning")


def _warning(document: Source, reading: Parsed, text: str) -> Problem:
    first = reading.candidate.lines[0]
    return Problem(document, Position(first.number, first.depth + 1), "left-out", text, "warning")


def _numbers(reading: Parsed) -> str:
    """Return the lines of the document that a rule is in, in words."""
    first, last = reading.candidate.lines[0].number, reading.candidate.lines[-1].number
    return f"line {first}" if first == last else f"lines {first}-{last}"
