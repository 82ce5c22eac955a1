"""The W-method (Chow 1978): a finite suite that no wrong automaton of the same size passes.

Every state is entered, every class of characters read there, and every word of a set that tells
all states apart appended. A judge that errs on none of these texts has the language of the rule,
unless it tells more states apart than the minimal automaton does.
"""

from collections import deque
from collections.abc import Iterator
from functools import cache

from oracle.judges import automata

from abnf2lark.automata import Alphabet, Language

DEAD = -1


def suite(name: str, rule: str, endings: int | None = None) -> Iterator[str]:
    """Yield the suite of a rule, or what is left of it with fewer endings a transition."""
    alphabet, languages = automata(name)
    language = languages[rule]
    telling = distinguishing(language, alphabet)
    for number, (state, access) in enumerate(access_words(language, alphabet).items()):
        for label in range(alphabet.size):
            target = language.edges[state].get(label, DEAD)
            sample, *others = ends(name, label)
            for char in (sample, *others):
                yield access + char
                if target != DEAD:
                    yield access + char + completions(name, rule)[target]
            for turn in range(len(telling) if endings is None else endings):
                yield access + sample + telling[(number + label + turn) % len(telling)]


def access_words(language: Language, alphabet: Alphabet) -> dict[int, str]:
    """Give a shortest word to each state."""
    words = {0: ""}
    pending = deque([0])
    while pending:
        state = pending.popleft()
        for label, target in sorted(language.edges[state].items()):
            if target not in words:
                words[target] = words[state] + alphabet.sample(label)
                pending.append(target)
    return words


@cache
def completions(name: str, rule: str) -> list[str]:
    """Give a shortest word from each state to acceptance."""
    alphabet, languages = automata(name)
    found = [
        languages[rule].after(state).witness(alphabet) for state in range(len(languages[rule]))
    ]
    assert None not in found
    return [word for word in found if word is not None]


@cache
def ends(name: str, label: int) -> tuple[str, ...]:
    """Give a readable character of a class, and both ends of it, all ranges taken together."""
    alphabet, _ = automata(name)
    spans = alphabet.chars([label]).ranges
    return tuple(dict.fromkeys((alphabet.sample(label), chr(spans[0][0]), chr(spans[-1][1]))))


def distinguishing(language: Language, alphabet: Alphabet) -> list[str]:
    """Give words that tell all states apart: for any two, one that only one of them accepts."""
    words: list[tuple[int, ...]] = [()]
    blocks: dict[tuple[bool, ...], list[int]] = {(): [DEAD, *range(len(language))]}
    while True:
        split: dict[tuple[bool, ...], list[int]] = {}
        for key, states in blocks.items():
            for state in states:
                verdict = after(language, state, words[-1]) in language.final
                split.setdefault((*key, verdict), []).append(state)
        blocks = split
        mixed = next((states for states in blocks.values() if len(states) > 1), None)
        if mixed is None:
            return ["".join(map(alphabet.sample, word)) for word in words]
        words.append(difference(language, mixed[0], mixed[1]))


def after(language: Language, state: int, word: tuple[int, ...]) -> int:
    """Give the state behind a word."""
    for label in word:
        if state == DEAD:
            return DEAD
        state = language.edges[state].get(label, DEAD)
    return state


def difference(language: Language, one: int, other: int) -> tuple[int, ...]:
    """Give a shortest word that only one of two states accepts."""
    words: dict[tuple[int, int], tuple[int, ...]] = {(one, other): ()}
    pending = deque([(one, other)])
    while pending:
        pair = pending.popleft()
        if (pair[0] in language.final) != (pair[1] in language.final):
            return words[pair]
        rows = [language.edges[state] if state != DEAD else {} for state in pair]
        for label in sorted(rows[0].keys() | rows[1].keys()):
            target = (rows[0].get(label, DEAD), rows[1].get(label, DEAD))
            if target not in words:
                words[target] = (*words[pair], label)
                pending.append(target)
    raise AssertionError("two states of a minimal automaton accept the same words")
