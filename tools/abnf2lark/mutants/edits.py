"""Every grammar that one edit of one rule makes of another."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from abnf2lark import ir
from abnf2lark.reading.large_parts import length, lengths

_SHOWN = 70  # characters of an edit in words


@dataclass(frozen=True, slots=True)
class Mutant:
    """A grammar in which one rule has another body; ``before``, ``after``: the part edited."""

    rule: str
    body: ir.Node
    before: ir.Node
    after: ir.Node
    edit: str


def mutants(grammar: ir.RuleSet, start: str) -> tuple[Mutant, ...]:
    """Return those of all rules that a start rule leads to, each body once.

    The edits of a rule are those of its body, and those of one rule that it refers to in one place,
    as though that place had a copy of its own.
    """
    found: dict[tuple[str, ir.Node], Mutant] = {}
    needed = ir.reachable(grammar, [start])
    edits = _Edits(grammar, needed)
    for name in needed:
        body = grammar.rules[name].body
        for edited, edit in edits.of(name, body):
            if edited != body:
                words = f"{name}: {edit.words}"
                words = words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
                mutant = Mutant(name, edited, edit.before, edit.after, words)
                found.setdefault((name, edited), mutant)
    return tuple(found.values())


class _Edit(NamedTuple):
    before: ir.Node
    after: ir.Node
    words: str


class _Edits:
    """The edits of rules, among them those that write another rule by mistake."""

    def __init__(self, grammar: ir.RuleSet, needed: Iterable[str]) -> None:
        self._rules = grammar.rules
        bodies = [grammar.rules[name].body for name in needed]
        self._uses = Counter(ref.name for body in bodies for ref in ir.references(body))
        self._grammar = grammar
        self._lengths = lengths(grammar)
        self._kinds: dict[str, str] = {}
        for name in grammar.rules:
            self._kind(ir.Ref(name))

    def of(
        self, home: str, node: ir.Node, *, inside: bool = True
    ) -> Iterator[tuple[ir.Node, _Edit]]:
        """Yield what one edit makes of an expression of a rule; ``inside``: also of rules in it."""
        for edited, words in self._own(home, node):
            yield edited, _Edit(node, edited, words)
        # With one such place it is an edit of the rule itself.
        if inside and isinstance(node, ir.Ref) and self._uses[node.name] > 1:
            for edited, edit in self.of(home, self._rules[node.name].body, inside=False):
                yield edited, _Edit(node, edited, f"{node.name} here: {edit.words}")
        parts = list(ir.children(node))
        for number, part in enumerate(parts):
            for edited, edit in self.of(home, part, inside=inside):
                yield ir.rebuild(node, [*parts[:number], edited, *parts[number + 1 :]]), edit

    def _others(self, home: str, name: str) -> list[str]:
        """Return those of the same rule, of the same kind, and those whose names begin alike."""
        above = ir.leading_to(self._grammar, [home])
        beside = dict.fromkeys(ref.name for ref in ir.references(self._rules[home].body))
        word, kind = name.partition("-")[0], self._kinds[name]
        rules, kinds = self._rules, self._kinds
        alike = [one for one in rules if kinds[one] == kind != "" or one.partition("-")[0] == word]
        found = dict.fromkeys([*beside, *alike])
        return [other for other in found if other != name and other not in above]

    def _kind(self, node: ir.Node) -> str:
        """Return "characters", "segment" for a run of them, or "" for what is neither."""
        match node:
            case ir.Ref(name):
                if name not in self._kinds:
                    self._kinds[name] = ""  # of a rule that leads to itself
                    self._kinds[name] = self._kind(self._rules[name].body)
                return self._kinds[name]
            case ir.Rep(item, _, high) if high != 1 and self._kind(item) == "characters":
                return "segment"
            case _:
                _, longest = length(node, self._lengths)
                return "characters" if longest <= _TRIPLET else ""

    def _own(self, home: str, node: ir.Node) -> Iterator[tuple[ir.Node, str]]:
        match node:
            case ir.Chars(ranges):
                yield from _characters(node, ranges)
            case ir.Text(value):
                yield from _text(value)
            case ir.Ref(name):
                others = self._others(home, name)
                yield from ((ir.Ref(other), f"{name} → {other}") for other in others)
            case ir.Seq(items):
                for parts in dict.fromkeys((items, _as_written(items))):
                    yield from _parts(parts)
            case ir.Alt(items):
                yield from _alternatives(items)
            case ir.Rep():
                yield from _bounds(node)


_TRIPLET = 3  # characters of a percent-encoded octet, which represents one


def _characters(node: ir.Chars, ranges: tuple[ir.Range, ...]) -> Iterator[tuple[ir.Node, str]]:
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
    """Leave out a character, double it, or take its neighbours or its other case as well."""
    for number, character in enumerate(value):
        before, after = value[:number], value[number + 1 :]
        alone = ir.Chars.single(character)
        others = [one for one, _ in _characters(alone, alone.ranges) if one != alone]
        copies: list[ir.Node] = [ir.exactly(before + character * times + after) for times in (0, 2)]
        copies += [ir.seq([ir.exactly(before), other, ir.exactly(after)]) for other in others]
        for edited in copies:
            yield _changed(ir.Text(value), edited)


def _as_written(items: tuple[ir.Node, ...]) -> tuple[ir.Node, ...]:
    """Join the letters of each literal, which as written is one part."""
    parts: list[list[ir.Node]] = []
    for item in items:
        if isinstance(item, ir.Chars) and item.literal and item.literal.place and parts:
            parts[-1].append(item)
        else:
            parts.append([item])
    return tuple(ir.Seq(tuple(part)) if len(part) > 1 else part[0] for part in parts)


def _parts(items: tuple[ir.Node, ...]) -> Iterator[tuple[ir.Node, str]]:
    """Leave out a part, double it, make it optional, or swap it with the next."""
    for number, item in enumerate(items):
        before, after = items[:number], items[number + 1 :]
        yield ir.seq([*before, *after]), f"without {ir.spelled(item)}"
        yield ir.seq([*before, item, item, *after]), f"{ir.spelled(item)} twice"
        if not isinstance(item, ir.Rep) or item.low > 1:  # the bounds of others are moved so
            yield (
                ir.seq([*before, ir.optional(item), *after]),
                f"{ir.spelled(item)} → [ {ir.spelled(item)} ]",
            )
        if after and after[0] != item:
            swapped = [*before, after[0], item, *after[1:]]
            yield ir.seq(swapped), f"{ir.spelled(item)} and {ir.spelled(after[0])} swapped"


def _alternatives(items: tuple[ir.Node, ...]) -> Iterator[tuple[ir.Node, str]]:
    """Leave out an alternative, leave it empty, or swap it with the next."""
    for number, item in enumerate(items):
        before, after = items[:number], items[number + 1 :]
        yield ir.alt([*before, *after]), f"without {ir.spelled(item)}"
        yield ir.alt([*before, ir.EMPTY, *after]), f"{ir.spelled(item)} → nothing"
        if number + 1 < len(items):
            swapped = [*before, after[0], item, *after[1:]]
            words = f"{ir.spelled(item)} and {ir.spelled(after[0])} swapped"
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
