"""Compare two grammars rule by rule: equal, renamed, wider or narrower, with shortest texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, cast

from abnf2lark import automata, ir
from abnf2lark.reading import recursion

MAX_STEPS = 5_000_000  # of automata, for all rules of a grammar; about 5 seconds

Relation: TypeAlias = Literal[
    "equal",
    "renamed",
    "wider",
    "narrower",
    "overlapping",
    "disjoint",
    "removed",
    "added",
    "unknown",
]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What became of a rule; ``None`` for the name, or the shortest own text, that a side lacks."""

    relation: Relation
    left: str | None
    right: str | None
    only_left: str | None = None
    only_right: str | None = None


def compare_grammars(left: ir.RuleSet, right: ir.RuleSet) -> list[RuleChange]:
    """Compare the own rules of two grammars, in the left one's order; "wider": the right one is."""
    try:
        comparison = _Comparison(left, right)
        with automata.limited(MAX_STEPS):
            return [*comparison.changes()]
    except automata.TooLargeError:
        text = f"{left.name} and {right.name} are too large to be compared"
        raise automata.UndecidedError(text) from None


class _Comparison:
    def __init__(self, left: ir.RuleSet, right: ir.RuleSet) -> None:
        self.sides = [recursion.with_loops(one, one.own) for one in (left, right)]
        self.own = (left.own, right.own)
        self.alphabet = automata.Alphabet(
            rule.body for one in self.sides for rule in one.rules.values()
        )
        self.known = [self.languages(one) for one in self.sides]

    def languages(self, grammar: ir.RuleSet) -> dict[str, automata.Language]:
        """Return the languages of the rules that have one and are not too large."""
        irregular = ir.leading_to(grammar, recursion.recursive_rules(grammar))
        found: dict[str, automata.Language] = {}
        with automata.limited(MAX_STEPS):
            for name in grammar.own:
                if name not in irregular:
                    try:
                        automata.add_languages(grammar.rules, self.alphabet, [name], found)
                    except automata.TooLargeError:
                        break
        return found

    def changes(self) -> Iterator[RuleChange]:
        names = {name.casefold(): name for name in self.own[1]}
        there = {name.casefold() for name in self.own[0]}
        added = [name for name in self.own[1] if name.casefold() not in there]
        for name in self.own[0]:
            other = names.get(name.casefold())
            if other is not None:
                yield self.change(name, other)
                continue
            language = self.known[0].get(name)
            same = [one for one in added if language and self.known[1].get(one) == language]
            if same:
                added.remove(same[0])
            yield RuleChange("renamed" if same else "removed", name, same[0] if same else None)
        yield from (RuleChange("added", None, name) for name in added)

    def change(self, name: str, other: str) -> RuleChange:
        ours, theirs = self.known[0].get(name), self.known[1].get(other)
        if ours is not None and theirs is not None:
            with suppress(automata.TooLargeError):
                found = automata.compared(ours, theirs, self.alphabet)
                relations: dict[str, Relation] = {"subset": "wider", "superset": "narrower"}
                relation = relations.get(found.relation, cast("Relation", found.relation))
                return RuleChange(relation, name, other, found.only_left, found.only_right)
        alike = (name, other) not in self.unlike
        return RuleChange("equal" if alike else "unknown", name, other)

    @cached_property
    def unlike(self) -> set[tuple[str, str]]:
        """Pairs of rules that lead to ones written differently; each pair is looked at once."""
        names = {name.casefold(): name for name in self.own[1]}
        users: dict[tuple[str, str], list[tuple[str, str]]] = {}
        different: list[tuple[str, str]] = []

        def inside(pair: tuple[str, str]) -> Iterator[tuple[str, str]]:
            one, two = (side.rules[rule].body for side, rule in zip(self.sides, pair, strict=True))
            if ir.replaced(one, _nameless) != ir.replaced(two, _nameless):
                different.append(pair)
                return
            for a, b in zip(ir.references(one), ir.references(two), strict=True):
                users.setdefault((a.name, b.name), []).append(pair)
                yield a.name, b.name

        folded = (one.casefold() for one in self.own[0])
        pairs = zip(self.own[0], map(names.get, folded), strict=True)
        ir.reached([(one, other) for one, other in pairs if other is not None], inside)
        return ir.reached(different, lambda pair: users.get(pair, ()))


def _nameless(_: ir.Ref) -> ir.Node:
    return ir.Ref("")
