"""Parsers that read by a grammar with one edit, or two: edited and read by hand here.

Nothing of the conformance kit or of the compiler is used: the ABNF is read by `brute.backtracking`,
the edits are a list of this file's own, and an edited grammar is run as a set of places at once.
"""

import tomllib
from functools import cache

from brute.backtracking import Scope
from paths import ROOT

FOLDERS = (ROOT / "grammar" / "library", ROOT / "grammar")  # a name in both is the latter's
SETTINGS = {
    name: (folder / f"{name}.abnf", grammar)
    for folder in FOLDERS
    for name, grammar in tomllib.loads((folder / "grammars.toml").read_text("utf-8")).items()
}
LAST = 0x10FFFF


@cache
def scope(name):
    path, grammar = SETTINGS[name]
    return Scope(path.read_text("utf-8"), [scope(one) for one in grammar.get("imports", ())])


# Expressions: ("set", spans), ("ref", name), ("seq", items), ("alt", items), ("rep", item, low,
# high), all plain tuples.


def plain(node, home, found):
    """Write a node of the reader's so, and the rules that it leads to into `found`."""
    match node:
        case "range", low, high:
            return ("set", ((low, high),))
        case "text", value, sensitive:
            return ("seq", tuple(letter(char, sensitive) for char in value))
        case "ref" | "cited", scope, name:
            if name not in found:
                found[name] = None
                found[name] = plain(scope.body(name), home, found)
            return ("ref", name)
        case ("alt" | "seq") as kind, items:
            made = tuple(plain(item, home, found) for item in items)
            return made[0] if len(made) == 1 else (kind, made)
        case "rep", item, low, high:
            return ("rep", plain(item, home, found), low, high)
    raise TypeError(node)


def letter(char, sensitive):
    cases = {char} if sensitive else {char.lower(), char.upper()}
    return ("set", tuple(sorted((ord(case), ord(case)) for case in cases)))


@cache
def rules(name, start):
    """Return the bodies of the rules that a rule leads to, its own among them."""
    found = {}
    plain(("ref", scope(name), start.casefold()), None, found)
    return found


# Edits.


def parts(node):
    match node:
        case (("seq" | "alt"), items):
            return items
        case "rep", item, _, _:
            return (item,)
    return ()


def with_part(node, number, part):
    if node[0] == "rep":
        return ("rep", part, *node[2:])
    items = node[1]
    return (node[0], (*items[:number], part, *items[number + 1 :]))


def is_short(node, bodies, depth=0):
    """Whether every text has at most three characters, as those of pct-encoded and dec-octet."""
    return depth < 30 and longest(node, bodies, depth) <= 3


def longest(node, bodies, depth):
    if depth > 30:
        return 99
    match node:
        case "set", _:
            return 1
        case "ref", name:
            return longest(bodies[name], bodies, depth + 1)
        case "rep", item, _, high:
            return 99 if high is None else high * longest(item, bodies, depth + 1)
        case "seq", items:
            return sum(longest(item, bodies, depth + 1) for item in items)
        case "alt", items:
            return max(longest(item, bodies, depth + 1) for item in items)


def kind(node, bodies):
    while node[0] == "ref":
        node = bodies[node[1]]
    if node[0] == "rep" and node[3] != 1 and is_short(node[1], bodies):
        return "run"
    return "short" if is_short(node, bodies) else ""


def edits(node, bodies, deep):
    """Yield what one edit makes of a node; with `deep`, also of one place's own copy of a rule."""
    match node:
        case "set", spans:
            yield from of_characters(spans)
        case "ref", name:
            here = kind(node, bodies)
            yield from (
                ("ref", other)
                for other, body in bodies.items()
                if other != name and here and kind(body, bodies) == here
            )
            if deep:
                yield from edits(bodies[name], bodies, deep - 1)
        case "seq", items:
            for number, item in enumerate(items):
                rest = (items[:number], items[number + 1 :])
                yield ("seq", rest[0] + rest[1])
                yield ("seq", (*rest[0], item, item, *rest[1]))
                yield ("seq", (*rest[0], ("rep", item, 0, 1), *rest[1]))
                if rest[1]:
                    yield ("seq", (*rest[0], rest[1][0], item, *rest[1][1:]))
        case "alt", items:
            for number in range(len(items)):
                yield ("alt", items[:number] + items[number + 1 :])
        case "rep", item, low, high:
            bounds = {(low + 1, high), (low - 1, high), (low, None), (low, 1), (1, 1), (0, 0)}
            if high is not None:
                bounds |= {(low, high + 1), (low, high - 1)}
            for least, most in sorted(bounds, key=str):
                if least >= 0 and (most is None or most >= least):
                    yield ("rep", item, least, most)
    for number, part in enumerate(parts(node)):
        yield from (with_part(node, number, one) for one in edits(part, bodies, deep))


def of_characters(spans):
    if len(spans) == 2 and chr(spans[0][0]).lower() == chr(spans[1][0]):
        yield from (("set", (span,)) for span in spans)
        return
    for number, (low, high) in enumerate(spans):
        for first, last in ((low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)):
            if 0 <= first <= last <= LAST:
                yield ("set", (*spans[:number], (first, last), *spans[number + 1 :]))


def mutants(name, start, deep=1):
    """Yield the rules of a grammar with one edit, each as what it changes: name and body.

    Exchanges take other rules from all of the grammar, also those that the start does not lead to.
    """
    needed = rules(name, start)
    every = dict(needed)
    for other in scope(name).rules:
        plain(("ref", scope(name), other), None, every)
    for rule, body in needed.items():
        above = leading_to(every, rule)
        for made in dict.fromkeys(edits(body, every, deep)):
            if made != body and not referred(made) & above:
                yield every, {rule: made}


def referred(node):
    names = {node[1]} if node[0] == "ref" else set()
    return names.union(*(referred(part) for part in parts(node)))


@cache
def _leading_to(pairs, rule):
    uses = dict(pairs)
    found, size = {rule}, 0
    while len(found) > size:
        size = len(found)
        found |= {name for name, names in uses.items() if names & found}
    return found


def leading_to(bodies, rule):
    pairs = tuple((name, frozenset(referred(body))) for name, body in bodies.items())
    return _leading_to(pairs, rule)


# Readers.


class Reader:
    """Reads texts by rules: in many places at once, each set of places known once it is met."""

    def __init__(self, bodies, start):
        self.bodies, self.steps, self.free = bodies, [], []
        begin = self.place()
        self.end = self.add(("ref", start.casefold()), begin)
        self.closures, self.after = {}, {}
        self.begin = self.closed({begin})

    def place(self):
        self.steps.append([])
        self.free.append([])
        return len(self.steps) - 1

    def add(self, node, begin):
        match node:
            case "set", spans:
                end = self.place()
                self.steps[begin] += [(low, high, end) for low, high in spans]
                return end
            case "ref", name:
                return self.add(self.bodies[name], begin)
            case "seq", items:
                for item in items:
                    begin = self.add(item, begin)
                return begin
            case "alt", items:
                end = self.place()
                for item in items:
                    self.free[self.add(item, begin)].append(end)
                return end
            case "rep", item, low, high:
                for _ in range(low):
                    begin = self.add(item, begin)
                end = self.place()
                self.free[begin].append(end)
                if high is None:
                    self.free[self.add(item, end)].append(end)
                else:
                    for _ in range(high - low):
                        begin = self.add(item, begin)
                        self.free[begin].append(end)
                return end
        raise TypeError(node)

    def closed(self, places):
        found, pending = set(places), list(places)
        while pending:
            for place in self.free[pending.pop()]:
                if place not in found:
                    found.add(place)
                    pending.append(place)
        return frozenset(place for place in found if self.steps[place] or place == self.end)

    def step(self, places, char):
        key = (places, char)
        if key not in self.after:
            code = ord(char)
            self.after[key] = self.closed(
                {
                    end
                    for place in places
                    for low, high, end in self.steps[place]
                    if low <= code <= high
                }
            )
        return self.after[key]

    def accepts(self, text):
        here = self.begin
        for char in text:
            here = self.step(here, char)
            if not here:
                return False
        return self.end in here

    def borders(self):
        return {edge for row in self.steps for low, high, _ in row for edge in (low, high + 1)}


def is_equal(one, other):
    """Whether two readers accept the same texts: every pair of sets of places is walked."""
    samples = [chr(code) for code in sorted(one.borders() | other.borders()) if code <= LAST]
    seen, pending = {(one.begin, other.begin)}, [(one.begin, other.begin)]
    while pending:
        left, right = pending.pop()
        if (one.end in left) != (other.end in right):
            return False
        for char in samples:
            pair = one.step(left, char), other.step(right, char)
            if pair not in seen and any(pair):
                seen.add(pair)
                pending.append(pair)
    return True


class Rows:
    """The rows of a suite, those that told the last readers first: they tell the next ones, too."""

    FEW = 200

    def __init__(self, rows):
        self.rows = [*rows]

    def tells(self, reader, first=0, last=None):
        """Whether one of some rows tells a reader; it becomes the first one."""
        for number in range(first, len(self.rows) if last is None else min(last, len(self.rows))):
            text, valid = self.rows[number]
            if reader.accepts(text) != valid:
                self.rows.insert(0, self.rows.pop(number))
                return True
        return False

    def misses(self, own, reader):
        """Whether no row tells a reader that differs; None for one that does not differ."""
        if self.tells(reader, last=self.FEW):
            return False
        if is_equal(own, reader):
            return None
        return not self.tells(reader, first=self.FEW)
