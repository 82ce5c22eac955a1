"""Lex recursive grammars: priorities and guards under which every token that is taken fits."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from abnf2lark.automata import Language, Nfa, TooLargeError
from abnf2lark.lark_grammars.components import LexedTerminal
from abnf2lark.lark_grammars.conflicts import circle, ranks
from abnf2lark.lark_grammars.guards import Lookahead
from abnf2lark.lark_grammars.lexing import UnprovableError
from abnf2lark.lark_grammars.longest_tokens import ANY_CHARS, longest_ways
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.proof import ProofError, backtracking, guard_expression, language_of
from abnf2lark.reading.ir import Alt, seq

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abnf2lark.automata import Alphabet
    from abnf2lark.lark_grammars.components import Components
    from abnf2lark.lark_grammars.lalr_tables import LexingStates
    from abnf2lark.lark_grammars.readings import Replacements
    from abnf2lark.reading.ir import Node


# Lex recursive grammars: priorities and guards under which each token taken is one that fits.
#
# The parser has infinitely many stacks, so what follows a token is not known exactly; it is held
# to a regular language that is wider: some tokens that the parse table lets come, and then
# anything. A text of the grammar is a sequence of tokens. It is shown, for each state of the
# table in which the lexer works and the first token T of what is left, that
#
# * T is tried, and of its beginnings that match, the longest comes first, of those that its
#   guard lets pass; so T takes its own text, or more;
# * where it takes more, by x, what is left is a sequence that fits again: of each token U that can
#   follow, U less x is a U too, and where x is all of U, the grammar can do without U everywhere;
# * no other terminal that is tried before T takes anything here; or it is the U behind T, the
#   grammar can do without T everywhere, and T before U is a U;
# * where none of that holds, or the parser has more to do before T than one thing, that nothing is
#   lost nevertheless: what is left then can be read in some way after what the lexer takes and
#   the parser does. It is shorter than what there was; so by the same proof it is read as it is
#   decided.
#
# So the parser accepts all texts of the grammar; and no others, since all it reads are its
# tokens.

DEPTH = 2  # tokens that are looked at after a token
MAX_AHEAD = 3  # characters that a guard looks at


class RecursiveLexing:
    """The search for guards and priorities of a component grammar that is recursive."""

    def __init__(
        self,
        components: Components,
        states: LexingStates,
        replacements: Replacements,
        languages: Mapping[str, Language],
        alphabet: Alphabet,
    ) -> None:
        self.components = components
        self.states = states
        self.replacements = replacements
        self.languages = languages
        self.alphabet = alphabet
        self.everything = Language.everything(alphabet.size)
        self.ahead = dict.fromkeys(languages, 0)  # characters that guards look at
        lexed = set(states.lexed)
        self.undecided = {
            name: sorted(states.actions.undecided(name) & lexed) for name in languages
        }
        self._rests: dict[tuple[int, int], Language] = {}
        self._guards: dict[tuple[str, int], Lookahead] = {}
        self._harm: dict[tuple[object, ...], bool] = {}
        self._decided: dict[tuple[object, ...], bool] = {}

    def solve(self) -> dict[str, LexedTerminal]:
        """Return guard and priority for every terminal; raise where no proof is found."""
        expressions = {name: self._expression(name) for name in self.languages}
        while True:
            before: dict[str, set[str]] = {name: set() for name in self.languages}
            conflict = self._takes_too_much() or self._orders(before) or circle(before)
            if conflict is None:
                found = ranks(before)
                return {
                    name: self._lexed(name, node, found[name]) for name, node in expressions.items()
                }
            vague = [name for name in {*conflict} if self.ahead[name] < MAX_AHEAD]
            if not vague:
                alone = len({*conflict}) == 1
                told = "nothing tells where {} ends" if alone else "no guard keeps {} apart"
                raise self._unprovable(conflict, told)
            for name in vague:
                self.ahead[name] += 1
            self._harm.clear()

    def _expression(self, name: str) -> Node:
        """Return an expression that takes the longest text first."""
        node = self.components.terminals[name].node
        for made in longest_ways(node, self.languages[name], self.alphabet):
            return made
        raise self._unprovable((name,), "the length of {} is not decided character by character")

    def _takes_too_much(self) -> tuple[str, ...] | None:
        """Return a token that takes something from those after it that is missed there."""
        for name, words in self.languages.items():
            # A token no text of which can be longer is one text only, whatever follows it. So
            # all that is left to ask is whether the parser does the right thing before it.
            ends = not any(words.edges[state] for state in words.final)
            for state in self.undecided[name] if ends else self.states.lexed:
                if name in self.states.tried[state] and self._misses(state, name, name):
                    return (name,)
        return None

    def _misses(self, state: int, taken: str, meant: str) -> bool:
        """Return whether a text is lost where a token is taken in place of another."""
        key = (state, taken, meant, self.ahead[taken])
        if key not in self._harm:
            try:
                found = self.replacements.refute_token(
                    state, taken, meant, self._guard(taken).passing
                )
            except TooLargeError:
                found = ""
            self._harm[key] = found is not None
        return self._harm[key]

    def _orders(self, before: dict[str, set[str]]) -> tuple[str, ...] | None:
        """Find which terminals have to be tried before which; return two that go neither way."""
        for state in self.states.lexed:
            for first, second in combinations(sorted(self.states.tried[state]), 2):
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
        """Return whether ``first`` may be tried where a text goes on with ``second``."""
        words, other = self.languages[first], self.languages[second]
        if words.first().isdisjoint(other.first()):
            return True
        targets = tuple(self.states.after(state, second))
        guard = self._guard(first).passing
        key = (words, guard, second, targets)
        if key not in self._decided:
            self._decided[key] = not (words + guard) & (other + self._rests_of(targets))
        return self._decided[key] or not self._misses(state, first, second)

    def _rests_of(self, states: Iterable[int]) -> Language:
        found = Language.empty(self.alphabet.size)
        for state in states:
            found |= self._rest(state, DEPTH)
        return found

    def _rest(self, state: int, depth: int) -> Language:
        """Return all that can follow in a state, and more: so many tokens, then anything."""
        if depth == 0:
            return self.everything
        key = (state, depth)
        if key not in self._rests:
            nfa = Nfa()
            start, end = nfa.state(), nfa.state()
            if self.states.ends(state):
                nfa.jump(start, end)
            for name in self.states.tried[state]:
                middle = nfa.state()
                nfa.embed(self.languages[name], start, middle)
                for target in self.states.after(state, name):
                    nfa.embed(self._rest(target, depth - 1), middle, end)
            self._rests[key] = nfa.language(start, {end}, self.alphabet.size)
        return self._rests[key]

    def _guard(self, name: str) -> Lookahead:
        """Return what has to follow a token."""
        key = (name, self.ahead[name])
        if key not in self._guards:
            targets = self.states.targets(name)
            found = self._rests_of(targets) if self.ahead[name] else self.everything
            self._guards[key] = Lookahead(found, self.ahead[name], self.alphabet)
        return self._guards[key]

    def _lexed(self, name: str, node: Node, rank: int) -> LexedTerminal:
        guard = self._guard(name).spelled()
        follow = self.alphabet.chars(self._guard(name).passing.first()) if guard else ANY_CHARS
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
