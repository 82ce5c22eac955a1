"""Rewrite expressions into equal ones that match faster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.reading.ir import (
    EMPTY,
    Alt,
    Capture,
    Chars,
    Node,
    Ref,
    Rep,
    Rule,
    Seq,
    Text,
    alt,
    children,
    is_nullable,
    optional,
    rebuild,
    seq,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


# Which loops can be possessive: where one character of lookahead decides every choice.
#
# If, inside a loop and at its end, the next character alone says which way to go, a matcher that
# never gives back what the loop took finds a match exactly where one that backtracks would.

NO_CHARS = Chars(())


def union(left: Chars, right: Chars) -> Chars:
    """Join two sets."""
    return Chars.of(left.ranges + right.ranges)


def common(left: Chars, right: Chars) -> Chars:
    """Return what is in both sets."""
    return Chars.of(
        [
            (max(low, other_low), min(high, other_high))
            for low, high in left.ranges
            for other_low, other_high in right.ranges
            if low <= other_high and other_low <= high
        ]
    )


def disjoint(left: Chars, right: Chars) -> bool:
    """Return whether no character is in both sets."""
    return all(
        high < other_low or other_high < low
        for low, high in left.ranges
        for other_low, other_high in right.ranges
    )


def first_chars(node: Node) -> Chars:
    """Return the characters that a word of ``node`` can begin with."""
    match node:
        case Chars():
            return node
        case Text(value):
            return Chars.single(value[0])
        case Seq(items):
            found = NO_CHARS
            for item in items:
                found = union(found, first_chars(item))
                if not is_nullable(item):
                    break
            return found
        case Alt(items):
            found = NO_CHARS
            for item in items:
                found = union(found, first_chars(item))
            return found
        case Rep(item) | Capture(_, item):
            return first_chars(item)
        case _:
            raise TypeError(node)


def one_end(node: Node) -> bool:
    """Return whether ``node`` can match in one way at most, wherever it begins.

    Sufficient, not necessary: no word of it is the beginning of another.
    """
    match node:
        case Chars() | Text():
            return True
        case Capture(_, item):
            return one_end(item)
        case Seq(items):
            return all(one_end(item) for item in items)
        case Alt(items):
            seen = NO_CHARS
            for item in items:
                first = first_chars(item)
                if is_nullable(item) or not one_end(item) or not disjoint(first, seen):
                    return False
                seen = union(seen, first)
            return True
        case Rep(item, low, high):
            return low == high and one_end(item)
        case _:
            raise TypeError(node)


def deterministic(node: Node, follow: Chars) -> bool:
    """Return whether the next character decides every choice in ``node`` before ``follow``."""
    match node:
        case Chars() | Text():
            return True
        case Capture(_, item):
            return deterministic(item, follow)
        case Seq(items):
            for item in reversed(items):
                if not deterministic(item, follow):
                    return False
                follow = before(item, follow)
            return True
        case Alt(items):
            # A matcher that never gives back would take an earlier empty alternative for good.
            if any(is_nullable(item) for item in items[:-1]):
                return False
            seen = follow if is_nullable(node) else NO_CHARS
            for item in items:
                first = first_chars(item)
                if not disjoint(first, seen):
                    return False
                seen = union(seen, first)
            return all(deterministic(item, follow) for item in items)
        case Rep(item, low, high):
            if is_nullable(item):
                return False
            first = first_chars(item)
            if low != high and not disjoint(first, follow):
                return False
            return deterministic(item, inside(node, follow))
        case _:
            raise TypeError(node)


def before(node: Node, follow: Chars) -> Chars:
    """Return the characters that can come next in front of ``node`` followed by ``follow``."""
    first = first_chars(node)
    return union(first, follow) if is_nullable(node) else first


def inside(loop: Rep, follow: Chars) -> Chars:
    """Return the characters that can come after one turn of a repetition."""
    return follow if loop.high == 1 else union(first_chars(loop.item), follow)


# Rewrite expressions into equal ones that match faster.
#
# Each pass rests on one identity of regular expressions, named in its docstring. Where an
# expression captures nothing, its language is all that counts. Where it captures, the order in
# which matches are tried decides what the captures hold, before, behind and around the place that
# is rewritten: an identity is then applied only where it keeps that order. Two ways to go on keep
# it whichever comes first if they begin with different characters, since then at most one of them
# can be gone. That the result has the language of the rule is proved afterwards, on the emitted
# text (see ``proof``).


def inline(node: Node, rules: Mapping[str, Rule], captured: Mapping[str, str]) -> Node:
    """Replace references by bodies; a captured rule leaves a capture under its mapped name.

    Nothing is captured inside a capture.
    """
    if isinstance(node, Ref):
        if node.name in captured:
            return Capture(captured[node.name], inline(rules[node.name].body, rules, {}))
        return inline(rules[node.name].body, rules, captured)
    parts = children(node)
    return rebuild(node, [inline(part, rules, captured) for part in parts]) if parts else node


def has_capture(node: Node) -> bool:
    """Return whether a capture stands inside."""
    return any(isinstance(part, Capture) for part in walk(node))


def bottom_up(node: Node, step: Callable[[Node], Node]) -> Node:
    """Apply ``step`` to every part, innermost first."""
    parts = children(node)
    return step(rebuild(node, [bottom_up(part, step) for part in parts]) if parts else node)


def commute(left: Node, right: Node) -> bool:
    """Return whether two alternatives that stand side by side can change places unseen."""
    sure = not is_nullable(left) and not is_nullable(right)
    return sure and disjoint(first_chars(left), first_chars(right))


def merge_classes(node: Node) -> Node:
    """Apply ``a | X | b`` = ``[ab] | X`` for characters a, b, where X captures nothing.

    Where the order counts, X must not begin with b.
    """
    ordered = has_capture(node)

    def place_for(chars: Chars, items: list[Node]) -> int | None:
        """Find the earlier class that a new one may join."""
        for place in range(len(items) - 1, -1, -1):
            if isinstance(items[place], Chars):
                return place
            if has_capture(items[place]) or (ordered and not commute(items[place], chars)):
                return None
        return None

    def step(node: Node) -> Node:
        if not isinstance(node, Alt):
            return node
        merged: list[Node] = []
        for item in node.items:
            place = place_for(item, merged) if isinstance(item, Chars) else None
            earlier = merged[place] if place is not None else None
            if place is not None and isinstance(earlier, Chars) and isinstance(item, Chars):
                merged[place] = Chars.of(earlier.ranges + item.ranges)
            else:
                merged.append(item)
        return alt(merged)

    return bottom_up(node, step)


def flatten_loops(node: Node) -> Node:
    """Apply ``(X*)*`` = ``X*``, ``(X?)*`` = ``X*``, ``(X+)*`` = ``X*``, ``(X?)?`` = ``X?``.

    Likewise ``(X{a,b}){c,d}`` = ``X{ac,bd}``, where no number of times is left out between; that
    changes the order, in which fewer turns are tried before shorter ones.
    """
    ordered = has_capture(node)

    def step(node: Node) -> Node:
        if isinstance(node, Rep) and isinstance(node.item, Rep) and not has_capture(node):
            inner = node.item
            if (node.low, node.high) == (0, None) and inner.low <= 1:
                if inner.high is None or inner.high >= 1:
                    return Rep(inner.item, 0, None)
            elif (node.low, node.high) == (0, 1) and inner.low == 0:
                return inner
            elif (node.low, node.high) == (0, 1) and inner.low == 1:
                return Rep(inner.item, 0, inner.high)
            elif not ordered and _meet(node, inner):
                ends = (node.high, inner.high)
                high = None if None in ends else (node.high or 0) * (inner.high or 0)
                return Rep(inner.item, node.low * inner.low, high)
        if isinstance(node, Rep) and (node.item == EMPTY or (node.low, node.high) == (1, 1)):
            return node.item
        return node

    return bottom_up(node, step)


def _meet(outer: Rep, inner: Rep) -> bool:
    """Return whether the counts of n turns reach those of n + 1 turns, from the fewest turns on."""
    if outer.low == outer.high or inner.high is None:
        return outer.low > 0 or inner.low <= 1
    return outer.low > 0 and outer.low * inner.high + 1 >= (outer.low + 1) * inner.low


def fuse(node: Node) -> Node:
    """Apply ``(A B*)*`` = ``(A (A|B)*)?`` and ``B* (A B*)*`` = ``(A|B)*`` without captures.

    Likewise ``(A B*)+`` = ``A (A|B)*``. Neither A nor B is ever empty: after an empty turn a loop
    ends, so that the order would change.
    """

    def segments(node: Node) -> tuple[Node, Node] | None:
        match node:
            case Rep(Seq((*head, Rep(tail, 0, None))), 0 | 1, None) if not has_capture(node):
                first = seq(list(head))
                return None if is_nullable(first) or is_nullable(tail) else (first, tail)
        return None

    def step(node: Node) -> Node:
        if isinstance(node, Seq):
            items: list[Node] = []
            for item in node.items:
                pair = segments(item)
                last = items[-1] if items else None
                star = isinstance(item, Rep) and item.low == 0
                if pair and star and isinstance(last, Rep) and last == Rep(pair[1], last.low, None):
                    loop = Rep(alt([pair[1], pair[0]]), 0, None)
                    items[-1:] = [last.item] * last.low + [loop]
                else:
                    items.append(item)
            return seq(items)
        return node

    def finish(node: Node) -> Node:
        pair = segments(node)
        if pair is None:
            return node
        first, tail = pair
        once = seq([first, Rep(alt([tail, first]), 0, None)])
        return Rep(once, 0, 1) if isinstance(node, Rep) and node.low == 0 else once

    return bottom_up(bottom_up(node, step), finish)


def unroll(node: Node) -> Node:
    """Apply ``(A|B)*`` = ``A* (B A*)*`` for a class A: the class runs without a choice.

    Where the order counts, alternatives before A must not begin with A.
    """
    ordered = has_capture(node)

    def step(node: Node) -> Node:
        if not isinstance(node, Rep) or not isinstance(node.item, Alt) or node.high is not None:
            return node
        if has_capture(node):
            return node
        classes = [item for item in node.item.items if isinstance(item, Chars)]
        others = [item for item in node.item.items if not isinstance(item, Chars)]
        if len(classes) != 1 or is_nullable(node.item):
            return node
        before = node.item.items[: node.item.items.index(classes[0])]
        if ordered and not all(commute(item, classes[0]) for item in before):
            return node
        run = Rep(classes[0], 0, None)
        turns: list[Node] = [node.item] * node.low
        return seq([*turns, run, Rep(seq([alt(others), run]), 0, None)])

    return bottom_up(node, step)


def factor(node: Node) -> Node:
    """Apply ``A X | A Y`` = ``A (X|Y)`` and ``A | A X`` = ``A X?`` for neighbours.

    Nothing that is joined captures. Where the order counts, A can end in one way only: otherwise
    its shorter match before X would come after its longer one before Y; and ``A | A X`` is
    ``A (|X)``.
    """
    ordered = has_capture(node)

    def parts(node: Node) -> tuple[Node, ...]:
        match node:
            case Seq(items):
                return items
            case Text(value):
                return tuple(Chars.single(char) for char in value)
            case _:
                return (node,)

    def is_shared(item: Node, other: Node) -> bool:
        return item == other and not has_capture(item) and (one_end(item) or not ordered)

    def step(node: Node) -> Node:
        if not isinstance(node, Alt):
            return node
        groups: list[list[tuple[Node, ...]]] = []
        for item in node.items:
            items = parts(item)
            last = groups[-1] if groups else None
            if last and items and last[0] and is_shared(items[0], last[0][0]):
                last.append(items)
            else:
                groups.append([items])
        factored: list[Node] = []
        for group in groups:
            if len(group) == 1:
                factored.append(seq(list(group[0])))
                continue
            shared = 0
            while all(
                len(items) > shared and is_shared(items[shared], group[0][shared])
                for items in group
            ):
                shared += 1
            rests = [seq(list(items[shared:])) for items in group]
            factored.append(seq([*group[0][:shared], any_of(rests)]))
        return alt(factored)

    def any_of(rests: list[Node]) -> Node:
        """Build the alternation of what remains; an empty remainder makes the others optional."""
        full = [rest for rest in rests if rest != EMPTY]
        if not full:  # the alternatives were one, spelled in different ways
            return EMPTY
        if len(full) == len(rests) or (ordered and EMPTY in rests[:-1]):
            return alt(rests)
        return Rep(alt(full), 0, 1)

    return bottom_up(node, step)


def join_text(node: Node) -> Node:
    """Write neighbouring single characters as text."""

    def step(node: Node) -> Node:
        if not isinstance(node, Seq):
            return node
        items: list[Node] = []
        for item in node.items:
            spelled = _spelled(item)
            if spelled is not None and items and (before := _spelled(items[-1])) is not None:
                items[-1] = Text(before + spelled)
            else:
                items.append(item)
        return seq(items)

    return bottom_up(node, step)


def _spelled(node: Node) -> str | None:
    match node:
        case Text(value):
            return value
        case Chars(((low, high),)) if low == high:
            return chr(low)
        case _:
            return None


def nonempty(node: Node) -> Node | None:
    """Return an expression for the words of ``node`` but the empty one; ``None`` if none is left.

    ``X Y`` without the empty word is ``X' Y | Y'``, where X' is X without it.
    """
    match node:
        case Seq(items) if is_nullable(node):
            choices: list[Node] = []
            for place, item in enumerate(items):
                full = nonempty(item)
                if full is not None:
                    choices.append(seq([full, *items[place + 1 :]]))
            return alt(choices) if choices else None
        case Alt(items):
            kept = [full for item in items if (full := nonempty(item)) is not None]
            return alt(kept) if kept else None
        case Rep(item, 0, high):
            full = nonempty(item)
            return None if full is None else Rep(full, 1, high) if high != 1 else full
        case Rep(item, _, high) if is_nullable(item):
            full = nonempty(item)
            return None if full is None else Rep(full, 1, high)
        case Seq(()):
            return None
        case _:
            return node


def optimize(node: Node) -> Node:
    """Run all passes in the order in which they prepare each other."""
    for turn in (merge_classes, flatten_loops, factor, fuse, merge_classes, unroll, join_text):
        node = turn(node)
    return node


# Put together what alternatives begin with, so that the next character tells between them.


def factored(node: Node) -> Node:
    """Return an expression for the same words in which alternatives part where their words do.

    What is empty comes last, as the rest of what is optional.
    """
    if isinstance(node, Alt):
        return _parted(node.items)
    parts = children(node)
    return rebuild(node, [factored(part) for part in parts]) if parts else node


def _parted(ways: tuple[Node, ...]) -> Node:
    rests: dict[Node, list[Node]] = {}
    empty = False
    for way in ways:
        for one in way.items if isinstance(way, Alt) else (way,):
            if one == EMPTY:
                empty = True
            else:
                first, rest = _cut(one)
                rests.setdefault(first, []).append(rest)
    found = [
        seq([factored(first), _parted(tuple(after)) if len(after) > 1 else factored(after[0])])
        for first, after in rests.items()
    ]
    if not found:
        return EMPTY
    return optional(alt(found)) if empty else alt(found)


def _cut(node: Node) -> tuple[Node, Node]:
    """Return what an expression begins with, and the rest."""
    match node:
        case Seq((first, *rest)):
            begin, more = _cut(first)
            return begin, seq([more, *rest])
        case Text(value):
            last = len(value) == 2
            return Chars.single(value[0]), Chars.single(value[1]) if last else Text(value[1:])
        case _:
            return node, EMPTY
