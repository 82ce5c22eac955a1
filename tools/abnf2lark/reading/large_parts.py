"""Which part of a rule makes it large: for messages that say what to cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.reading.ir import Alt, Node, Ref, Rep, Text, children, reachable, references, walk
from abnf2lark.reading.loops import innermost_first, recursive_rules
from abnf2lark.reading.spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Grammar

MAX_SHOWN = 50  # characters of a part in a message
MANY = 4  # times; where there are fewer, it is the repeated element that is large


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a rule.

    Attributes:
        rule: the one in which the part stands, the same or one that it leads to.
        place: of the part, or of that rule, as ``file:line``; empty where it is not known.
        node: the part; the whole rule where it is the rule's expression.
        whole: whether it is.

    """

    rule: str
    place: str
    node: Node
    whole: bool

    @property
    def counted(self) -> bool:
        """Whether it is a repetition that is counted."""
        return times(self.node) > 1

    def __str__(self) -> str:
        """Say what makes the rule large, and what to do.

        >>> str(Part("b", "own.abnf:2", Rep(Ref("c"), 3, 5000), False))
        'what makes it large is 3*5000c in b (own.abnf:2); write smaller numbers, or * without any'
        """
        where = f" ({self.place})" if self.place else ""
        named = f"{self.rule}{where}"
        if self.counted or not self.whole:
            named = f"{shown(self.node)} in {named}"
        elif isinstance(self.node, Alt):
            named = f"{named}, a choice of {len(self.node.items):,} alternatives"
        remedy = "make it simpler, or cut it into rules"
        if self.counted:
            remedy = "write smaller numbers, or * without any"
        elif any(references(self.node)):
            remedy = "make it simpler, or take the rules in it one by one"
        return f"what makes it large is {named}; {remedy}"


def shown(node: Node) -> str:
    """Write a part for people, a long one in part.

    >>> shown(Rep(Alt((Ref("a"), Ref("b"))), 3, 5000))
    '3*5000( a / b )'
    """
    text = spelled(node)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN].rstrip()} …"


def large_part(grammar: Grammar, start: str, sizes: Sizes | None = None) -> Part:
    """Find the part of a rule that takes the most places for characters, repetitions written out.

    It is as small as can be, as long as it has at least half of the places around it.
    """
    sizes = sizes or Sizes(grammar, start)
    once = Sizes(grammar, start, counted=False)
    rule, node = start, grammar.rules[start].body
    seen = {start}
    while True:
        if isinstance(node, Ref):
            if node.name in seen:
                break
            seen.add(node.name)
            rule, node = node.name, grammar.rules[node.name].body
            continue
        inner = max(children(node), key=sizes.of, default=None)
        if inner is None:
            break
        if isinstance(node, Rep):
            # It is large by its numbers, those of repetitions in it multiplied, or by its element.
            if sizes.of(node) > once.of(node) * max(MANY, once.of(inner)):
                break
        elif 2 * sizes.of(inner) <= sizes.of(node):
            break
        node = inner
    return part(grammar, rule, node)


def part(grammar: Grammar, rule: str, node: Node) -> Part:
    """Tell of a part of a rule."""
    body = grammar.rules[rule].body
    place = node.place if isinstance(node, Rep) and node.place else grammar.rules[rule].place
    return Part(rule, place, node, node is body)


def counted_part(grammar: Grammar, rule: str, node: Node) -> Part:
    """Tell of the repetition in an expression that is counted highest, if one is counted high."""
    highest = max(walk(node), key=times)
    return part(grammar, rule, highest if times(highest) > MANY else node)


class Sizes:
    """How many places for characters the rules have that a rule leads to, and what is in them.

    With ``counted``, a repetition has as many as it has written out.
    """

    def __init__(self, grammar: Grammar, start: str, *, counted: bool = True) -> None:
        self._counted = counted
        self._known: dict[str, int] = {}
        needed = {*reachable(grammar, [start])}
        recursive = recursive_rules(grammar)
        for name in innermost_first(grammar, recursive):
            if name in needed:
                self._known[name] = self.of(grammar.rules[name].body)
        self._known |= {name: self.of(grammar.rules[name].body) for name in recursive & needed}

    def of(self, node: Node) -> int:
        """Count the places of an expression; in a rule that leads to itself, it has one."""
        match node:
            case Text(value):
                return len(value)
            case Ref(name):
                return self._known.get(name, 1)
            case Rep(item):
                return (times(node) if self._counted else 1) * self.of(item)
            case _:
                return sum(map(self.of, children(node))) or 1


def elements(grammar: Grammar, names: Iterable[str]) -> tuple[int, str]:
    """Count the elements of rules as they are written, and say which rule has the most."""
    counts = {name: sum(1 for _ in walk(grammar.rules[name].body)) for name in names}
    total, most = sum(counts.values()), max(counts, key=counts.__getitem__)
    place = grammar.rules[most].place
    where = f" ({place})" if place else ""
    return total, f"{total:,} elements, {counts[most]:,} of them in {most}{where}"


def written_out(node: Node) -> int:
    """Count the elements of an expression whose repetitions are written out.

    >>> written_out(Rep(Rep(Ref("a"), 3, 5), 2, None))
    10
    """
    parts = children(node)
    return times(node) * sum(map(written_out, parts)) if parts else 1


def times(node: Node) -> int:
    """Count how often an expression is written where repetitions are written out."""
    if not isinstance(node, Rep):
        return 1
    return max(node.low if node.high is None else node.high, 1)
