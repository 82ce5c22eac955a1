"""Say in words of the ABNF why Lark finds a component grammar not to be LALR(1)."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.names import fixed_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abnf2lark.lark_grammars.components import Components
    from abnf2lark.lark_grammars.resolving import ConflictingError

MAX_NAMED = 4  # rules in a message
_COLLISION = re.compile(r"Reduce/Reduce collision in Terminal\('([^']*)'\)")
_RULE = re.compile(r"<([a-z0-9_]+) :")
_REPETITION = re.compile(r"__(.+)_(?:star|plus)_\d+")
_SHIFTED = re.compile(r"Shift/Reduce conflict for terminal (\S+):")


def collision(message: str, components: Components) -> tuple[str, tuple[str, ...]]:
    """Reword Lark's message about rules that could both end at a place; name the rules.

    Of several places, which Lark has in no order, it is the one whose words come first.
    """
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
    """Name the first place where Lark goes on with a rule that could have ended; it only logs it.

    Empty where there is none. The rule comes along.
    """
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
    """Return the rule of the ABNF that a rule of Lark's belongs to; empty if nobody can tell."""
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
