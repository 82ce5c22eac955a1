"""Rewrite expressions into equal ones that match faster."""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from abnf2lark import ir

# Which loops can be possessive: those in which one character of lookahead decides every choice.
#
# If the next character decides every choice in a loop and at its end, a matcher that never
# backtracks into the loop finds a match exactly where a backtracking one does.

NO_CHARS = ir.Chars(())


def union(left: ir.Chars, right: ir.Chars) -> ir.Chars:
    """Join two sets."""
    return ir.Chars.of(left.ranges + right.ranges)


def disjoint(left: ir.Chars, right: ir.Chars) -> bool:
    """Return whether no character is in both sets."""
    return all(
        high < other_low or other_high < low
        for low, high in left.ranges
        for other_low, other_high in right.ranges
    )


def first_chars(node: ir.Node) -> ir.Chars:
    """Return the characters that a word of ``node`` can begin with."""
    match node:
        case ir.Chars():
            return node
        case ir.Text(value):
            return ir.Chars.single(value[0])
        case ir.Seq(items) | ir.Alt(items):
            found = NO_CHARS
            for item in items:
                found = union(found, first_chars(item))
                if isinstance(node, ir.Seq) and not ir.is_nullable(item):
                    break
            return found
        case ir.Rep(item) | ir.Capture(_, item):
            return first_chars(item)
        case _:
            raise TypeError(node)


def one_end(node: ir.Node) -> bool:
    """Return whether ``node`` is prefix-free: no word of it begins another."""
    match node:
        case ir.Chars() | ir.Text():
            return True
        case ir.Capture(_, item):
            return one_end(item)
        case ir.Seq(items):
            return all(one_end(item) for item in items)
        case ir.Alt(items):
            seen = NO_CHARS
            for item in items:
                first = first_chars(item)
                if ir.is_nullable(item) or not one_end(item) or not disjoint(first, seen):
                    return False
                seen = union(seen, first)
            return True
        case ir.Rep(item, low, high):
            return low == high and one_end(item)
        case _:
            raise TypeError(node)


def deterministic(node: ir.Node, follow: ir.Chars) -> bool:
    """Return whether the next character decides every choice in ``node`` before ``follow``."""
    match node:
        case ir.Chars() | ir.Text():
            return True
        case ir.Alt(items):
            # A possessive matcher would never leave an earlier empty alternative.
            if any(ir.is_nullable(item) for item in items[:-1]):
                return False
            seen = follow if ir.is_nullable(node) else NO_CHARS
            for item in items:
                first = first_chars(item)
                if not disjoint(first, seen):
                    return False
                seen = union(seen, first)
        case ir.Rep(item, low, high):
            if ir.is_nullable(item) or (low != high and not disjoint(first_chars(item), follow)):
                return False
        case ir.Ref():
            raise TypeError(node)
    return all(deterministic(part, after) for part, after in followed(node, follow))


def followed(node: ir.Node, follow: ir.Chars) -> Iterator[tuple[ir.Node, ir.Chars]]:
    """Yield each part of an expression, the last one first, with what can follow it there."""
    for part in reversed(ir.children(node)):
        yield part, inside(node, follow) if isinstance(node, ir.Rep) else follow
        if isinstance(node, ir.Seq):
            follow = before(part, follow)


def before(node: ir.Node, follow: ir.Chars) -> ir.Chars:
    """Return the characters that ``node`` followed by ``follow`` can begin with."""
    first = first_chars(node)
    return union(first, follow) if ir.is_nullable(node) else first


def inside(loop: ir.Rep, follow: ir.Chars) -> ir.Chars:
    """Return the characters that can follow one iteration of a repetition."""
    return follow if loop.high == 1 else union(first_chars(loop.item), follow)


# Rewrite expressions into equal ones that match faster.
#
# Each pass applies one identity of regular expressions, named in its docstring. Without captures
# only the language matters. With captures the order in which matches are tried decides what they
# hold, so an identity is applied only where it keeps this order. Two alternatives that begin with
# different characters keep it in either order, since at most one of them can match. That the result
# has the language of the rule is proved afterwards, on the emitted text (see ``proof``).


def inline(node: ir.Node, rules: Mapping[str, ir.Rule], captured: Mapping[str, str]) -> ir.Node:
    """Replace references by bodies; a captured rule becomes a capture, without inner ones."""

    def body(ref: ir.Ref) -> ir.Node:
        if ref.name in captured:
            return ir.Capture(captured[ref.name], inline(rules[ref.name].body, rules, {}))
        return inline(rules[ref.name].body, rules, captured)

    return ir.replaced(node, body)


def has_capture(node: ir.Node) -> bool:
    """Return whether an expression holds a capture."""
    return any(isinstance(part, ir.Capture) for part in ir.walk(node))


def bottom_up(node: ir.Node, step: Callable[[ir.Node], ir.Node]) -> ir.Node:
    """Apply ``step`` to every part, innermost first."""
    return step(ir.changed(node, lambda part: bottom_up(part, step)))


def commute(left: ir.Node, right: ir.Node) -> bool:
    """Return whether two neighbouring alternatives commute."""
    sure = not ir.is_nullable(left) and not ir.is_nullable(right)
    return sure and disjoint(first_chars(left), first_chars(right))


def merge_classes(node: ir.Node) -> ir.Node:
    """Apply ``a | X | b`` = ``[ab] | X``; where order counts, X must not begin with b."""
    ordered = has_capture(node)

    def place_for(chars: ir.Chars, items: list[ir.Node]) -> int | None:
        """Find the earlier class that a new one may join."""
        for place in range(len(items) - 1, -1, -1):
            if isinstance(items[place], ir.Chars):
                return place
            if has_capture(items[place]) or (ordered and not commute(items[place], chars)):
                return None
        return None

    def step(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Alt):
            return node
        merged: list[ir.Node] = []
        joined: dict[int, list[ir.Range]] = {}
        for item in node.items:
            place = place_for(item, merged) if isinstance(item, ir.Chars) else None
            earlier = merged[place] if place is not None else None
            if place is not None and isinstance(earlier, ir.Chars) and isinstance(item, ir.Chars):
                joined.setdefault(place, [*earlier.ranges]).extend(item.ranges)
            else:
                merged.append(item)
        for place, spans in joined.items():
            merged[place] = ir.Chars.of(spans)
        return ir.alt(merged)

    return bottom_up(node, step)


def flatten_loops(node: ir.Node) -> ir.Node:
    """Apply ``(X*)*`` = ``X*``, ``(X?)*`` = ``X*``, ``(X+)*`` = ``X*``, ``(X?)?`` = ``X?``.

    Likewise ``(X{a,b}){c,d}`` = ``X{ac,bd}``, where every number between is possible; this changes
    the order of matches.
    """
    ordered = has_capture(node)

    def step(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Rep) and isinstance(node.item, ir.Rep) and not has_capture(node):
            inner = node.item
            if (node.low, node.high) == (0, None) and inner.low <= 1:
                if inner.high is None or inner.high >= 1:
                    return ir.Rep(inner.item, 0, None)
            elif (node.low, node.high) == (0, 1) and inner.low == 0:
                return inner
            elif (node.low, node.high) == (0, 1) and inner.low == 1:
                return ir.Rep(inner.item, 0, inner.high)
            elif not ordered and _meet(node, inner):
                ends = (node.high, inner.high)
                high = None if None in ends else (node.high or 0) * (inner.high or 0)
                return ir.Rep(inner.item, node.low * inner.low, high)
        if isinstance(node, ir.Rep) and (node.item == ir.EMPTY or (node.low, node.high) == (1, 1)):
            return node.item
        return node

    return bottom_up(node, step)


def _meet(outer: ir.Rep, inner: ir.Rep) -> bool:
    """Return whether the counts of n iterations of ``outer`` reach those of n + 1, for each n."""
    if outer.low == outer.high or inner.high is None:
        return outer.low > 0 or inner.low <= 1
    return outer.low > 0 and outer.low * inner.high + 1 >= (outer.low + 1) * inner.low


def fuse(node: ir.Node) -> ir.Node:
    """Apply ``(A B*)*`` = ``(A (A|B)*)?`` and ``B* (A B*)*`` = ``(A|B)*`` without captures.

    Likewise ``(A B*)+`` = ``A (A|B)*``. Neither A nor B is nullable: a loop ends after an empty
    iteration, so the order would change.
    """

    def segments(node: ir.Node) -> tuple[ir.Node, ir.Node] | None:
        match node:
            case ir.Rep(ir.Seq((*head, ir.Rep(tail, 0, None))), 0 | 1, None) if not has_capture(
                node
            ):
                first = ir.seq(list(head))
                return None if ir.is_nullable(first) or ir.is_nullable(tail) else (first, tail)
        return None

    def step(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Seq):
            items: list[ir.Node] = []
            for item in node.items:
                pair = segments(item)
                last = items[-1] if items else None
                star = isinstance(item, ir.Rep) and item.low == 0
                if (
                    pair
                    and star
                    and isinstance(last, ir.Rep)
                    and last == ir.Rep(pair[1], last.low, None)
                ):
                    loop = ir.Rep(ir.alt([pair[1], pair[0]]), 0, None)
                    items[-1:] = [last.item] * last.low + [loop]
                else:
                    items.append(item)
            return ir.seq(items)
        return node

    def finish(node: ir.Node) -> ir.Node:
        pair = segments(node)
        if pair is None:
            return node
        first, tail = pair
        once = ir.seq([first, ir.Rep(ir.alt([tail, first]), 0, None)])
        return ir.Rep(once, 0, 1) if isinstance(node, ir.Rep) and node.low == 0 else once

    return bottom_up(bottom_up(node, step), finish)


def unroll(node: ir.Node) -> ir.Node:
    """Apply ``(A|B)*`` = ``A* (B A*)*`` for a class A: the class runs without a choice.

    Where the order counts, alternatives before A must not begin with A.
    """
    ordered = has_capture(node)

    def step(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Rep) or node.high is not None or has_capture(node):
            return node
        if not isinstance(node.item, ir.Alt):
            return node
        classes = [item for item in node.item.items if isinstance(item, ir.Chars)]
        others = [item for item in node.item.items if not isinstance(item, ir.Chars)]
        if len(classes) != 1 or ir.is_nullable(node.item):
            return node
        before = node.item.items[: node.item.items.index(classes[0])]
        if ordered and not all(commute(item, classes[0]) for item in before):
            return node
        run = ir.Rep(classes[0], 0, None)
        turns: list[ir.Node] = [node.item] * node.low
        return ir.seq([*turns, run, ir.Rep(ir.seq([ir.alt(others), run]), 0, None)])

    return bottom_up(node, step)


def factor(node: ir.Node) -> ir.Node:
    """Apply ``A X | A Y`` = ``A (X|Y)`` and ``A | A X`` = ``A X?`` for neighbours.

    A holds no capture. Where the order matters, A must be prefix-free: otherwise its shorter match
    before X would come after its longer one before Y; and ``A | A X`` is ``A (|X)``.
    """
    ordered = has_capture(node)

    def parts(node: ir.Node) -> tuple[ir.Node, ...]:
        match node:
            case ir.Seq(items):
                return items
            case ir.Text(value):
                return tuple(ir.Chars.single(char) for char in value)
            case _:
                return (node,)

    def is_shared(item: ir.Node, other: ir.Node) -> bool:
        return item == other and not has_capture(item) and (one_end(item) or not ordered)

    def step(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Alt):
            return node
        groups: list[list[tuple[ir.Node, ...]]] = []
        for item in node.items:
            items = parts(item)
            last = groups[-1] if groups else None
            if last and items and last[0] and is_shared(items[0], last[0][0]):
                last.append(items)
            else:
                groups.append([items])
        factored: list[ir.Node] = []
        for group in groups:
            if len(group) == 1:
                factored.append(ir.seq(list(group[0])))
                continue
            shared = 0
            while all(
                len(items) > shared and is_shared(items[shared], group[0][shared])
                for items in group
            ):
                shared += 1
            rests = [ir.seq(list(items[shared:])) for items in group]
            factored.append(ir.seq([*group[0][:shared], any_of(rests)]))
        return ir.alt(factored)

    def any_of(rests: list[ir.Node]) -> ir.Node:
        """Build the alternation of the remainders; an empty one makes the others optional."""
        full = [rest for rest in rests if rest != ir.EMPTY]
        if not full:  # the alternatives were one, spelled in different ways
            return ir.EMPTY
        if len(full) == len(rests) or (ordered and ir.EMPTY in rests[:-1]):
            return ir.alt(rests)
        return ir.Rep(ir.alt(full), 0, 1)

    return bottom_up(node, step)


def join_text(node: ir.Node) -> ir.Node:
    """Write neighbouring single characters as text."""

    def step(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Seq):
            return node
        items: list[ir.Node] = []
        for item in node.items:
            spelled = _spelled(item)
            if spelled is not None and items and (before := _spelled(items[-1])) is not None:
                items[-1] = ir.Text(before + spelled)
            else:
                items.append(item)
        return ir.seq(items)

    return bottom_up(node, step)


def _spelled(node: ir.Node) -> str | None:
    match node:
        case ir.Text(value):
            return value
        case ir.Chars(((low, high),)) if low == high:
            return chr(low)
        case _:
            return None


def nonempty(
    node: ir.Node,
    nullable: AbstractSet[str] = frozenset(),
    of_rule: Callable[[ir.Ref], ir.Node | None] = lambda ref: ref,
    empty: Callable[[ir.Node], ir.Node] = lambda _: ir.EMPTY,
) -> ir.Node | None:
    """Return an expression for the non-empty words of ``node``; ``None`` without any.

    ``X Y`` without the empty word is ``X' Y | Y'``, where X' is X without it. ``of_rule`` does the
    same for a reference to a ``nullable`` rule; ``empty`` is what stays of X before Y'.
    """
    if not ir.is_nullable(node, nullable):
        return node
    match node:
        case ir.Ref():
            return of_rule(node)
        case ir.Seq(items):
            choices: list[ir.Node] = []
            for place, item in enumerate(items):
                full = nonempty(item, nullable, of_rule, empty)
                if full is not None:
                    before = map(empty, items[:place])
                    choices.append(ir.seq([*before, full, *items[place + 1 :]]))
            return ir.alt(choices) if choices else None
        case ir.Alt(items):
            ways = [nonempty(item, nullable, of_rule, empty) for item in items]
            kept = [full for full in ways if full is not None]
            return ir.alt(kept) if kept else None
        case ir.Rep(item, _, high):
            full = nonempty(item, nullable, of_rule, empty)
            return full if full is None or high == 1 else ir.Rep(full, 1, high)
        case _:
            return node


def optimize(node: ir.Node) -> ir.Node:
    """Run all passes in the order in which they prepare each other."""
    for turn in (merge_classes, flatten_loops, factor, fuse, merge_classes, unroll, join_text):
        node = turn(node)
    return node


def factored(node: ir.Node) -> ir.Node:
    """Return an equal, left-factored expression, for a choice by the next character.

    An empty alternative comes last.
    """
    if isinstance(node, ir.Alt):
        return _parted(node.items)
    return ir.changed(node, factored)


def _parted(ways: tuple[ir.Node, ...]) -> ir.Node:
    flat = [one for way in ways for one in (way.items if isinstance(way, ir.Alt) else (way,))]
    empty = ir.EMPTY in flat
    rests = ir.grouped(_cut(one) for one in flat if one != ir.EMPTY)
    found = [
        ir.seq([factored(first), _parted(tuple(after)) if len(after) > 1 else factored(after[0])])
        for first, after in rests.items()
    ]
    if not found:
        return ir.EMPTY
    return ir.optional(ir.alt(found)) if empty else ir.alt(found)


def _cut(node: ir.Node) -> tuple[ir.Node, ir.Node]:
    """Split an expression into its first item and the rest."""
    match node:
        case ir.Seq((first, *rest)):
            begin, more = _cut(first)
            return begin, ir.seq([more, *rest])
        case ir.Text(value):
            return ir.Chars.single(value[0]), ir.exactly(value[1:])
        case _:
            return node, ir.EMPTY
