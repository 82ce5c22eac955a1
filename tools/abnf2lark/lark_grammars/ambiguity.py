"""Say of rules that LALR cannot decide on which texts they part, or that they are ambiguous."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, TooLargeError
from abnf2lark.lark_grammars.derivations import Derivations
from abnf2lark.lark_grammars.remembering import HIDDEN
from abnf2lark.lark_grammars.surroundings import surroundings
from abnf2lark.lark_grammars.terminals import terminal_languages
from abnf2lark.lark_grammars.two_readings import TOKEN, Search

if TYPE_CHECKING:
    from collections.abc import Collection

    from abnf2lark.lark_grammars.components import Components
    from abnf2lark.lark_grammars.two_readings import Fork, Reading

MAX_STEPS = 150_000  # between pairs of derivations; about two seconds
PART_OF_ONE = 8  # for texts of one rule
MAX_SHOWN = 100  # characters of a text in a message
MAX_PARTS = 6  # of a reading


def told_apart(components: Components, rules: Collection[str], max_steps: int = MAX_STEPS) -> str:
    """Say on which texts rules part that have the given names in the ABNF; empty if unknown."""
    alphabet = Alphabet(terminal.node for terminal in components.terminals.values())
    try:
        words = terminal_languages(components, alphabet)
        derivations = Derivations(components.rules, words, alphabet)
        watched = {lark: name for lark, name in components.abnf_names.items() if name in rules}
        starts = {
            start: around
            for start in components.starts.values()
            if not watched.keys().isdisjoint(around := surroundings(derivations, start))
        }
    except (TooLargeError, RecursionError):
        return ""
    for token in components.terminals.values():
        if token.rule in rules and not token.name.startswith(HIDDEN):
            watched[token.name] = TOKEN + token.name
    # What is inside of a rule is found sooner than in whole texts.
    differing = watched if len(rules) > 1 else {}
    left = max_steps
    for around in starts.values():
        for rule in sorted(watched.keys() & around.keys()):
            search = Search(derivations, alphabet, differing)
            readings = search.found(rule, min(max_steps // PART_OF_ONE, left))
            left -= search.steps
            if readings:
                whole = readings[0].text.join(around[rule])
                return _ambiguous(*readings, whole, components)
    finished, fork = True, ""
    for start in starts or components.starts.values():
        search = Search(derivations, alphabet, watched)
        readings = search.found(start, max_steps // len(starts or components.starts))
        if readings:
            return _ambiguous(*readings, readings[0].text, components)
        finished = finished and search.finished
        fork = fork or _forked(search.fork)
    if not watched:
        return ""
    if finished:
        told = f"not ambiguous in {' and '.join(sorted(rules))}, but it needs more lookahead"
    else:
        told = f"not known to be ambiguous after {max_steps} steps; it may need more lookahead"
    return f"{told}{fork}"


def _forked(fork: Fork | None) -> str:
    if fork is None:
        return ""
    first, second = (fork.first, fork.text), (fork.second, fork.other)
    (rule, text), (other, instead) = (first, second) if fork.first else (second, first)
    where = f": {rule} ends behind {_shown(fork.common[:-1])} in {_shown(text)}"
    return (
        f"{where}, {other} in {_shown(instead)}" if other else f"{where}, not in {_shown(instead)}"
    )


def _ambiguous(first: Reading, second: Reading, whole: str, components: Components) -> str:
    """Say how a text is read in two ways, and by which rule of those inside."""
    first, second = _inmost(first, second, components)
    rule = components.abnf_names[first.name]
    ways = [_parts(reading, components) for reading in (first, second)]
    told = f"ambiguous: {rule} reads {_shown(first.text)} "
    told += f"as {' or as '.join(ways)}" if ways[0] != ways[1] else "in two ways"
    return told if whole == first.text else f"{told}, as in {_shown(whole)}"


def _inmost(first: Reading, second: Reading, components: Components) -> tuple[Reading, Reading]:
    """Return the inmost rule whose parts differ, in either reading."""
    ways = [_inside(reading, components) for reading in (first, second)]
    if [one[:2] for one in ways[0]] == [one[:2] for one in ways[1]]:
        for one, other in zip(*ways, strict=True):
            if one != other:
                return _inmost(one, other, components)
    return first, second


def _inside(reading: Reading, components: Components) -> list[Reading]:
    """Return the nodes and tokens right inside of a rule."""
    found: list[Reading] = []
    for one in reading.inside:
        hidden = one.name in components.rules and one.name.startswith("_")
        found += _inside(one, components) if hidden else [one]
    return found


def _parts(reading: Reading, components: Components) -> str:
    parts = [
        f"{components.abnf_names[one.name]} {_shown(one.text)}"
        if one.name in components.rules
        else _shown(one.text)
        for one in _inside(reading, components)
    ]
    parts = parts if len(parts) <= MAX_PARTS else [*parts[: MAX_PARTS - 1], "…"]
    return " + ".join(parts) or "nothing"


def _shown(text: str) -> str:
    return repr(text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…")
