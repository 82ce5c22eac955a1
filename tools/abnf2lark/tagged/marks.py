"""What a tagged automaton tells of a text: where each field lies, and what kind is there.

It follows from the settings. A rule that becomes a field is marked by its span. Where a field has
kinds ("host:IPv6"), its span is that of the innermost rule that all the kinds stand in, and which
of them stands there is a constant. The class of a record is a constant of its whole text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from abnf2lark.reading.ir import Alt, Ref, reachable
from abnf2lark.tagged.machine import UntellableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.reading.config import Settings
    from abnf2lark.reading.ir import Grammar


@dataclass(frozen=True, slots=True)
class Mark:
    """What is noted of a rule: the number of a field, or a constant and its value from 1.

    inner: what is noted inside it; nothing else is.
    """

    span: int | None = None
    constant: tuple[int, int] | None = None
    inner: Mapping[str, Mark] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Layout:
    """All that is told of the texts of a grammar's records.

    fields: their names, in the order of the settings.
    constants: for each constant the values that it can have; the first is the record's class.
    kinds: the number of the constant that says of what kind a field is, for those that have kinds.
    owners: the rule whose span such a field has.
    """

    fields: tuple[str, ...]
    constants: tuple[tuple[str, ...], ...]
    kinds: dict[str, int]
    owners: dict[str, str]
    marks: dict[str, Mark]

    @property
    def tags(self) -> int:
        """Count the places that are noted: two for each field."""
        return 2 * len(self.fields)


def layout(grammar: Grammar, settings: Settings) -> Layout:
    """Return what is told of the records of a grammar."""
    wanted = {rule: (*name.partition(":")[::2],) for rule, name in settings.fields.items()}
    fields = tuple(dict.fromkeys(name for name, _ in wanted.values()))
    constants = [tuple(dict.fromkeys(settings.records.values()))]
    kinds: dict[str, int] = {}
    owners: dict[str, str] = {}
    inside: dict[str, Mark] = {}
    for number, name in enumerate(fields):
        rules = {rule: kind for rule, (own, kind) in wanted.items() if own == name}
        if not any(rules.values()):
            inside.update(dict.fromkeys(rules, Mark(number)))
            continue
        kinds[name] = len(constants)
        constants.append(tuple(dict.fromkeys(rules.values())))
        values = {kind: value for value, kind in enumerate(constants[-1], start=1)}
        inner = {rule: Mark(constant=(kinds[name], values[k])) for rule, k in rules.items()}
        owners[name] = _owner(grammar, rules)
        inside[owners[name]] = Mark(number, inner=inner)
    marks = {
        rule: Mark(constant=(0, constants[0].index(kind) + 1), inner=inside)
        for rule, kind in settings.records.items()
    }
    return Layout(fields, tuple(constants), kinds, owners, marks)


def _owner(grammar: Grammar, rules: Mapping[str, str]) -> str:
    """Return the innermost rule that leads to all of the given ones; UntellableError for none."""
    below = {name: reachable(grammar, [name]) for name in grammar.rules}
    holding = [name for name in below if rules.keys() <= set(below[name]) - {name}]
    if not holding:
        raise UntellableError(f"{', '.join(rules)} are kinds of a field, and no rule holds them")
    return min(holding, key=lambda name: len(below[name]))


def choices(grammar: Grammar, marks: Mapping[str, Mark]) -> dict[str, tuple[str, ...]]:
    """Return the rules that yield records: each with the marked rules to try in its place."""
    found: dict[str, tuple[str, ...]] = {rule: (rule,) for rule in marks}
    for name in grammar.own:
        body = grammar.rules[name].body
        items = body.items if isinstance(body, Alt) else ()
        names = [item.name for item in items if isinstance(item, Ref) and item.name in marks]
        if names and len(names) == len(items):
            found[name] = tuple(names)
    return found
