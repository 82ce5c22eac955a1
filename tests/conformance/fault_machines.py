"""Machines of rules, and faults in them: made from the ABNF by the package `abnf` and by hand here.

Nothing of uriparse is used but the files of its grammars: what a suite promises is tried by others.
"""

import re
import tomllib
from bisect import bisect_right
from functools import cache
from itertools import chain

from abnf import parser as nodes
from paths import ROOT

DEAD = -1
GRAMMAR = ROOT / "grammar"
SETTINGS = tomllib.loads((GRAMMAR / "grammars.toml").read_text("utf-8"))


_CORE = re.compile(
    r"^(alpha|digit|hexdig|bit|char|ctl|octet|sp|dquote|vchar|cr|lf|crlf)[ \t]*=.*(\n[ \t].*)*\n",
    re.IGNORECASE | re.MULTILINE,
)
"""Core rules, which `abnf` has and takes from nobody else; those of the files are the same."""


@cache
def rules_of(grammar):
    """Return the rules of a grammar, and of those that it imports from, as `abnf` reads them."""
    made = type(grammar, (nodes.Rule,), {})
    for name in reversed([grammar, *SETTINGS[grammar].get("imports", ())]):
        text = (GRAMMAR / f"{name}.abnf").read_text("utf-8")
        text = _CORE.sub("", text)
        made.load_grammar(text.rstrip("\n").replace("\n", "\r\n") + "\r\n", strict=False)
    return made


class Machine:
    """A deterministic automaton, minimal and without states that lead to no end.

    edges: by state, by class the next state. final: where a text may end. borders: where an
    interval of characters begins; kinds: its class.
    """

    def __init__(self, edges, final, borders, kinds):
        self.edges, self.final, self.borders, self.kinds = edges, final, borders, kinds

    def classes_of(self, text):
        return [self.kinds[bisect_right(self.borders, ord(char)) - 1] for char in text]

    def run(self, word, state=0):
        for label in word:
            state = self.edges[state].get(label, DEAD)
            if state == DEAD:
                return DEAD
        return state


class _Net:
    """A nondeterministic automaton: steps by intervals of code points, and steps by nothing."""

    def __init__(self, rules):
        self.rules, self.steps, self.free = rules, [], []

    def state(self):
        self.steps.append([])
        self.free.append([])
        return len(self.steps) - 1

    def add(self, node, begin):
        """Add what reads a node from a state on; return where it ends."""
        match node:
            case nodes.Rule():
                return self.add(node.definition, begin)
            case nodes.Alternation():
                end = self.state()
                for one in node.parsers:
                    self.free[self.add(one, begin)].append(end)
                return end
            case nodes.Concatenation():
                for one in node.parsers:
                    begin = self.add(one, begin)
                return begin
            case nodes.Option():
                end = self.state()  # one of its own: what is within may end in a loop
                self.free[begin].append(end)
                self.free[self.add(node.alternation, begin)].append(end)
                return end
            case nodes.Repetition():
                return self.repeat(node.element, node.repeat.min, node.repeat.max, begin)
            case nodes.Literal():
                return self.literal(node, begin)
        raise TypeError(node)

    def repeat(self, element, least, most, begin):
        for _ in range(least):
            begin = self.add(element, begin)
        end = self.state()
        if most is None:
            self.free[begin].append(end)
            self.free[self.add(element, end)].append(end)
            return end
        self.free[begin].append(end)
        for _ in range(most - least):
            begin = self.add(element, begin)
            self.free[begin].append(end)
        return end

    def literal(self, node, begin):
        if isinstance(node.value, tuple):
            low, high = node.value
            return self.step(begin, {(ord(low), ord(high))})
        for char in node.value:
            both = {char} if node.case_sensitive else {char.lower(), char.upper()}
            begin = self.step(begin, {(ord(one), ord(one)) for one in both})
        return begin

    def step(self, begin, intervals):
        end = self.state()
        self.steps[begin] += [(low, high, end) for low, high in intervals]
        return end

    def closed(self, states):
        found, pending = set(states), list(states)
        while pending:
            for state in self.free[pending.pop()]:
                if state not in found:
                    found.add(state)
                    pending.append(state)
        return frozenset(found)


@cache
def machine(rule, grammar):
    """Return the minimal machine of a rule."""
    net = _Net(rules_of(grammar))
    start = net.state()
    end = net.add(rules_of(grammar)(rule), start)
    cuts = {0} | {cut for steps in net.steps for low, high, _ in steps for cut in (low, high + 1)}
    borders = sorted(cuts)
    number = {border: label for label, border in enumerate(borders)}
    found = {net.closed({start}): 0}
    edges = []
    for states in (walk := list(found)):
        row = {}
        for state in states:
            for low, high, target in net.steps[state]:
                for label in range(number[low], number[high + 1]):
                    row.setdefault(label, set()).add(target)
        edges.append({})
        for label, targets in row.items():
            goal = net.closed(targets)
            if goal not in found:
                found[goal] = len(found)
                walk.append(goal)
            edges[-1][label] = found[goal]
    final = {place for states, place in found.items() if end in states}
    return _minimal(edges, final, borders)


def _minimal(edges, final, borders):
    """Merge what cannot be told apart, and leave out what leads nowhere."""
    alive, size = set(final), -1
    while len(alive) > size:
        size = len(alive)
        alive |= {s for s, row in enumerate(edges) if alive & set(row.values())}
    block = {state: state in final for state in alive}
    while True:
        names = {}
        parted = {
            state: names.setdefault(
                (
                    block[state],
                    tuple(sorted((a, block[t]) for a, t in edges[state].items() if t in alive)),
                ),
                len(names),
            )
            for state in sorted(alive)
        }
        if len(names) == len(set(block.values())):
            break
        block = parted
    order, made = {block[0]: 0}, []
    member = {}
    for state in sorted(alive):
        member.setdefault(block[state], state)
    for name in (walk := [block[0]]):
        row = {}
        for label, target in sorted(edges[member[name]].items()):
            if target in alive:
                if block[target] not in order:
                    order[block[target]] = len(order)
                    walk.append(block[target])
                row[label] = order[block[target]]
        made.append(row)
    # Characters with the same steps everywhere are of one class.
    kinds, names = [], {}
    for label in range(len(borders)):
        column = tuple(row.get(label, DEAD) for row in made)
        kinds.append(names.setdefault(column, len(names)))
    rows = [{kinds[label]: target for label, target in row.items()} for row in made]
    final = {order[name] for name in walk if member[name] in final}
    return Machine(rows, final, borders, kinds)


# Faults.


class Suite:
    """The rows of a suite as a machine reads them, by the states and the steps on their way."""

    def __init__(self, own, rows):
        self.own = own
        self.words = {}
        for text, valid in rows:
            word = tuple(own.classes_of(text))
            assert (own.run(word) in own.final) == valid, ascii(text)
            self.words[word] = valid
        self.by_end, self.by_step = {}, {}
        for word, valid in self.words.items():
            state, seen = 0, set()
            for label in word:
                if state != DEAD and (state, label) not in seen:
                    seen.add((state, label))
                    self.by_step.setdefault((state, label), []).append((word, valid))
                state = DEAD if state == DEAD else own.edges[state].get(label, DEAD)
            self.by_end.setdefault(state, []).append((word, valid))
        for through in self.by_step.values():
            through.sort(key=lambda row: len(row[0]))

    def finds_flip(self, state):
        """Whether a parser is found that is wrong about the end in a state alone."""
        return state in self.by_end

    def finds(self, edges, final, changed):
        """Whether a parser is found; changed: the steps that differ from those of the rule."""
        broken = Machine(edges, final, self.own.borders, self.own.kinds)
        flipped = final ^ self.own.final
        through = (row for step in changed for row in self.by_step.get(step, ()))
        ending = (row for state in flipped for row in self.by_end.get(state, ()))
        return any((broken.run(word) in final) != valid for word, valid in chain(ending, through))


def differs(own, edges, final):
    """Whether two machines accept different texts; states beyond those of `own` are others."""
    seen, pending = {(0, 0)}, [(0, 0)]
    while pending:
        one, other = pending.pop()
        if (one in own.final) != (other in final):
            return True
        row = own.edges[one] if one != DEAD else {}
        others = edges[other] if other != DEAD else {}
        for label in row.keys() | others.keys():
            pair = row.get(label, DEAD), others.get(label, DEAD)
            if pair not in seen:
                seen.add(pair)
                pending.append(pair)
    return False
