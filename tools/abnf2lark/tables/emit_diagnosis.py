"""Write the diagnosis automaton of a grammar as Python data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.reading.ir import MAX_CODE_POINT

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet
    from abnf2lark.tables.error_automaton import Diagnosis

WIDTH = 3
DEAD = "f" * WIDTH

_GUIDE = """\
# To find how far a text can go on: begin in STARTS[rule]; a character's class is ASCII[code]
# below 128 and above that the class of the last entry of BEYOND that begins at or before it;
# the next state is ROWS[state][3 * class : 3 * class + 3] in hexadecimal, "fff" for none.
# LABELS[LABEL_OF[state]] is whether the text may end there, then numbers into GROUPS: for each rule
# under way its component ("" for none), its name, and the ABNF words that it expects next.
# TAKEN are the classes of the characters that texts of the widest rule hold."""


def diagnosis_text(found: Diagnosis, start: str, alphabet: Alphabet, header: str) -> str:
    """Return the module; ``start`` is the widest rule."""
    if len(found.rows) >= int(DEAD, 16):
        raise OverflowError(f"{len(found.rows)} states do not fit into {WIDTH} digits")
    labels = {label: number for number, label in enumerate(dict.fromkeys(found.labels))}
    merged = _merged_classes(found, alphabet)
    width = max(merged) + 1
    shown = [merged.index(number) for number in range(width)]
    classes = [merged[alphabet.class_of(chr(code))] for code in range(128)]
    lines = [header, _GUIDE, "", "STARTS: dict[str, int] = {"]
    lines += [f"    {rule!r}: {state}," for rule, state in found.starts.items()]
    lines += ["}", "", f"ASCII: tuple[int, ...] = {tuple(classes)!r}"]
    lines += ["", "BEYOND: tuple[tuple[int, int], ...] = ("]
    lines += [f"    {span!r}," for span in _beyond(alphabet, merged)]
    taken = {merged[label] for label in _taken(found, start)}
    lines += [")", "", f"TAKEN: tuple[int, ...] = {tuple(sorted(taken))!r}"]
    lines += ["", "ROWS: tuple[str, ...] = ("]
    for row in found.rows:
        cells = (
            DEAD if (target := row.get(label)) is None else f"{target:0{WIDTH}x}" for label in shown
        )
        lines.append(f'    "{"".join(cells)}",')
    lines += [")", "", f"LABEL_OF: tuple[int, ...] = {tuple(map(labels.get, found.labels))!r}"]
    groups = {g: n for n, g in enumerate(dict.fromkeys(g for _, gs in labels for g in gs))}
    lines += ["", "LABELS: tuple[tuple[bool, tuple[int, ...]], ...] = ("]
    lines += [f"    {(ended, tuple(groups[g] for g in own))!r}," for ended, own in labels]
    lines += [")", "", "GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = ("]
    lines += [f"    {group!r}," for group in groups]
    return "\n".join([*lines, ")", ""])


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
