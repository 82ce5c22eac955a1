"""Rules as parts, for Lark's parsers: few alternatives for all, in order for Earley."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from abnf2lark.automata import spend
from abnf2lark.ir import EMPTY, Alt, Node, Ref, Rep, Seq, alt, is_nullable, seq

if TYPE_CHECKING:
    from lark import Lark
    from lark.parsers.earley_forest import ForestNode, PackedNode, SymbolNode

# Split rules that Lark would expand to too many alternatives.
#
# Lark expands a rule to one sequence for each choice of optional parts and of counts: twelve
# optional parts make 4,096. Where a rule would have too many, its end, or a repeated part, becomes
# a rule without a node. The end is complete where the rule is, so an LALR parser has no new
# conflicts. A long sequence is split likewise.

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


# Have Lark's Earley parser keep the first of several trees.
#
# Each alternative is written as a symbol and a rule without a node for all that follows. Then the
# derivations of a rule over one text differ in the alternative, or in where its first symbol ends;
# an alternative that comes earlier is kept, and of one alternative that in which this symbol is
# longest. So a choice is made where it is met, and a rule takes as much text as it can, as
# `Grammar.tree` has it. Lark alone keeps of one alternative what it finds first.

COST = 100  # steps of an automaton that a rule of a rest takes


def ordered(rules: dict[str, Node], abnf_names: dict[str, str]) -> None:
    """Write rules, given by Lark's names, each alternative as a symbol and what follows it."""
    for name in [*rules]:
        one = _Ordered(name, rules, abnf_names)
        rules[name] = alt(list(dict.fromkeys(one.ways(rules[name], ()))))
        for rest in one.pending:  # which grows
            ways = dict.fromkeys(one.ways(rest[0], rest[1:]))
            rules[one.parts[rest].name] = alt([way for way in ways if way != EMPTY])


@dataclass(slots=True)
class _Ordered(PartsOfRule):
    parts: dict[tuple[Node, ...], Ref] = field(default_factory=dict)
    pending: list[tuple[Node, ...]] = field(default_factory=list)

    def ways(self, node: Node, rest: tuple[Node, ...]) -> Iterator[Node]:
        """Yield the alternatives of an expression and what follows it, in order."""
        match node:
            case Ref() if not rest:
                yield node
            case Ref():
                if all(map(is_nullable, rest)):
                    yield node
                single = len(rest) == 1 and isinstance(rest[0], Ref)
                yield seq([node, rest[0] if single else self.part(rest)])
            case Seq(()):
                if rest:
                    yield from self.ways(rest[0], rest[1:])
                else:
                    yield EMPTY
            case Seq((first, *others)):
                yield from self.ways(first, (*others, *rest))
            case Alt(items):
                for item in items:
                    yield from self.ways(item, rest)
            case Rep(item, low, high):
                if high != 0:
                    more = Rep(item, max(low - 1, 0), None if high is None else high - 1)
                    yield from self.ways(item, rest if more.high == 0 else (more, *rest))
                if low == 0:
                    yield from self.ways(EMPTY, rest)
            case _:
                raise TypeError(node)

    def part(self, rest: tuple[Node, ...]) -> Ref:
        """Return the rule of what follows, which is not empty."""
        found = self.parts.get(rest)
        if found is None:
            spend(COST)
            found = self.parts[rest] = self.named()
            self.pending.append(rest)
        return found


ONE_ALTERNATIVE = 1 << 40  # more than characters of a text


def keep_first(parser: Lark) -> None:
    """Have an Earley parser of rules in order keep the first of several trees."""
    from lark.parsers.earley_forest import ForestVisitor  # noqa: PLC0415 - loads lark

    class First(ForestVisitor):
        """Ranks the derivations of each node of a parse forest, best first."""

        def visit_symbol_node_in(self, node: SymbolNode) -> Iterator[PackedNode]:
            for way in node:
                end = 0 if way.left is None else way.left.end
                way.priority = end - way.rule.order * ONE_ALTERNATIVE
            return iter(node)

        def visit_packed_node_in(self, node: PackedNode) -> Iterator[ForestNode | None]:
            return iter(node)

    # Lark has an option for priorities of rules alone.
    parser.parser.parser.forest_sum_visitor = lambda: First(single_visit=True)  # type: ignore[no-untyped-call]
