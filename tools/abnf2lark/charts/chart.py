"""Parse a text by any rule with an Earley chart, and read the first derivation from the chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from abnf2lark.charts.network import LimitError, Network, Networks, State, States

# Read a text by a rule: Earley's way, with states in the place of dotted rules.
#
# An item says that a rule begun at some offset has reached some state. A rule that calls no other
# is read by its automaton, a step a character. The offset at which no item is left is exact: some
# text of the rule begins with all before it.

MAX_ITEMS: Final = 5_000_000
"""Items of a reading, at most; about 1 GB where each stays in use."""

Item: TypeAlias = "tuple[State, int]"
Callers: TypeAlias = "dict[str, dict[Item, None]]"
Spans: TypeAlias = dict[tuple[str, int], dict[int, int]]


class TextTooLargeError(LimitError):
    """A text can be read in so many ways that they cannot all be kept; the message says where."""


class Expected(NamedTuple):
    """What a rule that is begun expects next.

    Attributes:
        rule: its name.
        words: rules of few characters, literals and ranges, as ABNF writes them.

    """

    rule: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a rule goes with a text.

    Attributes:
        matches: whether the whole text is one of the rule's.
        offset: how many characters some text of the rule begins with.
        may_end: whether the characters so far are a text of the rule.
        items: the states of rules there, each with the offset at which its rule begins.
        spans: for each rule that was called and where it began, where it can end; with the number
            under which that was found. Empty unless asked for.

    """

    matches: bool
    offset: int
    may_end: bool
    items: tuple[Item, ...]
    spans: Spans

    def expected(self) -> tuple[Expected, ...]:
        """Say what could have followed there, by the rules that are begun."""
        found: dict[str, dict[str, None]] = {}
        begun: dict[str, str] = {}  # by a rule that only would begin: the one that waits for it
        for state, origin in self.items:
            name = state.network.rule
            rule = state.rule if origin < self.offset else begun.get(name, state.rule)
            for word, expecting, called in state.expected(rule):
                if called:
                    begun.setdefault(called, expecting)
                else:
                    found.setdefault(expecting, {}).setdefault(word)
        return tuple(Expected(rule, tuple(words)) for rule, words in found.items())

    def begun(self) -> int:
        """Return how many characters are read of strings of the grammar, and of nothing else.

        Where one string alone could go on, or several that begin with the same characters, it is
        the strings that are expected, where they begin.
        """
        if self.may_end:
            return 0
        return min((place for state, _ in self.items for place in state.literals()), default=0)


def read(states: States, rule: str, text: str, *, spans: bool = False) -> Reading:
    """Read as much of a text as a rule goes on with.

    Raises ``TooManyPositionsError`` and :class:`TextTooLargeError`.
    """
    states.tidy()
    chart = _Chart(states, rule, spans=spans)
    return chart.read(text)


class _Chart:
    def __init__(self, states: States, rule: str, *, spans: bool) -> None:
        self.states = states
        self.rule = rule
        self.keep_spans = spans
        self.spans: Spans = {}
        self.callers: dict[int, Callers] = {}
        self.found = 0  # rules that have ended
        self.room = MAX_ITEMS
        self.accepted = False

    def read(self, text: str) -> Reading:
        items: dict[Item, None] = {(self.states.start(self.rule), 0): None}
        cell_of, offset, end = self.states.cell, 0, len(text)
        while True:
            if len(items) == 1 and not self.keep_spans:
                offset, items = self._run(items, text, offset)
            self._complete(items, offset)
            if offset == end:
                break
            cell = cell_of(text[offset])
            behind: dict[Item, None] = {}
            for state, origin in items:
                after = state.after(cell)
                if after is not None:
                    behind[after, origin] = None
            if not behind:
                break
            items = behind
            offset += 1
        matches = offset == end and self.accepted
        return Reading(matches, offset, self.accepted, tuple(items), self.spans)

    def _run(self, items: dict[Item, None], text: str, offset: int) -> tuple[int, dict[Item, None]]:
        """Go on with a single item while nothing is called and nothing ends but the rule itself."""
        ((state, origin),) = items
        cell_of, top = self.states.cell, origin == 0 and not self.callers
        while offset < len(text) and not state.calls and (top or not state.ends):
            after = state.after(cell_of(text[offset]))
            if after is None:
                break
            state = after
            offset += 1
        return offset, {(state, origin): None}

    def _complete(self, items: dict[Item, None], here: int) -> None:
        """Add what rules that are called begin with, and what comes after those that end."""
        self.accepted = False
        callers: Callers = {}
        empty: set[str] = set()
        pending = list(items)

        def add(item: Item) -> None:
            if item not in items:
                items[item] = None
                pending.append(item)

        # One by one in the order in which they are found, so that what a thing is made of has a
        # smaller number than itself: see `derivation`.
        for state, origin in pending:
            for name, after in state.calls:
                waiting = callers.get(name)
                if waiting is None:
                    waiting = callers[name] = self.callers.setdefault(here, callers)[name] = {}
                    add((self.states.start(name), here))
                caller = self._caller(state, after, origin, here)
                waiting[caller] = None
                if name in empty:
                    add(caller)
            if state.ends:
                name = state.network.rule
                self.accepted = self.accepted or (origin == 0 and name == self.rule)
                if self.keep_spans:
                    self.found += 1
                    self.spans.setdefault((name, origin), {}).setdefault(here, self.found)
                if origin == here:
                    empty.add(name)
                for item in [*self.callers.get(origin, {}).get(name, ())]:
                    add(item)
        self._spend(len(items), here)

    def _caller(self, state: State, after: State, origin: int, here: int) -> Item:
        """Return what goes on when a rule that is called has ended.

        Where the calling rule itself is at its end then, and one item alone waits for that, it is
        this one: so that what a rule that ends with itself leaves open does not pile up.
        """
        name = state.network.rule
        last = after.ends and len(after.items) == 1
        if last and origin < here and not self.keep_spans and (origin, name) != (0, self.rule):
            waiting = self.callers[origin][name]
            if len(waiting) == 1:
                (item,) = waiting
                return item
        return after, origin

    def _spend(self, items: int, here: int) -> None:
        self.room -= items
        if self.room < 0:
            raise TextTooLargeError(
                f"{self.rule} can be read in too many ways: after {here:,} characters they come "
                f"to {MAX_ITEMS:,}; give a shorter text, or make the grammar unambiguous"
            )


# The derivation of a text from its chart: the first alternatives that lead to the end.
#
# Each rule is walked from where it begins to where it ends, depth first, never twice from the
# same position at the same place; over a rule that it calls the walk leaps, to where the chart
# says that it can end, farthest first. Only then comes the way inside of that one.

MAX_STEPS: Final = 2_000_000
"""Steps of all walks, beside those that a text may have for each of its characters."""

STEPS_A_CHARACTER: Final = 50


class Event(NamedTuple):
    """A rule begins, a rule ends, or text is read, at an offset in characters."""

    kind: Literal["enter", "leave", "text"]
    value: str
    offset: int


# A step of a walk: kind, value, where it begins and ends.
Step: TypeAlias = "tuple[Literal['enter', 'leave', 'read', 'call'], str, int, int]"
Way: TypeAlias = "tuple[Step, Way] | None"


def events(networks: Networks, rule: str, text: str, reading: Reading) -> Iterator[Event]:
    """Yield the derivation of a text that ``reading``, with its spans, says to match."""
    walker = _Walker(networks, text, reading.spans)
    pending: list[Step] = [("call", rule, 0, len(text))]
    start = -1  # of characters that are not yet reported
    while pending:
        kind, value, begin, end = pending.pop()
        if kind == "read":
            start = begin if start < 0 else start
            continue
        if kind == "call" and networks.is_part(value):
            pending.extend(walker.steps(value, begin, end))
            continue
        if start >= 0:
            yield Event("text", text[start:begin], start)
            start = -1
        if kind == "call":
            pending.append(("leave", value, end, end))
            pending.extend(walker.steps(value, begin, end))
            yield Event("enter", value, begin)
        else:
            yield Event(kind, value, begin)


class _Walker:
    def __init__(self, networks: Networks, text: str, spans: Spans) -> None:
        self.networks = networks
        self.text = text
        self.spans = spans
        self.room = MAX_STEPS + STEPS_A_CHARACTER * len(text)

    def steps(self, rule: str, begin: int, end: int) -> Iterator[Step]:
        """Yield the steps of a rule between two offsets, last one first."""
        net = self.networks.network(rule)
        limit = self.spans[rule, begin][end]
        seen: set[tuple[int, int]] = set()
        pending: list[tuple[int, int, Way]] = [(net.start, begin, None)]
        while pending:
            position, offset, way = pending.pop()
            if (position, offset) in seen:
                continue
            seen.add((position, offset))
            self.room -= 1
            if self.room < 0:
                raise TextTooLargeError(
                    f"it takes too many steps to find how {rule} derives the text; "
                    f"give a shorter one"
                )
            if net.kinds[position] == "end":
                if offset == end:
                    while way is not None:
                        step, way = way
                        yield step
                    return
                continue
            for behind, taken in self._ways(net, position, offset, (begin, end, limit)):
                then = way if taken is None else (taken, way)
                following = reversed(net.following[position])
                pending.extend((target, behind, then) for target in following)
        raise AssertionError(f"{rule} ends at {end}, as the chart says")

    def _ways(
        self, net: Network, position: int, offset: int, whole: tuple[int, int, int]
    ) -> Iterator[tuple[int, Step | None]]:
        """Yield where a position can lead to; the best last, as it is taken first."""
        begin, end, limit = whole
        name = net.names[position]
        match net.kinds[position]:
            case "read":
                chars = net.characters[position]
                if chars is not None and offset < end and ord(self.text[offset]) in chars:
                    yield offset + 1, ("read", "", offset, offset + 1)
            case "call":
                ends = self.spans.get((name, offset), {})
                for behind, number in sorted(ends.items()):
                    # What is as long as the whole must have been found before it, or a rule that
                    # leads to itself would never end.
                    if behind <= end and ((offset, behind) != (begin, end) or number < limit):
                        yield behind, ("call", name, offset, behind)
            case "enter" | "leave" as kind:
                yield offset, (kind, name, offset, offset)
            case _:
                yield offset, None
