"""Where in a rule a state of its automaton is: the component that is under way."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from uriparse.conformance.subjects import Subject
    from uriparse.grammar.derivation import Expression

END: Final = -1
"""Stands for the end of a text among the classes of characters."""


class Step(NamedTuple):
    """What may come after a state: a class of characters, or `END`."""

    state: int
    label: int


class Places:
    """The components of a rule, by the states of its automaton."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._automaton = subject.telling
        self._inner = _reachable(subject.source.expressions)
        self._components = tuple(self._component(state) for state in range(len(self._automaton)))

    def component(self, state: int) -> str:
        """Give the component that is under way, or about to begin; the rule itself if none is.

        Where several are, and none of them is part of the first, the rule around them all:
        before the "@" of an authority nobody knows what a letter belongs to.
        """
        return self._components[state]

    def is_shared(self, state: int) -> str:
        """Name the rule under way if several components consist of it, as pct-encoded; or `""`."""
        rules = {group.rule for group in self._automaton.groups[state]}
        [rule, *more] = rules or {""}
        return "" if more or len(self._users.get(rule, ())) < 2 else rule

    def entered(self, state: int) -> str:
        """Give the component that is under way, `""` if none is, or the rule itself."""
        names = self._under_way(state)
        return self._around(names) if names and names[0] != self._subject.rule else ""

    def reached(self, step: Step) -> str:
        """Give the component that a step leads to; an ending stays where it is."""
        row = self._automaton.edges[step.state]
        return self.component(step.state if step.label == END else row[step.label])

    @cached_property
    def taken(self) -> Counter[str]:
        """How many steps lead to each component; an ending is one."""
        return Counter(self.reached(step) for step, taken in self._steps() if taken)

    @cached_property
    def refused(self) -> Counter[str]:
        """How many steps each component refuses, an ending among them."""
        return Counter(self.component(step.state) for step, taken in self._steps() if not taken)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All components in the order in which a text comes to them."""
        return tuple(dict.fromkeys(self._components))

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        """The components in whose states each rule is under way."""
        found: dict[str, set[str]] = {}
        for groups in self._automaton.groups:
            for group in groups:
                if group.component not in ("", group.rule):
                    found.setdefault(group.rule, set()).add(group.component)
        return found

    def _steps(self) -> Iterator[tuple[Step, bool]]:
        for state, row in enumerate(self._automaton.edges):
            yield Step(state, END), state in self._automaton.final
            for label in range(len(self._automaton.classes)):
                yield Step(state, label), label in row

    def _component(self, state: int) -> str:
        if entered := self.entered(state):
            return entered
        begun = Counter(
            after
            for target in self._automaton.edges[state].values()
            if (after := self.entered(target))
        )
        return begun.most_common(1)[0][0] if begun else self._subject.rule

    def _under_way(self, state: int) -> list[str]:
        found = dict.fromkeys(group.component for group in self._automaton.groups[state])
        return [name for name in found if name]

    def _around(self, names: Sequence[str]) -> str:
        """Give the first component, or the smallest rule around it and what is no part of it."""
        first = names[0]
        beside = [
            name
            for name in names
            if name not in self._inner.get(first, ()) and first not in self._inner.get(name, ())
        ]
        if not beside:
            return first
        around = [rule for rule, inner in self._inner.items() if inner >= {first, *beside}]
        return min(around, key=lambda rule: len(self._inner[rule]), default=first)


def _reachable(expressions: Mapping[str, Expression]) -> dict[str, set[str]]:
    """Give for each rule those that it leads to, itself among them."""
    direct = {rule: set(_references(expression)) for rule, expression in expressions.items()}
    found = {}
    for rule in direct:
        reached = {rule}
        for name in (walk := [rule]):
            new = direct.get(name, set()) - reached
            reached |= new
            walk += new
        found[rule] = reached
    return found


def _references(expression: Expression) -> Iterator[str]:
    waiting: list[object] = [expression]
    for item in waiting:
        match item:
            case ("ref", str(rule)):
                yield rule
            case ("seq" | "alt", tuple(items)):
                waiting += items
            case ("rep", tuple(inner), _, _):
                waiting.append(inner)
            case _:
                pass
