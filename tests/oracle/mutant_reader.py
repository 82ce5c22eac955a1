"""Parsers that read by a grammar with edits in it, one character after the other."""

from dataclasses import replace
from itertools import islice

from abnf2lark.automata import languages
from abnf2lark.ir import Alt, Ref
from uriparse.conformance import Automaton
from uriparse.conformance.rule_automata import minimal

MOST = 6_000
"""States that are made of a mutant's alternatives taken all at once."""


class Reader:
    """Reads by the mutants of a laboratory; its states are made when they are come to."""

    def __init__(self, laboratory, *mutants):
        self._laboratory = laboratory
        self._mutants = mutants
        self._lazy_dfa = laboratory.lazy_dfa(*mutants)
        self._steps = {}
        self.start = self._lazy_dfa.start
        self.final = self._lazy_dfa.final

    def step(self, state, bit):
        """Give the state behind a letter, None if it cannot stand there."""
        key = (state, bit)
        if key not in self._steps:
            found = (target for bits, target in self._lazy_dfa.row(state) if bits & bit)
            self._steps[key] = next(found, None)
        return self._steps[key]

    def accepts(self, word, state=None):
        """Tell whether a word leads to an end, from the start or from a state."""
        state = self.start if state is None else state
        for bit in word:
            if (state := self.step(state, bit)) is None:
                return False
        return state in self.final

    def states(self):
        """Give all states, those that the shortest words lead to first."""
        seen = {self.start}
        for state in (order := [self.start]):
            yield state
            for _, target in self._lazy_dfa.row(state):
                if target not in seen:
                    seen.add(target)
                    order.append(target)

    def minimal(self):
        """Give the smallest automaton of the language."""
        order = list(islice(self.states(), MOST + 1))
        return minimal(self._whole(order) if len(order) <= MOST else self._in_steps())

    def _whole(self, order):
        number = {state: index for index, state in enumerate(order)}
        rows = [self._lazy_dfa.row(state) for state in order]
        bit = self._laboratory.classes.bit
        classes = [sum(bit.values())]
        for some in {some for row in rows for some, _ in row}:
            classes = [part for one in classes for part in (one & some, one & ~some) if part]
        edges = [
            {
                label: number[target]
                for label, one in enumerate(classes)
                for some, target in row
                if some & one
            }
            for row in rows
        ]
        spans = [self._spans(label for label in bit if bit[label] & one) for one in classes]
        return Automaton(spans, edges, {number[one] for one in order if one in self.final})

    def _in_steps(self):
        """Unite alternatives one after the other, each time as few states as can be."""
        laboratory = self._laboratory
        bodies = {mutant.rule: mutant.body for mutant in self._mutants}
        rules = dict(laboratory.grammar.rules)
        for name, rule in laboratory.grammar.rules.items():
            body = bodies.get(name, rule.body)
            if isinstance(body, Alt):
                for number, item in enumerate(body.items):
                    rules[f"{name} {number}"] = replace(rule, body=item)
                    both = Alt((Ref(f"{name} to {number - 1}"), Ref(f"{name} {number}")))
                    union = both if number else Ref(f"{name} {number}")
                    rules[f"{name} to {number}"] = replace(rule, body=union)
                body = union
            rules[name] = replace(rule, body=body)
        alphabet = laboratory.classes.alphabet
        found = languages(rules, alphabet, [laboratory.start])[laboratory.start]
        spans = [self._spans([label]) for label in range(alphabet.size)]
        return Automaton(spans, found.edges, found.final)

    def _spans(self, labels):
        return self._laboratory.classes.alphabet.chars(labels).ranges
