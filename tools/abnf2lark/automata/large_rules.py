"""Which part of a rule has a large automaton: found by making the automata of its parts."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from abnf2lark.automata.alphabet import Alphabet
from abnf2lark.automata.limits import TooLargeError, limited
from abnf2lark.automata.nfa import Nfa, add_languages
from abnf2lark.reading.ir import Ref, children, reachable
from abnf2lark.reading.large_parts import Part, Sizes, counted_part, large_part, part
from abnf2lark.reading.loops import innermost_first, recursive_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.automata.language import Language
    from abnf2lark.reading.ir import Grammar, Node

MAX_STEPS = 500_000  # of the automaton of a part
MAX_STEPS_IN_ALL = 1_500_000  # about a second
LARGE = 20_000  # places for characters; of a rule with more, these tell


def refuse_long(grammar: Grammar, rule: str, most: int) -> None:
    """Raise :class:`TooLargeError` for a rule with more places for characters than so many.

    What is repeated has its places once.
    """
    if Sizes(grammar, rule, counted=False).of(Ref(rule)) > most:
        raise TooLargeError


def part_of_many_states(grammar: Grammar, *starts: str) -> Part:
    """Find the smallest part of rules, without recursion, that has too large an automaton.

    Where none has, it is the rule with the largest one, or what takes the most places.
    """
    sizes = {start: Sizes(grammar, start) for start in starts}
    start = max(starts, key=lambda one: sizes[one].of(Ref(one)))
    if sizes[start].of(Ref(start)) <= LARGE:
        with suppress(TooLargeError):  # where sets of characters cut each other to pieces
            return _Search(grammar, start).found()
    return large_part(grammar, start, sizes[start])


class _Search:
    def __init__(self, grammar: Grammar, start: str) -> None:
        self.grammar = grammar
        self.start = start
        self.needed = {*reachable(grammar, [start])}
        self.alphabet = Alphabet(grammar.rules[name].body for name in self.needed)
        self.known: dict[str, Language] = {}
        self.left = MAX_STEPS_IN_ALL

    def found(self) -> Part:
        for name in innermost_first(self.grammar, recursive_rules(self.grammar)):
            if name in self.needed:
                try:
                    with self.budget():
                        add_languages(self.grammar.rules, self.alphabet, [name], self.known)
                except TooLargeError:
                    return self.inside(name)
        name = max(self.known, key=lambda one: (len(self.known[one]), one != self.start))
        return part(self.grammar, name, self.grammar.rules[name].body)

    def inside(self, rule: str) -> Part:
        """Find the smallest part of an expression that is too large by itself."""
        node = self.grammar.rules[rule].body
        while (inner := next(filter(self.is_large, children(node)), None)) is not None:
            node = inner
        return counted_part(self.grammar, rule, node)

    def is_large(self, node: Node) -> bool:
        nfa = Nfa()
        start = nfa.state()
        try:
            with self.budget():
                end = nfa.add(node, start, self.known, self.alphabet)
                nfa.language(start, {end}, self.alphabet.size)
        except TooLargeError:
            return self.left > 0
        return False

    @contextmanager
    def budget(self) -> Iterator[None]:
        most = max(min(self.left, MAX_STEPS), 0)
        with limited(most) as left:
            try:
                yield
            finally:
                self.left -= most - max(left[0], 0)
