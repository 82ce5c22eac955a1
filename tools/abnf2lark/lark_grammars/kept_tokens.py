"""Choose which tokens a tree keeps: those that the rest of the tree does not determine."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import NamedTuple

from abnf2lark import ir
from abnf2lark.automata import Alphabet, Language, Nfa, TooLargeError, spend

HIDDEN = "_"  # begins the names of terminals that Lark leaves out, and of rules that make no node


def kept_names(rules: Mapping[str, ir.Node], abnf_names: Mapping[str, str]) -> dict[str, str]:
    """Return new names for the hidden terminals that trees have to keep, which hide nothing."""
    shown = [name for name in rules if not name.startswith(HIDDEN)]
    trees = ir.grouped((abnf_names[name], name) for name in shown)
    kept: set[str] = set()
    pending = deque(trees)
    while pending:
        tree = pending.popleft()
        more = _undetermined(rules, abnf_names, trees[tree], kept)
        if more:  # it may not be enough: this is only one pair of sequences
            kept |= more
            pending.append(tree)
    taken = {ref.name for body in rules.values() for ref in ir.references(body)}
    return {name: ir.free_name(name.removeprefix(HIDDEN), taken) for name in sorted(kept)}


def _undetermined(
    rules: Mapping[str, ir.Node],
    abnf_names: Mapping[str, str],
    names: Collection[str],
    kept: AbstractSet[str],
) -> set[str]:
    """Return hidden terminals at which two sequences differ that have the same tree."""

    def inside(name: str) -> Iterator[str]:
        refs = ir.references(rules[name]) if name in rules else ()
        return (ref.name for ref in refs if ref.name.startswith(HIDDEN))

    # The hidden terminals in the bodies of rules, and in the hidden rules there.
    hidden = ir.reached(names, inside) - rules.keys() - kept
    if not hidden:
        return hidden
    symbols: dict[str, int] = {}

    def spelled(node: ir.Node, around: tuple[str, ...] = ()) -> ir.Node:
        """Replace each symbol by a character, and each rule without a node by its body."""
        spend(1)
        if isinstance(node, ir.Ref):
            name = node.name
            if name in rules and name.startswith(HIDDEN):
                if name in around:
                    raise RecursionError  # its sequences are not regular
                return spelled(rules[name], (*around, name))
            symbol = f" {abnf_names[name]}" if name in rules else name
            number = symbols.setdefault(symbol, len(symbols))
            return ir.Chars(((number, number),))
        parts = [spelled(part, around) for part in ir.children(node)]
        return ir.rebuild(node, parts) if parts else node

    nfa = Nfa()
    start = nfa.state()
    try:
        body = ir.alt([spelled(rules[name]) for name in names])
        alphabet = Alphabet([body])
        end = nfa.add(body, start, {}, alphabet)
        labels = {alphabet.class_of(chr(symbols[name])): name for name in hidden}
        found = parting(nfa.language(start, {end}, alphabet.size), labels.keys())
    except (TooLargeError, RecursionError):
        return hidden  # to keep more than needed is right, too
    return {labels[label] for label in found}


class _Pair(NamedTuple):
    """Two paths through an automaton with the same visible symbols so far, and how they differ."""

    left: int
    right: int
    apart: int


_SAME, _WAITS, _FREE = range(3)


def parting(language: Language, hidden: AbstractSet[int]) -> set[int]:
    """Return hidden classes at which two words differ that are equal without them."""
    edges, final = language.edges, language.final
    reasons: dict[_Pair, tuple[int, ...]] = {_Pair(0, 0, _SAME): ()}
    # The product of two copies that read visible symbols together; can both accept?
    pending = deque(reasons)
    while pending:
        here = pending.popleft()
        if here.apart != _SAME and here.left in final and here.right in final:
            return {*reasons[here]}
        for pair, labels in _steps(here, edges, hidden):
            if pair not in reasons:
                spend(2)
                reasons[pair] = labels or reasons[here]  # paths diverge once
                pending.append(pair)
    return set()


def _steps(
    here: _Pair, edges: Sequence[Mapping[int, int]], hidden: AbstractSet[int]
) -> Iterator[tuple[_Pair, tuple[int, ...]]]:
    """Yield the next pairs, with the hidden classes at which the two paths diverge there."""
    left, right = edges[here.left], edges[here.right]
    if here.apart == _SAME:
        unseen = sorted(left.keys() & hidden)
        for target in left.values():
            yield _Pair(target, target, _SAME), ()
        # Words diverge where one reads a hidden symbol and the other a visible one (it waits, so
        # that it cannot read the same hidden one after all), or another hidden one.
        for label in unseen:
            yield _Pair(left[label], here.right, _WAITS), (label,)
        for one, other in combinations(unseen, 2):
            yield _Pair(left[one], left[other], _FREE), (one, other)
        return
    # After that each may read hidden symbols, and both read visible ones together.
    for label in left.keys() & hidden:
        yield _Pair(left[label], here.right, here.apart), ()
    if here.apart == _FREE:
        for label in right.keys() & hidden:
            yield _Pair(here.left, right[label], _FREE), ()
    for label in (left.keys() & right.keys()) - hidden:
        yield _Pair(left[label], right[label], _FREE), ()
