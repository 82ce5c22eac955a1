"""Bind the references of a grammar: to its own rules, to imported grammars, to the core rules.

A rule taken from another grammar keeps the meaning that it has there: its own references follow
it, and where its name is taken here it is spelled ``origin.name``. A name is looked for in the
grammars in their order, but first in the one that it is to be taken from.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from abnf2lark.reading.ir import Grammar, Node, Ref, Rule, children, rebuild, references
from abnf2lark.reading.near_misses import meant
from abnf2lark.reading.problems import Problem
from abnf2lark.reading.reader import read_rules, stand_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abnf2lark.reading.outline import Outline
    from abnf2lark.reading.problems import Source

# A prose-value that begins with a rule name: <pchar>, <host, see [RFC3986], Section 3.2.2>.
_PROSE_NAME = re.compile(r"<\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:[,;:(]|>)")


def load(
    source: Source,
    name: str,
    imports: tuple[Grammar, ...] = (),
    take: Sequence[tuple[Grammar, str]] = (),
    outline: Outline | None = None,
) -> tuple[Grammar, list[Problem]]:
    """Read a grammar and bind its references.

    ``take`` names imported rules wanted in any case, each with the grammar that it is taken from.
    An ``outline`` is filled and bound likewise.
    """
    own, problems = read_rules(source, name, outline)
    binder = _Binder(source, own, imports, take, problems)
    for rule in own:
        binder.bind(rule)
    if outline is not None:
        binder.problems = []  # they have been found in the rules already
        outline.bind(binder.own, binder.rewrite)
    for grammar, wanted in take:
        binder.take(grammar, wanted)
    return Grammar(name, binder.rules, tuple(rule.name for rule in own)), problems


class _Binder:
    def __init__(
        self,
        source: Source,
        own: list[Rule],
        imports: tuple[Grammar, ...],
        take: Iterable[tuple[Grammar, str]],
        problems: list[Problem],
    ) -> None:
        self.source = source
        self.imports = imports
        self.wanted = {wanted.casefold(): grammar for grammar, wanted in take}
        self.problems = problems
        self.own = {rule.name.casefold(): rule for rule in own}
        self.rules: dict[str, Rule] = {rule.name: rule for rule in own}
        self.names: dict[tuple[str, str], str] = {}  # (origin, name there) -> name here
        self.taken = set(self.own)

    def bind(self, rule: Rule) -> None:
        """Replace the references of an own rule by bound ones."""
        self.rules[rule.name] = replace(rule, body=self.rewrite(rule.body, rule))

    def rewrite(self, node: Node, rule: Rule) -> Node:
        if isinstance(node, Ref):
            return self.resolve(node, rule)
        parts = children(node)
        return rebuild(node, [self.rewrite(part, rule) for part in parts]) if parts else node

    def resolve(self, ref: Ref, rule: Rule) -> Node:
        prose = ref.name.startswith("<")
        name = ref.name
        if prose:
            found = _PROSE_NAME.match(ref.name)
            if found is None:
                text = f"{' '.join(ref.name.split())} is prose; no rule can be read in it"
                return self.unbound(ref, "prose", text)
            name = found[1]
        folded = name.casefold()
        if folded in self.own and not (prose and folded == rule.name.casefold()):
            return Ref(self.own[folded].name, ref.position)
        wanted = self.wanted.get(folded)
        for grammar in self.imports if wanted is None else (wanted, *self.imports):
            target = grammar.find(name)
            if target is not None:
                return Ref(self.adopt(grammar, target), ref.position)
        if prose:
            text = f"{ref.name} names no rule known here; give its grammar with --import"
            return self.unbound(ref, "prose", text)
        hint = meant(name, (rule.name for rule in self.own.values()))
        return self.unbound(ref, "undefined", f'"{name}" is not defined{hint}')

    def unbound(self, ref: Ref, code: str, text: str) -> Node:
        if ref.position is not None:
            self.problems.append(Problem(self.source, ref.position, code, text))
        return stand_in(ref.name)

    def take(self, grammar: Grammar, name: str) -> None:
        """Adopt an imported rule although nothing here refers to it."""
        target = grammar.find(name)
        if target is not None:
            self.adopt(grammar, target)

    def adopt(self, grammar: Grammar, target: Rule) -> str:
        """Add an imported rule and all that it leads to; return its name here."""
        adopted: dict[str, Rule] = {}
        pending = [target]
        while pending:
            rule = pending.pop()
            key = (rule.origin, rule.name)
            if key in self.names:
                continue
            name = rule.name
            if name.casefold() in self.taken:
                name = f"{rule.origin}.{rule.name}"
            self.taken.add(name.casefold())
            self.names[key] = name
            adopted[name] = rule
            inside = [grammar.rules[ref.name] for ref in references(rule.body)]
            pending.extend(reversed(inside))
        for name, rule in adopted.items():
            self.rules[name] = replace(rule, name=name, body=self.follow(grammar, rule.body))
        return self.names[target.origin, target.name]

    def follow(self, grammar: Grammar, node: Node) -> Node:
        """Spell the references of an adopted rule as here."""
        if isinstance(node, Ref):
            target = grammar.rules[node.name]
            return Ref(self.names[target.origin, target.name], node.position)
        parts = children(node)
        return rebuild(node, [self.follow(grammar, part) for part in parts]) if parts else node
