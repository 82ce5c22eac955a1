"""From ordered threads to one deterministic automaton that notes places on its edges.

A state is the list of threads that are under way, the one to be preferred first; of two that have
come to the same position the later is dropped, since all that follows is the same for both. What a
thread is to note at a place is noted by the edge that reads the character there, so that an edge
writes nothing while a run of characters goes on. All threads note in the same places: a text can
be told by one value for each. Where two threads that are both under way would have noted a place
at different times, that cannot be, and the rule is refused. Where the last thread that holds a
place dies, the edge clears it, and the state where a text ends clears what is not its thread's; so
what is present hangs on what was noted, not on the state, and states stay few.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.automata import MAX_STATES, TooLargeError
from abnf2lark.reading.ir import Ref
from abnf2lark.tagged.machine import IDLE, NOTHING, Act, Notes, Row, Step, Tagged, UntellableError
from abnf2lark.tagged.merging import earlier, merged
from abnf2lark.tagged.threads import Threads

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet
    from abnf2lark.reading.ir import Grammar
    from abnf2lark.tagged.marks import Layout


class _Thread(NamedTuple):
    """A position under way: what it notes at the next character, and what it has noted before.

    held: a bit for each place, and above them one for each constant.
    """

    position: int
    notes: Notes
    held: int


def tagged(grammar: Grammar, alphabet: Alphabet, told: Layout, names: tuple[str, ...]) -> Tagged:
    """Make the automaton of some rules.

    Raises :class:`UntellableError` for a rule that cannot be told by one value for each place.
    """
    made = Tagged()
    for name in names:
        threads = Threads(grammar.rules, alphabet)
        first = threads.unfold(Ref(name), threads.add([]), told.marks)
        _Maker(threads, told, name).into(made, first)
    return merged(earlier(merged(made)))


class _Maker:
    def __init__(self, threads: Threads, told: Layout, rule: str) -> None:
        self.threads = threads
        self.told = told
        self.rule = rule
        # A field is there if its end is: beginnings need no clearing.
        ends = sum(2 << 2 * number for number in range(len(told.fields)))
        self.clearable = ends | -1 << told.tags

    def into(self, made: Tagged, first: int) -> None:
        shift = len(made.rows)
        made.starts[self.rule] = shift
        start = tuple(_Thread(at, notes, 0) for at, notes in self.threads.ways(first))
        numbers = {start: shift}
        pending = deque([start])
        while pending:
            state = pending.popleft()
            made.ends.append(self.end(state))
            readers: dict[int, list[_Thread]] = {}
            for thread in state:
                for label in self.threads.reads[thread.position] or ():
                    readers.setdefault(label, []).append(thread)
            row: Row = {}
            known: dict[tuple[_Thread, ...], Step] = {}  # many characters are read alike
            held = held_by(state)
            for label, reading in readers.items():
                key = tuple(reading)
                step = known.get(key)
                if step is None:
                    target, act = self.after(held, key)
                    if target not in numbers:
                        numbers[target] = len(numbers) + shift
                        pending.append(target)
                        if len(numbers) > MAX_STATES:
                            raise TooLargeError
                    step = known[key] = Step(numbers[target], act)
                row[label] = step
            made.rows.append(row)

    def after(self, before: int, reading: tuple[_Thread, ...]) -> tuple[tuple[_Thread, ...], Act]:
        """Return the state behind a character that these threads read, and what its edge does.

        before: what some thread of the state has noted, whether it reads the character or not.
        """
        found: dict[int, _Thread] = {}
        living: dict[_Thread, None] = {}
        for thread in reading:
            held = thread.held
            if thread.notes is not NOTHING:
                held |= self.bits(thread.notes)
            for target in self.threads.following[thread.position]:
                for position, notes in self.threads.ways(target):
                    if position not in found:
                        found[position] = _Thread(position, notes, held)
                        living[thread] = None
        after = tuple(found.values())
        lost = before & ~held_by(after) & self.clearable
        act = Act(self.together(tuple(living)), lost)
        return after, IDLE if act == IDLE else act

    def together(self, living: tuple[_Thread, ...]) -> Notes:
        """Return what threads note at one character, if they agree."""
        if all(thread.notes is NOTHING for thread in living):
            return NOTHING
        places, values = 0, dict[int, int]()
        for thread in living:
            places |= thread.notes.places
            for constant, value in thread.notes.values:
                if values.setdefault(constant, value) != value:
                    self.refuse(1 << self.told.tags + constant)
        noted = Notes(places, tuple(sorted(values.items())))
        written = self.bits(noted)
        for thread in living:
            self.refuse(written & thread.held & ~self.bits(thread.notes))
        return noted

    def refuse(self, bits: int) -> None:
        if not bits:
            return
        number = bits.bit_length() - 1
        told = self.told
        what = (
            f"where {told.fields[number // 2]} {'ends' if number % 2 else 'begins'}"
            if number < told.tags
            else f"which of {', '.join(told.constants[number - told.tags])} it is"
        )
        raise UntellableError(
            f"{self.rule}: two ways to read a text are under way at once that do not agree {what}"
        )

    def bits(self, notes: Notes) -> int:
        return notes.places | sum(1 << self.told.tags + constant for constant, _ in notes.values)

    def end(self, state: tuple[_Thread, ...]) -> Act | None:
        for thread in state:
            if self.threads.reads[thread.position] is None:
                own = thread.held | self.bits(thread.notes)
                return Act(thread.notes, held_by(state) & ~own & self.clearable)
        return None


def held_by(state: tuple[_Thread, ...]) -> int:
    """Return what some thread of a state has noted."""
    held = 0
    for thread in state:
        held |= thread.held
    return held
