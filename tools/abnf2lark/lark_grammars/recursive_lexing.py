"""Lex recursive grammars: priorities and guards under which each token taken is one that fits.

The parser has infinitely many stacks, so what follows a token is not known exactly; it is held to a
regular language that is wider: some tokens that the parse table lets come, and then anything. A
text of the grammar is a sequence of tokens. It is shown, for each state of the table in which the
lexer works and the first token T of what is left, that

* T is tried, and of its beginnings that match, the longest comes first: its expression is
  deterministic; so T takes its own text, or more;
* where it takes more, by x, what is left is a sequence that fits again: of each token U that can
  follow, U less x is a U too, and where x is all of U, the grammar can do without U everywhere;
* no other terminal that is tried before T takes anything here; or it is the U behind T, the grammar
  can do without T everywhere, and T before U is a U.

So the parser accepts all texts of the grammar; and no others, since all it reads are its tokens.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from abnf2lark.automata import Language, Nfa, TooLargeError
from abnf2lark.lark_grammars.emit_lark import LexedTerminal
from abnf2lark.lark_grammars.lexing import UnprovableError
from abnf2lark.patterns.backtracking import backtracking
from abnf2lark.patterns.determinism import NO_CHARS, deterministic
from abnf2lark.patterns.emit_pattern import pattern
from abnf2lark.patterns.flavours import PYTHON
from abnf2lark.patterns.of_automata import of_language
from abnf2lark.patterns.passes import optimize
from abnf2lark.patterns.proof import ProofError, guard_expression, language_of
from abnf2lark.reading.ir import MAX_CODE_POINT, Alt, Chars, Ref, Rep, children, seq
from abnf2lark.reading.loops import shortest_loop

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abnf2lark.automata import Alphabet
    from abnf2lark.lark_grammars.components import Components
    from abnf2lark.lark_grammars.lexing_states import LexingStates
    from abnf2lark.reading.ir import Node

DEPTH = 2  # tokens that are looked at behind a token
_ANYTHING = Chars(((0, MAX_CODE_POINT),))


class RecursiveLexing:
    """The search for guards and priorities of a component grammar that is recursive."""

    def __init__(
        self,
        components: Components,
        states: LexingStates,
        languages: Mapping[str, Language],
        alphabet: Alphabet,
    ) -> None:
        self.components = components
        self.states = states
        self.languages = languages
        self.alphabet = alphabet
        self.everything = Language.everything(alphabet.size)
        self.optional = _optional(components)
        self.guarded: set[str] = set()
        self._rests: dict[tuple[int, int, str], Language] = {}
        self._firsts: dict[str, tuple[Chars, bool]] = {}
        self._decided: dict[tuple[object, ...], bool] = {}

    def solve(self) -> dict[str, LexedTerminal]:
        """Return guard and priority for every terminal; raise where no proof is found."""
        expressions = {name: self._expression(name) for name in self.languages}
        self._take_more()
        while True:
            before: dict[str, set[str]] = {name: set() for name in self.languages}
            conflict = self._orders(before)
            if conflict is None:
                conflict = _circle(before)
            if conflict is None:
                ranks = _ranks(before)
                return {
                    name: self._lexed(name, node, ranks[name]) for name, node in expressions.items()
                }
            new = set(conflict) - self.guarded
            if not new:
                raise self._unprovable(conflict, "no guard keeps {} apart")
            self.guarded |= new

    def _expression(self, name: str) -> Node:
        """Return an expression that takes the longest text first."""
        node = self.components.terminals[name].node
        if deterministic(node, NO_CHARS):
            return node
        try:
            made = optimize(of_language(self.languages[name], self.alphabet))
        except TooLargeError:
            made = node
        if deterministic(made, NO_CHARS):
            return made
        raise self._unprovable((name,), "the length of {} is not decided character by character")

    def _take_more(self) -> None:
        """Show that what a token takes from those behind it is not missed there."""
        for name, words in self.languages.items():
            more = _extensions(words)
            if not more:
                continue
            for other in self.states.behind(name):
                left = _quotient(more, self.languages[other])
                short = left.nullable() and other not in self.optional
                if short or not left.without_empty() <= self.languages[other]:
                    text = "nothing tells where {} ends"
                    raise self._unprovable((name, other), text)

    def _orders(self, before: dict[str, set[str]]) -> tuple[str, ...] | None:
        """Find which terminals have to be tried before which; return two that go neither way."""
        for state in self.states.lexed:
            tried = sorted(self.states.tried[state])
            for place, first in enumerate(tried):
                for second in tried[place + 1 :]:
                    ahead = self._harmless(state, first, second)
                    behind = self._harmless(state, second, first)
                    if not ahead and not behind:
                        return first, second
                    if not ahead:
                        before[second].add(first)
                    if not behind:
                        before[first].add(second)
        return None

    def _harmless(self, state: int, first: str, second: str) -> bool:
        """Tell whether ``first`` may be tried where a text goes on with ``second``."""
        words, other = self.languages[first], self.languages[second]
        if words.first().isdisjoint(other.first()):
            return True
        targets = tuple(self.states.after(state, second))
        guard = self._guard(first) if first in self.guarded else self.everything
        key = (words, guard, second, targets, first)
        known = self._decided.get(key)
        if known is None:
            taken = words + guard
            known = not taken & (other + self._rests_of(targets))
            if not known and second in self.optional and other + words <= words:
                known = not taken & (other + self._rests_of(targets, without=first))
            self._decided[key] = known
        return known

    def _rests_of(self, states: Iterable[int], without: str = "") -> Language:
        found = Language.empty(self.alphabet.size)
        for state in states:
            found |= self._rest(state, DEPTH, without)
        return found

    def _rest(self, state: int, depth: int, without: str = "") -> Language:
        """Return all that can follow in a state, and more: so many tokens, then anything."""
        if depth == 0:
            return self.everything
        key = (state, depth, without)
        found = self._rests.get(key)
        if found is None:
            nfa = Nfa()
            start, end = nfa.state(), nfa.state()
            if self.states.ends(state):
                nfa.jump(start, end)
            for name in self.states.tried[state]:
                if name != without:
                    middle = nfa.state()
                    nfa.embed(self.languages[name], start, middle)
                    for target in self.states.after(state, name):
                        nfa.embed(self._rest(target, depth - 1), middle, end)
            found = self._rests[key] = nfa.language(start, {end}, self.alphabet.size)
        return found

    def _first(self, name: str) -> tuple[Chars, bool]:
        """Return the characters that can follow a token, and whether the end can."""
        found = self._firsts.get(name)
        if found is None:
            labels: set[int] = set()
            end = False
            for target in self.states.targets(name):
                end = end or self.states.ends(target)
                for other in self.states.tried[target]:
                    labels |= self.languages[other].first()
            found = self._firsts[name] = self.alphabet.chars(labels), end
        return found

    def _guard(self, name: str) -> Language:
        chars, end = self._first(name)
        size = self.alphabet.size
        found = Language.one_of(self.alphabet.classes(chars), size) + self.everything
        return found | Language.nothing(size) if end else found

    def _lexed(self, name: str, node: Node, rank: int) -> LexedTerminal:
        guard, follow = "", _ANYTHING
        if name in self.guarded:
            follow, end = self._first(name)
            if end:
                shown = PYTHON.char_class(follow.ranges, negated=True) if follow.ranges else ""
                guard = f"(?!{shown})" if shown else r"\Z"
            else:
                guard = f"(?={PYTHON.char_class(follow.ranges)})"
        text = pattern(node, PYTHON, follow)
        if language_of(text, self.alphabet, follow) != self.languages[name]:
            raise ProofError(f"the pattern for {name} has another language than its rule")
        why = backtracking(seq([node, guard_expression(guard)]))
        if why is not None:
            raise self._unprovable((name,), f"of {{}}, {why}")
        text = f"(?:{text})" if isinstance(node, Alt) and guard else text
        return LexedTerminal(text, guard, rank)

    def _unprovable(self, names: tuple[str, ...], text: str) -> UnprovableError:
        rules = tuple(sorted({self.components.terminals[name].rule for name in names}))
        told = text.format(" and ".join(sorted(set(names))))
        return UnprovableError(f"{told} (rules: {', '.join(rules)})", rules)


def _optional(components: Components) -> frozenset[str]:
    """Return the terminals that the grammar can do without wherever they stand."""
    found = (components.terminals.keys() | components.rules.keys()) - {*components.starts.values()}
    while True:
        needed: set[str] = set()
        for name, body in components.rules.items():
            _find_needed(body, needed, without=name in found)
        if found.isdisjoint(needed):
            return frozenset(found & components.terminals.keys())
        found -= needed


def _find_needed(node: Node, needed: set[str], *, without: bool) -> None:
    """Find what cannot be left out of an expression; ``without``: it can be, as a whole."""
    match node:
        case Ref(name):
            if not without:
                needed.add(name)
        case Rep(item, low):
            _find_needed(item, needed, without=without or low == 0)
        case Alt(items):
            for item in items:
                _find_needed(item, needed, without=without)
        case _:
            for item in children(node):
                _find_needed(item, needed, without=False)


def _extensions(words: Language) -> Language:
    """Return what can make a word a longer one, and all ends of that."""
    after: set[int] = set()
    pending = deque(target for state in words.final for target in words.edges[state].values())
    while pending:
        state = pending.popleft()
        if state not in after:
            after.add(state)
            pending.extend(words.edges[state].values())
    nfa = Nfa()
    start, end = nfa.state(), nfa.state()
    states = [nfa.state() for _ in words.edges]
    for state, row in enumerate(words.edges):
        for label, target in row.items():
            nfa.step(states[state], frozenset({label}), states[target])
        if state in words.final:
            nfa.jump(states[state], end)
    for state in after | words.final:
        nfa.jump(start, states[state])
    return nfa.language(start, {end}, words.size).without_empty()


def _quotient(front: Language, words: Language) -> Language:
    """Return what is left of words that begin with a text of another language."""
    nfa = Nfa()
    start, end = nfa.state(), nfa.state()
    states = [nfa.state() for _ in words.edges]
    for state, row in enumerate(words.edges):
        for label, target in row.items():
            nfa.step(states[state], frozenset({label}), states[target])
        if state in words.final:
            nfa.jump(states[state], end)
    seen = {(0, 0)}
    pending = deque(seen)
    while pending:
        left, right = pending.popleft()
        if left in front.final:
            nfa.jump(start, states[right])
        for label, target in front.edges[left].items():
            goal = words.edges[right].get(label)
            if goal is not None and (target, goal) not in seen:
                seen.add((target, goal))
                pending.append((target, goal))
    return nfa.language(start, {end}, words.size)


def _circle(before: Mapping[str, set[str]]) -> tuple[str, ...] | None:
    """Return terminals of which each has to be tried before the next, in a circle."""
    return shortest_loop({name: sorted(after) for name, after in before.items()})[:-1] or None


def _ranks(before: Mapping[str, set[str]]) -> dict[str, int]:
    """Return priorities, from 1 up: each terminal above those that it has to be tried before."""
    ranks: dict[str, int] = {}
    pending = list(before)
    while pending:
        name = pending[-1]
        missing = [other for other in before[name] if other not in ranks]
        if missing:
            pending += missing
        else:
            ranks[pending.pop()] = 1 + max((ranks[other] for other in before[name]), default=0)
    return ranks
