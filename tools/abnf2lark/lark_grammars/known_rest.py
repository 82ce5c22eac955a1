"""What is known of the rest of a text: languages that it is of, all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.automata import Language

# Languages, each by its number and a state: what is to come leads from there to an end of it.
Behind: TypeAlias = "frozenset[tuple[int, int]]"
ANYTHING: Behind = frozenset()


class KnownRest:
    """Languages over so many characters, and what they say when some of a text has been read."""

    def __init__(self, size: int) -> None:
        self._all = frozenset(range(size))
        self._languages: list[Language] = []
        self._numbers: dict[Language, int] = {}
        self._moves: dict[tuple[Behind, int], Behind | None] = {}

    def of(self, language: Language) -> Behind:
        """Return what lets a text be one of a language."""
        number = self._numbers.setdefault(language, len(self._numbers))
        if number == len(self._languages):
            self._languages.append(language)
        return self._loosened({(number, 0)})

    def moved(self, behind: Behind, label: int) -> Behind | None:
        """Return what the rest is of behind a character; ``None`` where that cannot come."""
        if not behind:
            return behind
        key = (behind, label)
        if key not in self._moves:
            rows = self.rows(behind)
            found = {
                (number, row[label])
                for (number, _), row in zip(behind, rows, strict=True)
                if label in row
            }
            self._moves[key] = self._loosened(found) if len(found) == len(rows) else None
        return self._moves[key]

    def labels(self, behind: Behind) -> frozenset[int]:
        """Return the characters that can come."""
        return self._all.intersection(*self.rows(behind))

    def may_end(self, behind: Behind) -> bool:
        """Tell whether nothing need come."""
        return all(state in self._languages[number].final for number, state in behind)

    def rows(self, behind: Behind) -> list[dict[int, int]]:
        """Return where each character leads in each of the languages."""
        return [self._languages[number].edges[state] for number, state in behind]

    def _loosened(self, behind: Iterable[tuple[int, int]]) -> Behind:
        """Forget languages that all texts are of from here on."""
        return frozenset(one for one in behind if not self._is_loose(*one))

    def _is_loose(self, number: int, state: int) -> bool:
        language = self._languages[number]
        row = language.edges[state]
        loose = state in language.final and set(row.values()) == {state}
        return loose and row.keys() == self._all
