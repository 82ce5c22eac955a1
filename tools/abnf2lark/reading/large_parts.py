"""Sizes of rules: how long words are, how often rules occur in others, what makes a rule large."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from abnf2lark import ir
from abnf2lark.reading.recursion import innermost_first, recursive_rules

Lengths: TypeAlias = tuple[int, float]  # the fewest and the most; infinity without a bound


def lengths(grammar: ir.RuleSet) -> dict[str, Lengths]:
    """Return how long the words of each rule are that is not recursive."""
    known: dict[str, Lengths] = {}
    for name in innermost_first(grammar):
        known[name] = length(grammar.rules[name].body, known)
    return known


def length(node: ir.Node, known: Mapping[str, Lengths]) -> Lengths:
    """Return how long the words of an expression are; those of unknown rules have any length."""
    match node:
        case ir.Chars():
            return 1, 1
        case ir.Text(value):
            return len(value), len(value)
        case ir.Ref(name):
            return known.get(name, (0, inf))
        case ir.Rep(item, low, high):
            least, most = length(item, known)
            times = inf if high is None else high
            return least * low, most * times if most and times else 0
        case ir.Alt(items):
            pairs = [length(item, known) for item in items]
            return min(least for least, _ in pairs), max(most for _, most in pairs)
    pairs = [length(part, known) for part in ir.children(node)]
    return sum(least for least, _ in pairs), sum(most for _, most in pairs)


Times: TypeAlias = tuple[int, int]  # the least and the most; 2 represents any number above 1

MANY = 2


def occurrences(grammar: ir.RuleSet, wanted: AbstractSet[str]) -> dict[str, dict[str, Times]]:
    """Return for each wanted or recursive rule how often wanted rules come directly in it."""
    names = {name: name for name in wanted | recursive_rules(grammar)}
    known = _known(grammar, names)
    found: dict[str, dict[str, Times]] = {}
    pending = [name for name in grammar.rules if name in wanted]
    while pending:
        name = pending.pop(0)
        if name not in found:
            found[name] = _inside(grammar.rules[name].body, names, known)
            pending.extend(found[name])
    return {name: found[name] for name in grammar.rules if name in found}


def fillings(grammar: ir.RuleSet, rule: str, fields: Mapping[str, str]) -> dict[str, Times]:
    """Return how often fields are filled by a non-recursive rule, in their order."""
    filling = {name: field for name, field in fields.items() if name != rule}
    return _inside(grammar.rules[rule].body, filling, _known(grammar, filling))


def _known(grammar: ir.RuleSet, names: Mapping[str, str]) -> dict[str, dict[str, Times]]:
    known: dict[str, dict[str, Times]] = {}
    for name in innermost_first(grammar):
        if name not in names:
            known[name] = _inside(grammar.rules[name].body, names, known)
    return known


def _inside(
    node: ir.Node, names: Mapping[str, str], known: Mapping[str, dict[str, Times]]
) -> dict[str, Times]:
    match node:
        case ir.Ref(name):
            return {names[name]: (1, 1)} if name in names else known[name]
        case ir.Seq(items):
            return _together(_inside(item, names, known) for item in items)
        case ir.Alt(items):
            return _either([_inside(item, names, known) for item in items])
        case ir.Rep(item, low, high):
            inside = _inside(item, names, known).items()
            most = MANY if high is None else high
            return {name: (min(a * low, MANY), min(b * most, MANY)) for name, (a, b) in inside}
        case _:
            return {}


def _together(parts: Iterable[Mapping[str, Times]]) -> dict[str, Times]:
    found: dict[str, Times] = {}
    for part in parts:
        for name, (low, high) in part.items():
            a, b = found.get(name, (0, 0))
            found[name] = min(a + low, MANY), min(b + high, MANY)
    return found


def _either(ways: Sequence[Mapping[str, Times]]) -> dict[str, Times]:
    """Return what is in any of the ways; what is not in all of them may be there no time."""
    found: dict[str, Times] = {}
    holding: Counter[str] = Counter()
    for way in ways:
        holding.update(way.keys())
        for name, (low, high) in way.items():
            a, b = found.get(name, (low, high))
            found[name] = min(a, low), max(b, high)
    return {
        name: (low if holding[name] == len(ways) else 0, high)
        for name, (low, high) in found.items()
    }


MAX_SHOWN = 50  # characters of a part in a message
LARGE_REPETITION = 4  # times; where there are fewer, it is the repeated element that is large


@dataclass(frozen=True, slots=True)
class LargePart:
    """A part of a rule.

    rule: the one in which the part stands, the same or one that it leads to.
    place: of the part, or of that rule, as ``file:line``; empty where it is not known.
    node: the part; the whole rule where it is the rule's expression.
    whole: whether it is.
    """

    rule: str
    place: str
    node: ir.Node
    whole: bool

    @property
    def counted(self) -> bool:
        """Return whether it is a repetition that is counted."""
        return times(self.node) > 1

    def __str__(self) -> str:
        """Say what makes the rule large, and what to do."""
        where = f" ({self.place})" if self.place else ""
        named = f"{self.rule}{where}"
        if self.counted or not self.whole:
            named = f"{shown(self.node)} in {named}"
        elif isinstance(self.node, ir.Alt):
            named = f"{named}, a choice of {len(self.node.items):,} alternatives"
        remedy = "make it simpler, or cut it into rules"
        if self.counted:
            remedy = "write smaller numbers, or * without any"
        elif any(ir.references(self.node)):
            remedy = "make it simpler, or take the rules in it one by one"
        return f"what makes it large is {named}; {remedy}"


def shown(node: ir.Node) -> str:
    """Write a part for people, a long one in part."""
    text = ir.spelled(node)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN].rstrip()} …"


def large_part(grammar: ir.RuleSet, start: str, sizes: "Sizes | None" = None) -> LargePart:
    """Find the smallest part with at least half of the places of what is around it."""
    sizes = sizes or Sizes(grammar, start)
    once = Sizes(grammar, start, counted=False)
    rule, node = start, grammar.rules[start].body
    seen = {start}
    while True:
        if isinstance(node, ir.Ref):
            if node.name in seen:
                break
            seen.add(node.name)
            rule, node = node.name, grammar.rules[node.name].body
            continue
        inner = max(ir.children(node), key=sizes.of, default=None)
        if inner is None:
            break
        if isinstance(node, ir.Rep):
            # It is large by its numbers, those of repetitions in it multiplied, or by its element.
            if sizes.of(node) > once.of(node) * max(LARGE_REPETITION, once.of(inner)):
                break
        elif 2 * sizes.of(inner) <= sizes.of(node):
            break
        node = inner
    return part(grammar, rule, node)


def part(grammar: ir.RuleSet, rule: str, node: ir.Node) -> LargePart:
    """Describe a part of a rule."""
    body = grammar.rules[rule].body
    place = node.place if isinstance(node, ir.Rep) and node.place else grammar.rules[rule].place
    return LargePart(rule, place, node, node is body)


def counted_part(grammar: ir.RuleSet, rule: str, node: ir.Node) -> LargePart:
    """Describe the repetition in an expression that is counted highest, if one is counted high."""
    highest = max(ir.walk(node), key=times)
    return part(grammar, rule, highest if times(highest) > LARGE_REPETITION else node)


class Sizes:
    """How many places the rules have that a rule leads to; ``counted``: repetitions, too."""

    def __init__(self, grammar: ir.RuleSet, start: str, *, counted: bool = True) -> None:
        self._counted = counted
        self._known: dict[str, int] = {}
        needed = {*ir.reachable(grammar, [start])}
        for name in innermost_first(grammar):
            if name in needed:
                self._known[name] = self.of(grammar.rules[name].body)
        recursive = needed - self._known.keys()
        self._known |= {name: self.of(grammar.rules[name].body) for name in recursive}

    def of(self, node: ir.Node) -> int:
        """Count the places of an expression; in a rule that leads to itself, it has one."""
        match node:
            case ir.Text(value):
                return len(value)
            case ir.Ref(name):
                return self._known.get(name, 1)
            case ir.Rep(item):
                return (times(node) if self._counted else 1) * self.of(item)
            case _:
                return sum(map(self.of, ir.children(node))) or 1


def elements(grammar: ir.RuleSet, names: Iterable[str]) -> tuple[int, str]:
    """Count the elements of rules as they are written, and say which rule has the most."""
    counts = {name: sum(1 for _ in ir.walk(grammar.rules[name].body)) for name in names}
    total, most = sum(counts.values()), max(counts, key=counts.__getitem__)
    place = grammar.rules[most].place
    where = f" ({place})" if place else ""
    return total, f"{total:,} elements, {counts[most]:,} of them in {most}{where}"


def written_out(node: ir.Node) -> int:
    """Count the elements of an expression whose repetitions are written out."""
    parts = ir.children(node)
    return times(node) * sum(map(written_out, parts)) if parts else 1


def times(node: ir.Node) -> int:
    """Count how often an expression is written where repetitions are written out."""
    if not isinstance(node, ir.Rep):
        return 1
    return max(node.low if node.high is None else node.high, 1)
