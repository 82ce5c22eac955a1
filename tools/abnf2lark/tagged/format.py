"""Tables of tagged automata as octets, for the kernel."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from abnf2lark.automata import Alphabet
from abnf2lark.ir import SURROGATES
from abnf2lark.tagged.automaton import IDLE, Act, Layout, Notes, Row, Step, Tagged

# Carry an automaton over from characters to the octets of UTF-8.
#
# A character of several octets is read by as many edges; the last of them acts, as many octets
# back as lead up to it, since before it the character may still be one of several.

Octets: TypeAlias = "tuple[tuple[int, int], ...]"  # the first and last of each octet
_Way: TypeAlias = "tuple[Octets, tuple[int, Act]]"  # what is left to read, and its end
_LENGTHS = (
    (0, 0x7F),
    (0x80, 0x7FF),
    (0x800, SURROGATES.start - 1),
    (SURROGATES.stop, 0xFFFF),
    (0x10000, 0x10FFFF),
)


def over_octets(made: Tagged, alphabet: Alphabet) -> Tagged:
    """Return the same automaton over octets; its first states are the same."""
    spans = [
        [octets for low, high in alphabet.chars([label]).ranges for octets in spelled(low, high)]
        for label in range(alphabet.size)
    ]
    rows: list[Row] = [{} for _ in made.rows]
    between: dict[tuple[frozenset[_Way], int], int] = {}

    def row_of(ways: frozenset[_Way], depth: int) -> Row:
        rests: dict[int, set[_Way]] = {}
        row: Row = {}
        for (here, *rest), leaf in ways:
            for octet in range(here[0], here[1] + 1):
                if rest:
                    rests.setdefault(octet, set()).add((tuple(rest), leaf))
                else:
                    target, act = leaf
                    row[octet] = Step(target, act._replace(back=depth * bool(act.notes.places)))
        for octet, following in rests.items():
            row[octet] = Step(state_of(frozenset(following), depth + 1), IDLE)
        return row

    def state_of(ways: frozenset[_Way], depth: int) -> int:
        key = ways, depth  # how far an act goes back depends on the depth
        if key not in between:
            between[key] = len(rows)
            rows.append({})
            rows[between[key]] = row_of(ways, depth)
        return between[key]

    for state, row in enumerate(made.rows):
        steps = [(spans[label], (step.target, step.act)) for label, step in row.items()]
        ways = frozenset((octets, leaf) for boxes, leaf in steps for octets in boxes)
        rows[state] = row_of(ways, 0)
    ends = made.ends + [None] * (len(rows) - len(made.rows))
    return Tagged(made.starts, rows, ends)


@cache
def spelled(low: int, high: int) -> tuple[Octets, ...]:
    """Return how UTF-8 spells a range of characters; it cannot spell surrogates."""
    found: list[Octets] = []
    for least, most in _LENGTHS:
        if low <= most and high >= least:
            found += _split(chr(max(low, least)).encode(), chr(min(high, most)).encode())
    return tuple(found)


def _split(first: bytes, last: bytes) -> Iterator[Octets]:
    """Yield the boxes of octets that make up a range of words of one length."""
    if len(first) == 1:
        yield ((first[0], last[0]),)
        return
    least, most = b"\x80" * (len(first) - 1), b"\xbf" * (len(first) - 1)
    for octet in range(first[0], last[0] + 1):
        begin = first[1:] if octet == first[0] else least
        end = last[1:] if octet == last[0] else most
        whole = [tuple(zip(least, most, strict=True))] if (begin, end) == (least, most) else None
        for octets in whole or _split(begin, end):
            yield ((octet, octet), *octets)


# The tables of a tagged automaton as octets: how they are written, read back, and run.
#
# All numbers are little-endian. In order:
#
#     "TAGS"; in two octets each: FORMAT, states, classes, acts, places, constants
#     the class of each of the 256 octets, NONE where no text holds it
#     acts: how many octets back; in four octets each the places noted and the places cleared, a bit
#         each; one octet a constant: 0 leaves it, NONE clears it, else its value. Act 0 does
#         nothing.
#     the act of a text that ends in each state, NONE where none can
#     the next state for each state and class, in two octets, NOWHERE where there is none
#     the act on the way there
#
# Place 2n is where field n begins, 2n + 1 where it ends; a field is there if its end is.

FORMAT = 1
NONE = 0xFF
NOWHERE = 0xFFFF
_MAGIC = b"TAGS"
_HEAD = struct.Struct("<4s6H")
_ACT = struct.Struct("<BII")
_MOST_CLASSES = 63  # one bit each, and one for octets of no class


def written(made: Tagged, told: Layout) -> bytes:
    """Return the tables of an automaton over octets; OverflowError where they do not fit."""
    classes = octet_classes(made.rows)
    width = max((label for label in classes if label != NONE), default=0) + 1
    shown = [classes.index(label) if label in classes else 0 for label in range(width)]
    acts = {IDLE: 0}
    nowhere = Step(NOWHERE, IDLE)
    steps = [row.get(octet, nowhere) for row in made.rows for octet in shown]
    cells = [acts.setdefault(step.act, len(acts)) for step in steps]
    ends = [NONE if end is None else acts.setdefault(end, len(acts)) for end in made.ends]
    if max(len(acts), width + NONE - _MOST_CLASSES, told.tags + NONE - 32) > NONE:
        raise OverflowError("the automaton does not fit into the tables")
    head = (FORMAT, len(made.rows), width, len(acts), told.tags, len(told.constants))
    parts = [_HEAD.pack(_MAGIC, *head), bytes(classes)]
    parts += [_act(act, told) for act in acts]
    parts += [bytes(ends), struct.pack(f"<{len(steps)}H", *(s.target for s in steps)), bytes(cells)]
    return b"".join(parts)


def octet_classes(rows: list[Row]) -> list[int]:
    """Return a class for each octet; octets that lead to the same steps share one."""
    numbers: dict[tuple[Step | None, ...], int] = {(None,) * len(rows): NONE}
    columns = (tuple([row.get(octet) for row in rows]) for octet in range(256))
    return [numbers.setdefault(column, len(numbers) - 1) for column in columns]


def _act(act: Act, told: Layout) -> bytes:
    places = (1 << told.tags) - 1
    values = dict(act.notes.values)
    cleared = act.cleared & places
    constants = bytes(
        values.get(number, NONE if act.cleared >> told.tags + number & 1 else 0)
        for number in range(len(told.constants))
    )
    return _ACT.pack(act.back, act.notes.places, cleared) + constants


@dataclass(frozen=True, slots=True)
class TagTables:
    """Tables that were read back."""

    classes: bytes
    acts: tuple[Act, ...]
    ends: bytes
    targets: tuple[int, ...]
    cells: bytes
    places: int
    constants: int

    @property
    def width(self) -> int:
        """Count the classes."""
        return len(self.targets) // len(self.ends)

    def rows(self) -> list[Row]:
        """Return the edges of each state, by octet."""
        wide = self.width
        return [
            {
                octet: Step(self.targets[at + label], self.acts[self.cells[at + label]])
                for octet, label in enumerate(self.classes)
                if label != NONE and self.targets[at + label] != NOWHERE
            }
            for at in range(0, len(self.targets), wide)
        ]

    def automaton(self, starts: dict[str, int]) -> Tagged:
        """Return the automaton whose tables they are."""
        ends = [None if end == NONE else self.acts[end] for end in self.ends]
        return Tagged(starts, self.rows(), ends)

    def run(self, state: int, octets: bytes) -> "TagValues | int":
        """Read a text from a state: its report, or the offset where it cannot go on."""
        noted: list[int | None] = [None] * self.places
        values = [0] * self.constants
        for offset, octet in enumerate(octets):
            label = self.classes[octet]
            at = state * self.width + label
            if label == NONE or self.targets[at] == NOWHERE:
                return offset
            self._do(self.acts[self.cells[at]], offset, noted, values)
            state = self.targets[at]
        if self.ends[state] == NONE:
            return len(octets)
        self._do(self.acts[self.ends[state]], len(octets), noted, values)
        return TagValues(tuple(noted), tuple(values))

    def _do(self, act: Act, offset: int, noted: list[int | None], values: list[int]) -> None:
        for place in range(self.places):
            if act.notes.places >> place & 1:
                noted[place] = offset - act.back
            elif act.cleared >> place & 1:
                noted[place] = None
        for constant in range(self.constants):
            if act.cleared >> self.places + constant & 1:
                values[constant] = 0
        for constant, value in act.notes.values:
            values[constant] = value


@dataclass(frozen=True, slots=True)
class TagValues:
    """The report of a text: the octet at each place, and the value of each constant or 0."""

    places: tuple[int | None, ...]
    values: tuple[int, ...]

    def spans(self) -> list[tuple[int, int] | None]:
        """Return the span of each field."""
        pairs = zip(self.places[::2], self.places[1::2], strict=True)
        return [None if begin is None or end is None else (begin, end) for begin, end in pairs]


def read(data: bytes) -> TagTables:
    """Read tables back."""
    magic, form, states, width, count, places, constants = _HEAD.unpack_from(data)
    if magic != _MAGIC or form != FORMAT:
        raise ValueError("these are not tables of this format")
    at = _HEAD.size
    classes, at = data[at : at + 256], at + 256
    acts: list[Act] = []
    for _ in range(count):
        back, noted, cleared = _ACT.unpack_from(data, at)
        at += _ACT.size
        values, at = data[at : at + constants], at + constants
        for number, value in enumerate(values):
            cleared |= (value == NONE) << places + number
        own = tuple((n, value) for n, value in enumerate(values) if value not in (0, NONE))
        acts.append(Act(Notes(noted, own), cleared, back))
    ends, at = data[at : at + states], at + states
    targets = struct.unpack_from(f"<{states * width}H", data, at)
    return TagTables(
        classes, tuple(acts), ends, targets, data[at + 2 * states * width :], places, constants
    )
