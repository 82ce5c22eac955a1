"""Find the tokens of which a lexer may take only the longest text, without losing a text."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from abnf2lark.automata import Alphabet, Language, Nfa, TooLargeError, spend
from abnf2lark.automata.nfa import Leaf
from abnf2lark.ir import Alt, Chars, Node, Ref, Rep, children, each_reached, references
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import NO_CHARS, deterministic, factored, optimize
from abnf2lark.patterns.proof import backtracking, language_of, takes_longest
from abnf2lark.patterns.rule_expression import of_language

ANY_CHARS = NO_CHARS.others()


def longest_first(node: Node, words: Language, alphabet: Alphabet) -> str | None:
    """Write an expression that matches the longest text first, in linear time, or ``None``."""
    for way in longest_ways(optimize(node), words, alphabet):
        if backtracking(way) is None:
            text = pattern(way, PYTHON, ANY_CHARS)
            if language_of(text, alphabet, ANY_CHARS) == words:
                return text
    return None


def longest_ways(node: Node, words: Language, alphabet: Alphabet) -> Iterator[Node]:
    """Yield expressions that match the longest text first, deterministic ones first."""
    if deterministic(node, NO_CHARS) and backtracking(node) is None:
        yield node  # the others are only made if it is not taken
    ways = [node, factored(node)]
    with suppress(TooLargeError):
        read = of_language(words, alphabet)
        ways += [optimize(factored(read)), factored(read)]
    # A deterministic expression has no choice that could be wrong.
    decided = {way: deterministic(way, NO_CHARS) for way in ways}
    for way in sorted(decided, key=lambda one: (not decided[one], backtracking(one) is not None)):
        if decided[way] or takes_longest(way, words, alphabet):
            yield way


# What can follow a token of a grammar over tokens: approximated from above by a finite automaton.
#
# After a rule, what follows it anywhere can follow: the automaton has no stack. So it accepts every
# sequence of tokens that the grammar derives, and more.


class _Sequences(Nfa):
    """A finite automaton that accepts at least the sequences of tokens of a grammar."""

    def __init__(self, rules: Mapping[str, Node], tokens: Mapping[str, int]) -> None:
        super().__init__()
        self._tokens = tokens
        self.begins = {name: self.state() for name in rules}
        self.ends = {name: self.state() for name in rules}
        for name, body in rules.items():
            self.jump(self.build(body, self.begins[name], self._leaf), self.ends[name])

    def _leaf(self, one: Chars | Ref, source: int) -> int:
        target = self.state()
        if not isinstance(one, Ref):
            raise TypeError(one)
        if one.name in self.begins:
            self.jump(source, self.begins[one.name])
            self.jump(self.ends[one.name], target)
        else:
            self.step(source, frozenset({self._tokens[one.name]}), target)
        return target

    def build(self, node: Node, source: int, leaf: Leaf) -> int:
        """Add an expression as others do; iterations are not counted, with a state for each."""
        if not isinstance(node, Rep):
            return super().build(node, source, leaf)
        target, turn = self.state(), self.state()
        self.jump(source, turn)
        end = super().build(node.item, turn, leaf)
        self.jump(end, target)
        if node.high != 1:
            self.jump(end, turn)
        if node.low == 0:
            self.jump(source, target)
        return target


# Of which tokens an Earley parser may take only the longest text, so that no text is lost.
#
# Lark's dynamic lexer asks each possible expression for one text, and follows all that match. So it
# matters only where a token ends. A derivation becomes one whose tokens are the longest, from left
# to right, if for each token T what a longer T takes from the tokens after it
#
# * is empty, since no text that can follow T begins with it; or
# * is all of some tokens that are optional everywhere, and then a prefix of another one that is
#   still a word without this prefix, unless T would extend into the rest.

DEAD = -1  # the state after a text that no word begins with


def _find_needed(node: Node, needed: set[str], *, without: bool) -> None:
    """Find what is not optional in an expression; ``without``: the whole expression is."""
    match node:
        case Ref(name):
            if not without:
                needed.add(name)
        case Rep(item, low):
            _find_needed(item, needed, without=low == 0 or (without and low == 1))
        case Alt(items):
            for item in items:
                _find_needed(item, needed, without=without)
        case _:
            for item in children(node):
                _find_needed(item, needed, without=False)


class _Taking(NamedTuple):
    """A longer token reads another one: the states of both; ``needed``: it took a needed one."""

    taken: int
    token: str
    behind: int
    state: int = 0
    needed: bool = False


class LongestTokens:
    """The tokens of a grammar, and whether the longest text of each suffices."""

    def __init__(
        self, rules: Mapping[str, Node], starts: Iterable[str], words: Mapping[str, Language]
    ) -> None:
        self.words = words
        self._named = rules, starts
        self._names = tuple(words)
        tokens = {name: number for number, name in enumerate(words)}
        nfa = _Sequences(rules, tokens)
        start, end = nfa.state(), nfa.state()
        for name in starts:
            nfa.jump(start, nfa.begins[name])
            nfa.jump(nfa.ends[name], end)
        self._sequences = nfa.language(start, {end}, len(words))

    @cached_property
    def optional(self) -> frozenset[str]:
        """The rules and tokens that are optional wherever they occur."""
        rules, starts = self._named
        found = rules.keys() | {ref.name for body in rules.values() for ref in references(body)}
        found -= {*starts}
        # A greatest fixed point: all are optional until an occurrence is found that is not.
        while True:
            needed: set[str] = set()
            spend(len(rules))
            for name, body in rules.items():
                _find_needed(body, needed, without=name in found)
            if found.isdisjoint(needed):
                return frozenset(found)
            found -= needed

    def lost(self, name: str) -> frozenset[int]:
        """Return the characters by which an extended token takes a text from those after it."""
        words = self.words[name]
        if not any(words.edges[state] for state in words.final):
            return frozenset()  # no word of it can be extended
        label = self._names.index(name)
        after = {row[label] for row in self._sequences.edges if label in row}
        begun = {one for place in after for one in self._following(place)}
        first: dict[int, set[_Taking]] = {}
        for state in words.final:
            for one in begun:
                for label, step in self._steps(words, _Taking(state, *one)):
                    first.setdefault(label, set()).add(step)
        # Characters with the same steps lose the same texts.
        alike = {frozenset(steps) for steps in first.values()}

        def further(step: _Taking) -> Iterator[_Taking]:
            return (one for here in self._after(step) for _, one in self._steps(words, here))

        # The lexer takes the longer text only if it is a word.
        losing = {
            steps
            for steps in alike
            if any(
                one.taken in words.final and self._is_lost(words, one)
                for one in each_reached(steps, further)
            )
        }
        return frozenset(label for label, steps in first.items() if steps in losing)

    def _following(self, place: int) -> Iterator[tuple[str, int]]:
        for label, target in self._sequences.edges[place].items():
            yield self._names[label], target

    def _steps(self, words: Language, here: _Taking) -> Iterator[tuple[int, _Taking]]:
        row, other = words.edges[here.taken], self.words[here.token].edges[here.state]
        spend(1 + len(row))
        for label in row.keys() & other.keys():
            yield label, here._replace(taken=row[label], state=other[label])

    def _after(self, here: _Taking) -> Iterator[_Taking]:
        """Yield where the longer token can continue: in this token, or in the next one."""
        yield here
        if here.state in self.words[here.token].final:
            needed = here.needed or here.token not in self.optional
            for one in self._following(here.behind):
                yield _Taking(here.taken, *one, needed=needed)

    def _is_lost(self, words: Language, here: _Taking) -> bool:
        """Return whether a token that ends here leaves a rest that the grammar rejects.

        It takes the longest text, so the rest does not begin with anything that extends it.
        """
        other = self.words[here.token]
        needed = here.needed
        if here.state in other.final and (needed or here.token not in self.optional):
            return True  # it has taken all of a token that is needed

        # The rest of the other token must be one of its words, unless the longer token would have
        # extended into it: all three automata are walked together.
        def after(one: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
            taken, state, rest = one
            spend(1 + len(other.edges[state]))
            for label, target in other.edges[state].items():
                more = words.edges[taken].get(label, DEAD) if taken != DEAD else DEAD
                left = other.edges[rest].get(label, DEAD) if rest != DEAD else DEAD
                if more not in words.final:
                    yield more, target, left

        begun = after((here.taken, here.state, 0))
        return any(
            target in other.final and (needed or left not in other.final)
            for _, target, left in each_reached(begun, after)
        )
