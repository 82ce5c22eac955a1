"""Compare rules: texts that one matches and another does not, and parts that are too large."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

from abnf2lark.automata.language import Alphabet, Language, TooLargeError, labels_to, limited, spend
from abnf2lark.automata.nfa import add_languages, language_of_node, languages
from abnf2lark.ir import Node, Ref, RuleSet, Seq, Text, children, reachable, rebuild, with_bodies
from abnf2lark.problems import AbnfError
from abnf2lark.reading import recursion
from abnf2lark.reading.large_parts import LargePart, Sizes, counted_part, large_part, part

# Which part of a rule has a large automaton: found by making the automata of its parts.

MAX_STEPS_OF_PARTS = 500_000  # of the automaton of a part
MAX_STEPS_IN_ALL = 1_500_000  # about a second
LARGE = 20_000  # places for characters; of a rule with more, these are compared


def refuse_long(grammar: RuleSet, rule: str, most: int) -> None:
    """Raise :class:`TooLargeError` for a rule with more places for characters than so many."""
    if Sizes(grammar, rule, counted=False).of(Ref(rule)) > most:
        raise TooLargeError


def part_of_many_states(grammar: RuleSet, *starts: str) -> LargePart:
    """Find the smallest non-recursive part with too large an automaton, else the largest."""
    sizes = {start: Sizes(grammar, start) for start in starts}
    start = max(starts, key=lambda one: sizes[one].of(Ref(one)))
    if sizes[start].of(Ref(start)) <= LARGE:
        with suppress(TooLargeError):  # where sets of characters cut each other to pieces
            return _Search(grammar, start).found()
    return large_part(grammar, start, sizes[start])


class _Search:
    def __init__(self, grammar: RuleSet, start: str) -> None:
        self.grammar = grammar
        self.start = start
        self.needed = {*reachable(grammar, [start])}
        self.alphabet = Alphabet(grammar.rules[name].body for name in self.needed)
        self.known: dict[str, Language] = {}
        self.left = MAX_STEPS_IN_ALL

    def found(self) -> LargePart:
        for name in recursion.innermost_first(
            self.grammar, recursion.recursive_rules(self.grammar)
        ):
            if name in self.needed:
                try:
                    with self.budget():
                        add_languages(self.grammar.rules, self.alphabet, [name], self.known)
                except TooLargeError:
                    return self.inside(name)
        name = max(self.known, key=lambda one: (len(self.known[one]), one != self.start))
        return part(self.grammar, name, self.grammar.rules[name].body)

    def inside(self, rule: str) -> LargePart:
        """Find the smallest part of an expression that is too large by itself."""
        node = self.grammar.rules[rule].body
        while (inner := next(filter(self.is_large, children(node)), None)) is not None:
            node = inner
        return counted_part(self.grammar, rule, node)

    def is_large(self, node: Node) -> bool:
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


# Compare two rules, of one grammar or of two: what each of them matches and the other does not.

MAX_STEPS = 10_000_000  # of automata; about 10 seconds
FEW_STEPS = 300_000
MAX_PLACES = 30_000  # of characters, with all rules written out


_Side: TypeAlias = tuple[RuleSet, str]


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


def compare_rules(left: RuleSet, rule: str, right: RuleSet, other: str) -> Comparison:
    """Compare two rules; :class:`UndecidedError` for one that is recursive or too large."""
    left = recursion.with_loops(left, reachable(left, [rule]))
    right = recursion.with_loops(right, reachable(right, [other]))
    sides = ((left, rule), (right, other))
    for grammar, name in sides:
        loop = recursion.recursion(grammar, [name])
        if loop:
            told = f"is recursive, {recursion.shown(loop)}, so it has no automaton"
            raise UndecidedError(f"{name} of {grammar.name} {told}")
    large = max(sides, key=lambda side: Sizes(*side).of(Ref(side[1])))
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
            for inner in reachable(grammar, [name])
        )
        ours, theirs = (languages(grammar.rules, alphabet, [name])[name] for grammar, name in sides)
        return compared(ours, theirs, alphabet)


def _backwards(grammar: RuleSet, start: str) -> RuleSet:
    """Return a grammar whose texts are read from their ends."""

    def turned(node: Node) -> Node:
        if isinstance(node, Text):
            return Text(node.value[::-1])
        parts = [turned(part) for part in children(node)]
        return rebuild(node, parts[::-1] if isinstance(node, Seq) else parts) if parts else node

    bodies = {name: turned(grammar.rules[name].body) for name in reachable(grammar, [start])}
    return with_bodies(grammar, bodies)


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
