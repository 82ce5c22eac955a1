"""What a text can touch: the choices of a rule, and the steps and endings of its automaton."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from uriparse.conformance.cases import Case
from uriparse.conformance.notation import worded
from uriparse.conformance.rows import Rows

if TYPE_CHECKING:
    from uriparse.conformance.subjects import Subject
    from uriparse.conformance.unfolding import Choice

Kind: TypeAlias = Literal[
    "rule", "alternative", "option", "repetition", "range", "transition", "refusal", "ending"
]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The first five are of the grammar, the other three of the automaton."""


class Item(NamedTuple):
    """Something that a text can touch, and a text that does.

    kind: one of `KINDS`.
    component: the component that it lies in, by the name of its rule; outside of all components
        the rule that is covered.
    rule: the rule that it lies in.
    what: what it is: `'3 of 1*4HEXDIG'`, `'"(" for pchar at offset 9'`.
    text: a text that touches it, made for this and taken from no corpus.
    accepted: whether that belongs to the rule.
    """

    kind: Kind
    component: str
    rule: str
    what: str
    text: str
    accepted: bool


def chosen(choice: Choice, text: str, subject: Subject) -> Item:
    """Name a choice, and the text that comes to it."""
    component = choice.component or subject.rule
    return Item(cast("Kind", choice.kind), component, choice.rule, worded(choice), text, True)


@cache
def steps(subject: Subject) -> tuple[tuple[tuple[int, int | None], Item], ...]:
    """Name the steps and endings of an automaton by state and class, None for the ending."""
    automaton, ways, rows = subject.automaton, subject.ways, Rows(subject)

    def item(kind: Kind, text: str, at: int) -> Item:
        row = rows.row(Case(text, at), kind)
        return Item(kind, row.component or subject.rule, row.rule, row.tests, text, row.valid)

    found: list[tuple[tuple[int, int | None], Item]] = []
    for state, word in enumerate(ways.to):
        for label, character in enumerate(ways.samples):
            target = automaton.edges[state].get(label)
            kind: Kind = "refusal" if target is None else "transition"
            home = ways.home[state if target is None else target]
            found.append(((state, label), item(kind, word + character + home, len(word))))
        found.append(((state, None), item("ending", word, len(word))))
    return tuple(found)
