"""A rule unfolded into the ways to read it, in the order in which they are tried.

Alternatives are tried as they are written, what is optional before what comes after it: the order
in which a matcher tries them. On the way stand marks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.reading.ir import Alt, Chars, Ref, Rep, Seq, Text
from abnf2lark.tagged.machine import NOTHING, Notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.automata import Alphabet
    from abnf2lark.reading.ir import Node, Rule
    from abnf2lark.tagged.marks import Mark

_Way: TypeAlias = tuple[int, Notes]


@dataclass(slots=True)
class Threads:
    """The positions of rules: what each reads, what it notes, and where it goes on, in order."""

    rules: Mapping[str, Rule]
    alphabet: Alphabet
    reads: list[frozenset[int] | None] = field(default_factory=list)
    notes: list[Notes] = field(default_factory=list)
    following: list[list[int]] = field(default_factory=list)
    _ways: dict[int, tuple[_Way, ...]] = field(default_factory=dict)

    def add(
        self,
        following: list[int],
        reads: frozenset[int] | None = None,
        notes: Notes = NOTHING,
    ) -> int:
        """Add a position."""
        self.reads.append(reads)
        self.notes.append(notes)
        self.following.append(following)
        return len(self.reads) - 1

    def unfold(self, node: Node, after: int, marks: Mapping[str, Mark]) -> int:
        """Add the positions of an expression in front of ``after``; return the first."""
        match node:
            case Chars():
                return self.add([after], self.alphabet.classes(node))
            case Text(value):
                for char in reversed(value):
                    after = self.unfold(Chars.single(char), after, marks)
                return after
            case Ref(name):
                return self._rule(name, after, marks)
            case Seq(items):
                for item in reversed(items):
                    after = self.unfold(item, after, marks)
                return after
            case Alt(items):
                return self.add([self.unfold(item, after, marks) for item in items])
            case Rep(item, low, high):
                first = after
                if high is None:
                    first = self.add([])
                    self.following[first] = [self.unfold(item, first, marks), after]
                for _ in range((high or low) - low):
                    first = self.add([self.unfold(item, first, marks), after])
                for _ in range(low):
                    first = self.unfold(item, first, marks)
                return first
            case _:
                raise TypeError(node)

    def _rule(self, name: str, after: int, marks: Mapping[str, Mark]) -> int:
        mark = marks.get(name)
        body = self.rules[name].body
        if mark is None:
            return self.unfold(body, after, marks)
        begin = end = 0
        if mark.span is not None:
            begin, end = 1 << 2 * mark.span, 2 << 2 * mark.span
        values = (mark.constant,) if mark.constant is not None else ()
        leave = self.add([after], notes=Notes(end, values))
        inside = self.unfold(body, leave, mark.inner)
        return self.add([inside], notes=Notes(begin, ())) if begin else inside

    def ways(self, start: int) -> tuple[_Way, ...]:
        """Return the positions that read or end which can be come to, the one to try first first.

        Each comes with what is noted on the way.
        """
        known = self._ways.get(start)
        if known is not None:
            return known
        found: dict[int, Notes] = {}
        seen: set[int] = set()
        pending: list[_Way] = [(start, NOTHING)]
        while pending:
            position, so_far = pending.pop()
            if position in seen:
                continue
            seen.add(position)
            own = self.notes[position]
            if own is not NOTHING:
                values = tuple(sorted({**dict(so_far.values), **dict(own.values)}.items()))
                so_far = Notes(so_far.places | own.places, values)
            following = self.following[position]
            if self.reads[position] is not None or not following:
                found[position] = so_far
            else:
                pending += [(target, so_far) for target in reversed(following)]
        self._ways[start] = tuple(found.items())
        return self._ways[start]
