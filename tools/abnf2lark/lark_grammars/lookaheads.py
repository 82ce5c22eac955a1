"""Guards of a few characters: the first ones of all that can follow a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Language
from abnf2lark.patterns.flavours import PYTHON

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet


class Lookahead:
    """What may follow, told by so many characters, or by fewer and the end of the text.

    ``length`` 0 lets everything pass.
    """

    def __init__(self, rest: Language, length: int, alphabet: Alphabet) -> None:
        self._rest = rest
        self._length = length
        self._alphabet = alphabet

    def language(self) -> Language:
        """Return the continuations that pass."""
        size = self._alphabet.size
        if not self._length:
            return Language.everything(size)
        numbers = {(0, self._length): 0}
        edges: list[dict[int, int]] = []
        final: set[int] = set()
        pending = [(0, self._length)]
        for state, left in pending:
            if left == 0:
                final.add(len(edges))
                edges.append(dict.fromkeys(range(size), len(edges)))
                continue
            if state in self._rest.final:
                final.add(len(edges))
            row: dict[int, int] = {}
            for label, target in self._rest.edges[state].items():
                there = (target, left - 1) if left > 1 else (0, 0)
                if there not in numbers:
                    numbers[there] = len(numbers)
                    pending.append(there)
                row[label] = numbers[there]
            edges.append(row)
        return Language(edges, final, size)

    def spelled(self) -> str:
        """Write it as a lookahead; empty where everything passes."""
        if not self._length:
            return ""
        if self._length > 1:
            return f"(?={self._ways(0, self._length)})"
        chars = self._alphabet.chars(self._rest.first())
        if not self._rest.nullable():
            return f"(?={PYTHON.char_class(chars.ranges)})"
        shown = PYTHON.char_class(chars.ranges, negated=True) if chars.ranges else ""
        return f"(?!{shown})" if shown else r"\Z"

    def _ways(self, state: int, left: int) -> str:
        if left == 0:
            return ""
        ways: dict[str, set[int]] = {}
        for label, target in self._rest.edges[state].items():
            ways.setdefault(self._ways(target, left - 1), set()).add(label)
        found = [
            PYTHON.char_class(self._alphabet.chars(labels).ranges) + then
            for then, labels in ways.items()
        ]
        if state in self._rest.final:
            found.append(r"\Z")
        return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"
