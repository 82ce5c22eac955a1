"""Sets of words that an automaton reads together, what they begin or end with alike but once."""

from typing import NamedTuple


class Node(NamedTuple):
    """What words go on with behind a common beginning.

    good, bad: the sets, as bits, in which the word that ends here is to be accepted, or refused.
    below: the sets in which a word that ends here or later is to be accepted.
    edges: the nodes behind this one, by letter.
    """

    number: int
    good: int
    bad: int
    below: int
    edges: tuple[tuple[int, "Node"], ...]


def graph(words):
    """Put words together: of each its letters, whether it is to be accepted, and its sets."""
    root = [0, 0, {}]
    for letters, accepted, sets in words:
        here = root
        for letter in letters:
            here = here[2].setdefault(letter, [0, 0, {}])
        here[not accepted] |= sets
    return _shared(root, {})


def _shared(branch, known):
    good, bad, following = branch
    edges = tuple((letter, _shared(after, known)) for letter, after in sorted(following.items()))
    key = (good, bad, *((letter, after.number) for letter, after in edges))
    if key not in known:
        below = good
        for _, after in edges:
            below |= after.below
        known[key] = Node(len(known), good, bad, below, edges)
    return known[key]


def misread(root, automaton):
    """Tell the sets, as bits, of which an automaton takes or refuses a word by mistake.

    It has a `start`, `final` states, and a `step` from a state by a letter, None where there is
    none.
    """
    seen = {(root.number, automaton.start)}
    pending = [(root, automaton.start)]
    found = 0
    while pending:
        node, state = pending.pop()
        found |= node.bad if state in automaton.final else node.good
        for letter, after in node.edges:
            target = automaton.step(state, letter)
            if target is None:
                found |= after.below
            elif (key := (after.number, target)) not in seen:
                seen.add(key)
                pending.append((after, target))
    return found
