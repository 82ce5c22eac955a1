"""Split rules that Lark would expand to too many alternatives.

Lark expands a rule to one sequence for each choice of optional parts and of counts: twelve optional
parts make 4,096. Where a rule would have too many, its end, or a repeated part, becomes a rule
without a node. The end is complete where the rule is, so an LALR parser has no new conflicts.
A long sequence is split likewise.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from abnf2lark.ir import Alt, Node, Ref, Rep, Seq, seq

MAX_WAYS = 100
MAX_LENGTH = 500  # of an expanded repetition; Lark's time grows with the square
LONG = 50  # repetitions that Lark makes rules of itself
MAX_IN_A_ROW = 50  # items of a sequence; Lark's time grows with the cube
PART = "___part"


def unfolded(rules: dict[str, Node], abnf_names: dict[str, str]) -> None:
    """Split rules, given by Lark's names, that Lark would expand to too many sequences."""
    for name in [*rules]:
        parts = _Parts(name, rules, abnf_names)
        rules[name] = parts.small(rules[name])


@dataclass(slots=True)
class PartsOfRule:
    """The rules that replace a rule."""

    name: str
    rules: dict[str, Node]
    abnf_names: dict[str, str]
    made: int = 0

    def named(self) -> Ref:
        """Name one more part."""
        self.made += 1
        found = f"_{self.name.lstrip('_')}{PART}{self.made}"
        self.abnf_names[found] = self.abnf_names[self.name]
        return Ref(found)


class _Parts(PartsOfRule):
    def small(self, node: Node) -> Node:
        """Return an expression of which each alternative expands to few sequences."""
        match node:
            case Alt(items):
                return Alt(tuple(self.small(item) for item in items))
            case Rep(item, low, high):
                item = self.small(item)
                crowded = ways(item) > 1 and ways(Rep(item, low, high)) > MAX_WAYS
                long = length(item) > 1 and length(Rep(item, low, high)) > MAX_LENGTH
                return Rep(self.part(item) if crowded or long else item, low, high)
            case Seq(items):
                small = [self.small(item) for item in items]
                return self.sequence([self.part(m) if ways(m) > MAX_WAYS else m for m in small])
            case _:
                return node

    def sequence(self, items: list[Node]) -> Node:
        """Keep a prefix of a sequence that expands to few; its rest is a part."""
        runs: list[list[Node]] = [[]]
        found = 1
        for item in items:
            found = _least(found * ways(item))
            if runs[-1] and (found > MAX_WAYS or len(runs[-1]) == MAX_IN_A_ROW):
                runs.append([])
                found = ways(item)
            runs[-1].append(item)
        # In this order Lark computes FOLLOW sets in one pass.
        parts = [self.named() for _ in runs[1:]]
        for number, (part, run) in enumerate(zip(parts, runs[1:], strict=True), 1):
            self.rules[part.name] = seq([*run, *parts[number : number + 1]])
        return seq([*runs[0], *parts[:1]])

    def part(self, node: Node) -> Node:
        found = self.named()
        self.rules[found.name] = node
        return found


def ways(node: Node) -> int:
    """Count the sequences that Lark expands an expression to, up to one more than allowed."""
    match node:
        case Seq(items):
            return _product(items)
        case Alt(items):
            return _least(sum(map(ways, items)))
        case Rep(_, 0, None):
            return 2
        case Rep(item, low, None):
            return _product([item] * min(low - 1, LONG))
        case Rep(item, _, high) if (high or 0) >= LONG:
            return _least(ways(item) ** 2)
        case Rep(item, low, high):
            each, found = ways(item), 0
            for count in range(low, (high or 0) + 1):
                found = _least(found + each**count)
            return found
        case _:
            return 1


def length(node: Node) -> int:
    """Count the elements of an expression that Lark has expanded."""
    match node:
        case Seq(items) | Alt(items):
            return sum(map(length, items))
        case Rep(item, low, high):
            return length(item) * min(max(low if high is None else high, 1), LONG)
        case _:
            return 1


def _product(items: Iterable[Node]) -> int:
    found = 1
    for item in items:
        found = _least(found * ways(item))
    return found


def _least(number: int) -> int:
    return min(number, MAX_WAYS + 1)
