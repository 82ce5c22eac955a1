"""Dot segments removed from the right: a machine with a counter, and single changes of it.

Nothing of uriparse is used. RFC 3986, section 5.2.4 reads a path from the left and takes back what
it has written for each ".."; from the right a counter is enough, of the segments still to be passed
over. The state is what is read of the segment and what is known of the slash to its right:

- of the segment: nothing, one dot, two dots, or a name (anything else);
- of the slash: "none yet" (this is the last segment), "open" (there is one to be written unless
  the path begins with dot segments alone before it), or "done".
"""

from functools import cache
from itertools import product
from typing import NamedTuple

DOTS = {"": 0, ".": 1, "..": 2, "name": 0}
SLASHES = ("none yet", "open", "done")
STATES = [*product(("", ".", ".."), SLASHES), ("name", "done")]
START = ("", "none yet")
KINDS = ("/", ".", "a", "begin")
"""What is read: "a" is every other character, "begin" the place before the first."""


class Entry(NamedTuple):
    """What is done: the next state, what is added to the counter, and what is written.

    The open slash, and the dots and the character just read; the slash first.
    """

    state: tuple[str, str]
    change: int
    slash: bool
    text: bool


def entry(state, kind, is_counting):
    """Return what is done in a state when a kind of character is read."""
    segment, slash = state
    is_open = slash == "open"
    if kind == "begin":
        return Entry(state, 0, is_open and segment == "", False)
    if kind != "/":
        after = segment + "." if kind == "." and segment in ("", ".") else "name"
        if after != "name":
            return Entry((after, slash), 0, False, False)
        return Entry(("name", "done"), 0, is_open, not is_counting)
    if segment in (".", ".."):
        return Entry(("", "done" if slash == "done" else "open"), len(segment) - 1, False, False)
    if is_counting:
        return Entry(("", "done"), -1, is_open, False)
    return Entry(("", "open"), 0, is_open, False)


def machine():
    """Return the machine: a table by state, kind and whether the counter is above zero."""
    keys = product(STATES, KINDS, (False, True))
    return {key: entry(*key) for key in keys}


def removed(table, path):
    """Run a machine on a path."""
    state, count, written = START, 0, ""
    for character in reversed(path):
        state, count, written = step(table, state, count, written, character)
    return step(table, state, count, written, "")[2]


def step(table, state, count, written, character):
    kind = character if character in ("/", ".") else "a" if character else "begin"
    done = table[state, kind, count > 0]
    if done.slash:
        written = "/" + written
    if done.text:
        written = character + "." * DOTS[state[0]] + written
    return done.state, max(count + done.change, 0), written


def mutants(table):
    """Yield each machine with one change: another next state, counting or writing."""
    for key, own in table.items():
        state, kind, _ = key
        changed = {own._replace(slash=not own.slash), own._replace(text=not own.text)}
        changed.add(own._replace(slash=not own.slash, text=not own.text))
        if kind == "begin":  # only the writing matters: nothing comes after
            changed = {own._replace(slash=not own.slash)}
            changed |= {own._replace(text=True)} if DOTS[state[0]] else set()
        else:
            changed |= {own._replace(change=change) for change in (-1, 0, 1)}
            changed |= {own._replace(state=other) for other in STATES}
        for other in sorted(changed - {own}, key=str):
            yield (key, other), {**table, key: other}


def difference(one, other, key, length=6, characters="/.a"):
    """Return a path on which two machines differ that differ in one entry, None if there is none.

    Every difference is on a path that uses the entry. All paths are tried that reach it by a
    shortest way, with each number of segments to be passed over up to 2, and go on as they may for
    some characters more.
    """
    state, kind, is_counting = key
    for suffix in ways(one)[state, is_counting]:
        character = "" if kind == "begin" else kind
        waiting = [character + suffix]
        for path in waiting:
            if removed(one, path) != removed(other, path):
                return path
            if character and len(path) < len(suffix) + length:
                waiting += (char + path for char in characters)
    return None


@cache
def _ways(rows, longest=11, characters="/.a"):
    table = dict(rows)
    found = {(state, counting): [] for state in STATES for counting in (False, True)}
    seen, waiting = {(START, 0, "")}, [("", START, 0)]
    for path, state, count in waiting:
        found[state, count > 0].append(path)
        if len(path) == longest:
            continue
        for char in characters:
            after, more, _ = step(table, state, count, "", char)
            slash = path[:1]  # so that an entry is reached after different characters
            if more < 3 and (after, more, slash) not in seen:
                seen.add((after, more, slash))
                waiting.append((char + path, after, more))
    return found


def ways(table):
    """Return shortest paths, read from the right, to each state, by whether the counter is zero."""
    return _ways(tuple(table.items()))
