"""Lark's own rules and tables, for which steps are taken like for those of automata.

What Lark makes of a grammar of a few pages may take it hours, and all memory: a table grows with
the square of the rules that begin with each other, and may have exponentially many states. So the
states are counted as they are made, and the rest before it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark import Lark
from lark.common import ParserConf
from lark.parsers.lalr_analysis import LALR_Analyzer

from abnf2lark.automata import spend

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lark.grammar import Rule


def loaded(lark_text: str, starts: Iterable[str]) -> Lark:
    """Let Lark read a text: it has the rules and terminals, and nothing that a parser needs."""
    return Lark(lark_text, parser=None, lexer="basic", start=[*starts], maybe_placeholders=False)


class Analyzer(LALR_Analyzer):
    """Lark's own, but that it makes each closure once, and takes steps for what it does.

    Its methods raise :class:`TooLargeError` where they would take more than are left.
    """

    def __init__(self, rules: Sequence[Rule], starts: Sequence[str]) -> None:
        self._closures: dict[tuple[object, bool], frozenset[Any]] = {}
        symbols = {symbol for rule in rules for symbol in rule.expansion}
        self._terminals = sum(symbol.is_term for symbol in symbols)
        # What each rule begins and goes on with: each time for all rules, as deep as they stand in
        # each other; in each for all symbols, from each to each, those that are between them.
        passed = len(rules) // 3 + sum(len(rule.expansion) ** 3 for rule in rules) // 50
        spend(_depth(rules, starts) * passed)
        spend(len(symbols) * self._terminals)
        super().__init__(ParserConf([*rules], {}, [*starts]))

    def expand_rule(self, source_rule: Any, rules_by_origin: Any = None) -> Any:
        """Return the beginnings of what a rule can begin with."""
        key = source_rule, rules_by_origin is None
        found = self._closures.get(key)
        if found is None:
            found = frozenset(super().expand_rule(source_rule, rules_by_origin))
            self._closures[key] = found
        spend(2 * len(found))
        return found

    def compute_reads_relations(self) -> None:
        """Find out what can be read after each rule; before that, take the steps for all of it."""
        for state in self.lr0_itemsets:
            rules = sum(not symbol.is_term for symbol in state.transitions)
            spend(rules * (len(state.closure) + self._terminals))
        super().compute_reads_relations()  # type: ignore[no-untyped-call]  # Lark's are not typed


def _depth(rules: Sequence[Rule], starts: Sequence[str]) -> int:
    """Count how deep rules stand in each other, by the shortest way to each."""
    inside: dict[str, set[str]] = {}
    for rule in rules:
        names = {symbol.name for symbol in rule.expansion if not symbol.is_term}
        inside.setdefault(rule.origin.name, set()).update(names)
    depth, here, seen = 0, {*starts}, {*starts}
    while here:
        depth += 1
        here = {name for one in here for name in inside.get(one, ())} - seen
        seen |= here
    return depth
