"""Regular expressions as lists of all successes: random ones, their spelling, and a judge.

A node is a tuple: its kind, then its parts. No engine is used, and none is described: a node
yields each way to match from a place, in the order in which a matcher has to try them.
"""

from itertools import islice, product

LETTERS = "abc"
TEXTS = ["".join(word) for length in range(6) for word in product(LETTERS, repeat=length)]
CLASSES = [*LETTERS, "ab", "bc", "ac"]
COUNTS = [(0, None), (0, None), (1, None), (0, 1), (1, 2), (2, 3), (0, 2)]
SIGNS = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def drawn(random, depth):
    """Draw a node; half of its loops never give back."""
    kind = random.random()

    def parts(number):
        return [drawn(random, depth - 1) for _ in range(number)]

    if depth == 0 or kind < 0.25:
        return ("class", random.choice(CLASSES))
    if kind < 0.5:
        return ("sequence", parts(random.randint(2, 3)))
    if kind < 0.62:
        nothing = [("sequence", [])] if random.random() < 0.15 else []
        return ("choice", parts(random.randint(2, 3)) + nothing)
    if kind < 0.86:
        return ("loop", parts(1), random.choice(COUNTS), random.choice(["", "+", "+", "+", "?"]))
    if kind < 0.91:
        return ("atomic", parts(1))
    if kind < 0.94:
        return ("ahead", parts(1), random.random() < 0.6)
    if kind < 0.96:
        return ("behind", random.choice(CLASSES), random.random() < 0.6)
    return ("group", parts(1), [0])


def numbered(node, count=0):
    """Number the groups by their openings; give the last number."""
    if node[0] == "group":
        count += 1
        node[2][0] = count
    for part in node[1] if node[0] not in ("class", "behind") else ():
        count = numbered(part, count)
    return count


def spelled(node):
    """Write a node as an expression."""
    match node:
        case "class" | "behind", str(letters), *wanted:
            text = letters if len(letters) == 1 else f"[{letters}]"
            return f"(?<{'=' if wanted[0] else '!'}{text})" if wanted else text
        case "sequence", items:
            return "".join(
                f"(?:{spelled(one)})" if one[0] == "choice" else spelled(one) for one in items
            )
        case "choice", items:
            return "|".join(map(spelled, items))
        case "loop", [item], (low, high), manner:
            single = item[0] in ("class", "atomic", "group")
            body = spelled(item) if single else f"(?:{spelled(item)})"
            return body + SIGNS.get((low, high), f"{{{low},{high}}}") + manner
        case "atomic", [item]:
            return f"(?>{spelled(item)})"
        case "ahead", [item], wanted:
            return f"(?{'=' if wanted else '!'}{spelled(item)})"
        case "group", [item], _:
            return f"({spelled(item)})"
    raise AssertionError(node)


def ways(node, text, place, groups):
    """Yield the end and the groups of each match from a place, the first one first."""
    match node:
        case "class", letters:
            if text[place : place + 1] and text[place] in letters:
                yield place + 1, groups
        case "sequence", []:
            yield place, groups
        case "sequence", [first, *rest]:
            for end, found in ways(first, text, place, groups):
                yield from ways(("sequence", rest), text, end, found)
        case "choice", items:
            for item in items:
                yield from ways(item, text, place, groups)
        case "loop", [item], counts, "+":
            yield from turned(item, counts, text, place, groups)
        case "loop", [item], counts, manner:
            yield from repeated(item, counts, manner, text, (place, groups))
        case "atomic", [item]:
            yield from islice(ways(item, text, place, groups), 1)
        case "ahead", [item], wanted:
            found = next(ways(item, text, place, groups), None)
            if (found is not None) == wanted:
                yield place, found[1] if found else groups
        case "behind", letters, wanted:
            if (place > 0 and text[place - 1] in letters) == wanted:
                yield place, groups
        case "group", [item], [number]:
            for end, found in ways(item, text, place, groups):
                yield end, {**found, number: (place, end)}


def turned(item, counts, text, place, groups):
    """Take the first way of each turn of a loop that never gives back."""
    low, high = counts
    turns = 0
    while turns != high and (found := next(ways(item, text, place, groups), None)):
        turns += 1
        place, groups = found
    if turns >= low:
        yield place, groups


def repeated(item, counts, manner, text, here, turns=0):
    low, high = counts
    if manner == "?" and turns >= low:
        yield here
    if turns != high:
        for there in ways(item, text, *here):
            yield from repeated(item, counts, manner, text, there, turns + 1)
    if manner != "?" and turns >= low:
        yield here


def has_empty_turns(node):
    """Tell whether a loop's turn can be empty: what engines do then is a matter of taste."""
    if node[0] in ("class", "behind"):
        return False
    return (node[0] == "loop" and can_be_empty(node[1][0])) or any(map(has_empty_turns, node[1]))


def can_be_empty(node):
    match node:
        case "class", _:
            return False
        case "behind" | "ahead", *_:
            return True
        case "loop", [item], (low, _), _:
            return low == 0 or can_be_empty(item)
        case "choice", items:
            return any(map(can_be_empty, items))
        case _, items, *_:
            return all(map(can_be_empty, items))
