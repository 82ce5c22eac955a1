"""Decide the conflicts of an LALR(1) table where one action can do all that the others can.

A grammar that is ambiguous has conflicts in any case, and one that is not may have some: where a
list of optional things ends, and the next begins likewise. An action may be left out where each
text that it leads on to the end can be read by the one that is kept, too: then the parser that
keeps one reads the same texts. Lark shifts rather than reduces, and of two reductions keeps the one
whose rule has the higher priority.

Where a token is decided on several times before it is read, the last time is looked at first: what
is decided behind that is done as it has been. So a sum of sums is read, though it be ambiguous.

That is asked with what is behind the token read as Lark would without priorities. So a choice is
found; it is proved once all is decided, where tokens are. Before the end of the text nothing is
behind, and this is the proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import TooLargeError
from abnf2lark.lark_grammars.precedence import circle, ranks
from abnf2lark.lark_grammars.tokens import ConflictError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abnf2lark.lark_grammars.actions import Actions, Reduction
    from abnf2lark.lark_grammars.losses import Losses


class ConflictingError(ConflictError):
    """Two actions are in conflict, and each of them leads to texts that the other does not.

    Attributes:
        token: before which token.
        kept: the reduction that would be kept; ``None`` for a shift.
        dropped: the reduction that would be left out.
        text: with which the one that is dropped goes on alone; empty where that is not known.
        behind: the rules that can begin behind the token, where it is shifted.

    """

    def __init__(
        self,
        token: str,
        kept: Reduction | None,
        dropped: Reduction,
        text: str = "",
        behind: tuple[str, ...] = (),
    ) -> None:
        super().__init__(f"{kept} or {dropped} before {token}")
        self.token = token
        self.behind = behind
        self.kept = kept
        self.dropped = dropped
        self.text = text


def priorities(actions: Actions, losses: Losses, written: Sequence[str]) -> dict[str, int]:
    """Return priorities of rules under which all conflicts are decided rightly.

    Where either of two will do, it is the one that is ``written`` first. Raises
    :class:`ConflictingError`.
    """
    order = {name: number for number, name in enumerate(written)}
    choices: dict[frozenset[str], set[str]] = {}
    for state, token in actions.conflicts():
        rules = actions.reductions[state][token]
        names = frozenset(rule.name for rule in rules)
        if token in actions.shifts[state]:
            for rule in rules:
                text = _parted(losses, state, token, None, rule)
                if text is not None:
                    behind = tuple(actions.gotos[actions.shifts[state][token]])
                    raise ConflictingError(token, None, rule, text, behind)
            winners = set(names)
        else:
            winners = _winners(losses, state, token, rules)
        if len(rules) > 1:
            if len(names) < len(rules):
                raise ConflictingError(token, rules[0], rules[1])
            winners &= order.keys()  # what Lark makes of repetitions can be given no priority
            winners &= choices.get(names, winners)
            if not winners:
                raise ConflictingError(token, rules[0], rules[1])
            choices[names] = winners
    return _ordered(choices, order)


def _winners(losses: Losses, state: int, token: str, rules: tuple[Reduction, ...]) -> set[str]:
    found: set[str] = set()
    shortest: ConflictingError | None = None
    for kept in rules:
        for dropped in rules:
            text = None if kept == dropped else _parted(losses, state, token, kept, dropped)
            if text is not None:
                if shortest is None or len(text) < len(shortest.text):
                    shortest = ConflictingError(token, kept, dropped, text)
                break
        else:
            found.add(kept.name)
    if not found and shortest is not None:
        raise shortest
    return found


def _parted(
    losses: Losses, state: int, token: str, kept: Reduction | None, dropped: Reduction
) -> str | None:
    try:
        return losses.parted(state, token, kept, dropped)
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
