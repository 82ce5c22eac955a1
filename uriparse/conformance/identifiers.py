"""What tells the states of an automaton apart: few words for each, and any two have one in common.

These are the harmonized state identifiers of Petrenko (1991), from a tree: a word parts the states
after which it leads to an end from the others, another word parts each half again, and so on until
every state is alone. The words on the way to a state are its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from uriparse.conformance.automata import DEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uriparse.conformance.automata import Automaton

Labels: TypeAlias = "tuple[int, ...]"

_POOL: Final = 3000
"""Words to choose from, beyond which only those are kept that part states which no other does."""


def identifiers(automaton: Automaton) -> dict[int, tuple[Labels, ...]]:
    """Give each state of a minimal automaton, `DEAD` among them, the words that identify it.

    A word is a sequence of classes. Of any two states one has a word, which the other has too,
    that leads to an end after one of them alone. States that many steps lead to get fewer words.

    >>> from uriparse.conformance.subjects import subject
    >>> identifiers(subject("path-empty").automaton)
    {0: ((),), -1: ((),)}
    """
    count = len(automaton)
    words = _words(automaton)
    weight = _weights(automaton)
    found: dict[int, tuple[Labels, ...]] = {}
    pending: list[tuple[int, tuple[Labels, ...]]] = [((1 << count + 1) - 1, ())]
    while pending:
        block, own = pending.pop()
        members = _members(block)
        if len(members) == 1:
            state = members[0] if members[0] < count else DEAD
            found[state] = own
            continue
        half = sum(weight[member] for member in members) / 2
        parting = [
            (abs(sum(weight[m] for m in _members(block & ends)) - half), len(word), number)
            for number, (ends, word) in enumerate(words)
            if block & ends and block & ~ends
        ]
        *_, number = min(parting)
        ends, word = words[number]
        pending += [(block & ~ends, (*own, word)), (block & ends, (*own, word))]
    return dict(sorted(found.items(), key=lambda item: item[0] if item[0] != DEAD else count))


def _words(automaton: Automaton) -> list[tuple[int, Labels]]:
    """List words, the shortest first, each with the states after which it leads to an end.

    States are bits of a number, `DEAD` is the last. Any two states are parted by one of the words.
    """
    before: list[dict[int, int]] = [{} for _ in automaton.classes]
    for state, row in enumerate(automaton.edges):
        for label, target in row.items():
            before[label][target] = before[label].get(target, 0) | 1 << state
    first = sum(1 << state for state in automaton.final)
    found: dict[int, Labels] = {first: ()}
    blocks = _parted([(1 << len(automaton) + 1) - 1], first)
    words = [(first, ())]
    longer: list[tuple[int, Labels]] = list(words)
    while len(blocks) <= len(automaton):
        shorter, longer = longer, []
        for ends, word in shorter:
            members = _members(ends)
            for label, sources in enumerate(before):
                reached = 0
                for member in members:
                    reached |= sources.get(member, 0)
                if not reached or reached in found:
                    continue
                finer = _parted(blocks, reached)
                if len(finer) == len(blocks) and len(found) >= _POOL:
                    continue
                blocks = finer
                found[reached] = (label, *word)
                longer.append((reached, found[reached]))
        if not longer:
            raise ValueError("the automaton is not minimal")
    return list(found.items())


def _parted(blocks: Sequence[int], ends: int) -> list[int]:
    return [part for block in blocks for part in (block & ends, block & ~ends) if part]


def _members(block: int) -> list[int]:
    found = []
    while block:
        lowest = block & -block
        found.append(lowest.bit_length() - 1)
        block ^= lowest
    return found


def _weights(automaton: Automaton) -> list[int]:
    """Count the steps that lead to each state, and to `DEAD`."""
    found = [1] * (len(automaton) + 1)
    for row in automaton.edges:
        for target in row.values():
            found[target] += 1
        found[-1] += len(automaton.classes) - len(row)
    return found
