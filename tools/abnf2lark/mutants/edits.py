"""Every grammar that one edit of one rule makes of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.reading.ir import (
    EMPTY,
    MAX_CODE_POINT,
    Alt,
    Chars,
    Node,
    Ref,
    Rep,
    Seq,
    Text,
    alt,
    children,
    leading_to,
    optional,
    reachable,
    references,
    seq,
    spelled,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.reading.ir import Grammar

_SHOWN = 70  # characters of an edit in words


@dataclass(frozen=True, slots=True)
class Mutant:
    """A grammar in which one rule has another body.

    ``before`` and ``after`` are the part of it that was edited, ``edit`` says so in words.
    """

    rule: str
    body: Node
    before: Node
    after: Node
    edit: str


def mutants(grammar: Grammar, start: str) -> tuple[Mutant, ...]:
    """Return those of all rules that a start rule leads to, each body once."""
    found: dict[tuple[str, Node], Mutant] = {}
    for name in reachable(grammar, [start]):
        body = grammar.rules[name].body
        for edited, edit in _edits(body, _Others(grammar, name)):
            if edited != body:
                words = _short(f"{name}: {edit.words}")
                mutant = Mutant(name, edited, edit.before, edit.after, words)
                found.setdefault((name, edited), mutant)
    return tuple(found.values())


class _Others:
    """The rules that may be written by mistake for one that a rule refers to."""

    def __init__(self, grammar: Grammar, home: str) -> None:
        within = dict.fromkeys(ref.name for ref in references(grammar.rules[home].body))
        above = leading_to(grammar, [home])
        self._beside = [name for name in within if name not in above]
        self._named = [name for name in grammar.rules if name not in above]

    def of(self, name: str) -> list[str]:
        """Return the others of the same rule, and those whose names begin alike."""
        word = name.partition("-")[0]
        alike = [other for other in self._named if other.partition("-")[0] == word]
        return [other for other in dict.fromkeys([*self._beside, *alike]) if other != name]


class _Edit(NamedTuple):
    before: Node
    after: Node
    words: str


def _edits(node: Node, others: _Others) -> Iterator[tuple[Node, _Edit]]:
    """Yield what one edit makes of an expression, and the edit."""
    for edited, words in _own(node, others):
        yield edited, _Edit(node, edited, words)
    parts = list(children(node))
    for number, part in enumerate(parts):
        for edited, edit in _edits(part, others):
            yield _with(node, [*parts[:number], edited, *parts[number + 1 :]]), edit


def _with(node: Node, parts: list[Node]) -> Node:
    match node:
        case Seq():
            return seq(parts)
        case Alt():
            return alt(parts)
        case Rep(_, low, high):
            return Rep(parts[0], low, high)
        case _:
            raise TypeError(node)


def _own(node: Node, others: _Others) -> Iterator[tuple[Node, str]]:
    match node:
        case Chars(ranges):
            yield from _characters(node, ranges)
        case Text(value):
            yield from _text(value)
        case Ref(name):
            yield from ((Ref(other), f"{name} → {other}") for other in others.of(name))
        case Seq(items):
            yield from _parts(items)
        case Alt(items):
            yield from _alternatives(items)
        case Rep():
            yield from _bounds(node)


def _characters(node: Chars, ranges: tuple[tuple[int, int], ...]) -> Iterator[tuple[Node, str]]:
    """Move the ends of ranges by one, and change whether the case of a letter counts."""
    letters = {chr(low) for low, high in ranges if low == high}
    if len(letters) == len(ranges) == 2 and len({letter.lower() for letter in letters}) == 1:
        for letter in sorted(letters):
            yield _changed(node, Chars.single(letter))
        return
    if len(letters) == len(ranges) == 1 and (letter := letters.pop()).isascii():
        both = Chars.of([(ord(case), ord(case)) for case in {letter.lower(), letter.upper()}])
        yield _changed(node, both)
    for number, (low, high) in enumerate(ranges):
        for first, last in ((low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)):
            if 0 <= first <= last <= MAX_CODE_POINT:
                moved = [*ranges[:number], (first, last), *ranges[number + 1 :]]
                yield _changed(node, Chars.of(moved))


def _text(value: str) -> Iterator[tuple[Node, str]]:
    """Leave out a character, or double it."""
    for number, character in enumerate(value):
        for times in (0, 2):
            text = value[:number] + character * times + value[number + 1 :]
            yield _changed(Text(value), Text(text) if len(text) > 1 else Chars.single(text))


def _parts(items: tuple[Node, ...]) -> Iterator[tuple[Node, str]]:
    """Leave out a part, double it, make it optional, or swap it with the next."""
    for number, item in enumerate(items):
        before, after = items[:number], items[number + 1 :]
        yield seq([*before, *after]), f"without {spelled(item)}"
        yield seq([*before, item, item, *after]), f"{spelled(item)} twice"
        if not isinstance(item, Rep):
            yield seq([*before, optional(item), *after]), f"{spelled(item)} → [ {spelled(item)} ]"
        if after and after[0] != item:
            swapped = [*before, after[0], item, *after[1:]]
            yield seq(swapped), f"{spelled(item)} and {spelled(after[0])} swapped"


def _alternatives(items: tuple[Node, ...]) -> Iterator[tuple[Node, str]]:
    """Leave out an alternative, or swap it with the next."""
    for number, item in enumerate(items):
        yield alt([*items[:number], *items[number + 1 :]]), f"without {spelled(item)}"
        if number + 1 < len(items):
            swapped = [*items[:number], items[number + 1], item, *items[number + 2 :]]
            words = f"{spelled(item)} and {spelled(items[number + 1])} swapped"
            yield alt(swapped), words


def _bounds(node: Rep) -> Iterator[tuple[Node, str]]:
    """Move a bound by one, lift it, or set one."""
    item, low, high = node.item, node.low, node.high
    pairs = [(low + 1, high), (low - 1, high)]
    pairs += [(low, 1)] if high is None else [(low, high + 1), (low, high - 1), (low, None)]
    for least, most in dict.fromkeys(pairs):
        if least >= 0 and (most is None or most >= max(least, 1)):
            yield _changed(node, item if (least, most) == (1, 1) else Rep(item, least, most))
    if high is not None and high <= 1:
        yield EMPTY, f"without {spelled(node)}"


def _changed(before: Node, after: Node) -> tuple[Node, str]:
    return after, f"{spelled(before)} → {spelled(after)}"


def _short(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
