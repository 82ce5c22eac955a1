"""What is left of a token at each place in it, by numbers: one where two tokens leave the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata.minimize import blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abnf2lark.automata import Language


class TokenRests:
    """The rests of all tokens of a grammar.

    Attributes:
        edges: for each rest, what each character leaves of it.
        final: those of which nothing need come.
        done: that of which nothing can.

    """

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages
        rows: dict[int, dict[int, int]] = {}
        final: set[int] = set()
        first: dict[str, int] = {}
        for name, language in languages.items():
            first[name] = base = len(rows)
            for state, row in enumerate(language.edges):
                rows[base + state] = {label: base + target for label, target in row.items()}
                if state in language.final:
                    final.add(base + state)
        block = blocks(rows, final)
        self._places: dict[int, tuple[str, int]] = {}  # a token, and a state of it
        self._of: dict[str, list[int]] = {}
        for name, language in languages.items():
            self._of[name] = [block[first[name] + state] for state in range(len(language.edges))]
            for state, rest in enumerate(self._of[name]):
                self._places.setdefault(rest, (name, state))
        self.edges = {
            block[state]: {label: block[target] for label, target in row.items()}
            for state, row in rows.items()
        }
        self.final = {block[state] for state in final}
        self.done = next((one for one in self.final if not self.edges[one]), len(rows))
        self.edges.setdefault(self.done, {})
        self.final.add(self.done)

    def first(self, token: str) -> int:
        """Return what is left of a token that begins: all of it."""
        return self._of[token][0]

    def of(self, tokens: Iterable[str]) -> set[int]:
        """Return all rests of some tokens."""
        return {rest for token in tokens for rest in self._of[token]}

    def more(self, rest: int) -> Language | None:
        """Return the texts, not empty, that make more of a token; ``None`` if there are none."""
        if not self.edges[rest]:
            return None
        token, state = self._places[rest]
        return self._languages[token].after(state).without_empty()
