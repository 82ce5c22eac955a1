"""Choose which tokens a tree keeps: those that the rest of the tree does not determine."""

from __future__ import annotations

from collections import deque
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.automata import Alphabet, Nfa, TooLargeError, spend
from abnf2lark.reading.ir import Chars, Node, Ref, alt, children, rebuild, references

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from abnf2lark.automata import Language


HIDDEN = "_"  # begins the names of terminals that Lark leaves out, and of rules that make no node


def remembered(rules: Mapping[str, Node], abnf_names: Mapping[str, str]) -> dict[str, str]:
    """Return new names for terminals that are to be kept; of the given rules, by Lark's names.

    Rules with one name in the ABNF make the same trees.
    """
    trees: dict[str, list[str]] = {}
    for name in rules:
        if not name.startswith(HIDDEN):
            trees.setdefault(abnf_names[name], []).append(name)
    shown: set[str] = set()
    pending = deque(trees)
    while pending:
        tree = pending.popleft()
        more = _Body(rules, abnf_names, trees[tree]).confused(shown)
        if more:
            shown |= more
            pending.append(tree)
    taken = {ref.name for body in rules.values() for ref in references(body)}
    return {name: _free(name, taken) for name in sorted(shown)}


def _free(name: str, taken: set[str]) -> str:
    plain = found = name.removeprefix(HIDDEN)
    number = 2
    while found in taken:
        found = f"{plain}__{number}"
        number += 1
    taken.add(found)
    return found


class _Pair(NamedTuple):
    """Two ways through a rule that have shown the same so far.

    ``apart`` is how they differ: not yet, the right one reads nothing hidden now, or anyhow.
    """

    left: int
    right: int
    apart: int


_SAME, _WAITS, _FREE = range(3)


class _Body:
    """All that makes trees of one name."""

    def __init__(
        self, rules: Mapping[str, Node], abnf_names: Mapping[str, str], names: list[str]
    ) -> None:
        self.rules = rules
        self.abnf_names = abnf_names
        self.symbols: dict[str, int] = {}
        self.hidden: dict[int, str] = {}
        self.spliced: list[str] = []
        self.endless = False
        try:
            self.body = alt([self.spelled(rules[name]) for name in names])
        except (TooLargeError, RecursionError):
            self.endless = True
            self.look_through(names)

    def spelled(self, node: Node) -> Node:
        """Put a character of its own for each symbol, and bodies for rules that make no node."""
        spend(1)
        if isinstance(node, Ref):
            body = self.rules.get(node.name)
            if body is None or not node.name.startswith(HIDDEN):
                return self.symbol(node.name)
            if node.name in self.spliced:
                self.endless = True
                return self.symbol(node.name)
            self.spliced.append(node.name)
            found = self.spelled(body)
            self.spliced.pop()
            return found
        parts = children(node)
        return rebuild(node, [self.spelled(part) for part in parts]) if parts else node

    def look_through(self, names: list[str]) -> None:
        """Find the symbols of bodies that cannot be spelled."""
        seen, pending = {*names}, [*names]
        while pending:
            for ref in references(self.rules[pending.pop()]):
                if ref.name not in self.rules or not ref.name.startswith(HIDDEN):
                    self.symbol(ref.name)
                elif ref.name not in seen:
                    seen.add(ref.name)
                    pending.append(ref.name)

    def symbol(self, name: str) -> Node:
        tree = f" {self.abnf_names[name]}" if name in self.rules else name
        number = self.symbols.setdefault(tree, len(self.symbols))
        if tree.startswith(HIDDEN):
            self.hidden[number] = tree
        return Chars(((number, number),))

    def confused(self, shown: set[str]) -> set[str]:
        """Return hidden terminals at which two sequences part that show the same."""
        hidden = {number: name for number, name in self.hidden.items() if name not in shown}
        if not hidden or self.endless:
            return set(hidden.values())  # there is no telling
        alphabet = Alphabet([self.body])
        labels = {alphabet.class_of(chr(number)): name for number, name in hidden.items()}
        nfa = Nfa()
        start = nfa.state()
        try:
            end = nfa.add(self.body, start, {}, alphabet)
            found = parting(nfa.language(start, {end}, alphabet.size), labels.keys())
        except (TooLargeError, RecursionError):
            return set(labels.values())
        return {labels[label] for label in found}


def parting(language: Language, hidden: AbstractSet[int]) -> set[int]:
    """Return hidden classes with one of which two words part that are the same without them.

    Empty if there are no such words.
    """
    edges, final = language.edges, language.final
    reasons: dict[_Pair, tuple[int, ...]] = {_Pair(0, 0, _SAME): ()}
    pending = deque(reasons)
    while pending:
        here = pending.popleft()
        if here.apart != _SAME and here.left in final and here.right in final:
            return {*reasons[here]}
        for pair, labels in _steps(here, edges, hidden):
            if pair not in reasons:
                spend(2)
                reasons[pair] = labels or reasons[here]  # ways part once
                pending.append(pair)
    return set()


def _steps(
    here: _Pair, edges: Sequence[Mapping[int, int]], hidden: AbstractSet[int]
) -> Iterator[tuple[_Pair, tuple[int, ...]]]:
    """Yield where two ways can go on, with the hidden classes at which they part there."""
    left, right = edges[here.left], edges[here.right]
    if here.apart == _SAME:
        unseen = sorted(left.keys() & hidden)
        for target in left.values():
            yield _Pair(target, target, _SAME), ()
        for label in unseen:
            yield _Pair(left[label], here.right, _WAITS), (label,)
        for one, other in combinations(unseen, 2):
            yield _Pair(left[one], left[other], _FREE), (one, other)
        return
    for label in left.keys() & hidden:
        yield _Pair(left[label], here.right, here.apart), ()
    if here.apart == _FREE:
        for label in right.keys() & hidden:
            yield _Pair(here.left, right[label], _FREE), ()
    for label in (left.keys() & right.keys()) - hidden:
        yield _Pair(left[label], right[label], _FREE), ()
