"""Count what a matcher reads that goes back to each choice."""

from abnf2lark.ir import Alt, Chars, Rep, Seq, Text


def steps(node, text, limit):
    """Count the characters that are read in looking for all ways through a text, up to a limit.

    Any of a bounded number of turns may be empty.
    """
    count = 0

    def ways(node, start):
        """Yield the ends of all ways, as a matcher comes to them that goes back to each choice."""
        nonlocal count
        match node:
            case Chars():
                count += 1
                if start < len(text) and ord(text[start]) in node and count < limit:
                    yield start + 1
            case Text(value):
                yield from ways(Seq(tuple(map(Chars.single, value))), start)
            case Seq(()):
                yield start
            case Seq((first, *rest)):
                for end in ways(first, start):
                    yield from ways(Seq(tuple(rest)), end)
            case Alt(items):
                for item in items:
                    yield from ways(item, start)
            case Rep(item, low, high):
                if high is None or high > 0:
                    for end in ways(item, start):
                        if end > start or high is not None or low:
                            less = None if high is None else high - 1
                            yield from ways(Rep(item, max(low - 1, 0), less), end)
                        else:
                            yield end  # a loop goes on after an empty turn, and makes no other one
                if not low:
                    yield start

    for _ in ways(node, 0):
        pass
    return count
