"""Words of a rule of `agreed.abnf`, drawn at random from the shipped automaton.

First a word through each transition of the automaton, then random ones: a walk of a random length,
then the shortest way to an end. Half of the steps choose among the next states, so that rare ways
(addresses, ports, triplets) are taken as often as long names; the other half among the characters.
"""

import random
from collections import deque
from functools import cache
from ipaddress import IPv6Address
from unicodedata import category
from urllib.parse import unquote

from uriparse import parse
from uriparse.grammar.automata import NONE, shipped_automaton
from uriparse.iri import rewritten_label

LONGEST_NAME = 253
ADDRESSES = 0.3  # of the random words get an address for a host: a walk seldom comes by one
WALKS = (0, 4, 8, 12, 16, 24, 32, 48, 64, 96, 160, 400)
"""Characters before a word makes for its end."""


class Drawing:
    """Draws words of one rule.

    Attributes:
        transitions: all (state, class of characters) pairs of the rule's automaton.

    """

    def __init__(self, rule, seed, grammar="agreed"):
        self.chance = random.Random(f"{rule} {seed}")
        self.automaton = shipped_automaton(grammar)
        self.start = self.automaton.starts[rule]
        self.characters = {}
        for code, label in enumerate(self.automaton.ascii_classes):
            self.characters.setdefault(label, []).append(chr(code))
        self.edges = {}
        self.ways = {self.start: ""}  # a shortest word to each state
        pending = deque([self.start])
        while pending:
            state = pending.popleft()
            row = self.automaton.row(state)
            self.edges[state] = {
                label: row[label] for label in self.characters if row[label] != NONE
            }
            for label, after in self.edges[state].items():
                if after not in self.ways:
                    self.ways[after] = self.ways[state] + self.characters[label][0]
                    pending.append(after)
        self.transitions = [(s, label) for s, edges in self.edges.items() for label in edges]
        self.steps_home = self._steps_home()

    def may_end(self, state):
        return self.automaton.stop(0, state).may_end

    def _steps_home(self):
        """Count the characters that are missing at least in each state."""
        before = {}
        for state, label in self.transitions:
            before.setdefault(self.edges[state][label], []).append(state)
        found = {state: 0 for state in self.edges if self.may_end(state)}
        pending = deque(found)
        while pending:
            state = pending.popleft()
            for other in before.get(state, ()):
                if other not in found:
                    found[other] = found[state] + 1
                    pending.append(other)
        return found

    def word(self, length=None):
        """Draw a word, of about that length if one is given."""
        return self._from(self.start, self.chance.choice(WALKS) if length is None else length)

    def through(self, transition):
        """Draw a word whose reading takes a transition."""
        state, label = transition
        begin = self.ways[state] + self.chance.choice(self.characters[label])
        return begin + self._from(self.edges[state][label], self.chance.choice(WALKS[:4]))

    def _from(self, state, length):
        word = []
        for _ in range(length):
            edges = self.edges[state]
            if not edges:
                break
            if self.chance.random() < 0.5:
                after = self.chance.choice(sorted(set(edges.values())))
                labels = [label for label in edges if edges[label] == after]
                char = self.chance.choice([c for label in labels for c in self.characters[label]])
            else:
                char = self.chance.choice([c for label in edges for c in self.characters[label]])
                after = edges[self.automaton.ascii_classes[ord(char)]]
            word.append(char)
            state = after
        while self.steps_home[state]:
            edges = self.edges[state]
            nearer = [
                label for label in edges if self.steps_home[edges[label]] < self.steps_home[state]
            ]
            label = self.chance.choice(nearer)
            word.append(self.chance.choice(self.characters[label]))
            state = edges[label]
        return "".join(word)


def is_agreed(text, rule="destination-URI"):
    """The checks beside the grammar: a name's length and labels, an IPv6 address and its scheme.

    Of a request, also characters that nobody sees.
    """
    uri = parse(text, "URI")
    if rule == "request-URI" and any(map(is_unseen, unquote(f"{uri.path}{uri.query}"))):
        return False
    host = str(uri.host)
    if not host.startswith("["):
        return len(host) <= LONGEST_NAME and rewritten_label(host) is None
    if uri.scheme == "https":
        return False  # some client asks TLS for another name
    address = IPv6Address(host[1:-1])
    return address.compressed == host[1:-1] and address.ipv4_mapped is None


def is_unseen(char):
    """Whether Unicode calls a character a control, a separator of lines or one to be ignored."""
    number = ord(char)
    return category(char) in {"Cf", "Zl", "Zp"} or (
        number > 0x7F
        and (
            category(char) == "Cc"
            or char in "\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0"
            or 0x180B <= number <= 0x180F
            or 0xFE00 <= number <= 0xFE0F
            or 0xFFF0 <= number <= 0xFFF8
            or 0xE0000 <= number <= 0xE0FFF
        )
    )


@cache
def covering(rule, seed=0):
    """Draw a text through each transition, as (texts, missed).

    missed: transitions that no text to be read alike was found through, in fifty attempts.
    """
    drawing = Drawing(rule, seed)
    found, missed = {}, []
    for transition in drawing.transitions:
        for _ in range(50):
            word = drawing.through(transition)
            if is_agreed(word, rule):
                found[word] = None
                break
        else:
            missed.append(transition)
    return tuple(found), tuple(missed)


def agreed(rule, number, seed=0, *, with_covering=True):
    """Draw so many different texts that all readers are to read alike: `covering` and others."""
    drawing = Drawing(rule, seed)
    addresses = [Drawing(name, seed) for name in ("IPv4address", "lower-IPv6")]
    texts, _ = covering(rule, seed) if with_covering else ((), ())
    found = dict.fromkeys(texts)
    while len(found) < number:
        word = drawing.word()
        if drawing.chance.random() < ADDRESSES:
            address = drawing.chance.choice(addresses).word(WALKS[-1])
            host = address if "." in address else f"[{address}]"
            word = str(parse(word, "URI").replace(host=host))
        if is_agreed(word, rule):
            found[word] = None
    texts = list(found)
    drawing.chance.shuffle(texts)
    return texts[:number]
