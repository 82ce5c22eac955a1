"""The intermediate form: an ABNF grammar as a small immutable tree, and its spelling as ABNF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast
from weakref import ref as weakly

# Every later stage (checks, automata, passes, emitters) reads this form and nothing else.
# Case-insensitive literals are already character sets here, so that no later stage needs to know
# about letter case.

MAX_CODE_POINT = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)  # halves of UTF-16: no characters, so that they are in no text

Range: TypeAlias = tuple[int, int]
Thing = TypeVar("Thing")
Made = TypeVar("Made")
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Position:
    """Where something is in its ABNF file: line and column, both from 1."""

    line: int
    column: int


class Literal(NamedTuple):
    """A place in a string of the grammar: the string as written, and how many come before."""

    value: str
    place: int
    exact: bool

    @property
    def rest(self) -> str:
        """What is left of the string from the place on, as ABNF writes it."""
        text = self.value[self.place :]
        return _exactly(text) if self.exact else abnf_text(text)

    @property
    def whole(self) -> str:
        """The string, as ABNF writes it."""
        return self._replace(place=0).rest


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a set: sorted, disjoint, non-adjacent ranges; ``literal`` for messages."""

    ranges: tuple[Range, ...]
    literal: Literal | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, ranges: list[Range] | tuple[Range, ...]) -> Chars:
        """Sort and join the ranges."""
        joined: list[Range] = []
        for low, high in sorted(ranges):
            if joined and low <= joined[-1][1] + 1:
                joined[-1] = (joined[-1][0], max(joined[-1][1], high))
            else:
                joined.append((low, high))
        return cls(tuple(joined))

    @classmethod
    def single(cls, char: str) -> Chars:
        """Make the set of one character."""
        return cls(((ord(char), ord(char)),))

    def __contains__(self, code_point: int) -> bool:
        return any(low <= code_point <= high for low, high in self.ranges)

    def others(self) -> Chars:
        """Return the set of all other characters."""
        found: list[Range] = []
        start = 0
        for low, high in self.ranges:
            if low > start:
                found.append((start, low - 1))
            start = high + 1
        if start <= MAX_CODE_POINT:
            found.append((start, MAX_CODE_POINT))
        return Chars(tuple(found))

    def common(self, other: Chars) -> Chars:
        """Return what is in both sets."""
        pairs = [
            (max(low, start), min(high, end))
            for low, high in self.ranges
            for start, end in other.ranges
        ]
        return Chars.of([(low, high) for low, high in pairs if low <= high])

    def without_surrogates(self) -> Chars:
        """Return the set without surrogates."""
        return self.common(Chars(((SURROGATES.start, SURROGATES.stop - 1),)).others())

    def size(self) -> int:
        """Count the characters."""
        return sum(high - low + 1 for low, high in self.ranges)


@dataclass(frozen=True, slots=True)
class Text:
    """Two or more characters, each to be met exactly."""

    value: str


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to a rule, spelled as the rule's own definition spells it."""

    name: str
    position: Position | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Seq:
    """A concatenation; the empty one is the empty string."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """Alternatives in the order of the file, two or more."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Rep:
    """``low`` to ``high`` times ``item``; ``None``: no bound. ``place``: `file:line`, or empty."""

    item: Node
    low: int
    high: int | None
    place: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Capture:
    """The text of ``item`` is wanted under the name of ``rule``. Made by passes only."""

    rule: str
    item: Node


Node: TypeAlias = Chars | Text | Ref | Seq | Alt | Rep | Capture

EMPTY = Seq(())


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule, the ``origin`` grammar that defines it, its text and the place of that."""

    name: str
    body: Node
    origin: str
    position: Position
    source: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules under their own spelling, in file order; imported rules come last."""

    name: str
    rules: dict[str, Rule]
    own: tuple[str, ...]

    def find(self, name: str) -> Rule | None:
        """Look a rule up in any letter case (RFC 5234 section 2.1)."""
        rule = self.rules.get(name)
        if rule is not None:
            return rule
        folded = name.casefold()
        return next((r for r in self.rules.values() if r.name.casefold() == folded), None)


def exactly(text: str) -> Node:
    """Make what derives one text, in this letter case."""
    return Text(text) if len(text) > 1 else Chars.single(text) if text else EMPTY


def seq(items: Sequence[Node]) -> Node:
    """Concatenate; nested sequences are flattened and a single item is alone."""
    flat: list[Node] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Seq) else (item,))
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def alt(items: Sequence[Node]) -> Node:
    """Build an alternation; nested ones are flattened, a repeated alternative is dropped."""
    flat: dict[Node, None] = {}
    for item in items:
        flat.update(dict.fromkeys(item.items if isinstance(item, Alt) else (item,)))
    return next(iter(flat)) if len(flat) == 1 else Alt(tuple(flat))


def optional(item: Node) -> Node:
    """Make ``item`` optional."""
    return Rep(item, 0, 1)


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct parts of a node."""
    if isinstance(node, Seq | Alt):
        return node.items
    return (node.item,) if isinstance(node, Rep | Capture) else ()


def rebuild(node: Node, parts: list[Node]) -> Node:
    """Return ``node`` with other parts; ``rebuild(n, children(n))`` equals ``n``."""
    match node:
        case Seq():
            return seq(parts)
        case Alt():
            return alt(parts)
        case Rep(_, low, high, place):
            return Rep(parts[0], low, high, place)
        case Capture(rule):
            return Capture(rule, parts[0])
        case _:
            return node


def changed(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return ``node`` with each direct part changed."""
    parts = children(node)
    return rebuild(node, [change(part) for part in parts]) if parts else node


def replaced(node: Node, replace: Callable[[Ref], Node]) -> Node:
    """Return ``node`` with something else in place of each reference."""
    if isinstance(node, Ref):
        return replace(node)
    return changed(node, lambda part: replaced(part, replace))


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """Return ``node`` with other names for what it refers to."""
    return replaced(node, lambda ref: Ref(names.get(ref.name, ref.name)))


def pruned(node: Node, change: Callable[[Node], Node | None]) -> Node | None:
    """Return ``node`` with its leaves changed and without what needs one that became ``None``."""
    match node:
        case Alt(items):
            ways = [way for item in items if (way := pruned(item, change)) is not None]
            return alt(ways) if ways else None
        case Rep(item, 0, _):
            part = pruned(item, change)
            return EMPTY if part is None else rebuild(node, [part])
        case Chars() | Text() | Ref():
            return change(node)
    parts = [part for item in children(node) if (part := pruned(item, change)) is not None]
    return rebuild(node, parts) if len(parts) == len(children(node)) else None


def walk(node: Node) -> Iterator[Node]:
    """Yield ``node`` and everything inside it, outermost first."""
    pending = [node]
    while pending:
        here = pending.pop()
        yield here
        pending.extend(reversed(children(here)))


def char_sets(nodes: Iterable[Node]) -> set[tuple[Range, ...]]:
    """Return the sets of characters in expressions; those of texts are one each."""
    sets: set[tuple[Range, ...]] = set()
    for node in nodes:
        for part in walk(node):
            if isinstance(part, Chars):
                sets.add(part.ranges)
            elif isinstance(part, Text):
                sets.update(((ord(char), ord(char)),) for char in part.value)
    return sets


def references(node: Node) -> Iterator[Ref]:
    """Yield the references inside ``node``, left to right; parts without any are passed over."""
    pending = [node]
    while pending:
        here = pending.pop()
        if isinstance(here, Ref):
            yield here
        elif isinstance(here, Seq | Alt):
            pending += [item for item in reversed(here.items) if type(item) not in _LEAVES]
        elif isinstance(here, Rep | Capture):
            pending.append(here.item)


_LEAVES = frozenset({Chars, Text})


def names_among(node: Node, parts: Callable[[Node], Iterable[Node]]) -> Iterator[str]:
    """Yield the rules in an expression, and in the parts of it that a function chooses."""
    if isinstance(node, Ref):
        yield node.name
    for part in parts(node):
        yield from names_among(part, parts)


def rules_that(grammar: RuleSet, hold: Callable[[Node, AbstractSet[str]], bool]) -> frozenset[str]:
    """Return the smallest set of rules whose bodies ``hold``, given the set; it is monotonic."""
    users = _users(grammar)
    found: set[str] = set()
    pending = list(reversed(grammar.rules))
    while pending:
        name = pending.pop()
        if name not in found and hold(grammar.rules[name].body, found):
            found.add(name)
            pending.extend(users.get(name, ()))
    return frozenset(found)


def nullable_rules(grammar: RuleSet) -> frozenset[str]:
    """Return the names of the rules that match the empty string."""
    return rules_that(grammar, is_nullable)


def is_nullable(
    node: Node, nullable: AbstractSet[str] = frozenset(), *, leaf: bool = False
) -> bool:
    """Return whether ``node`` may match "", given rules that do; ``leaf``: as if all did."""
    match node:
        case Chars() | Text():
            return leaf
        case Ref(name):
            return name in nullable
        case Seq(items):
            return all(is_nullable(item, nullable, leaf=leaf) for item in items)
        case Alt(items):
            return any(is_nullable(item, nullable, leaf=leaf) for item in items)
        case Rep(item, low):
            return low == 0 or is_nullable(item, nullable, leaf=leaf)
        case Capture(_, item):
            return is_nullable(item, nullable, leaf=leaf)


class memoized(Generic[Arguments, Made]):  # noqa: N801 - a decorator
    """Keeps what a method returns, in its object: for equal arguments it is made once."""

    def __init__(self, method: Callable[Concatenate[Any, Arguments], Made]) -> None:
        self._method = method

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: object, _: type | None = None) -> Callable[Arguments, Made]:
        # Weakly: a cycle would be freed later.
        method, alive = cast("Any", self._method), weakly(owner)
        made = cast("Callable[Arguments, Made]", cache(lambda *given: method(alive(), *given)))
        vars(owner)[self._name] = made  # which is found before this, from now on
        return made


class Memo(dict[Thing, Made]):
    """Values by key, each made when it is first asked for."""

    def __init__(self, make: Callable[[Thing], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Thing) -> Made:
        made = self[key] = self._make(key)
        return made


class Numbering(dict[Thing, int]):
    """Numbers things in the order in which they are first asked for; ``order`` lists them."""

    def __init__(self, *things: Thing) -> None:
        super().__init__()
        self.order: list[Thing] = []
        for thing in things:
            _ = self[thing]

    def __missing__(self, thing: Thing) -> int:
        number = self[thing] = len(self.order)
        self.order.append(thing)
        return number


def grouped(pairs: Iterable[tuple[Thing, Made]]) -> dict[Thing, list[Made]]:
    """Return for each first one all second ones, in their order."""
    found: dict[Thing, list[Made]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def free_name(name: str, taken: set[str], mark: str = "__") -> str:
    """Return a name, numbered after a mark if it is ``taken``; it is added to these."""
    found, number = name, 2
    while found in taken:
        found = f"{name}{mark}{number}"
        number += 1
    taken.add(found)
    return found


def each_reached(
    starts: Iterable[Thing], after: Callable[[Thing], Iterable[Thing]]
) -> Iterator[Thing]:
    """Yield the given things and all that they lead to, however far, each once."""
    seen: set[Thing] = set()
    pending = list(starts)
    while pending:
        here = pending.pop()
        if here not in seen:
            seen.add(here)
            yield here
            pending.extend(after(here))


def reached(starts: Iterable[Thing], after: Callable[[Thing], Iterable[Thing]]) -> set[Thing]:
    """Return the given things and all that they lead to, however far."""
    found: set[Thing] = set()  # not by `each_reached`: automata ask for this most of all
    pending = list(starts)
    while pending:
        here = pending.pop()
        if here not in found:
            found.add(here)
            pending.extend(after(here))
    return found


def reachable(grammar: RuleSet, starts: Iterable[str]) -> tuple[str, ...]:
    """Return the rules that the given ones lead to, themselves included, in grammar order."""

    def inside(name: str) -> Iterable[str]:
        rule = grammar.rules.get(name)
        return () if rule is None else (ref.name for ref in references(rule.body))

    seen = reached(starts, inside)
    return tuple(name for name in grammar.rules if name in seen)


def reachable_part(grammar: RuleSet, starts: Iterable[str]) -> RuleSet:
    """Return the grammar of the rules that the given ones lead to."""
    rules = {name: grammar.rules[name] for name in reachable(grammar, starts)}
    return RuleSet(grammar.name, rules, tuple(name for name in grammar.own if name in rules))


def with_bodies(grammar: RuleSet, bodies: Mapping[str, Node]) -> RuleSet:
    """Return the grammar of some rules, with other expressions."""
    rules = {name: replace(grammar.rules[name], body=body) for name, body in bodies.items()}
    return RuleSet(grammar.name, rules, grammar.own)


def leading_to(grammar: RuleSet, targets: Iterable[str]) -> frozenset[str]:
    """Return the given rules and all that lead to one of them."""
    users = _users(grammar)
    return frozenset(reached(targets, lambda name: users.get(name, ())))


def filled_rules(grammar: RuleSet) -> frozenset[str]:
    """Return the rules that match more than the empty string."""
    return leading_to(grammar, (name for name in grammar.rules if _ends(grammar, name)))


def blank_rules(grammar: RuleSet) -> frozenset[str]:
    """Return the rules that match spaces, tabs and line ends and nothing else."""
    visible = {name for name in grammar.rules if not _ends(grammar, name) <= _BLANK_CODES}
    return filled_rules(grammar) - leading_to(grammar, visible)


BLANK = "\t\n\r "
_BLANK_CODES = {*map(ord, BLANK)}


def _ends(grammar: RuleSet, name: str) -> set[int]:
    """Return the first and last of each range of characters that is written in a rule."""
    sets = char_sets([grammar.rules[name].body])
    return {code for ranges in sets for pair in ranges for code in pair}


def _users(grammar: RuleSet) -> dict[str, list[str]]:
    rules = grammar.rules.items()
    return grouped((ref.name, name) for name, rule in rules for ref in references(rule.body))


def spelled(node: Node) -> str:
    """Write an expression as ABNF does, in one line."""
    match node:
        case Chars(ranges):
            return _chars(ranges)
        case Text(value):
            return _exactly(value)
        case Ref(name):
            return name
        case Capture(_, item):
            return spelled(item)
        case Seq(()):
            return '""'
        case Seq(items):
            return " ".join(_grouped(item) for item in strings(items))
        case Alt(items):
            return " / ".join(spelled(item) for item in items)
        case Rep(item, 0, 1):
            return f"[ {spelled(item)} ]"
        case Rep(item, low, high):
            inner = _grouped(item)
            if isinstance(item, (Seq, Rep)):
                inner = f"( {inner} )"
            if low == high:
                return f"{low}{inner}"
            return f"{low or ''}*{'' if high is None else high}{inner}"


def _grouped(node: Node | str) -> str:
    """Write an expression that is beside others."""
    made = node if isinstance(node, str) else spelled(node)
    return f"( {made} )" if isinstance(node, Alt | Chars) and " / " in made else made


def strings(items: Sequence[Node]) -> Iterator[Node | str]:
    """Yield items; those that are a string of the grammar's as it is written there."""
    at = 0
    while at < len(items):
        first = items[at]
        whole = first.literal.value if isinstance(first, Chars) and first.literal else ""
        found = items[at : at + len(whole)]
        if whole and all(
            isinstance(item, Chars) and item.literal == Literal(whole, place, exact=False)
            for place, item in enumerate(found)
        ):
            yield abnf_text(whole)
            at += len(whole)
        else:
            yield first
            at += 1


def _chars(ranges: tuple[tuple[int, int], ...]) -> str:
    chars = [chr(low) for low, high in ranges if low == high]
    if len(ranges) == len(chars) == 2 and chars[0].lower() == chars[1].lower():
        return abnf_text(chars[0].lower())
    exact = {char: "%s" if char.isascii() and char.isalpha() else "" for char in chars}
    return " / ".join(
        exact[chr(low)] + abnf_text(chr(low)) if low == high else f"%x{low:02X}-{high:02X}"
        for low, high in ranges
    )


def _exactly(text: str) -> str:
    """Write a text whose letters have the case that they have."""
    made = abnf_text(text)
    return f"%s{made}" if made.startswith('"') and text.lower() != text.upper() else made


def abnf_text(text: str) -> str:
    """Write a text as ABNF does, so that nothing in it can be misread."""
    if all(" " <= char <= "~" and char != '"' for char in text):
        return f'"{text}"'
    return "%x" + ".".join(f"{ord(char):02X}" for char in text)
