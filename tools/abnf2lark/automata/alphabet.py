"""The characters of a grammar, as few classes as its sets can tell apart."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from abnf2lark.automata.limits import TooLargeError
from abnf2lark.reading.ir import MAX_CODE_POINT, Chars, Text, walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Node

# The end of a text as one more symbol behind it; its class is one past the others.
END_OF_TEXT = MAX_CODE_POINT + 1

# Classes of all sets together; there are many where many ranges overlap.
MAX_SIZE = 500_000


class Alphabet:
    """The coarsest partition of all characters in which every set of a grammar is a union.

    Characters that no set tells apart share a class; a class is a small integer.

    Raises :class:`TooLargeError` where too many sets cut each other to pieces.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        cuts = {0, MAX_CODE_POINT + 1}
        sets: set[tuple[tuple[int, int], ...]] = set()
        for node in nodes:
            for part in walk(node):
                if isinstance(part, Chars):
                    sets.add(part.ranges)
                elif isinstance(part, Text):
                    sets.update(((ord(char), ord(char)),) for char in part.value)
        for ranges in sets:
            for low, high in ranges:
                cuts.update((low, high + 1))
        starts = sorted(cuts)[:-1]
        places = [
            (number, bisect_left(starts, low), bisect_left(starts, high + 1))
            for number, ranges in enumerate(sorted(sets))
            for low, high in ranges
        ]
        if sum(end - begin for _, begin, end in places) > MAX_SIZE:
            raise TooLargeError
        signatures: list[list[int]] = [[] for _ in starts]
        for number, begin, end in places:
            for place in range(begin, end):
                signatures[place].append(number)
        classes: dict[tuple[int, ...], int] = {}
        self._starts = starts
        self._class_of_start = [
            classes.setdefault(tuple(signature), len(classes)) for signature in signatures
        ]
        self.size = len(classes)
        self._sets: dict[Chars, frozenset[int]] = {}
        self._ranges: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for start, end, label in zip(
            starts, [*starts[1:], MAX_CODE_POINT + 1], self._class_of_start, strict=True
        ):
            self._ranges[label].append((start, end - 1))

    def classes(self, chars: Chars) -> frozenset[int]:
        """Return the classes that make up a set of this grammar.

        Raises :class:`ValueError` for another set: it would hold a class in part.
        """
        found = self._sets.get(chars)
        if found is None and END_OF_TEXT in chars:
            found = self._sets[chars] = frozenset({self.size})
        if found is None:
            found = frozenset(
                self._class_of_start[place]
                for low, high in chars.ranges
                for place in range(
                    bisect_left(self._starts, low), bisect_left(self._starts, high + 1)
                )
            )
            if self.chars(found) != chars:
                raise ValueError(f"this alphabet cannot tell {chars.ranges} from other characters")
            self._sets[chars] = found
        return found

    def chars(self, labels: Iterable[int]) -> Chars:
        """Return the set of all characters in the given classes."""
        return Chars.of([span for label in labels for span in self._ranges[label]])

    def sample(self, label: int) -> str:
        """Return a readable character of a class."""
        spans = self._ranges[label]
        for low, high in ((0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x21, 0x7E)):
            for start, end in spans:
                if start <= high and end >= low:
                    return chr(max(start, low))
        return chr(spans[0][0])

    def class_of(self, char: str) -> int:
        """Return the class of a character."""
        return self._class_of_start[bisect_right(self._starts, ord(char)) - 1]
