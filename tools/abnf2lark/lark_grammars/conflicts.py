"""Conflicts of LALR(1) tables: resolve the harmless ones, explain the others."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from abnf2lark.automata import TooLargeError
from abnf2lark.lark_grammars.component_rules import Components, fixed_text
from abnf2lark.lark_grammars.lalr_tables import Actions, ConflictError, NotLalrError, Reduction
from abnf2lark.lark_grammars.readings import Replacements
from abnf2lark.reading.recursion import shortest_loop


def circle(before: Mapping[str, AbstractSet[str]]) -> tuple[str, ...] | None:
    """Return a cycle of names in which each must come before the next; ``None`` without one."""
    return shortest_loop({name: sorted(after) for name, after in before.items()})[:-1] or None


def ranks(before: Mapping[str, AbstractSet[str]]) -> dict[str, int]:
    """Return ranks from 1: each name's is above those of the names that it must come before."""
    found: dict[str, int] = {}
    pending = list(before)
    while pending:
        name = pending[-1]
        missing = [other for other in before[name] if other not in found]
        if missing:
            pending += missing
        else:
            found[pending.pop()] = 1 + max((found[other] for other in before[name]), default=0)
    return found


# Resolve the conflicts of an LALR(1) table where one action accepts all texts of the others.
#
# An ambiguous grammar always has conflicts, others may have some: where a list of optional parts
# ends, and the next one begins in the same way. An action may be dropped if each text that it
# accepts is accepted by the kept one, too: then the parser accepts the same texts. Lark prefers a
# shift to a reduction, and of two reductions the one whose rule has the higher priority.
#
# Where several decisions are made before one token, the last is examined first; those after it are
# resolved by then. So an ambiguous sum of sums is accepted.
#
# What follows the token is read as Lark does without priorities. This finds a choice; the proof of
# the tokens comes when all is resolved. At the end of the text nothing follows: this is the proof.


@dataclass(eq=False)
class ConflictingError(ConflictError):
    """Two actions are in conflict, and each of them accepts texts that the other does not.

    token: the lookahead.
    kept: the reduction that would be kept; ``None`` for a shift.
    dropped: the reduction that would be dropped.
    text: a text that only the dropped one accepts; empty if it is not known.
    """

    token: str
    kept: Reduction | None
    dropped: Reduction
    text: str = ""

    def __str__(self) -> str:
        return f"{self.kept} or {self.dropped} before {self.token}"


def priorities(actions: Actions, proof: Replacements, written: Sequence[str]) -> dict[str, int]:
    """Return priorities of rules that resolve all conflicts; else raise `ConflictingError`."""
    order = {name: number for number, name in enumerate(written)}
    choices: dict[frozenset[str], set[str]] = {}
    for state, token in actions.conflicts():
        rules = actions.reductions[state][token]
        names = frozenset(rule.name for rule in rules)
        if token in actions.shifts[state]:
            for rule in rules:
                text = _refuted(proof, state, token, None, rule)
                if text is not None:
                    raise ConflictingError(token, None, rule, text)
            winners = set(names)
        else:
            winners = _winners(proof, state, token, rules)
        if len(rules) > 1:
            if len(names) < len(rules):
                raise ConflictingError(token, rules[0], rules[1])
            winners &= order.keys()  # what Lark makes of repetitions can be given no priority
            winners &= choices.get(names, winners)
            if not winners:
                raise ConflictingError(token, rules[0], rules[1])
            choices[names] = winners
    return _ordered(choices, order)


def _winners(proof: Replacements, state: int, token: str, rules: tuple[Reduction, ...]) -> set[str]:
    found: set[str] = set()
    shortest: ConflictingError | None = None
    for kept in rules:
        for dropped in rules:
            text = None if kept == dropped else _refuted(proof, state, token, kept, dropped)
            if text is not None:
                if shortest is None or len(text) < len(shortest.text):
                    shortest = ConflictingError(token, kept, dropped, text)
                break
        else:
            found.add(kept.name)
    if not found and shortest is not None:
        raise shortest
    return found


def _refuted(
    proof: Replacements, state: int, token: str, kept: Reduction | None, dropped: Reduction
) -> str | None:
    try:
        return proof.refute_action(state, token, kept, dropped)
    except TooLargeError:
        return ""


def _ordered(choices: dict[frozenset[str], set[str]], order: dict[str, int]) -> dict[str, int]:
    """Choose for each set of rules the one with the highest priority, without a cycle."""
    before: dict[str, set[str]] = {name: set() for names in choices for name in names}
    for names, winners in sorted(choices.items(), key=lambda one: (len(one[1]), sorted(one[0]))):
        for winner in sorted(winners, key=order.__getitem__):
            trial = {name: set(after) for name, after in before.items()}
            trial[winner] |= names - {winner}
            if circle(trial) is None:
                before = trial
                break
        else:
            raise ConflictError(f"no order of {', '.join(sorted(names))} decides between them")
    return {name: rank for name, rank in ranks(before).items() if rank > 1}


# Explain in words of the ABNF why a component grammar is not LALR(1).

MAX_NAMED = 4  # rules in a message
_REPETITION = re.compile(r"__(.+)_(?:star|plus)_\d+")


def collision(error: ConflictError, components: Components) -> NotLalrError:
    """Name the rules that can both end at a place; the first in order, of several places."""
    found = [_collision(token, names, components) for token, names in error.collisions]
    text, owners = min(found, default=(" ".join(str(error).split()), ()))
    return NotLalrError(f"not LALR(1): {text}", owners)


def _collision(
    terminal: str, rules: AbstractSet[str], components: Components
) -> tuple[str, tuple[str, ...]]:
    names = sorted({_rule(rule, components) for rule in rules})
    where = _shown(terminal, components)
    owners = _owners(rules, components)
    if len(names) == 1:
        return f"one character ahead, {names[0]} can end in two ways before {where}", owners
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    both = "both" if len(names) == 2 else "all"
    return f"{' and '.join(names[:MAX_NAMED])}{more} can {both} end before {where}", owners


def undecided(error: ConflictingError, components: Components) -> NotLalrError:
    """Say where two actions are in conflict, and on which text they differ."""
    rules = {one.name for one in (error.kept, error.dropped) if one is not None}
    if error.kept is not None:
        text, owners = _collision(error.token, rules, components)
    else:
        where, owners = _shown(error.token, components), _owners(rules, components)
        text = f"{_rule(error.dropped.name, components)} can end or go on before {where}"
    more = f"; only one of these goes on with {error.text!r}" if error.text else ""
    return NotLalrError(f"not LALR(1): {text}{more}", owners)


def shifted(actions: Actions, components: Components, example: str) -> NotLalrError | None:
    """Name the first place where Lark shifts though a rule could have ended, if there is one."""
    found: dict[str, tuple[str, ...]] = {}
    for state, token in actions.conflicts():
        name = actions.reductions[state][token][0].name
        text = f"{_rule(name, components)} can end or go on before {_shown(token, components)}"
        found[text] = _owners({name}, components)
    if not found:
        return None
    first = min(found, key=lambda text: (text.startswith("a repetition"), text))
    return NotLalrError(f"not LALR(1): {first}, as in {example!r}", found[first])


def _owners(rules: AbstractSet[str], components: Components) -> tuple[str, ...]:
    return tuple(sorted({_owner(rule, components) for rule in rules} - {""}))


def _rule(name: str, components: Components) -> str:
    """Name the rule of the ABNF; Lark makes rules of repetitions."""
    owner = _owner(name, components)
    repetition = f"a repetition in {owner}" if owner else "a repetition"
    return components.abnf_names.get(name, repetition)


def _owner(name: str, components: Components) -> str:
    """Return the rule of the ABNF to which a rule of Lark's belongs; empty if it is unknown."""
    made = _REPETITION.fullmatch(name)
    return components.abnf_names.get(made[1] if made else name, "")


def _shown(terminal: str, components: Components) -> str:
    """Write a terminal as ABNF does: its text, or its rule."""
    if terminal == "$END":
        return "the end"
    known = components.terminals.get(terminal)
    if known is None:
        return terminal
    text = fixed_text(known.node)
    return f'"{text}"' if text is not None and text.isprintable() else f"text of {known.rule}"
