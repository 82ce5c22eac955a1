"""The ways through an automaton, in readable words: to each state, and from it to an end."""

from __future__ import annotations

from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from uriparse.conformance.automata import DEAD
from uriparse.conformance.characters import sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.conformance.automata import Automaton

EXAMPLES: Final = (
    *("http://a.b/c", "http://a.b/c?d=e#f", "http://a.b:80/", "http://u@a.b/", "http://a/b;c"),
    *("urn:isbn:1", "mailto:a@b.c", "data:,a", "tel:+1", "a:b/c", "file:///a", "a:/b"),
    *("http://1.2.3.4/", "http://25.0.0.1/", "http://199.1/", "http://a%20b/", "http://a/%20"),
    *("http://[::1]/", "http://[1:2:3:4:5:6:7:8]", "http://[1::8]", "http://[::1.2.3.4]"),
    *("http://[v1.a]/", "//a.b/c", "/a/b", "a/b", "../a", "./a", "?a=b", "#a", "1.2.3.4", "[::1]"),
    *("ftp://u:p@a.b/c;type=i", "ftp://a.b/c", "gopher://a.b/1c", "gopher://a/1b%09c%09+d"),
    *("news:a.b", "news:a@b", "news:*", "nntp://a.b/c/1", "telnet://a.b/", "wais://a.b/c"),
    *("wais://a.b/c?d", "wais://a/b/c/d", "prospero://a/b;c=d", "file://localhost/a"),
    *("http://é.b/ü", "http://a.b/c?\ue000"),
)
"""Texts as people write them, short ones; their prefixes are better read than random words."""


class Ways:
    """Words that lead through an automaton.

    Attributes:
        automaton: which one.
        examples: texts whose prefixes are taken where they lead to a state.

    """

    def __init__(self, automaton: Automaton, examples: tuple[str, ...] = EXAMPLES) -> None:
        self.automaton = automaton
        self.examples = examples

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """A readable character for each class."""
        return tuple(map(sample, self.automaton.classes))

    @cached_property
    def to(self) -> tuple[str, ...]:
        """A word to each state: the shortest that one of the examples begins with, if one does.

        The others go on from those, by as few characters as can be.
        """
        found: dict[int, str] = {0: ""}
        for state, word in self._examples():
            if state not in found or (state and len(word) < len(found[state])):
                found[state] = word
        pending: list[tuple[int, int, int]] = []
        order = dict(found)
        for state, word in found.items():
            heappush(pending, (len(word), len(pending), state))
        count = len(pending)
        done: set[int] = set()
        while pending:
            _, _, state = heappop(pending)
            if state in done:
                continue
            done.add(state)
            for label, target in self._steps(state):
                word = order[state] + self.samples[label]
                if target not in found and len(word) < len(order.get(target, word + " ")):
                    order[target] = word
                    count += 1
                    heappush(pending, (len(word), count, target))
        return tuple(order[state] for state in range(len(self.automaton)))

    @cached_property
    def home(self) -> tuple[str, ...]:
        """A shortest word from each state to an end."""
        back: dict[int, list[tuple[int, int]]] = {}
        for state in range(len(self.automaton)):
            for label, target in self._steps(state):
                back.setdefault(target, []).append((state, label))
        found = dict.fromkeys(sorted(self.automaton.final), "")
        for state in (walk := list(found)):
            for before, label in back.get(state, ()):
                if before not in found:
                    found[before] = self.samples[label] + found[state]
                    walk.append(before)
        return tuple(found[state] for state in range(len(self.automaton)))

    def _steps(self, state: int) -> list[tuple[int, int]]:
        """List what can follow, readable characters first."""
        return sorted(
            self.automaton.edges[state].items(),
            key=lambda step: (not self.samples[step[0]].isalnum(), self.samples[step[0]]),
        )

    def _examples(self) -> Iterator[tuple[int, str]]:
        """Yield the states that examples lead through, with the words that do so."""
        texts = [text for text in self.examples if self.automaton.accepts(text)]
        for text in texts:
            state = 0
            for offset, character in enumerate(text):
                state = self.automaton.step(state, character)
                if state == DEAD:
                    break
                yield state, text[: offset + 1]
