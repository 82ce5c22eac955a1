"""What grammars have in common of which mutants are looked for on demand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uriparse.grammar.automata import Witnesses


class Searching(ABC):
    """Looks for the witnesses of a rule once, unless it is told them by who remembers them."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[str, Witnesses] = {}

    def witnesses(self, rule: str) -> Witnesses:
        """Give the texts that tell a rule from its mutants; takes seconds, or a minute, once."""
        found = self._found.get(rule)
        if found is None:
            found = self._found[rule] = self._searched(rule)
        return found

    def knows(self, rule: str) -> bool:
        """Whether the witnesses of a rule, in the grammar's spelling, need not be looked for."""
        return rule in self._found

    def learn(self, rule: str, found: Witnesses) -> None:
        """Take what was found at another time of the same grammar."""
        self._found[rule] = found

    @abstractmethod
    def _searched(self, rule: str) -> Witnesses:
        """Look for them."""
