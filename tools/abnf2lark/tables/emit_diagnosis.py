"""Write the diagnosis automaton of a grammar as packed tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.reading.ir import MAX_CODE_POINT
from abnf2lark.tables.packing import Parts

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet
    from abnf2lark.tables.error_automaton import Diagnosis


def diagnosis_content(found: Diagnosis, start: str, alphabet: Alphabet) -> bytes:
    """Return the section ``diagnosis``; ``start`` is the widest rule.

    To find how far a text can go on: begin in the state ``starts[rule]``. The class of a character
    is ``ascii[code]`` below 128; above, it is ``classes[n]`` for the last ``bounds[n]`` that is not
    above its code point. The next state is in row ``state`` and column ``class`` of ``states``.
    ``labels[label_of[state]]`` holds 1 if the text may end there, else 0, then numbers of
    ``groups``: for each rule under way the numbers in ``words`` of its component ("" for none), of
    its name, and of the ABNF words that it expects next. ``taken`` are the classes of characters in
    texts of the widest rule.

    Raises :class:`OverflowError` for more states than a cell can number.
    """
    labels = {label: number for number, label in enumerate(dict.fromkeys(found.labels))}
    merged = _merged_classes(found, alphabet)
    width = max(merged) + 1
    shown = [merged.index(number) for number in range(width)]
    beyond = _beyond(alphabet, merged)
    groups = {g: n for n, g in enumerate(dict.fromkeys(g for _, gs in labels for g in gs))}
    words: dict[str, int] = {}
    numbered = [
        [words.setdefault(word, len(words)) for word in (component, rule, *expected)]
        for component, rule, expected in groups
    ]
    made = Parts()
    made.mapping("starts", found.starts)
    made.numbers("ascii", [merged[alphabet.class_of(chr(code))] for code in range(128)])
    made.numbers("bounds", [first for first, _ in beyond])
    made.numbers("classes", [label for _, label in beyond])
    made.numbers("taken", sorted({merged[label] for label in _taken(found, start)}))
    made.grid("states", [[row.get(label) for label in shown] for row in found.rows], width)
    made.numbers("label_of", [labels[label] for label in found.labels])
    made.lists("labels", [(ended, *(groups[g] for g in own)) for ended, own in labels])
    made.words("words", words)
    made.lists("groups", numbered)
    return made.content


def _taken(found: Diagnosis, start: str) -> set[int]:
    """Return the classes that the texts of a rule are made of."""
    seen: set[int] = set()
    pending = [found.starts[start]]
    while pending:
        state = pending.pop()
        if state not in seen:
            seen.add(state)
            pending.extend(found.rows[state].values())
    return {label for state in seen for label in found.rows[state]}


def _merged_classes(found: Diagnosis, alphabet: Alphabet) -> list[int]:
    """Return for each class a number that it shares with classes which lead to the same states."""
    numbers: dict[tuple[int | None, ...], int] = {}
    columns = (tuple(row.get(label) for row in found.rows) for label in range(alphabet.size))
    return [numbers.setdefault(column, len(numbers)) for column in columns]


def _beyond(alphabet: Alphabet, merged: list[int]) -> list[tuple[int, int]]:
    """Return where classes change above ASCII: (first code point, class)."""
    spans = sorted(
        (max(low, 128), merged[label])
        for label in range(alphabet.size)
        for low, high in alphabet.chars([label]).ranges
        if high >= 128 and low <= MAX_CODE_POINT
    )
    return [
        span for before, span in zip([(0, -1), *spans], spans, strict=False) if span[1] != before[1]
    ]
