"""What is left of words: behind shorter ones, and behind what they begin with."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from abnf2lark.automata.nfa import Nfa

if TYPE_CHECKING:
    from abnf2lark.automata.language import Language


def extensions(words: Language) -> Language:
    """Return what can make a word a longer one, and all ends of that."""
    after: set[int] = set()
    pending = deque(target for state in words.final for target in words.edges[state].values())
    while pending:
        state = pending.popleft()
        if state not in after:
            after.add(state)
            pending.extend(words.edges[state].values())
    return _from(words, after | words.final).without_empty()


def quotient(front: Language, words: Language) -> Language:
    """Return what is left of words that begin with a text of another language."""
    seen = {(0, 0)}
    pending = deque(seen)
    while pending:
        left, right = pending.popleft()
        for label, target in front.edges[left].items():
            goal = words.edges[right].get(label)
            if goal is not None and (target, goal) not in seen:
                seen.add((target, goal))
                pending.append((target, goal))
    return _from(words, {right for left, right in seen if left in front.final})


def _from(words: Language, states: set[int]) -> Language:
    """Return what leads from one of the states to the end of a word."""
    nfa = Nfa()
    start, end = nfa.state(), nfa.state()
    copied = nfa.copy(words, end)
    for state in states:
        nfa.jump(start, copied[state])
    return nfa.language(start, {end}, words.size)
