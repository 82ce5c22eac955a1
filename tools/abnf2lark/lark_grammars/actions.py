"""All actions of an LALR(1) table, those that conflict included: what a grammar's texts can do.

Lark keeps one action for each state and token. The table of all of them reads the texts of the
grammar, and no others, in all their ways; so it is what proofs about the one that is kept are held
against.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from abnf2lark.automata import TooLargeError
from abnf2lark.lark_grammars.tokens import ConflictError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

END = "$END"
MAX_HEIGHT = 60  # states of a stack

Stack: TypeAlias = tuple[int, ...]


class Reduction(NamedTuple):
    """A rule of the table: its name, how many symbols it is made of, and how Lark writes it."""

    name: str
    size: int
    shown: str


class DeeperError(Exception):
    """What a stack does depends on what lies below the part of it that is known."""


class Actions:
    """The states of a table and all that can be done in each.

    Attributes:
        shifts: for each state, where each token leads.
        gotos: for each state, where each rule leads that has been reduced to.
        reductions: for each state, by token, what can be reduced.
        before: for each state, those from which it is come to.
        starts: the states in which a text begins.
        ends: the states in which it has been read.
        begun: for each state, the rules that are begun there, and how many symbols of each have
            been read before the last one.

    """

    def __init__(self, lark_text: str, starts: Sequence[str]) -> None:
        from lark.exceptions import GrammarError  # noqa: PLC0415 - imported where it is used

        from abnf2lark.lark_grammars.metered import Analyzer, loaded  # noqa: PLC0415 - needs lark

        try:
            found = Analyzer(loaded(lark_text, starts).rules, starts)
        except GrammarError as error:
            raise ConflictError(str(error)) from error
        found.compute_lr0_states()
        found.compute_reads_relations()
        found.compute_includes_lookback()  # type: ignore[no-untyped-call]  # Lark's are not typed
        found.compute_lookaheads()  # type: ignore[no-untyped-call]
        itemsets = sorted(found.lr0_itemsets, key=lambda one: sorted(map(str, one.kernel)))
        numbers = {itemset: number for number, itemset in enumerate(itemsets)}
        self.shifts: list[dict[str, int]] = [{} for _ in itemsets]
        self.gotos: list[dict[str, int]] = [{} for _ in itemsets]
        self.reductions: list[dict[str, tuple[Reduction, ...]]] = [{} for _ in itemsets]
        self.before: list[set[int]] = [set() for _ in itemsets]
        self.ends: set[int] = set()
        self.begun: list[set[tuple[str, int]]] = [set() for _ in itemsets]
        self._known: dict[tuple[Stack, str], frozenset[Stack]] = {}
        self._kept: list[dict[str, Reduction]] = []
        self.starts = [numbers[found.lr0_start_states[start]] for start in starts]
        for itemset, number in numbers.items():
            for symbol, target in itemset.transitions.items():
                (self.shifts if symbol.is_term else self.gotos)[number][str(symbol.name)] = numbers[
                    target
                ]
                self.before[numbers[target]].add(number)
            for symbol, rules in itemset.lookaheads.items():
                made = [
                    Reduction(str(rule.origin.name), len(rule.expansion), str(rule))
                    for rule in rules
                ]
                self.reductions[number][str(symbol.name)] = tuple(
                    sorted(one for one in made if not one.name.startswith("$root_"))
                )
            for item in itemset.kernel:
                name = str(item.rule.origin.name)
                if not name.startswith("$root_"):
                    self.begun[number].add((name, item.index - 1))
                elif item.is_satisfied:
                    self.ends.add(number)
        self._tried = [
            sorted((shifts.keys() | reductions.keys()) - {END})
            for shifts, reductions in zip(self.shifts, self.reductions, strict=True)
        ]
        self.decide({})

    def tried(self, state: int) -> Sequence[str]:
        """Return the tokens that something can be done with in a state, in one order always."""
        return self._tried[state]

    def conflicts(self) -> Iterator[tuple[int, str]]:
        """Yield the states and tokens where there is more to do than one thing."""
        for state, row in enumerate(self.reductions):
            for token, rules in sorted(row.items()):
                if len(rules) + (token in self.shifts[state]) > 1:
                    yield state, token

    def undecided(self, token: str) -> set[int]:
        """Return the states from which one with a conflict before a token may be come to."""
        found = {
            state
            for state, row in enumerate(self.reductions)
            if len(row.get(token, ())) + (token in self.shifts[state]) > 1
        }
        if not found:  # as for nearly all tokens of large grammars
            return found
        leading: dict[str, set[int]] = {}
        for targets in self.gotos:
            for name, target in targets.items():
                leading.setdefault(name, set()).add(target)
        from_rule: dict[int, set[int]] = {}
        for state, row in enumerate(self.reductions):
            for rule in row.get(token, ()):
                for target in leading.get(rule.name, ()):
                    from_rule.setdefault(target, set()).add(state)
        pending = list(found)
        while pending:
            more = from_rule.get(pending.pop(), set()) - found
            found |= more
            pending += more
        return found

    def decide(self, priorities: Mapping[str, int]) -> None:
        """Keep of each conflict what Lark keeps, given the priorities of rules."""
        self._kept = [
            {
                token: max(rules, key=lambda rule: priorities.get(rule.name, 0))
                for token, rules in row.items()
                if token not in self.shifts[state]
            }
            for state, row in enumerate(self.reductions)
        ]

    def decided(self, stack: Stack, token: str) -> tuple[Stack | None, bool]:
        """Take the one step before a token that is kept; tell whether the token has been read.

        ``None`` where the token is refused. Raises :class:`DeeperError`.
        """
        target = self.shifts[stack[-1]].get(token)
        if target is not None:
            return (*stack, target), True
        rule = self._kept[stack[-1]].get(token)
        return (None if rule is None else self.reduce(stack, rule)), False

    def kept(self, state: int, token: str) -> Reduction | None:
        """Return the reduction that is kept in a state; ``None`` where the token is shifted."""
        return None if token in self.shifts[state] else self._kept[state].get(token)

    def options(self, stack: Stack, token: str) -> list[tuple[Stack, bool]]:
        """Return all steps before a token, each with whether the token has been read.

        Raises :class:`DeeperError`.
        """
        target = self.shifts[stack[-1]].get(token)
        found = [] if target is None else [((*stack, target), True)]
        for rule in self.reductions[stack[-1]].get(token, ()):
            behind = self.reduce(stack, rule)
            if behind is not None:
                found.append((behind, False))
        return found

    def only(self, stack: Stack, token: str) -> list[tuple[Stack, bool]]:
        """Return the one step that is kept, as :meth:`options` returns all."""
        there, done = self.decided(stack, token)
        return [] if there is None else [(there, done)]

    def endings(self, stack: Stack, token: str) -> list[tuple[Stack, bool]]:
        """Return all steps before the end, each with whether that is all."""
        found = self.options(stack, token)
        return [*found, (stack, True)] if stack[-1] in self.ends else found

    def known(self, stack: Stack, token: str) -> frozenset[Stack]:
        """Return what a stack can be reduced to before a token, as far as it is known."""
        found = self._known.get((stack, token))
        if found is None:
            seen = {stack}
            pending = [stack]
            while pending:
                here = pending.pop()
                for rule in self.reductions[here[-1]].get(token, ()):
                    if rule.size < len(here):
                        one = self.reduce(here, rule)
                        if one is not None and one not in seen:
                            seen.add(one)
                            pending.append(one)
            found = self._known[stack, token] = frozenset(seen)
        return found

    def after(self, stack: Stack, token: str, *, known: bool = False) -> set[Stack]:
        """Return the stacks behind a token, in all ways; raises :class:`DeeperError`.

        With ``known`` only in those in which nothing below is needed.
        """
        found: set[Stack] = set()
        for one in self.known(stack, token) if known else self.reduced(stack, token):
            target = self.shifts[one[-1]].get(token)
            if target is not None:
                found.add((*one, target))
        return found

    def decidedly_after(self, stack: Stack, token: str) -> set[Stack]:
        """Return the stack behind a token, as has been decided; raises :class:`DeeperError`."""
        here: Stack | None = stack
        done = False
        while here is not None and not done:
            here, done = self.decided(here, token)
        return set() if here is None else {here}

    def accepts(self, stack: Stack) -> bool:
        """Tell whether the text can end with a stack; raises :class:`DeeperError`."""
        return any(one[-1] in self.ends for one in self.reduced(stack, END))

    def reduced(self, stack: Stack, token: str) -> set[Stack]:
        """Return what a stack can be reduced to before a token, itself included."""
        found = {stack}
        pending = [stack]
        while pending:
            here = pending.pop()
            for rule in self.reductions[here[-1]].get(token, ()):
                one = self.reduce(here, rule)
                if one is not None and one not in found:
                    found.add(one)
                    pending.append(one)
        return found

    def reduce(self, stack: Stack, rule: Reduction) -> Stack | None:
        """Return the stack behind a reduction; ``None`` where that leads nowhere."""
        if rule.size >= len(stack):
            raise DeeperError
        kept = stack[: len(stack) - rule.size]
        if len(kept) > MAX_HEIGHT:  # a rule that is empty, in front of itself
            raise TooLargeError
        target = self.gotos[kept[-1]].get(rule.name)
        return None if target is None else (*kept, target)
