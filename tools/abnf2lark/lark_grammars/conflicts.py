"""Conflicts of LALR(1) tables: resolve the harmless ones, explain the others."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.automata import TooLargeError
from abnf2lark.lark_grammars.component_rules import Components, fixed_text
from abnf2lark.lark_grammars.lalr_tables import Actions, ConflictError, Reduction
from abnf2lark.reading.recursion import shortest_loop

if TYPE_CHECKING:
    from abnf2lark.lark_grammars.readings import Replacements


# Orders of names: which of them have to come before which others.


def circle(before: Mapping[str, AbstractSet[str]]) -> tuple[str, ...] | None:
    """Return names of which each has to come before the next, in a circle."""
    return shortest_loop({name: sorted(after) for name, after in before.items()})[:-1] or None


def ranks(before: Mapping[str, AbstractSet[str]]) -> dict[str, int]:
    """Return numbers, from 1 up: each name's above those that it has to come before."""
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


# Decide the conflicts of an LALR(1) table where one action can do all that the others can.
#
# A grammar that is ambiguous has conflicts in any case, and one that is not may have some: where
# a list of optional things ends, and the next begins likewise. An action may be left out where
# each text that it leads on to the end can be read by the one that is kept, too: then the parser
# that keeps one reads the same texts. Lark shifts rather than reduces, and of two reductions
# keeps the one whose rule has the higher priority.
#
# Where a token is decided on several times before it is read, the last time is looked at first:
# what is decided after that is done as it has been. So a sum of sums is read, though it be
# ambiguous.
#
# That is asked with what is after the token read as Lark would without priorities. So a choice
# is found; it is proved once all is decided, where tokens are. Before the end of the text nothing
# comes after it, and this is the proof.


@dataclass(eq=False)
class ConflictingError(ConflictError):
    """Two actions are in conflict, and each of them leads to texts that the other does not.

    token: before which token.
    kept: the reduction that would be kept; ``None`` for a shift.
    dropped: the reduction that would be left out.
    text: with which the one that is dropped goes on alone; empty where that is not known.
    """

    token: str
    kept: Reduction | None
    dropped: Reduction
    text: str = ""

    def __str__(self) -> str:
        return f"{self.kept} or {self.dropped} before {self.token}"


def priorities(actions: Actions, proof: Replacements, written: Sequence[str]) -> dict[str, int]:
    """Return priorities of rules by which all conflicts are rightly decided, or raise."""
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
    """Choose of each set of rules one that comes before all others of it, in no circle."""
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


# Say in words of the ABNF why Lark finds a component grammar not to be LALR(1).

MAX_NAMED = 4  # rules in a message
_COLLISION = re.compile(r"Reduce/Reduce collision in Terminal\('([^']*)'\)")
_RULE = re.compile(r"<([a-z0-9_]+) :")
_REPETITION = re.compile(r"__(.+)_(?:star|plus)_\d+")
_SHIFTED = re.compile(r"Shift/Reduce conflict for terminal (\S+):")


def collision(message: str, components: Components) -> tuple[str, tuple[str, ...]]:
    """Reword Lark's message about rules that could both end at a place; name the rules."""
    places = list(_COLLISION.finditer(message))
    if not places:
        return " ".join(message.split()), ()
    ends = [place.start() for place in places[1:]] + [len(message)]
    found = [
        _collision(place[1], _RULE.findall(message[place.end() : end]), components)
        for place, end in zip(places, ends, strict=True)
    ]
    return min(found)


def _collision(
    terminal: str, rules: Sequence[str], components: Components
) -> tuple[str, tuple[str, ...]]:
    names = sorted({_rule(rule, components) for rule in rules})
    where = _shown(terminal, components)
    owners = tuple(sorted({_owner(rule, components) for rule in rules} - {""}))
    if len(names) == 1:
        return f"one character ahead, {names[0]} can end in two ways before {where}", owners
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    both = "both" if len(names) == 2 else "all"
    return f"{' and '.join(names[:MAX_NAMED])}{more} can {both} end before {where}", owners


def undecided(error: ConflictingError, components: Components) -> tuple[str, tuple[str, ...]]:
    """Say where two actions are in conflict, and on which text they part; name the rules."""
    where = _shown(error.token, components)
    dropped = _rule(error.dropped.name, components)
    if error.kept is None:
        told = f"{dropped} can end or go on before {where}"
        rules = {error.dropped.name}
    else:
        first, second = sorted((_rule(error.kept.name, components), dropped))
        told = f"{first} and {second} can both end before {where}"
        if first == second:
            told = f"one character ahead, {first} can end in two ways before {where}"
        rules = {error.dropped.name, error.kept.name}
    if error.text:
        told += f"; only one of these goes on with {error.text!r}"
    return told, tuple(sorted({_owner(rule, components) for rule in rules} - {""}))


def shifted(
    lark_text: str, starts: Sequence[str], components: Components
) -> tuple[str, tuple[str, ...]]:
    """Name the first place where Lark shifts though a rule could have ended, and the rule."""
    import lark  # noqa: PLC0415 - imported where it is used, like `abnf`

    log = _Log()
    level, handlers = lark.logger.level, lark.logger.handlers
    lark.logger.handlers = [log]
    lark.logger.setLevel(logging.DEBUG)
    try:
        lark.Lark(lark_text, parser="lalr", lexer="contextual", start=list(starts))
    finally:
        lark.logger.handlers = handlers
        lark.logger.setLevel(level)
    found: dict[str, tuple[str, ...]] = {}
    for message, following in zip(log.messages, [*log.messages[1:], ""], strict=True):
        place = _SHIFTED.match(message)
        rules = _RULE.findall(following)
        if place and rules:
            what = f"{_rule(rules[0], components)} can end or go on"
            owner = _owner(rules[0], components)
            found[f"{what} before {_shown(place[1], components)}"] = (owner,) if owner else ()
    first = min(found, key=lambda text: (text.startswith("a repetition"), text), default="")
    return first, found.get(first, ())


def _rule(name: str, components: Components) -> str:
    """Name the rule of the ABNF; Lark writes repetitions as rules of its own."""
    known = components.abnf_names.get(name)
    if known is not None:
        return known
    owner = _owner(name, components)
    return f"a repetition in {owner}" if owner else "a repetition"


def _owner(name: str, components: Components) -> str:
    """Return the rule of the ABNF that a rule of Lark's belongs to; empty if that is not known."""
    made = _REPETITION.fullmatch(name)
    return components.abnf_names.get(made[1] if made else name, "")


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _shown(terminal: str, components: Components) -> str:
    """Write a terminal as ABNF would: its text, or the rule that it is from."""
    if terminal == "$END":
        return "the end"
    known = components.terminals.get(terminal)
    if known is None:
        return terminal
    text = fixed_text(known.node)
    return f'"{text}"' if text is not None and text.isprintable() else f"text of {known.rule}"
