"""The engine in Python: the chart of a text, and its first derivation.

The C engine of `abnf2lark._native` has the same results; this one is the reference.

Reading is Earley's algorithm (1970), with states instead of dotted rules as in Aycock and Horspool
(2002): an item is a state and the offset at which its rule begins. A rule that calls no other is
read by its automaton, one step a character. If only one item waits for a rule, and ends with it,
the topmost item of such a chain is added at once, as in Leo (1991): so time is linear for
LR-regular grammars, right recursion included. The worst case is cubic.

A derivation passes each rule twice: backwards from its end, to find the positions from which the
end is reached, and forwards by the first alternatives that lead to these. So it never backtracks.
Nothing here is recursive.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from abnf2lark.charts.tables import CALLED, CHARACTER, ENTER, INSIDE, LEAVE, RULE, Row, Tables, Way
from abnf2lark.ir import SURROGATES, Memo, grouped, memoized

STEP, START, FIRST, LAST, READ, CALL, WAITS, JOIN, HAS, WAY, EMPTY, CYCLIC, BEST, LIVE = range(14)
"""The tables of `Tables`, in its order."""

Origin: TypeAlias = "tuple[int, int]"  # a rule, and where it begins
Step: TypeAlias = "tuple[int, int, int]"  # what there is to do, where, and where it ends


class Found(NamedTuple):
    """The result of an engine, as `Reading` explains it, with numbers instead of states."""

    matches: bool
    offset: int
    may_end: bool
    items: Sequence[tuple[int, int]]
    nodes: bytes | None


class Room(NamedTuple):
    """The limits of a reading: items of the chart, visits of items, steps of the derivation."""

    items: int
    work: int
    steps: int


class Engine:
    """Reads texts with tables; raises ``refusal`` with the exceeded limit and the offset."""

    def __init__(self, tables: Tables, cuts: tuple[int, ...], refusal: type[Exception]) -> None:
        self.cuts = cuts
        self.refusal = refusal
        self.ask: Memo[tuple[int, ...], int] = Memo(lambda question: tables.ask(*question))
        self.row: Memo[int, Row] = Memo(tables.row)
        self.way: Memo[int, Way] = Memo(tables.way)

    def read(self, rule: int, text: str, kept: bytes | None, room: Room) -> Found:
        """Read a text, and derive it by the rules that are kept, if they are given."""
        cell_of = {
            char: 0 if ord(char) in SURROGATES else bisect_right(self.cuts, ord(char))
            for char in set(text)
        }
        cells = array("I", map(cell_of.__getitem__, text))
        chart = _Chart(self, rule, cells, room)
        offset = chart.read()
        matches = offset == len(cells) and chart.accepted
        last = range(chart.first[offset], chart.first[offset + 1])
        items = [(chart.state[one], chart.origin[one]) for one in last]
        nodes = chart.derived(kept).tobytes() if matches and kept is not None else None
        return Found(matches, offset, chart.accepted, items if nodes is None else [], nodes)


class _Caller(NamedTuple):
    """The only item that waits for a rule, and the topmost item of its chain."""

    state: int
    origin: int
    rule: int
    top: Origin  # a state, and where its rule begins


class _Chart:
    def __init__(self, engine: Engine, rule: int, cells: Sequence[int], room: Room) -> None:
        self.engine = engine
        self.rule = rule
        self.cells = cells
        self.items_left, self.work_left, self.steps_left = room
        self.state = array("I")
        self.origin = array("I")
        self.first = array("I", [0])  # by offset, the first of its items
        self.accepted = False
        self._here: set[tuple[int, int]] = set()
        self._leapt: set[int] = set()  # items that end more than one rule
        self._callers: dict[Origin, _Caller | None] = {}
        self._chained: dict[tuple[int, int, int], list[Origin]] = {}
        self._expanded: set[int] = set()

    # Reading

    def read(self) -> int:
        """Read the longest viable prefix; return its length."""
        ask, state, origin = self.engine.ask, self.state, self.origin
        self._add(ask[START, self.rule], 0)
        for offset, cell in enumerate([*self.cells, 0]):
            before = len(state)
            self._complete(offset, cell)
            self.first.append(len(state))
            self._here = set()
            for one in range(self.first[offset], self.first[offset + 1]):
                after = ask[STEP, state[one], cell] if cell else 0
                if after:
                    self._add(after, origin[one])
            if len(state) == self.first[-1]:
                break
        if cell:  # what could have followed is told by all items
            del state[before:], origin[before:], self.first[-1]
            self._here = set(zip(state[self.first[-1] :], origin[self.first[-1] :], strict=True))
            self._complete(offset, 0)
            self.first.append(len(state))
        return offset

    def _add(self, state: int, origin: int, cell: int = 0) -> None:
        """Add an item, unless no text goes on from it with a character that is given."""
        if cell and not self.engine.ask[LIVE, state, cell]:
            return
        if (state, origin) not in self._here:
            self._here.add((state, origin))
            self.state.append(state)
            self.origin.append(origin)

    def _complete(self, here: int, cell: int) -> None:
        """Predict the first items of called rules, and complete the ended ones."""
        self.accepted = False
        one = self.first[here]
        while one < len(self.state):
            row, origin = self.engine.row[self.state[one]], self.origin[one]
            for name, after, empty in _triples(row.calls):
                self._add(self.engine.ask[START, name], here, cell)
                if empty:
                    self._add(after, origin, cell)
            if row.ends:
                self.accepted = self.accepted or (origin == 0 and row.rule == self.rule)
                if origin < here:
                    self._look_at(origin, "work", here)
                    self._finish(row.rule, origin, cell)
            one += 1
        self.items_left -= len(self.state) - self.first[here]
        if self.items_left < 0:
            raise self.engine.refusal("items", here)

    def _look_at(self, offset: int, what: str, here: int) -> None:
        """Count the items of an offset as work, which grows with the cube in an ambiguous text."""
        self.work_left -= self.first[offset + 1] - self.first[offset]
        if self.work_left < 0:
            raise self.engine.refusal(what, here)

    def _finish(self, rule: int, begin: int, cell: int) -> None:
        """Advance the items that wait for a rule that has ended."""
        waiting = self._waiting(rule, begin)
        if len(waiting) == 1 and self.engine.row[waiting[0][0]].last:
            caller = self._caller(rule, begin)
            if caller is not None and caller.top != (caller.state, caller.origin):
                self._add(*caller.top)
                start = self.first[-1]
                at = range(start, len(self.state))
                self._leapt.update(i for i in at if (self.state[i], self.origin[i]) == caller.top)
                return
        for after, origin in waiting:
            self._add(after, origin, cell)

    def _waiting(self, rule: int, begin: int) -> list[tuple[int, int]]:
        return self._waits(begin).get(rule, [])

    @memoized
    def _waits(self, begin: int) -> dict[int, list[tuple[int, int]]]:
        """Return what waits at an offset, by the rule that it waits for."""
        return grouped(
            (name, (after, self.origin[one]))
            for one in range(self.first[begin], self.first[begin + 1])
            for name, after, _ in _triples(self.engine.row[self.state[one]].calls)
        )

    def _caller(self, rule: int, begin: int) -> _Caller | None:
        """Return the only item that waits for a rule, if it ends with it, and its topmost one."""
        chain: list[tuple[Origin, int, int, int]] = []
        here = rule, begin
        top: Origin | None = None
        while here not in self._callers:
            waiting = self._waiting(*here)
            row = self.engine.row[waiting[0][0]] if len(waiting) == 1 else None
            if row is None or not row.last:
                self._callers[here] = None
                break
            ((after, origin),) = waiting
            chain.append((here, after, origin, row.rule))
            # A cyclic rule is not skipped: the order of its items matters.
            if (row.rule, origin) == (self.rule, 0) or self.engine.ask[CYCLIC, row.rule, row.rule]:
                break
            here = row.rule, origin
        else:
            known = self._callers[here]
            top = known.top if known else None
        for place, after, origin, owner in reversed(chain):
            top = top or (after, origin)
            self._callers[place] = _Caller(after, origin, owner, top)
        return self._callers[rule, begin]

    # Deriving

    def derived(self, kept: bytes) -> "array[int]":
        nodes = array("I", [self.rule, 0, len(self.cells), 0])
        opened: list[int] = []
        pending: list[Step] = []
        is_kept = dict(enumerate(map(bool, kept)))

        def push(steps: list[Step]) -> None:
            wanted = [one for one in steps if one[0] & 3 > LEAVE or is_kept.get(one[0] >> 2)]
            self.steps_left -= len(wanted) + 1
            if self.steps_left < 0:
                raise self.engine.refusal("steps", 0)
            pending.extend(reversed(wanted))

        push(self._steps(self.rule, 0, len(self.cells)))
        while pending:
            step, here, end = pending.pop()
            rule, what = step >> 2, step & 3
            if what == LEAVE:
                node = opened.pop()
                nodes[node + 2], nodes[node + 3] = here, len(nodes) // 4
                continue
            if is_kept.get(rule):
                opened.append(len(nodes))
                nodes.extend((rule, here, 0, 0))
            if what == ENTER:
                continue
            if is_kept.get(rule):
                pending.append((4 * rule + LEAVE, end, end))
            push(self._steps(rule, here, here if what == INSIDE else end))
        nodes[3] = len(nodes) // 4
        return nodes

    def _steps(self, rule: int, begin: int, end: int) -> list[Step]:
        if begin == end:
            way = self.engine.way[self.engine.ask[EMPTY, rule]]
            return [(one, begin, begin) for one in way.steps]
        reached, links = self._back(rule, begin, end)
        ask, found = self.engine.ask, list[Step]()
        here, position = begin, ask[FIRST, rule]
        while True:
            way = self.engine.way[ask[WAY, position, reached[here]]]
            found.extend((step, here, here) for step in way.steps)
            position = way.following
            if way.kind == CHARACTER:
                here += 1
            elif way.kind == RULE:
                stop = next(
                    stop
                    for name, places, stop in links[here]
                    if name == way.rule and ask[HAS, places, way.position]
                )
                found.append((4 * way.rule + CALLED, here, stop))
                here = stop
            else:
                return found

    def _back(
        self, rule: int, begin: int, end: int
    ) -> tuple[dict[int, int], dict[int, list[tuple[int, int, int]]]]:
        """Find by offset the positions from which the end is reached, and the calls there."""
        ask, own = self.engine.ask, self._chain(rule, begin, end)
        cyclic = ask[CYCLIC, rule, rule]
        reached = {end: ask[LAST, rule]}
        links: dict[int, list[tuple[int, int, int]]] = {}
        pending = [-end]
        best = ask[BEST, rule, self.cells[begin]]

        def reach(offset: int, positions: int) -> bool:
            before = reached.get(offset, 0)
            if not before:
                heappush(pending, -offset)
            both = reached[offset] = ask[JOIN, before, positions] if before else positions
            return both != before

        while pending:
            here = -heappop(pending)
            goal = reached[here]
            self._look_at(here, "steps", 0)
            if here > begin:
                for state in self._states(rule, begin, here - 1):
                    if found := ask[READ, state, self.cells[here - 1], goal]:
                        reach(here - 1, found)
            # The longest calls come first, since offsets are visited in descending order.
            for name, start in [*self._ended(here), *(own if here == end else ())]:
                if not begin <= start < here or not ask[WAITS, goal, name]:
                    continue
                # A cyclic rule must have ended before the whole one, or this would not terminate.
                alike = cyclic and (start, here) == (begin, end) and ask[CYCLIC, rule, name]
                if alike and self._order(name, begin, end) >= self._order(rule, begin, end):
                    continue
                for state in self._states(rule, begin, start):
                    if (found := ask[CALL, state, name, goal]) and reach(start, found):
                        links.setdefault(start, []).append((name, found, here))
                        if start == begin and best and ask[HAS, reached[begin], best]:
                            return reached, links  # no shorter one is preferred to it
        return reached, links

    def _ended(self, here: int) -> Iterator[Origin]:
        for one in range(self.first[here], self.first[here + 1]):
            row = self.engine.row[self.state[one]]
            if row.ends:
                yield row.rule, self.origin[one]

    @memoized
    def _items(self, here: int) -> dict[int, list[int]]:
        """Return the items at an offset, by where their rules begin."""
        items = range(self.first[here], self.first[here + 1])
        return grouped((self.origin[one], one) for one in items)

    def _states(self, rule: int, begin: int, here: int) -> list[int]:
        states = (self.state[one] for one in self._items(here).get(begin, ()))
        return [state for state in states if self.engine.row[state].rule == rule]

    def _order(self, rule: int, begin: int, end: int) -> int:
        items = self._items(end).get(begin, ())
        rows = ((one, self.engine.row[self.state[one]]) for one in items)
        return next(one for one, row in rows if row.ends and row.rule == rule)

    def _chain(self, rule: int, begin: int, end: int) -> Sequence[Origin]:
        """Return the skipped rules of a chain with which a rule ended there."""
        for one in self._items(end).get(begin, ()):
            row = self.engine.row[self.state[one]]
            if one in self._leapt and row.rule == rule and one not in self._expanded:
                self._expanded.add(one)
                self._expand((self.state[one], begin), end)
        return self._chained.get((end, rule, begin), ())

    def _expand(self, top: Origin, end: int) -> None:
        for ended in self._ended(end):
            below, caller = ended, self._callers.get(ended)
            while caller is not None and caller.top == top:
                known = self._chained.setdefault((end, caller.rule, caller.origin), [])
                if below in known:
                    break
                known.append(below)
                if (caller.state, caller.origin) == top:
                    break
                below = caller.rule, caller.origin
                caller = self._callers[below]


def _triples(calls: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    return zip(calls[::3], calls[1::3], calls[2::3], strict=True)
