"""States: the positions of a rule that are open at a time, put together when first come to."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, TypeAlias

from abnf2lark.charts.network import Networks, spelled
from abnf2lark.reading.ir import SURROGATES, Alt, Chars, Ref, Rep, Text, children, leading_to, walk
from abnf2lark.reading.loops import innermost_first, recursive_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from abnf2lark.charts.network import Network
    from abnf2lark.reading.ir import Grammar, Node

MAX_KEPT: Final = 1_000_000
"""Positions of the states that are kept; about 200 MB."""

Item: TypeAlias = tuple[int, int]  # a position, and how many of the rules around it are begun


class State:
    """Positions of one network that are open at a time."""

    __slots__ = ("_calls", "_moves", "ends", "items", "network", "owner")

    def __init__(self, owner: States, network: Network, items: tuple[Item, ...]) -> None:
        self.owner = owner
        self.network = network
        self.items = items
        self.ends = any(network.kinds[position] == "end" for position, _ in items)
        self._moves: dict[int, State | None] = {}
        self._calls: tuple[tuple[str, State], ...] | None = None

    @property
    def calls(self) -> tuple[tuple[str, State], ...]:
        """The rules that are called here, each with the state behind it."""
        if self._calls is None:
            self._calls = self.owner.calls(self.network, self.items)
        return self._calls

    def after(self, cell: int) -> State | None:
        """Return the state behind a character of a cell; ``None`` if none is read here."""
        try:
            return self._moves[cell]
        except KeyError:
            found = self._moves[cell] = self.owner.step(self.network, self.items, cell)
            return found

    @property
    def rule(self) -> str:
        """The rule that the network is of, or of a part of which it is."""
        return self.network.rule.partition(" ")[0]

    def expected(self, whose: str) -> Iterator[tuple[str, str, str]]:
        """Yield each word that is expected, the rule that expects it, and what is called for it.

        ``whose`` expects what stands in no rule that is begun.
        """
        network, small, blank = self.network, self.owner.small, self.owner.blank
        for position, begun in self.items:
            path = network.paths[position]
            if not blank.isdisjoint(path[:begun]):  # more of it is no news
                begun = next(place for place, one in enumerate(path) if one in blank)  # noqa: PLW2901
            rule = path[begun - 1] if begun else whose
            fresh = next((one for one in path[begun:] if one in small or one in blank), "")
            if network.kinds[position] == "read":
                yield fresh or network.words[position], rule, ""
            elif network.kinds[position] == "call":
                name = network.names[position]
                fresh = fresh or (name if name in small or name in blank else "")
                yield fresh, rule, "" if fresh else name


class States:
    """The states of the rules of a grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.networks = Networks(grammar)
        self.small = _small_rules(grammar)
        self.blank = _blank_rules(grammar)
        self._cuts = _cuts(grammar)
        self._cells: dict[str, int] = {}
        self._starts: dict[str, State] = {}
        self._known: dict[tuple[str, tuple[Item, ...]], State] = {}
        self._kept = 0

    def cell(self, character: str) -> int:
        """Return the number of the characters that no set of the grammar tells from this one."""
        found = self._cells.get(character)
        if found is None:
            code = ord(character)
            found = -1 if code in SURROGATES else bisect_right(self._cuts, code)
            if len(self._cells) < MAX_KEPT:
                self._cells[character] = found
        return found

    def start(self, rule: str) -> State:
        """Return the state in which a rule begins; raises ``TooManyPositionsError``."""
        found = self._starts.get(rule)
        if found is None:
            network = self.networks.network(rule)
            found = self._starts[rule] = self._state(
                network, _closed(network, [(network.start, 0)])
            )
        return found

    def tidy(self) -> None:
        """Forget the states, if they have become many; those in use stay as they are."""
        if self._kept > MAX_KEPT:
            self._known.clear()
            self._starts.clear()
            self._kept = 0

    def calls(self, network: Network, items: tuple[Item, ...]) -> tuple[tuple[str, State], ...]:
        """Return the rules that are called at positions, each with the state behind it."""
        called: dict[str, list[Item]] = {}
        for position, _ in items:
            if network.kinds[position] == "call":
                depth = len(network.paths[position])
                behind = ((target, depth) for target in network.following[position])
                called.setdefault(network.names[position], []).extend(behind)
        return tuple(
            (name, self._state(network, _closed(network, behind)))
            for name, behind in called.items()
        )

    def step(self, network: Network, items: tuple[Item, ...], cell: int) -> State | None:
        """Return the state behind a character read at positions; ``None`` if it is not."""
        if cell < 0:
            return None
        code = self._cuts[cell - 1] if cell else 0
        behind: list[Item] = []
        for position in dict.fromkeys(position for position, _ in items):
            chars = network.characters[position]
            if chars is not None and code in chars:
                depth = len(network.paths[position])
                behind += ((target, depth) for target in network.following[position])
        return self._state(network, _closed(network, behind)) if behind else None

    def _state(self, network: Network, items: tuple[Item, ...]) -> State:
        key = network.rule, items
        found = self._known.get(key)
        if found is None:
            self._kept += len(items) + 10
            found = self._known[key] = State(self, network, items)
        return found


def _closed(network: Network, items: Iterable[Item]) -> tuple[Item, ...]:
    """Follow the steps that read nothing; keep how many of the rules around have been begun.

    A position that is come to in several ways counts as it is come to first.
    """
    found: list[Item] = []
    seen: set[int] = set()
    pending = [*items][::-1]
    while pending:
        position, depth = pending.pop()
        if position in seen:
            continue
        seen.add(position)
        depth = min(depth, len(network.paths[position]))
        if network.kinds[position] in ("read", "call", "end"):
            found.append((position, depth))
        else:
            pending += [(target, depth) for target in reversed(network.following[position])]
    return tuple(found)


def _cuts(grammar: Grammar) -> list[int]:
    """Return where sets of characters begin or end, in order."""
    cuts = {0}
    for rule in grammar.rules.values():
        for part in walk(rule.body):
            if isinstance(part, Chars):
                cuts.update(code for low, high in part.ranges for code in (low, high + 1))
            elif isinstance(part, Text):
                cuts.update(code for char in part.value for code in (ord(char), ord(char) + 1))
    return sorted(cuts)


def _blank_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules that match white space and nothing else."""
    inside = {name: [*walk(rule.body)] for name, rule in grammar.rules.items()}
    filled = {
        name
        for name, parts in inside.items()
        if any(isinstance(part, Chars | Text) for part in parts)
    }
    visible = {name for name, parts in inside.items() if not all(map(_is_blank, parts))}
    return leading_to(grammar, filled) - leading_to(grammar, visible)


def _is_blank(node: Node) -> bool:
    match node:
        case Chars(ranges):
            return all(chr(code) in _BLANK for pair in ranges for code in pair)
        case Text(value):
            return all(char in _BLANK for char in value)
        case _:
            return True


_BLANK: Final = "\t\n\r "
_LONG: Final = 4  # characters: more than a character or its escape has


def _small_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules all of whose words have one to three characters.

    But for those that stand for one character which says more than their names.
    """
    known: dict[str, tuple[int, int]] = {}
    for name in innermost_first(grammar, recursive_rules(grammar)):
        known[name] = _lengths(grammar.rules[name].body, known)
    return frozenset(
        name
        for name, (low, high) in known.items()
        if low and high < _LONG and not _is_shown(grammar.rules[name].body)
    )


def _is_shown(node: Node) -> bool:
    return isinstance(node, Chars) and spelled(node).startswith('"') and spelled(node) != '" "'


def _lengths(node: Node, known: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """Return how short and how long words are, as far as that is below ``_LONG``."""
    match node:
        case Chars():
            found = 1, 1
        case Text(value):
            found = len(value), len(value)
        case Ref(name):
            found = known.get(name, (0, _LONG))
        case Rep(item, low, high):
            least, most = _lengths(item, known)
            found = least * low, most * (_LONG if high is None else high)
        case Alt(items):
            lows, highs = zip(*(_lengths(item, known) for item in items), strict=True)
            found = min(lows), max(highs)
        case _:
            lengths = [_lengths(part, known) for part in children(node)]
            found = sum(low for low, _ in lengths), sum(high for _, high in lengths)
    return min(found[0], _LONG), min(found[1], _LONG)
