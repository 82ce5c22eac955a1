"""Names that could have been meant."""

from __future__ import annotations

import difflib
from itertools import islice
from typing import TYPE_CHECKING

from abnf2lark.reading.problems import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Grammar

MAX_NEAR = 3
MAX_KNOWN = 2_000  # names that are looked through; more take seconds


def meant(name: str, known: Iterable[str]) -> str:
    """Ask for the names that are near to one that is unknown, whatever the letter case.

    >>> meant("Itm", ["item", "list"]), meant("x", ["item", "list"])
    ('; is "item" meant?', '')
    """
    spelled = {one.lower(): one for one in islice(known, MAX_KNOWN)}
    near = difflib.get_close_matches(name.lower(), spelled, MAX_NEAR)
    quoted = [f'"{spelled[one]}"' for one in near]
    return f"; is {' or '.join(quoted)} meant?" if near else ""


def no_rule(name: str, grammar: Grammar) -> str:
    """Say that a grammar lacks a rule, with near misses."""
    return f'{grammar.name} has no rule "{name}"{meant(name, grammar.rules)}'


def find_rules(grammar: Grammar, names: Iterable[str], option: str) -> tuple[str, ...]:
    """Return rules by their names in any letter case; :class:`InputError` names near misses."""
    found: list[str] = []
    for name in names:
        rule = grammar.find(name)
        if rule is None:
            raise InputError(f"{option} {name}: {no_rule(name, grammar)}")
        found.append(rule.name)
    return tuple(dict.fromkeys(found))
