"""Compare rules: texts that one matches and another does not, and parts that are too large."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from abnf2lark import ir
from abnf2lark.automata.language import Alphabet, Language, TooLargeError, labels_to, limited, spend
from abnf2lark.automata.nfa import language_of_node, languages
from abnf2lark.problems import AbnfError
from abnf2lark.reading import recursion
from abnf2lark.reading.large_parts import LargePart, Sizes, counted_part, large_part, part

MAX_STEPS_OF_PARTS = 500_000  # of the automaton of a part
MAX_STEPS_IN_ALL = 1_500_000  # about a second
LARGE = 20_000  # places for characters; of a rule with more, these are compared


def refuse_long(grammar: ir.RuleSet, rule: str, most: int) -> None:
    """Raise :class:`TooLargeError` for a rule with more places for characters than so many."""
    if Sizes(grammar, rule, counted=False).of(ir.Ref(rule)) > most:
        raise TooLargeError


def part_of_many_states(grammar: ir.RuleSet, *starts: str) -> LargePart:
    """Find the smallest non-recursive part with too large an automaton, else the largest."""
    sizes = {start: Sizes(grammar, start) for start in starts}
    start = max(starts, key=lambda one: sizes[one].of(ir.Ref(one)))
    if sizes[start].of(ir.Ref(start)) <= LARGE:
        with suppress(TooLargeError):  # where sets of characters cut each other to pieces
            return _Search(grammar, start).found()
    return large_part(grammar, start, sizes[start])


class _Search:
    def __init__(self, grammar: ir.RuleSet, start: str) -> None:
        self.grammar = grammar
        self.start = start
        self.needed = {*ir.reachable(grammar, [start])}
        self.alphabet = Alphabet(grammar.rules[name].body for name in self.needed)
        self.known: dict[str, Language] = {}
        self.left = MAX_STEPS_IN_ALL

    def found(self) -> LargePart:
        rules = self.grammar.rules
        for name in filter(self.needed.__contains__, recursion.innermost_first(self.grammar)):
            try:
                with self.budget():
                    languages(rules, self.alphabet, [name], self.known)
            except TooLargeError:
                node = rules[name].body  # then in it, what is too large by itself
                while (inner := next(filter(self.is_large, ir.children(node)), None)) is not None:
                    node = inner
                return counted_part(self.grammar, name, node)
        name = max(self.known, key=lambda one: (len(self.known[one]), one != self.start))
        return part(self.grammar, name, rules[name].body)

    def is_large(self, node: ir.Node) -> bool:
        try:
            with self.budget():
                language_of_node(node, self.alphabet, self.known)
        except TooLargeError:
            return self.left > 0
        return False

    @contextmanager
    def budget(self) -> Iterator[None]:
        most = max(min(self.left, MAX_STEPS_OF_PARTS), 0)
        with limited(most) as left:
            try:
                yield
            finally:
                self.left -= most - max(left[0], 0)


MAX_STEPS = 10_000_000  # of automata; about 10 seconds
FEW_STEPS = 300_000
MAX_PLACES = 30_000  # of characters, with all rules written out


_Side: TypeAlias = tuple[ir.RuleSet, str]


class UndecidedError(AbnfError):
    """No automaton of a rule can be made; the message names the rule and says why."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two rules have in common: a shortest text of each kind, ``None`` where there is none."""

    only_left: str | None
    only_right: str | None
    both: str | None

    @property
    def relation(self) -> Literal["equal", "subset", "superset", "overlapping", "disjoint"]:
        """What the texts of the left rule are to those of the right one."""
        if self.only_left is None:
            return "equal" if self.only_right is None else "subset"
        if self.only_right is None:
            return "superset"
        return "disjoint" if self.both is None else "overlapping"


def compare_rules(left: ir.RuleSet, rule: str, right: ir.RuleSet, other: str) -> Comparison:
    """Compare two rules; :class:`UndecidedError` for one that is recursive or too large."""
    left = recursion.with_loops(left, ir.reachable(left, [rule]))
    right = recursion.with_loops(right, ir.reachable(right, [other]))
    sides = ((left, rule), (right, other))
    for grammar, name in sides:
        loop = recursion.recursion(grammar, [name])
        if loop:
            told = f"is recursive, {recursion.shown(loop)}, so it has no automaton"
            raise UndecidedError(f"{name} of {grammar.name} {told}")
    large = max(sides, key=lambda side: Sizes(*side).of(ir.Ref(side[1])))
    # An automaton that has to remember the last 14 characters, as of *(a / b) a 13(a / b), has
    # 2 ** 14 states. Read backwards it has 16, so that is tried before all steps are taken.
    backwards = ((_backwards(left, rule), rule), (_backwards(right, other), other))
    with suppress(TooLargeError):
        return _within(FEW_STEPS, sides, large)
    with suppress(TooLargeError):
        found = _within(FEW_STEPS, backwards, large)
        texts = (found.only_left, found.only_right, found.both)
        return Comparison(*(None if text is None else text[::-1] for text in texts))
    with suppress(TooLargeError):
        return _within(MAX_STEPS, sides, large)
    text = f"{rule} of {left.name} and {other} of {right.name} are too large to be compared"
    raise UndecidedError(f"{text}: {part_of_many_states(*large)}")


def _within(steps: int, sides: tuple[_Side, _Side], large: _Side) -> Comparison:
    with limited(steps):
        refuse_long(*large, MAX_PLACES)
        alphabet = Alphabet(
            grammar.rules[inner].body
            for grammar, name in sides
            for inner in ir.reachable(grammar, [name])
        )
        ours, theirs = (languages(grammar.rules, alphabet, [name])[name] for grammar, name in sides)
        return compared(ours, theirs, alphabet)


def _backwards(grammar: ir.RuleSet, start: str) -> ir.RuleSet:
    """Return a grammar whose texts are read from their ends."""

    def turned(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Text):
            return ir.Text(node.value[::-1])
        parts = [turned(part) for part in ir.children(node)]
        return (
            ir.rebuild(node, parts[::-1] if isinstance(node, ir.Seq) else parts) if parts else node
        )

    bodies = {name: turned(grammar.rules[name].body) for name in ir.reachable(grammar, [start])}
    return ir.with_bodies(grammar, bodies)


def compared(ours: Language, theirs: Language, alphabet: Alphabet) -> Comparison:
    """Compare two languages: walk both automata at once until all kinds of texts are found."""
    found: dict[tuple[bool, bool], str] = {}
    wanted = {(True, True)} if ours == theirs else {(True, False), (False, True), (True, True)}
    parents: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {(0, 0): None}
    order = sorted(range(alphabet.size), key=alphabet.sample)
    pending = deque(parents)
    while pending and len(found) < len(wanted):
        here = left, right = pending.popleft()
        kind = left in ours.final, right in theirs.final
        if kind in wanted and kind not in found:
            word = "".join(map(alphabet.sample, labels_to(here, parents)))
            lower = word.lower() if word.isascii() else word
            judged = (ours.accepts(lower, alphabet), theirs.accepts(lower, alphabet))
            found[kind] = lower if judged == kind else word
        row = ours.edges[left] if left >= 0 else {}
        other = theirs.edges[right] if right >= 0 else {}
        spend(len(row) + len(other))
        for label in order:
            if label in row or label in other:
                there = row.get(label, -1), other.get(label, -1)
                if there not in parents:
                    parents[there] = (here, label)
                    pending.append(there)
    return Comparison(found.get((True, False)), found.get((False, True)), found.get((True, True)))


def shortest_word(language: Language, alphabet: Alphabet) -> str | None:
    """Return a shortest word, in lower case if that belongs to the language; None without one."""
    word = language.witness(alphabet)
    lower = word.lower() if word is not None and word.isascii() else None
    return word if lower is None or not language.accepts(lower, alphabet) else lower


# Compare two grammars rule by rule: equal, renamed, wider or narrower, with shortest texts.

MAX_STEPS_OF_RULES = 5_000_000  # of automata, for all rules of a grammar; about 5 seconds


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What became of a rule; ``None`` for the name, or the shortest own text, that a side lacks.

    relation: equal, renamed, wider, narrower, overlapping, disjoint, removed, added or unknown.
    """

    relation: str
    left: str | None
    right: str | None
    only_left: str | None = None
    only_right: str | None = None


def compare_grammars(left: ir.RuleSet, right: ir.RuleSet) -> list[RuleChange]:
    """Compare the own rules of two grammars, in the left one's order; "wider": the right one is."""
    try:
        comparison = _Comparison(left, right)
        with limited(MAX_STEPS_OF_RULES):
            return [*comparison.changes()]
    except TooLargeError:
        text = f"{left.name} and {right.name} are too large to be compared"
        raise UndecidedError(text) from None


class _Comparison:
    def __init__(self, left: ir.RuleSet, right: ir.RuleSet) -> None:
        self.sides = [recursion.with_loops(one, one.own) for one in (left, right)]
        self.own = (left.own, right.own)
        self.alphabet = Alphabet(rule.body for one in self.sides for rule in one.rules.values())
        self.known = [self.languages(one) for one in self.sides]

    def languages(self, grammar: ir.RuleSet) -> dict[str, Language]:
        """Return the languages of the rules that have one and are not too large."""
        irregular = ir.leading_to(grammar, recursion.recursive_rules(grammar))
        found: dict[str, Language] = {}
        with limited(MAX_STEPS_OF_RULES):
            for name in grammar.own:
                if name not in irregular:
                    try:
                        languages(grammar.rules, self.alphabet, [name], found)
                    except TooLargeError:
                        break
        return found

    def changes(self) -> Iterator[RuleChange]:
        names = {name.casefold(): name for name in self.own[1]}
        there = {name.casefold() for name in self.own[0]}
        added = [name for name in self.own[1] if name.casefold() not in there]
        for name in self.own[0]:
            other = names.get(name.casefold())
            if other is not None:
                yield self.change(name, other)
                continue
            language = self.known[0].get(name)
            same = [one for one in added if language and self.known[1].get(one) == language]
            if same:
                added.remove(same[0])
            yield RuleChange("renamed" if same else "removed", name, same[0] if same else None)
        yield from (RuleChange("added", None, name) for name in added)

    def change(self, name: str, other: str) -> RuleChange:
        ours, theirs = self.known[0].get(name), self.known[1].get(other)
        if ours is not None and theirs is not None:
            with suppress(TooLargeError):
                found = compared(ours, theirs, self.alphabet)
                relations = {"subset": "wider", "superset": "narrower"}
                relation = relations.get(found.relation, found.relation)
                return RuleChange(relation, name, other, found.only_left, found.only_right)
        alike = (name, other) not in self.unlike
        return RuleChange("equal" if alike else "unknown", name, other)

    @cached_property
    def unlike(self) -> set[tuple[str, str]]:
        """Pairs of rules that lead to ones written differently; each pair is looked at once."""
        names = {name.casefold(): name for name in self.own[1]}
        users: dict[tuple[str, str], list[tuple[str, str]]] = {}
        different: list[tuple[str, str]] = []

        def inside(pair: tuple[str, str]) -> Iterator[tuple[str, str]]:
            one, two = (side.rules[rule].body for side, rule in zip(self.sides, pair, strict=True))
            if ir.replaced(one, _nameless) != ir.replaced(two, _nameless):
                different.append(pair)
                return
            for a, b in zip(ir.references(one), ir.references(two), strict=True):
                users.setdefault((a.name, b.name), []).append(pair)
                yield a.name, b.name

        folded = (one.casefold() for one in self.own[0])
        pairs = zip(self.own[0], map(names.get, folded), strict=True)
        ir.reached([(one, other) for one, other in pairs if other is not None], inside)
        return ir.reached(different, lambda pair: users.get(pair, ()))


def _nameless(_: ir.Ref) -> ir.Node:
    return ir.Ref("")
