"""Numbered tables of a grammar, whose entries are made when they are first requested.

The engines, in Python and in C, only know numbers and request entries, each once. So transitions
are defined in one place.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from abnf2lark import ir
from abnf2lark.charts.network import Network, State, States
from abnf2lark.reading.recursion import alone, components

# The tables, by number, with their up to three indices; an entry is a number. Numbers of states and
# sets begin with 1: 0 is not a state, but the empty set.
#
#  0 STEP    state, cell: the state after a character of the cell
#  1 START   rule: the state in which it begins
#  2 FIRST   rule: the position with which it begins
#  3 LAST    rule: the set of its end alone
#  4 READ    state, cell, set: the positions that read the cell and lead into the set
#  5 CALL    state, rule, set: the positions that call the rule and lead into the set
#  6 WAITS   set, rule: whether a call of the rule leads into the set
#  7 JOIN    set, set: the positions in either
#  8 HAS     set, position: whether it is in the set
#  9 WAY     position, set: the first way from it into the set
# 10 EMPTY   rule: the way on which it derives the empty string
# 11 CYCLIC  rule, rule: whether each derives the other alone
# 12 BEST    rule, cell: the preferred call with which it begins, or 0
# 13 LIVE    state, cell: whether it can end, or a text goes on from it with a character of the cell

ENTER, LEAVE, INSIDE, CALLED = range(4)
"""Steps of a derivation: a rule begins, ends, derives the empty string, or is called."""

END, CHARACTER, RULE = range(3)  # what a way leads to


class RefusalError(Exception):
    """A reading exceeds its limits: which one, and at which offset."""


class Row(NamedTuple):
    """A state for the engine.

    rule: the rule of its network.
    ends: whether the rule may end here.
    last: whether it can only end here.
    calls: flat triples: a called rule, the state after it, whether it derives the empty string.
    """

    rule: int
    ends: bool
    last: bool
    calls: tuple[int, ...]


class Way(NamedTuple):
    """The steps to the next position that reads, calls or ends, and its kind."""

    steps: tuple[int, ...]
    kind: int
    position: int
    rule: int
    following: int


Steps: TypeAlias = "tuple[int, Steps] | None"  # newest first


class Tables:
    """The tables of a grammar; ``names`` are those of its rules, then of called parts."""

    def __init__(self, states: States) -> None:
        self._states = states
        self._numbers = ir.Numbering(*states.grammar.rules)
        self.names = self._numbers.order
        self._rows: ir.Numbering[State | None] = ir.Numbering(None)
        self._sets = ir.Numbering(("", frozenset[int]()))
        self._ways = ir.Numbering[Way]()
        self._is_live: dict[tuple[State, int], bool] = {}
        self._answers: tuple[Callable[[int, int, int], int], ...] = (
            lambda state, cell, _: self._rows[self.state(state).after(cell)],
            lambda rule, *_: self._rows[states.start(self.names[rule])],
            lambda rule, *_: self._network(rule).start,
            lambda rule, *_: self._of_set(self.names[rule], [0]),
            self._read,
            self._call,
            self._waits,
            self._join,
            lambda where, position, _: position in self._sets.order[where][1],
            self._way,
            self._empty,
            lambda left, right, _: self._alike(self.names[left], self.names[right]),
            self._best,
            self._live,
        )

    def ask(self, what: int, a: int, b: int = 0, c: int = 0) -> int:
        """Return an entry; raises `LimitError` where a rule is too large."""
        self._states.keep(1)
        return self._answers[what](a, b, c)

    def row(self, state: int) -> Row:
        """Return the row of a state."""
        here = self.state(state)
        calls = tuple(
            number
            for name, after in here.calls
            for number in (self.number(name), self._rows[after], self._rank(name) is not None)
        )
        last = here.ends and len(here.items) == 1
        return Row(self.number(here.network.rule), here.ends, last, calls)

    def way(self, number: int) -> Way:
        """Return a way."""
        return self._ways.order[number]

    def state(self, number: int) -> State:
        """Return a state."""
        found = self._rows.order[number]
        if found is None:
            raise LookupError(number)
        return found

    def number(self, name: str) -> int:
        """Return the number of a rule, or of a part of one."""
        return self._numbers[name]

    def _live(self, state: int, cell: int, _: int) -> int:
        first = self.state(state)
        found: dict[State, State | None] = {first: None}  # with what led there
        pending = [first]
        while pending:
            here = pending.pop()
            known = self._is_live.get((here, cell))
            if known or (known is None and (here.ends or here.after(cell) is not None)):
                live: State | None = here
                while live is not None:
                    self._is_live[live, cell] = True
                    live = found[live]
                return True
            for name, after in here.calls if known is None else ():
                inner = (self._states.start(name), after)[: 1 + (self._rank(name) is not None)]
                pending += [one for one in inner if one not in found]
                found.update((one, here) for one in inner if one not in found)
        self._is_live.update(((one, cell), False) for one in found)
        return False

    def _network(self, rule: int) -> Network:
        return self._states.network(self.names[rule])

    # Sets of positions of a network from which the end of the rule can be reached.

    def _of_set(self, rule: str, positions: Iterable[int]) -> int:
        key = rule, frozenset(positions)
        if not key[1]:
            return 0
        if key not in self._sets:
            self._states.keep(len(key[1]) // 10 + 2)
        return self._sets[key]

    def _read(self, state: int, cell: int, wanted: int) -> int:
        here, code = self.state(state), self._states.code(cell)
        characters = here.network.characters
        reading = (position for position, _ in here.items if code in (characters[position] or ()))
        return self._into(here.network, wanted, reading)

    def _call(self, state: int, rule: int, wanted: int) -> int:
        here, name = self.state(state), self.names[rule]
        calling = set(self._calls(here.network).get(name, ()))
        return self._into(
            here.network, wanted, (position for position, _ in here.items if position in calling)
        )

    def _into(self, network: Network, wanted: int, positions: Iterable[int]) -> int:
        """Return the positions after which a set can be reached."""
        before = self._before(network, wanted)
        return self._of_set(
            network.rule,
            (position for position in positions if network.following[position][0] in before),
        )

    def _waits(self, wanted: int, rule: int, _: int) -> int:
        network = self._states.network(self._sets.order[wanted][0])
        return bool(self._into(network, wanted, self._calls(network).get(self.names[rule], ())))

    @ir.memoized
    def _calls(self, network: Network) -> Mapping[str, Sequence[int]]:
        kinds = enumerate(network.kinds)
        return ir.grouped((network.names[at], at) for at, kind in kinds if kind == "call")

    def _join(self, left: int, right: int, _: int) -> int:
        rule, positions = self._sets.order[left]
        return self._of_set(rule, positions | self._sets.order[right][1]) if left else right

    @ir.memoized
    def _before(self, network: Network, wanted: int) -> frozenset[int]:
        """Return the positions from which a set is reached without reading, and the set itself."""
        back = self._way_back(network)
        targets = self._sets.order[wanted][1]
        found = frozenset(ir.reached(targets, lambda here: back.get(here, ())))
        self._states.keep(len(found) // 10 + 2)
        return found

    @ir.memoized
    def _way_back(self, network: Network) -> Mapping[int, Sequence[int]]:
        """Return by position its predecessors that read nothing."""

        def is_passed(here: int) -> bool:
            kind = network.kinds[here]
            return kind != "read" and (
                kind != "call" or self._rank(network.names[here]) is not None
            )

        passed = filter(is_passed, range(len(network.kinds)))
        return ir.grouped((after, here) for here in passed for after in network.following[here])

    # Ways: depth first, in the order of the alternatives.

    def _way(self, position: int, wanted: int, _: int) -> int:
        owner, targets = self._sets.order[wanted]
        network = self._states.network(owner)
        return self._ways[self._found(network, position, targets, None)]

    def _empty(self, rule: int, _: int, __: int) -> int:
        network = self._network(rule)
        return self._ways[self._found(network, network.start, frozenset([0]), network.rule)]

    def _best(self, rule: int, cell: int, _: int) -> int:
        network, code = self._network(rule), self._states.code(cell)
        fitting = (
            position
            for position, kind in enumerate(network.kinds)
            if kind == "call" or code in (network.characters[position] or ())
        )
        found = self._found(network, network.start, frozenset((0, *fitting)), None)
        return found.position if found.kind == RULE else 0

    def _found(
        self, network: Network, start: int, targets: frozenset[int], empty: str | None
    ) -> Way:
        """Find the first way; ``empty``: within a rule that derives the empty string."""
        seen: set[int] = set()
        pending: list[tuple[int, Steps]] = [(start, None)]
        while pending:
            position, steps = pending.pop()
            if position in seen:
                continue
            seen.add(position)
            kind, name = network.kinds[position], network.names[position]
            if position in targets:
                kinds = {"end": END, "read": CHARACTER, "call": RULE}
                called = self.number(name) if kind == "call" else 0
                after = network.following[position][0] if kind != "end" else 0
                return Way(_in_order(steps), kinds[kind], position, called, after)
            if kind in ("read", "end") or (kind == "call" and not self._passes(name, empty)):
                continue
            if kind != "choice":
                what = {"enter": ENTER, "leave": LEAVE, "call": INSIDE}[kind]
                steps = 4 * self.number(name) + what, steps
            pending += [(target, steps) for target in reversed(network.following[position])]
        raise AssertionError(f"{network.rule} has a way to the end, as its sets say")

    def _passes(self, name: str, empty: str | None) -> bool:
        """Return whether a rule derives the empty string here."""
        rank = self._rank(name)
        if rank is None or empty is None or not self._alike(name, empty):
            return rank is not None
        # A cyclic rule only uses rules of earlier rounds, so that this terminates; a part of a rule
        # is known in the same round.
        least = self._rank(empty) or 0
        return rank < least or (rank == least and name.startswith(f"{empty} "))

    @ir.memoized
    def _rank(self, name: str) -> int | None:
        """Return the round in which a rule is found nullable, or ``None``."""
        part, rounds = self._states.parts.get(name, (None,))[0], self._rounds
        if part is None:
            return rounds.get(name)
        for rank in range(1, max(rounds.values(), default=0) + 2):
            if ir.is_nullable(part, {one for one, found in rounds.items() if found < rank}):
                return rank
        return None

    @cached_property
    def _rounds(self) -> dict[str, int]:
        known: dict[str, int] = {}
        grammar = self._states.grammar
        wanted = ir.nullable_rules(grammar)
        while len(known) < len(wanted):
            found = {*known}
            rank = max(known.values(), default=0) + 1
            for name in wanted - found:
                if ir.is_nullable(grammar.rules[name].body, found):
                    known[name] = rank
        return known

    # Cyclic rules: each derives the other and nothing else.

    def _alike(self, left: str, right: str) -> bool:
        group = self._groups.get(left.partition(" ")[0])
        return group is not None and group == self._groups.get(right.partition(" ")[0])

    @cached_property
    def _groups(self) -> dict[str, int]:
        grammar = self._states.grammar
        steps = alone(grammar, grammar.rules)
        return {
            name: number
            for number, group in enumerate(components(steps))
            for name in group
            if len(group) > 1 or name in steps[name]
        }


def _in_order(steps: Steps) -> tuple[int, ...]:
    found = []
    while steps is not None:
        step, steps = steps
        found.append(step)
    return tuple(reversed(found))
