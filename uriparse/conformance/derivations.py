"""The first derivation of each of many texts, and all choices that they come to.

A text is read twice. From its end backwards goes an automaton that tells for each character which
positions can read it and go on to the end; from its beginning a walk that takes of what can follow
the first that does so. Both keep what they find out, so that each step costs a look-up.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from uriparse.conformance.characters import sample
from uriparse.conformance.unfolding import BEGIN, END

if TYPE_CHECKING:
    from uriparse.conformance.alphabet import Alphabet
    from uriparse.conformance.unfolding import Follower, Unfolding

MAX_ROWS: Final = 20_000
"""Rows kept from one text to the next; those of a URI are 510."""


class Row(dict[str, "Row"]):
    """What can go on to the end with the rest of a text; by label, with one character more.

    Attributes:
        live: the positions that can read the first character of the rest, and go on; as bits.

    """

    __slots__ = ("_owner", "live")

    def __init__(self, owner: Derivations, live: int) -> None:
        super().__init__()
        self.live = live
        self._owner = owner

    def __missing__(self, label: str) -> Row:
        alike = self._owner.alike[label]
        found = self[alike] if alike != label else self._owner.before(self, label)
        self[label] = found
        return found

    # Equal to itself alone, since there is one row for each set; `def` would cost a call.
    __hash__ = object.__hash__  # type: ignore[assignment]


class Derivations:
    """Takes first derivations, and remembers the choices that they come to.

    Attributes:
        unfolding: the positions of the rule.
        alphabet: the labels that texts are given in.
        last: the row of the end of a text.
        alike: for each label the first one that the same positions read.
        touched: the choices come to since it was last set, as bits.

    """

    def __init__(self, unfolding: Unfolding, alphabet: Alphabet) -> None:
        self.unfolding = unfolding
        self.alphabet = alphabet
        self.touched = 0
        positions = range(len(unfolding.reads))
        self._followers = [unfolding.followers(position) for position in positions]
        self._masks = [sum(1 << one.position for one in found) for found in self._followers]
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
        """Derive a text, given by the labels of its characters; tell whether it can be."""
        if len(self._rows) > MAX_ROWS:
            self._forget()
        row = self.last
        rows = []
        for label in reversed(labels):
            row = row[label]
            rows.append(row)
        if not self.can_follow(BEGIN, row):
            return False
        step = self._steps[BEGIN]
        rows.reverse()
        for label, row in zip(labels, rows, strict=True):
            step = step[row]
            step.read[label]
        step[self.last]
        return True

    def choices_of(self, labels: str) -> int:
        """Give the choices of the first derivation of one text that has one; nothing is kept."""
        row = self.last
        rows = [row]
        for label in reversed(labels):
            row = row[label]
            rows.append(row)
        position, made = BEGIN, 0
        for label, row in zip((*labels, ""), reversed(rows), strict=True):
            follower = self.next(position, row)
            position = follower.position
            made |= follower.choices | (self.reads(position, label) or 0 if label else 0)
        return made

    def followers(self, position: int) -> tuple[Follower, ...]:
        """List what can come after a position, what a derivation prefers first."""
        return self._followers[position]

    def sample(self, position: int) -> str:
        """Give a readable character that can be read at a position."""
        return sample(tuple(span for one in self.unfolding.reads[position] for span in one.spans))

    def row(self, live: int) -> Row:
        """Give the row of some positions."""
        if live not in self._rows:
            self._rows[live] = Row(self, live)
        return self._rows[live]

    def before(self, row: Row, label: str) -> Row:
        """Give the row of the positions that can read a character and go on with one of a row."""
        masks, live = self._masks, row.live
        return self.row(sum(1 << one for one in self._readers[label] if masks[one] & live))

    def can_follow(self, position: int, row: Row) -> bool:
        """Tell whether a position can go on with the rest of a text."""
        return bool(self._masks[position] & row.live)

    def next(self, position: int, row: Row) -> Follower:
        """Give what a derivation comes to behind a position that can go on with the rest."""
        return next(one for one in self._followers[position] if row.live >> one.position & 1)

    def _reads(self, position: int, label: str) -> int | None:
        """Give the choices made by reading a character at a position; None if it cannot be."""
        code = ord(self.alphabet.samples[label])
        for reading in self.unfolding.reads[position]:
            if reading.takes(code):
                return reading.choices | reading.ends.get(code, 0)
        return None

    def step(self, position: int) -> _Step:
        """Give the one step of a position."""
        return self._steps[position]

    def _forget(self) -> None:
        self._rows: dict[int, Row] = {}
        self.last = self.row(1 << END)
        self._steps = [_Step(self, position) for position in range(len(self._followers))]


class _Step(dict[Row, "_Step"]):
    """A position: the next one, by what the rest of the text asks for."""

    __slots__ = ("_owner", "position", "read")

    def __init__(self, owner: Derivations, position: int) -> None:
        super().__init__()
        self.position = position
        self.read = _Read(owner, position)
        self._owner = owner

    def __missing__(self, row: Row) -> _Step:
        follower = self._owner.next(self.position, row)
        self._owner.touched |= follower.choices
        self[row] = found = self._owner.step(follower.position)
        return found


class _Read(dict[str, None]):
    """The characters that have been read at a position."""

    __slots__ = ("_owner", "_position")

    def __init__(self, owner: Derivations, position: int) -> None:
        super().__init__()
        self._owner = owner
        self._position = position

    def __missing__(self, label: str) -> None:
        self._owner.touched |= self._owner.reads(self._position, label) or 0
        self[label] = None
