"""Every grammar that one edit of one rule makes of another."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from abnf2lark import ir

_SHOWN = 70  # characters of an edit in words


@dataclass(frozen=True, slots=True)
class Mutant:
    """A grammar in which one rule has another body.

    ``before`` and ``after`` are the part of it that was edited, ``edit`` says so in words.
    """

    rule: str
    body: ir.Node
    before: ir.Node
    after: ir.Node
    edit: str


def mutants(grammar: ir.Grammar, start: str) -> tuple[Mutant, ...]:
    """Return those of all rules that a start rule leads to, each body once."""
    found: dict[tuple[str, ir.Node], Mutant] = {}
    for name in ir.reachable(grammar, [start]):
        body = grammar.rules[name].body
        for edited, edit in _edits(body, _Others(grammar, name)):
            if edited != body:
                words = _short(f"{name}: {edit.words}")
                mutant = Mutant(name, edited, edit.before, edit.after, words)
                found.setdefault((name, edited), mutant)
    return tuple(found.values())


class _Others:
    """The rules that may be written by mistake for one that a rule refers to."""

    def __init__(self, grammar: ir.Grammar, home: str) -> None:
        within = dict.fromkeys(ref.name for ref in ir.references(grammar.rules[home].body))
        above = ir.leading_to(grammar, [home])
        self._beside = [name for name in within if name not in above]
        self._named = [name for name in grammar.rules if name not in above]

    def of(self, name: str) -> list[str]:
        """Return the others of the same rule, and those whose names begin alike."""
        word = name.partition("-")[0]
        alike = [other for other in self._named if other.partition("-")[0] == word]
        return [other for other in dict.fromkeys([*self._beside, *alike]) if other != name]


class _Edit(NamedTuple):
    before: ir.Node
    after: ir.Node
    words: str


def _edits(node: ir.Node, others: _Others) -> Iterator[tuple[ir.Node, _Edit]]:
    """Yield what one edit makes of an expression, and the edit."""
    for edited, words in _own(node, others):
        yield edited, _Edit(node, edited, words)
    parts = list(ir.children(node))
    for number, part in enumerate(parts):
        for edited, edit in _edits(part, others):
            yield ir.rebuild(node, [*parts[:number], edited, *parts[number + 1 :]]), edit


def _own(node: ir.Node, others: _Others) -> Iterator[tuple[ir.Node, str]]:
    match node:
        case ir.Chars(ranges):
            yield from _characters(node, ranges)
        case ir.Text(value):
            yield from _text(value)
        case ir.Ref(name):
            yield from ((ir.Ref(other), f"{name} → {other}") for other in others.of(name))
        case ir.Seq(items):
            yield from _parts(items)
        case ir.Alt(items):
            yield from _alternatives(items)
        case ir.Rep():
            yield from _bounds(node)


def _characters(
    node: ir.Chars, ranges: tuple[tuple[int, int], ...]
) -> Iterator[tuple[ir.Node, str]]:
    """Move the ends of ranges by one, and change whether the case of a letter counts."""
    letters = {chr(low) for low, high in ranges if low == high}
    if len(letters) == len(ranges) == 2 and len({letter.lower() for letter in letters}) == 1:
        for letter in sorted(letters):
            yield _changed(node, ir.Chars.single(letter))
        return
    if len(letters) == len(ranges) == 1 and (letter := letters.pop()).isascii():
        both = ir.Chars.of([(ord(case), ord(case)) for case in {letter.lower(), letter.upper()}])
        yield _changed(node, both)
    for number, (low, high) in enumerate(ranges):
        for first, last in ((low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)):
            if 0 <= first <= last <= ir.MAX_CODE_POINT:
                moved = [*ranges[:number], (first, last), *ranges[number + 1 :]]
                yield _changed(node, ir.Chars.of(moved))


def _text(value: str) -> Iterator[tuple[ir.Node, str]]:
    """Leave out a character, or double it."""
    for number, character in enumerate(value):
        for times in (0, 2):
            text = value[:number] + character * times + value[number + 1 :]
            yield _changed(
                ir.Text(value), ir.Text(text) if len(text) > 1 else ir.Chars.single(text)
            )


def _parts(items: tuple[ir.Node, ...]) -> Iterator[tuple[ir.Node, str]]:
    """Leave out a part, double it, make it optional, or swap it with the next."""
    for number, item in enumerate(items):
        before, after = items[:number], items[number + 1 :]
        yield ir.seq([*before, *after]), f"without {ir.spelled(item)}"
        yield ir.seq([*before, item, item, *after]), f"{ir.spelled(item)} twice"
        if not isinstance(item, ir.Rep):
            yield (
                ir.seq([*before, ir.optional(item), *after]),
                f"{ir.spelled(item)} → [ {ir.spelled(item)} ]",
            )
        if after and after[0] != item:
            swapped = [*before, after[0], item, *after[1:]]
            yield ir.seq(swapped), f"{ir.spelled(item)} and {ir.spelled(after[0])} swapped"


def _alternatives(items: tuple[ir.Node, ...]) -> Iterator[tuple[ir.Node, str]]:
    """Leave out an alternative, or swap it with the next."""
    for number, item in enumerate(items):
        yield ir.alt([*items[:number], *items[number + 1 :]]), f"without {ir.spelled(item)}"
        if number + 1 < len(items):
            swapped = [*items[:number], items[number + 1], item, *items[number + 2 :]]
            words = f"{ir.spelled(item)} and {ir.spelled(items[number + 1])} swapped"
            yield ir.alt(swapped), words


def _bounds(node: ir.Rep) -> Iterator[tuple[ir.Node, str]]:
    """Move a bound by one, lift it, or set one."""
    item, low, high = node.item, node.low, node.high
    pairs = [(low + 1, high), (low - 1, high)]
    pairs += [(low, 1)] if high is None else [(low, high + 1), (low, high - 1), (low, None)]
    for least, most in dict.fromkeys(pairs):
        if least >= 0 and (most is None or most >= max(least, 1)):
            yield _changed(node, item if (least, most) == (1, 1) else ir.Rep(item, least, most))
    if high is not None and high <= 1:
        yield ir.EMPTY, f"without {ir.spelled(node)}"


def _changed(before: ir.Node, after: ir.Node) -> tuple[ir.Node, str]:
    return after, f"{ir.spelled(before)} → {ir.spelled(after)}"


def _short(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
