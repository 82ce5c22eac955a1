"""The derivation of a text from its chart: the first alternatives that lead to the end.

Each rule is walked from where it begins to where it ends, depth first, never twice from the same
position at the same place; over a rule that it calls the walk leaps, to where the chart says that
it can end, farthest first. Only then comes the way inside of that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from abnf2lark.charts.chart import TextTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.charts.chart import Reading, Spans
    from abnf2lark.charts.network import Network, Networks

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
    start = -1  # of characters that are not yet told
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
                    f"it takes too many steps to tell how {rule} derives the text; "
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
                    # leads to itself would never come to an end.
                    if behind <= end and ((offset, behind) != (begin, end) or number < limit):
                        yield behind, ("call", name, offset, behind)
            case "enter" | "leave" as kind:
                yield offset, (kind, name, offset, offset)
            case _:
                yield offset, None
