"""Derive texts of any rule, recursive or not, at random; every alternative is soon used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush, merge
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from abnf2lark import ir
from abnf2lark.charts import LimitError
from abnf2lark.problems import InputError

if TYPE_CHECKING:
    from random import Random

Choose: TypeAlias = Callable[[int], int]
"""Given how many choices there are, the simplest first, returns the number of one from 0."""

Path: TypeAlias = tuple[int, ...]
"""Which part, from the expression of a rule downwards; a reference has one part."""

MAX_SIZE: Final = 1_000_000  # characters of a text

_CHARACTER: Final = 1 << 64
"""The cost of a character; a reference costs 1, so that simplest derivations never loop."""

_ENDLESS: Final = MAX_SIZE * _CHARACTER * 2  # the cost of an expression without texts
_EAGER: Final = 8  # one of so many repetitions fills the available size


@dataclass(eq=False, slots=True)
class Element:
    """An expression at its place in a rule.

    items: its direct parts; for a reference the expression of the rule.
    cost: of its simplest derivation: the fewest characters, then the fewest references.
    order: for alternatives the numbers of those that derive texts, the simplest first.
    """

    node: ir.Node
    items: Sequence[Element]
    cost: int
    order: Sequence[int] = field(default=())

    @property
    def least(self) -> int:
        """The characters of the shortest text."""
        return self.cost // _CHARACTER


class Aim(NamedTuple):
    """A choice to make at a path: a number or code point, and the shortest text with it."""

    path: Path
    choice: int
    needed: int = 0


class Derived(NamedTuple):
    """A text, the offset of the choice aimed at, and all choices by number."""

    text: str
    at: int
    taken: Sequence[tuple[Element, int]]


class Deriver:
    """Derives texts of the rules of a grammar."""

    def __init__(self, grammar: ir.RuleSet) -> None:
        self._grammar = grammar
        self._costs = _costs(grammar)
        self._bodies: dict[str, list[Element]] = {}

    def part(self, rule: str) -> Element:
        """Return the expression of a rule; InputError where it derives no text."""
        body = self._body(rule)[0]
        if body.cost >= _ENDLESS:
            raise InputError(f"{rule} derives no text, or none of up to {MAX_SIZE:,} characters")
        return body

    def derive(self, rule: str, choose: Choose, size: int, aim: Aim | None = None) -> Derived:
        """Derive a text.

        It has up to `size` characters, or more if the shortest text with the choice aimed at has.
        """
        body = self.part(rule)
        needed = body.least if aim is None else max(aim.needed, body.least)
        made = _Derivation(choose, size - needed, aim or Aim((), 0))
        made.run(body, None if aim is None else aim.path)
        return Derived("".join(made.pieces), made.at, made.taken)

    def shortest(self, rule: str) -> str:
        """Return a shortest text, the first of the alternatives that are equally short."""
        return self.derive(rule, lambda _: 0, 0).text

    def aims(self, rule: str) -> list[tuple[Element, int, Aim]]:
        """List the choices of a rule and of all that it leads to, each with a simplest path.

        Alternatives, and for repetitions the least count and one more. The paths are found by
        Dijkstra's algorithm; their cost are the characters that they add.
        """
        body = self.part(rule)
        found: list[tuple[Element, int, Aim]] = []
        seen: set[Element] = set()
        order = count()  # of two ways that cost the same, the first one
        pending: list[tuple[int, int, int, Path, Element]] = [(0, 0, next(order), (), body)]
        while pending:
            added, depth, _, path, part = heappop(pending)
            if part in seen:
                continue
            seen.add(part)
            needed = body.least + added
            ways = [(number, 0) for number in range(len(part.items))]
            match part.node:
                case ir.Alt():
                    ways = [(number, _more(part, number)) for number in part.order]
                    for number, more in ways:
                        found.append((part, number, Aim(path, number, needed + more)))
                case ir.Rep(_, low, high):
                    more = part.items[0].least
                    if part.items[0].cost >= _ENDLESS or high == 0:
                        continue
                    ways = [(0, 0 if low else more)]
                    if high != low:
                        found.append((part, 0, Aim(path, low, needed)))
                        found.append((part, 1, Aim(path, low + 1, needed + more)))
            for number, more in ways:
                step = added + more, depth + 1, next(order)
                heappush(pending, (*step, (*path, number), part.items[number]))
        return found

    def _body(self, rule: str) -> list[Element]:
        """Return the expression of a rule in a list, and add all rules that it leads to."""
        pending = [] if rule in self._bodies else [rule]
        while pending:
            name = pending.pop()
            body = self._grammar.rules[name].body
            self._bodies.setdefault(name, []).append(self._part(body))
            inside = {ref.name for ref in ir.references(body)}
            pending += [one for one in inside if not self._bodies[one] and one not in pending]
        return self._bodies[rule]

    def _part(self, node: ir.Node) -> Element:
        if isinstance(node, ir.Ref):
            return Element(node, self._bodies.setdefault(node.name, []), _cost(node, self._costs))
        if isinstance(node, ir.Chars):
            first = ord(written(node))
            ranges = node.without_surrogates().ranges
            node = ir.Chars(tuple(sorted(ranges, key=lambda one: one[0] != first)))
        items = [self._part(child) for child in ir.children(node)]
        order: Sequence[int] = ()
        if isinstance(node, ir.Alt):
            living = [number for number, item in enumerate(items) if item.cost < _ENDLESS]
            order = sorted(living, key=lambda number: _rank(items[number]))
        return Element(node, items, _cost(node, self._costs), order)


class _Loop(NamedTuple):
    """A repetition in progress: iterations beyond the least count, and those left, -1 for any."""

    part: Element
    done: int
    left: int
    is_eager: bool


class _Derivation:
    """The derivation of a text, by a stack instead of recursion, so that texts nest deeply."""

    def __init__(self, choose: Choose, spare: int, aim: Aim) -> None:
        self.choose = choose
        self.spare = spare
        self.turns = 1_000 + 20 * max(spare, 0)  # choices, since those of `s = s s / ""` cost none
        self.aim = aim
        self.at = self.written = 0
        self.pieces: list[str] = []
        self.taken: list[tuple[Element, int]] = []

    def run(self, start: Element, way: Path | None) -> None:
        """Derive an expression; `way`: the path to the choice aimed at, or `None`."""
        pending: list[tuple[Element | _Loop, Path | None]] = [(start, way)]
        while pending:
            part, way = pending.pop()
            if isinstance(part, _Loop):
                if self.goes_on(part):
                    after = part._replace(done=part.done + 1, left=part.left - 1)
                    pending += [(after, None), (part.part.items[0], None)]
                continue
            is_aim = way == ()
            if is_aim:
                self.at, way = self.written, None
            match part.node:
                case ir.Chars(ranges):
                    self.write(chr(self.aim.choice) if is_aim else _character(ranges, self.choose))
                case ir.Text(value):
                    self.write(value)
                case ir.Alt():
                    given = self.aim.choice if is_aim else way[0] if way else None
                    number = self.alternative(part) if given is None else given
                    self.taken.append((part, number))
                    pending.append((part.items[number], way[1:] if way else None))
                case ir.Rep(_, low, high):
                    least = max(low, int(bool(way)))
                    if is_aim:
                        least = high = self.aim.choice
                    if is_aim or least > low:
                        self.taken.append((part, int(least > low)))
                    left = -1 if high is None else high - least
                    if left and part.items[0].least <= self.spare:
                        is_eager = self.choose(_EAGER) == _EAGER - 1
                        pending.append((_Loop(part, least - low, left, is_eager), None))
                    pending += [(part.items[0], None)] * least
                    if way:
                        pending[-1 - self.choose(least)] = part.items[0], way[1:]
                case _:
                    pending += [(item, None) for item in reversed(part.items)]
                    if way:
                        pending[-1 - way[0]] = part.items[way[0]], way[1:]

    def write(self, text: str) -> None:
        self.pieces.append(text)
        self.written += len(text)

    def alternative(self, part: Element) -> int:
        free = self.free()
        ways = [number for number in part.order if _more(part, number) <= free]
        number = ways[self.choose(len(ways))] if ways else part.order[0]
        self.spare -= _more(part, number)
        return number

    def goes_on(self, loop: _Loop) -> bool:
        """Choose whether to repeat once more: mostly a few times, else to fill the size."""
        part, done, left, is_eager = loop
        each, free = part.items[0].least, self.free()
        if not left or free < each:
            more = False
        elif is_eager:
            more = self.choose((free // each if each else _EAGER) + 2) > 0
        else:
            more = self.choose(5) > 1
        self.spare -= each * more
        if not done:
            self.taken.append((part, int(more)))
        return more

    def free(self) -> int:
        """Return the characters left; negative after many choices, so that it terminates."""
        self.turns -= 1
        return self.spare if self.turns > 0 else -1


def _rank(part: Element) -> tuple[int, bool]:
    """Put sets that begin with a capital later: examples shrink to small letters."""
    node = part.node
    return part.cost, isinstance(node, ir.Chars) and chr(node.ranges[0][0]).isupper()


def _more(part: Element, number: int) -> int:
    return part.items[number].least - part.least


def _character(ranges: tuple[ir.Range, ...], choose: Choose) -> str:
    """Choose a character; often one of the ends of a range."""
    low, high = ranges[choose(len(ranges))]
    if low == high:
        return chr(low)
    return chr((low, high, low + choose(high - low + 1))[choose(3)])


def written(chars: ir.Chars) -> str:
    """Return a readable character of a set: as the grammar writes it, if it does."""
    if chars.literal is not None:
        return chars.literal.value[chars.literal.place]
    firsts = [chr(low) for low, _ in chars.ranges]
    letters = (char for char in firsts if char.isascii() and char.islower())
    return next(letters, next(filter(str.isprintable, firsts), firsts[0]))


def _costs(grammar: ir.RuleSet) -> dict[str, int]:
    """Return the cost of the simplest text of each rule (Knuth 1977, in rounds as Bellman-Ford)."""
    found = dict.fromkeys(grammar.rules, _ENDLESS)
    is_changed = True
    while is_changed:
        is_changed = False
        for name in reversed(grammar.rules):  # what is referred to mostly comes later
            cost = _cost(grammar.rules[name].body, found)
            if cost < found[name]:
                found[name] = cost
                is_changed = True
    return found


def _cost(node: ir.Node, known: dict[str, int]) -> int:
    match node:
        case ir.Chars():
            cost = _CHARACTER if node.without_surrogates().ranges else _ENDLESS
        case ir.Text(value):
            cost = len(value) * _CHARACTER
        case ir.Ref(name):
            cost = known[name] + 1
        case ir.Alt(items):
            cost = min(_cost(item, known) for item in items)
        case ir.Rep(item, low):
            cost = low * _cost(item, known) if low else 0
        case _:
            cost = sum(_cost(item, known) for item in ir.children(node))
    return min(cost, _ENDLESS)


def covering(deriver: Deriver, rule: str, chance: Random, size: int) -> Iterator[str]:
    """Derive texts endlessly; every second one makes the choice made least often so far."""
    aims = deriver.aims(rule)
    counts = {(part, number): 0 for part, number, _ in aims}
    number_of_texts = 0
    while True:
        aim = None
        if aims:
            part, number, least = min(aims, key=lambda one: (counts[one[:2]], chance.random()))
            aim = least if counts[part, number] == 0 or number_of_texts % 2 else None
        made = deriver.derive(rule, chance.randrange, chance.randint(0, size), aim)
        for one in made.taken:
            counts[one] += 1
        number_of_texts += 1
        yield made.text


def refused(
    texts: Iterator[str], matches: Callable[[str], bool], choose: Choose, strangers: Sequence[str]
) -> Iterator[str]:
    """Change texts so that they do not match; InputError if too many still do."""
    failures = 0
    for text in texts:
        found = mutated(text, choose, strangers)
        if found.encode(errors="ignore").decode() == found and not matches(found):
            failures = 0
            yield found
        elif (failures := failures + 1) == _MAX_FAILURES:
            raise InputError(
                f"no invalid text was found: {failures:,} changed texts are valid, too"
            )


_MAX_FAILURES: Final = 1_000

_KINDS: Final = (
    "truncate newline duplicate duplicate swap swap "
    + 4 * "delete "
    + (6 * "insert " + 6 * "replace ")
)

ODD: Final = " \t\n\r\0\x7f\"'\\\u00a0\u00e9\u2028\U0001f600"
"""Characters that parsers often get wrong."""


def mutated(word: str, choose: Choose, strangers: Sequence[str], place: int | None = None) -> str:
    """Change a word by one character, or cut it short; the result may still be a word.

    strangers: sets of characters from which a new character is taken.
    place: the offset of the mutation; random by default.
    """
    if place is None:
        place = choose(len(word) + 1)
    some = strangers[choose(len(strangers))]
    stranger = some[choose(len(some))]
    before, after = word[:place], word[place:]
    kinds = {
        "replace": before + stranger + after[1:],
        "insert": before + stranger + after,
        "delete": before + after[1:],
        "duplicate": before + after[:1] + after,
        "swap": before + after[1:2] + after[:1] + after[2:],
        "truncate": before,
        "newline": word + ("\n", "\r\n", "\r", "\u2028")[choose(4)],
    }
    listed = _KINDS.split()
    made = kinds[listed[choose(len(listed))]]
    return made if made != word else before + stranger + after


def beside(grammar: ir.RuleSet) -> str:
    """Return the ends of all the ranges in a grammar, and the characters just beyond."""
    sets = ir.char_sets(rule.body for rule in grammar.rules.values())
    ends = {end + step for ranges in sets for pair in ranges for end in pair for step in (-1, 0, 1)}
    return "".join(chr(code) for code in sorted(ends) if 0 <= code <= ir.MAX_CODE_POINT)


_NESTED: Final = "texts of {} characters nest too deeply to list all of them"


class _Rest(NamedTuple):
    """The rest of an expression: a sequence or a repetition after so many of its parts."""

    part: Element
    done: int = 0


class _Texts:
    """Texts of one length in order of code points, made when they are first asked for."""

    def __init__(self, source: Iterator[str]) -> None:
        self._source = source
        self._known: list[str] = []

    def __iter__(self) -> Iterator[str]:
        place = 0
        while True:
            while place == len(self._known):
                text = next(self._source, None)
                if text is None:
                    return
                if not self._known or text != self._known[-1]:  # ambiguous texts come again
                    self._known.append(text)
            yield self._known[place]
            place += 1


class Enumerator:
    """Lists all texts of a rule, each once; keeps those of all parts, which may be more."""

    def __init__(self, deriver: Deriver) -> None:
        self._deriver = deriver

    def texts(self, rule: str, limit: int) -> Iterator[str]:
        """Yield the texts of up to so many characters, shorter ones first."""
        top = _Rest(self._deriver.part(rule))
        for length in range(limit + 1):
            try:
                yield from self._texts(top, length)
            except RecursionError:
                raise LimitError(_NESTED.format(length)) from None

    @ir.memoized
    def _texts(self, rest: _Rest, length: int) -> _Texts:
        return _Texts(self._merged(rest, length))

    def _merged(self, rest: _Rest, length: int) -> Iterator[str]:
        """Merge the texts of all expressions that derive the same text alone.

        Cyclic derivations are followed only once; the others are made of shorter texts.
        """
        if length == 0:
            return iter([""] if _least(rest) == 0 else [])
        wholes = ir.reached([rest], lambda one: self._wholes(one, length))
        return merge(*(texts for one in wholes for texts in self._made(one, length)))

    def _wholes(self, rest: _Rest, length: int) -> Iterator[_Rest]:
        """Yield the parts that may derive the whole text of an expression."""
        if _least(rest) > length:
            return
        match rest.part.node:
            case ir.Chars() | ir.Text():
                pass
            case ir.Ref() | ir.Alt():
                yield from map(_Rest, rest.part.items)
            case _:
                head, tail = _cut(rest)
                if head is None:
                    return
                if _least(tail) == 0:
                    yield _Rest(head)
                if head.least == 0 and tail != rest and isinstance(rest.part.node, ir.Seq):
                    yield tail

    def _made(self, rest: _Rest, length: int) -> Iterator[Iterator[str]]:
        """Yield the texts of characters, and concatenations of shorter texts."""
        match rest.part.node:
            case ir.Chars(ranges):
                if length == 1:
                    yield (
                        chr(code) for low, high in sorted(ranges) for code in range(low, high + 1)
                    )
            case ir.Text(value):
                if length == len(value):
                    yield iter([value])
            case ir.Seq() | ir.Rep() | ir.Capture():
                head, tail = _cut(rest)
                if head is None:
                    return
                for first in range(max(head.least, 1), length - max(_least(tail), 1) + 1):
                    yield self._joined(_Rest(head), first, tail, length - first)
            case _:
                pass

    def _joined(self, head: _Rest, first: int, tail: _Rest, last: int) -> Iterator[str]:
        ends = self._texts(tail, last)
        if any(True for _ in ends):
            for begin in self._texts(head, first):
                for end in ends:
                    yield begin + end


def _cut(rest: _Rest) -> tuple[Element | None, _Rest]:
    """Return the next part of an expression, and the rest."""
    part, done = rest
    if isinstance(part.node, ir.Rep):
        low, high = part.node.low, part.node.high
        if done == high:
            return None, rest
        return part.items[0], _Rest(part, min(done + 1, low) if high is None else done + 1)
    if done == len(part.items):
        return None, rest
    return part.items[done], _Rest(part, done + 1)


def _least(rest: _Rest) -> int:
    part, done = rest
    if isinstance(part.node, ir.Rep):
        return max(part.node.low - done, 0) * part.items[0].least
    return sum(item.least for item in part.items[done:]) if done else part.least
