"""Have Lark's Earley parser keep the first of several trees.

Each alternative is written as a symbol and a rule without a node for all that follows. Then the
derivations of a rule over one text differ in the alternative, or in where its first symbol ends; an
alternative that comes earlier is kept, and of one alternative that in which this symbol is longest.
So a choice is made where it is met, and a rule takes as much text as it can, as `Grammar.tree` has
it. Lark alone keeps of one alternative what it finds first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from abnf2lark.automata import spend
from abnf2lark.ir import EMPTY, Alt, Node, Ref, Rep, Seq, alt, is_nullable, seq
from abnf2lark.lark_grammars.unfolding import PartsOfRule

if TYPE_CHECKING:
    from lark import Lark
    from lark.parsers.earley_forest import ForestNode, PackedNode, SymbolNode

COST = 100  # steps of an automaton that a rule of a rest takes


def ordered(rules: dict[str, Node], abnf_names: dict[str, str]) -> None:
    """Write rules, given by Lark's names, each alternative as a symbol and what follows it."""
    for name in [*rules]:
        _Ordered(name, rules, abnf_names).write()


@dataclass(slots=True)
class _Ordered(PartsOfRule):
    parts: dict[tuple[Node, ...], Ref] = field(default_factory=dict)
    pending: list[tuple[Node, ...]] = field(default_factory=list)

    def write(self) -> None:
        body = self.rules[self.name]
        self.rules[self.name] = alt(list(dict.fromkeys(self.ways(body, ()))))
        for rest in self.pending:  # which grows
            ways = dict.fromkeys(self.ways(rest[0], rest[1:]))
            self.rules[self.parts[rest].name] = alt([way for way in ways if way != EMPTY])

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
