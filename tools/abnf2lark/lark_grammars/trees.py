"""Which rules of a recursive grammar are nodes of its trees: as many as can be, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.absorbing import HIDDEN, absorbed
from abnf2lark.reading.ir import leading_to, references
from abnf2lark.reading.loops import recursive_rules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from abnf2lark.lark_grammars.components import Components
    from abnf2lark.lark_grammars.resolving import ConflictingError
    from abnf2lark.reading.ir import Grammar


class Trees:
    """Nodes and leaves of a grammar, to be changed where the proof fails.

    Attributes:
        grammar: the rules.
        nodes: those that are nodes.
        leaves: those that are nodes which hold text only.

    """

    def __init__(
        self,
        grammar: Grammar,
        starts: tuple[str, ...],
        nodes: frozenset[str],
        leaves: frozenset[str],
    ) -> None:
        self.grammar = grammar
        self.nodes = nodes
        self.leaves = leaves
        self._starts = frozenset(starts)
        self._recursive = leading_to(grammar, recursive_rules(grammar))

    def decide(self, error: ConflictingError, components: Components) -> bool:
        """Change what makes a conflict; tell whether there is anything to change."""
        owners = components.abnf_names
        names = [error.dropped.name] if error.kept is None else [error.kept.name]
        rules = {owners.get(name, name) for name in [*names, error.dropped.name]}
        if error.kept is None and any(self._absorb(name, rules) for name in self.grammar.rules):
            return True
        # What would be decided on behind a token can be decided on if it is one token with it.
        behind = {owners.get(name, name) for name in error.behind}
        token = components.terminals.get(error.token)
        return (
            self._drop(rules)
            or (error.kept is None and self._drop(behind))
            or (token is not None and self._drop({token.rule}))
        )

    def _absorb(self, name: str, ended: AbstractSet[str]) -> bool:
        """Let a rule that may end where others do take in what is behind it, if it can."""
        inside = {ref.name for ref in references(self.grammar.rules[name].body)}
        if name in self._starts or ended.isdisjoint(inside | {name}):
            return False
        found = absorbed(self.grammar, name)
        if found is None:
            return False
        self.grammar = found
        self.nodes -= {name}
        self._recursive = leading_to(found, recursive_rules(found))
        return True

    def tell_apart(self, rules: Iterable[str]) -> bool:
        """Change rules whose tokens cannot be told apart; tell whether there is any to change."""
        kept = self.nodes | self.leaves
        above: set[str] = set()
        for name in rules:
            if name in self.nodes and self._inside(name):
                above.add(name)
            else:
                above |= {other for other in kept if name in self._inside(other)}
        found = above - self._recursive - self.leaves
        if found:
            self.nodes -= found
            self.leaves |= found
        return bool(found)

    def coarsen(self) -> bool:
        """Make leaves of all rules that are regular; tell whether some were none."""
        found = self.nodes - self._recursive
        self.nodes -= found
        self.leaves |= found
        return bool(found)

    def _drop(self, rules: Iterable[str]) -> bool:
        """Let regular rules be no nodes; tell whether some were."""
        found = frozenset(rules) & (self.nodes | self.leaves) - self._recursive
        self.nodes -= found
        self.leaves -= found
        return bool(found)

    def _inside(self, name: str) -> set[str]:
        """Return the nodes right below a rule: those reached without passing through another."""
        kept = self.nodes | self.leaves
        found: set[str] = set()
        seen: set[str] = set()
        pending = [name]
        while pending:
            for ref in references(self.grammar.rules[pending.pop()].body):
                if ref.name in kept or ref.name.startswith(HIDDEN):
                    found.add(ref.name)
                elif ref.name not in seen:
                    seen.add(ref.name)
                    pending.append(ref.name)
        return found
