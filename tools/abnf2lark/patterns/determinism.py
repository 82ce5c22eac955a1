"""Which loops can be possessive: where one character of lookahead decides every choice.

If, inside a loop and at its end, the next character alone tells which way to go, a matcher that
never gives back what the loop took finds a match exactly where one that backtracks would.
"""

from __future__ import annotations

from abnf2lark.reading.ir import Alt, Capture, Chars, Node, Rep, Seq, Text, is_nullable

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
    """Tell whether no character is in both sets."""
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
    """Tell whether ``node`` can match in one way at most, wherever it begins.

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
    """Tell whether the next character decides every choice in ``node`` before ``follow``."""
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
