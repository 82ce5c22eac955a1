"""A rule with all its references unfolded, and the first derivations of texts."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache, cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from uriparse.conformance.rule_automata import Alphabet, Walked, sample
from uriparse.errors import URIError

if TYPE_CHECKING:
    from uriparse.grammar import Expression
    from uriparse.grammar.automata import Spans


# A rule with all that it refers to unfolded: what can be read after what, and by which choices.

MORE: Final = 2
"""Repetitions beyond the minimum that count as one number where there is no maximum."""

MAX_STEPS: Final = 200_000
"""A rule that unfolds to more is refused; those that are shipped have up to 20,000."""

END: Final = 0
"""The position after the last character."""

BEGIN: Final = 1
"""The position before the first character."""

Key: TypeAlias = "tuple[str, str, tuple[int, ...], int]"


class RuleTooLargeError(URIError):
    """A rule unfolds to too many steps. The message names it."""


class Choice(NamedTuple):
    """What can be chosen at a place of a rule.

    kind: `"rule"`: the rule is used; `"alternative"`: this one is taken; `"option"`: it is there,
        or not; `"repetition"`: so many; `"range"`: this end of a range of characters.
    component: the innermost component that the place is in; `""` outside of all.
    rule: the rule that the place is in.
    place: the expression there.
    value: the number of the alternative from 0; how many repetitions, of which as many as
        `MORE` beyond the fewest stand for more where there is no bound; a code point. 0 for a rule.
    """

    kind: str
    component: str
    rule: str
    place: Expression
    value: int


class Follower(NamedTuple):
    """A position that can come next, and the choices on the way there, as bits."""

    position: int
    choices: int


class PositionLabel(NamedTuple):
    """Characters that can be read at a position, and the choices made by that.

    spans: the characters, as ranges of code points.
    choices: as bits, those made by reading any of them.
    ends: those made by reading the ends of ranges, by code point.
    """

    spans: Spans
    choices: int
    ends: Mapping[int, int]

    def takes(self, code: int) -> bool:
        """Return whether a character can be read so."""
        return any(low <= code <= high for low, high in self.spans)


class Unfolding:
    """The positions of a rule at which characters are read, as Glushkov (1961) numbers them.

    A place of the grammar has a position for each way on which the rule leads there, and for each
    number of repetitions that is distinguished. Alternatives of one character each share
    one.

    choices: all that a derivation can reach, by number.
    numbers: of the choices, by component, rule, way to the place from the rule's expression,
        and value.
    reads: for each position what can be read there, what a derivation prefers first; nothing
        for `BEGIN` and `END`.
    """

    def __init__(
        self, rule: str, expressions: Mapping[str, Expression], components: AbstractSet[str]
    ) -> None:
        self.choices: list[Choice] = []
        self.reads: list[tuple[PositionLabel, ...]] = [(), ()]
        self._expressions = expressions
        self._components = components
        self.numbers: dict[Key, int] = {}
        self._rule = rule
        # Steps: the position read there or None, choices made there as bits, the loop that begins
        # there or None, the next steps in order of preference.
        self._steps: list[tuple[int | None, int, object, list[int]]] = []
        self._after: dict[int, int] = {}
        end = self._step(END, 0, None, [])
        self._after[BEGIN] = self._build(("ref", rule), _Place("", rule, (), ()), end)

    def followers(self, position: int) -> tuple[Follower, ...]:
        """List what can come after a position, what a derivation prefers first."""
        if position == END:
            return ()
        found: dict[int, int] = {}
        loops: set[object] = set()
        pending = [(self._after[position], 0)]
        while pending:
            number, chosen = pending.pop()
            read, choices, loop, following = self._steps[number]
            if loop in loops:
                continue
            if loop is not None:
                loops.add(loop)
            if read is not None:
                found.setdefault(read, chosen)
                continue
            chosen |= choices
            pending.extend((after, chosen) for after in reversed(following))
        return tuple(Follower(*item) for item in found.items())

    @cached_property
    def choices_by_reading(self) -> tuple[int, ...]:
        """For each position all choices that can be made by reading there, as bits."""
        return tuple(
            reduce(or_, (bits for one in here for bits in (one.choices, *one.ends.values())), 0)
            for here in self.reads
        )

    def _step(self, read: int | None, choices: int, loop: object, following: list[int]) -> int:
        if len(self._steps) == MAX_STEPS:
            raise RuleTooLargeError(
                f"{self._rule} unfolds to more than {MAX_STEPS:,} steps, which is too large to "
                "count its choices"
            )
        self._steps.append((read, choices, loop, following))
        return len(self._steps) - 1

    def _chosen(self, kind: str, at: _Place, place: Expression, value: int) -> int:
        """Return the bit of a choice."""
        key = (at.component, at.rule, at.way if kind != "rule" else (-1,), value)
        if key not in self.numbers:
            self.numbers[key] = len(self.choices)
            self.choices.append(Choice(kind, at.component, at.rule, place, value))
        return 1 << self.numbers[key]

    def _build(self, expression: Expression, at: _Place, after: int) -> int:
        """Build the steps of an expression in front of `after`; return the first."""
        if (readings := self._labels(expression, at, 0)) is not None:
            return self._read(tuple(readings), after)
        match expression:
            case ("text", str(value)):
                for character in reversed(value):
                    after = self._read((PositionLabel(((ord(character),) * 2,), 0, {}),), after)
                return after
            case ("ref", str(rule)):
                inner = at.inside(rule, self._components)
                body = self._expressions[rule]
                chosen = self._chosen("rule", inner, body, 0)
                return self._step(None, chosen, None, [self._build(body, inner, after)])
            case ("seq", tuple(items)):
                for number, item in reversed([*enumerate(items)]):
                    after = self._build(item, at.child(number), after)
                return after
            case ("alt", tuple(items)):
                following = []
                for number, item in enumerate(items):
                    chosen = self._chosen("alternative", at, expression, number)
                    first = self._build(item, at.child(number), after)
                    following.append(self._step(None, chosen, None, [first]))
                return self._step(None, 0, None, following)
            case ("rep", tuple(item), int(low), int(high)):
                return self._repeat(item, low, high, expression, at, after)
            case _:
                raise TypeError(expression)

    def _labels(
        self, expression: Expression, at: _Place, chosen: int
    ) -> list[PositionLabel] | None:
        """List how one character is read by an expression; None if it may read another number."""
        match expression:
            case ("chars", tuple(spans)):
                codes = sorted({end for span in spans for end in span})
                listed = codes if len(codes) > 1 else []
                ends = {code: self._chosen("range", at, expression, code) for code in listed}
                return [PositionLabel(spans, chosen, ends)]
            case ("ref", str(rule)) if self._is_one(expression):
                inner = at.inside(rule, self._components)
                body = self._expressions[rule]
                chosen |= self._chosen("rule", inner, body, 0)
                return self._labels(body, inner, chosen)
            case ("alt", tuple(items)) if self._is_one(expression):
                found: list[PositionLabel] = []
                for number, item in enumerate(items):
                    bit = self._chosen("alternative", at, expression, number)
                    found += self._labels(item, at.child(number), chosen | bit) or []
                return found
            case _:
                return None

    def _is_one(self, expression: Expression) -> bool:
        """Return whether an expression is only a choice of characters."""
        match expression:
            case ("chars", _):
                return True
            case ("ref", str(rule)):
                return self._is_one(self._expressions[rule])
            case ("alt", tuple(items)):
                return all(map(self._is_one, items))
            case _:
                return False

    def _read(self, readings: tuple[PositionLabel, ...], after: int) -> int:
        position = len(self.reads)
        self.reads.append(readings)
        self._after[position] = after
        return self._step(position, 0, None, [])

    def _repeat(
        self, item: Expression, low: int, high: int, expression: Expression, at: _Place, after: int
    ) -> int:
        most = low + MORE if high < 0 else high
        kind = "option" if (low, high) == (0, 1) else "repetition"
        listed = {low, low + 1, most - 1, most} if most > low else set()

        def left(count: int) -> int:
            if count not in listed:
                return after
            return self._step(None, self._chosen(kind, at, expression, count), None, [after])

        within = at.child(0)
        if high < 0:
            loop = at.origin
            following: list[int] = []
            first = self._step(None, 0, loop, following)
            following += [self._build(item, within, first), left(most)]
            for count in range(most - 1, low - 1, -1):
                taken = self._build(item, within, first)
                first = self._step(None, 0, loop, [taken, left(count)])
        else:
            first = left(most)
            for count in range(most - 1, low - 1, -1):
                taken = self._build(item, within.copy(count), first)
                first = self._step(None, 0, None, [taken, left(count)])
        for count in range(low - 1, -1, -1):
            first = self._build(item, within.copy(count), first)
        return first


class _Place(NamedTuple):
    """Where an expression is: in which rule, and on which way from the first one."""

    component: str
    rule: str
    way: tuple[int, ...]
    origin: tuple[int | str, ...]

    def inside(self, rule: str, components: AbstractSet[str]) -> _Place:
        component = rule if rule in components else self.component
        return _Place(component, rule, (), (*self.origin, rule))

    def child(self, number: int) -> _Place:
        return self._replace(way=(*self.way, number), origin=(*self.origin, number))

    def copy(self, number: int) -> _Place:
        return self._replace(origin=(*self.origin, "copy", number))


# The first derivation of each of many texts, and all choices that these reach.
#
# A text is read twice. From its end backwards goes an automaton that tells for each character
# which positions can read it and go on to the end; from its beginning a walk that takes of what
# can follow the first that does so. Both keep what they find out, so that each step costs a
# look-up.

MAX_ROWS: Final = 20_000
"""Rows kept from one text to the next; those of a URI are 510.

A row is what can go on to the end with the rest of a text: its state are the positions, as bits,
that can read the first character of the rest, and go on.
"""


class Derivations:
    """Takes first derivations, and remembers the choices that they reach.

    unfolding: the positions of the rule.
    alphabet: the labels that texts are given in.
    last: the row of the end of a text.
    alike: for each label the first one that the same positions read.
    followers: for each position what can come after it, what a derivation prefers first.
    touched: the choices reached since it was last set, as bits.
    """

    def __init__(self, unfolding: Unfolding, alphabet: Alphabet) -> None:
        self.unfolding = unfolding
        self.alphabet = alphabet
        self.touched = 0
        positions = range(len(unfolding.reads))
        self.followers = [unfolding.followers(position) for position in positions]
        self._masks = [sum(1 << one.position for one in found) for found in self.followers]
        self._readers = {
            label: [
                position
                for position, readings in enumerate(unfolding.reads)
                if any(reading.takes(ord(character)) for reading in readings)
            ]
            for label, character in alphabet.samples.items()
        }
        firsts: dict[tuple[int, ...], str] = {}
        self.alike = {
            label: firsts.setdefault(tuple(found), label) for label, found in self._readers.items()
        }
        self.reads = cache(self._reads)
        self._forget()

    def derive(self, labels: str) -> bool:
        """Derive a text, given by the labels of its characters; return whether it can be."""
        made = self.choices_of(labels)
        self.touched |= made or 0
        return made is not None

    def choices_of(self, labels: str) -> int | None:
        """Return the choices of the first derivation of a text; None if it has none."""
        if len(self._rows) > MAX_ROWS:
            self._forget()
        row = self.last
        rows = [row]
        for label in reversed(labels):
            row = row[label]
            rows.append(row)
        if not self.can_follow(BEGIN, row):
            return None
        step, reads = self._step, self.reads
        position, made = BEGIN, 0
        for label in labels:
            position, choices = step(position, rows.pop())
            made |= choices | (reads(position, label) or 0)
        return made | step(position, self.last).choices

    def sample(self, position: int) -> str:
        """Return a readable character that can be read at a position."""
        return sample(tuple(span for one in self.unfolding.reads[position] for span in one.spans))

    def row(self, live: int) -> Walked:
        """Return the row of some positions."""
        if live not in self._rows:
            self._rows[live] = Walked(self.before, live)
        return self._rows[live]

    def before(self, row: Walked, label: str) -> Walked:
        """Return the row of the positions that can read a character and go on with one of a row."""
        alike = self.alike[label]
        if alike != label:
            return row[alike]
        masks, live = self._masks, row.state
        return self.row(sum(1 << one for one in self._readers[label] if masks[one] & live))

    def can_follow(self, position: int, row: Walked) -> bool:
        """Return whether a position can go on with the rest of a text."""
        return bool(self._masks[position] & row.state)

    def next(self, position: int, row: Walked) -> Follower:
        """Return the follower that the first derivation takes after a position."""
        return next(one for one in self.followers[position] if row.state >> one.position & 1)

    def _reads(self, position: int, label: str) -> int | None:
        """Return the choices made by reading a character at a position; None if it cannot be."""
        code = ord(self.alphabet.samples[label])
        for reading in self.unfolding.reads[position]:
            if reading.takes(code):
                return reading.choices | reading.ends.get(code, 0)
        return None

    def _forget(self) -> None:
        self._rows: dict[int, Walked] = {}
        self.last = self.row(1 << END)
        self._step = cache(self.next)
