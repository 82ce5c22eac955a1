"""Words that an expression can read over and over again, found in its automaton.

Each state that some word leads back to gives pumps: a beginning that leads there, what can be read
again and again, and endings that fail, at once or late.
"""

from collections import deque
from re import _parser
from typing import NamedTuple

from abnf2lark.automata import END_OF_TEXT, Alphabet, Nfa, TooLargeError, limited
from abnf2lark.ir import EMPTY, Chars, children, rebuild, seq
from abnf2lark.patterns.emit_pattern import inner
from abnf2lark.patterns.proof import _sequence

MAX_STEPS = 3_000_000
STRANGE = "\ue000"  # of no grammar that has not all characters
END = Chars(((END_OF_TEXT, END_OF_TEXT),))


class Pump(NamedTuple):
    """A beginning, what is repeated, and an end."""

    start: str
    unit: str
    end: str
    other: str = ""  # as a shape of `oracle.pumping` may have

    def text(self, size):
        """Write it in about so many characters."""
        return self.start + self.unit * max(1, size // len(self.unit)) + self.end


def node_of(expression):
    """Read an emitted expression back, with what a lookahead behind it reads."""
    operations = [*_parser.parse(expression.removeprefix(r"\A"))]
    ahead = EMPTY
    if operations and str(operations[-1][0]) in ("ASSERT", "ASSERT_NOT"):
        ahead = _sequence(inner(operations.pop()[1][1]), [])
    return without_end(seq([_sequence(operations, []), ahead]))


def without_end(node):
    parts = children(node)
    if node == END:
        return EMPTY
    return rebuild(node, [without_end(part) for part in parts]) if parts else node


def pumps(node, chance, most):
    """Give pumps of an expression, at most so many, drawn evenly out of all its loops."""
    alphabet = Alphabet([node])
    nfa = Nfa()
    start = nfa.state()
    try:
        with limited(MAX_STEPS):
            end = nfa.add(node, start, {}, alphabet)
            language = nfa.language(start, {end}, alphabet.size)
    except TooLargeError:
        return None
    return Loops(language, alphabet).drawn(chance, most)


class Loops:
    """The ways around in an automaton."""

    def __init__(self, language, alphabet):
        self.edges, self.final = language.edges, language.final
        self.alphabet = alphabet
        self.to = self.words_from(0)
        self.backward = [[] for _ in self.edges]
        for state, row in enumerate(self.edges):
            for label, target in row.items():
                self.backward[target].append((state, label))

    def words_from(self, state):
        """Give a shortest way, as labels, from a state to each other."""
        found = {state: ()}
        pending = deque(found)
        while pending:
            here = pending.popleft()
            for label, target in self.edges[here].items():
                if target not in found:
                    found[target] = (*found[here], label)
                    pending.append(target)
        return found

    def words_to(self, states):
        """Give a shortest way from each state to one of the given."""
        found = dict.fromkeys(states, ())
        pending = deque(found)
        while pending:
            here = pending.popleft()
            for state, label in self.backward[here]:
                if state not in found:
                    found[state] = (label, *found[here])
                    pending.append(state)
        return found

    def drawn(self, chance, most):
        """Draw pumps."""
        self.out = self.words_to(self.final)
        states = [*range(len(self.edges))]
        chance.shuffle(states)
        found = []
        for state in states:
            if len(found) >= most:
                break
            back = self.words_to([state])
            units = [
                (label, *back[target])
                for label, target in self.edges[state].items()
                if target in back
            ]
            chance.shuffle(units)
            units = units[:3]
            if len(units) > 1:
                units.append(units[0] + units[1])  # of two ways around
            found += [
                Pump(self.spelled(self.to[state]), self.spelled(unit), self.failing(state, chance))
                for unit in units
            ]
        return found[:most]

    def failing(self, state, chance):
        """Give an end that fails behind a state, if there is one."""
        kind = chance.randrange(4)
        if kind == 0:
            return ""
        wrong = [label for label in range(self.alphabet.size) if label not in self.edges[state]]
        if kind == 1 and wrong:
            return self.alphabet.sample(chance.choice(wrong))
        if kind == 2:
            return self.spelled(self.out[state])[:-1] + STRANGE
        return self.spelled(self.out[state]) + STRANGE

    def spelled(self, labels):
        return "".join(map(self.alphabet.sample, labels))
