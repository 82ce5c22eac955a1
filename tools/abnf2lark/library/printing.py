"""Print records: texts of a rule in which other rules have given texts."""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from heapq import heappop, heappush
from typing import Final, TypeAlias

from abnf2lark.charts import LimitError
from abnf2lark.ir import Chars, RuleSet, memoized
from abnf2lark.library.generating import Deriver, written
from abnf2lark.reading.positions import Unfolding

MAX_POSITIONS: Final = 100_000  # positions of a rule that is to be printed
MAX_STATES: Final = 1_000_000  # positions with values left, of one search: some hundred megabytes

Way: TypeAlias = "tuple[str, Way] | None"


class Printer:
    """Prints rules of a grammar, each of which is unfolded when it is first needed."""

    def __init__(self, grammar: RuleSet, captured: AbstractSet[str]) -> None:
        self.grammar = grammar
        self.captured = captured

    def text(self, rule: str, values: Mapping[str, tuple[str, ...]]) -> str:
        """Return the shortest text of a rule in which captured rules have the texts, in order.

        Other captured rules have their shortest texts, if they are needed.

        ValueError if there is no such text; `LimitError` if the search takes too long.
        """
        text = self._positions(rule).shortest(values)
        if text is None:
            given = ", ".join(f"{len(own)} of {name}" for name, own in values.items())
            raise ValueError(f"no text of {rule} has {given or 'nothing in it'}")
        return text

    @memoized
    def _positions(self, rule: str) -> "_Positions":
        return _Positions(self, rule)

    @cached_property
    def short(self) -> Callable[[str], str]:
        """Returns a shortest text of a rule."""
        return cache(Deriver(self.grammar).shortest)


class _Positions(Unfolding[str]):
    """The positions of a rule; a captured rule in it is one position, whose path is its name."""

    def __init__(self, printer: Printer, rule: str) -> None:
        super().__init__()
        self._printer = printer
        self._rule = rule
        start = printer.grammar.rules[rule].body
        self._start = self.unfold(start, self.position([], ""), "")

    def position(self, ways: list[int], around: str, chars: Chars | None = None) -> int:
        if len(self.following) >= MAX_POSITIONS:
            raise LimitError(f"{self._rule} is too large to print: repeat less of it")
        return super().position(ways, around, chars)

    def rule_at(self, name: str, after: int, around: str) -> int:
        if name in self._printer.captured:
            return self.position([after], name)
        return self.unfold(self._printer.grammar.rules[name].body, after, around)

    def shortest(self, values: Mapping[str, tuple[str, ...]]) -> str | None:
        """Find a shortest text by Dijkstra's algorithm over positions and used values."""
        names = [name for name, own in values.items() if own]
        places = {name: place for place, name in enumerate(names)}
        whole = tuple(len(values[name]) for name in names)
        begin = self._start, (0,) * len(names)
        pending: list[tuple[int, int, tuple[int, tuple[int, ...]], Way]] = [(0, 0, begin, None)]
        seen: set[tuple[int, tuple[int, ...]]] = set()
        number = 0
        while pending:
            cost, _, here, way = heappop(pending)
            if here in seen:
                continue
            seen.add(here)
            if len(seen) > MAX_STATES:
                raise LimitError(f"{self._rule} has too many ways to hold so many values")
            position, used = here
            if position == 0:
                if used == whole:
                    return "".join(reversed([*_texts(way)]))
                continue
            chars, called = self.characters[position], self.paths[position]
            text = "" if chars is None else written(chars)
            if called and called not in values:
                text = self._printer.short(called)
            elif called:
                place = places.get(called)
                if place is None or used[place] == whole[place]:
                    continue
                text = values[called][used[place]]
                used = (*used[:place], used[place] + 1, *used[place + 1 :])
            then = (text, way) if text else way
            for target in self.following[position]:
                number += 1  # of two ways that cost the same, the first alternative
                heappush(pending, (cost + len(text), number, (target, used), then))
        return None


def _texts(way: Way) -> Iterator[str]:
    while way is not None:
        text, way = way
        yield text
