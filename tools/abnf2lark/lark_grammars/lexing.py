"""Find priorities and guards under which a greedy lexer is never wrong, and prove it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from re import _parser

from abnf2lark.automata import Alphabet, Language, common_word
from abnf2lark.ir import Alt, Chars, Node, memoized, reached, seq
from abnf2lark.lark_grammars.component_rules import Components, LexedTerminal, written_order
from abnf2lark.lark_grammars.conflicts import circle, ranks
from abnf2lark.lark_grammars.guards import Guards, Look, NextCharacter, WholeRest
from abnf2lark.lark_grammars.lalr_tables import NotLalrError, TokenAutomaton, loaded
from abnf2lark.lark_grammars.longest_tokens import ANY_CHARS
from abnf2lark.patterns import proof
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.rule_expression import linear

# Prove that Lark reads the expressions of an emitted grammar as they were proved.
#
# Lark evaluates the escapes of an expression before Python's ``re`` does. So the text is loaded,
# and each of its expressions must have the same parsed form as the proved one.


def prove_expressions(text: str, starts: Iterable[str], proved: Mapping[str, str]) -> None:
    """Raise :class:`ProofError` for a terminal that Lark reads as another expression."""
    for terminal in loaded(text, starts).terminals:
        found = terminal.pattern.to_regexp()
        if _operations(found) != _operations(proved[terminal.name]):
            raise proof.ProofError(
                f"Lark reads {found} for {terminal.name}, not {proved[terminal.name]}"
            )


def _operations(expression: str) -> str:
    return repr(_parser.parse(expression))


def proved_text(
    name: str, node: Node, words: Language, alphabet: Alphabet, after: tuple[Chars, str]
) -> str:
    """Write a terminal; ``after``: the characters that may follow, and the guard that says so."""
    follow, guard = after
    text = pattern(node, PYTHON, follow)
    # The proof is about the written text, which is parsed again by other code.
    if proof.language_of(text, alphabet, follow) != words:
        raise proof.ProofError(f"the pattern for {name} has another language than its rule")
    # The guard applies to all alternatives of an expression.
    return f"(?:{text})" if isinstance(node, Alt) and guard else text


# Find priorities and guards under which a greedy lexer is always correct, and prove it.
#
# Let L(T) be the language of a terminal, G the texts that satisfy its guard, C the continuations
# that the parser accepts after it. For every configuration of the parser this is proved:
#
# * a guard never stops a correct token:               C ⊆ G  (by construction of guards)
# * a token that is taken has its only correct length: L(T)·(G - C)  ∩  L(T)·C  =  ∅
# * trying T before U is correct:                      L(T)·G  ∩  L(U)·C'  ⊆  L(T)·C
#
# and that T is tried first where both are correct and T is written first. By induction over the
# tokens the parser then accepts what its grammar does, with the tree of the first alternatives.
# Where a text splits into tokens of the same terminal in several ways, the longest one is taken.

MAX_ROUNDS = 60
MAX_REFINEMENTS = 6  # after so many, a guard checks the whole rest


@dataclass(frozen=True, slots=True)
class Conflict:
    """A counterexample: a text on which a lexer with the present guards would be wrong."""

    terminal: str
    other: str | None
    rest: str


@dataclass(eq=False)
class Lexing:
    """The search for guards and priorities of one component grammar.

    apart: whether the terminals of other start rules are not tried.
    """

    components: Components
    automaton: TokenAutomaton
    alphabet: Alphabet
    apart: bool

    def __post_init__(self) -> None:
        components, automaton, alphabet = self.components, self.automaton, self.alphabet
        nodes = {name: terminal.node for name, terminal in components.terminals.items()}
        self.guards = Guards(automaton, nodes, alphabet)
        self.order = {
            start: {name: place for place, name in enumerate(written_order(components, start))}
            for start in components.starts.values()
        }
        self.looks: dict[str, Look | None] = dict.fromkeys(nodes)
        self.tries: dict[str, int] = dict.fromkeys(nodes, 0)
        self.contexts: dict[str, set[int]] = {name: set() for name in nodes}
        for number, here in enumerate(automaton.configurations):
            for name in here.moves:
                self.contexts[name].add(number)

    def solve(self) -> dict[str, LexedTerminal]:
        """Return guard and priority for every terminal; raise where no proof is found."""
        for _ in range(MAX_ROUNDS):
            conflicts = self._wrong_lengths()
            if not conflicts:
                before, conflicts = self._orders()
                if not conflicts:
                    loop = circle(before)
                    if loop is None:
                        return self._finish(ranks(before))
                    conflicts = {loop[-1]: Conflict(loop[-1], loop[0], "")}
            for conflict in conflicts.values():
                self._strengthen(conflict)
        raise NotLalrError("the guards did not settle")

    # -- lengths -----------------------------------------------------------------------------

    def _wrong_lengths(self) -> dict[str, Conflict]:
        found: dict[str, Conflict] = {}
        done: set[tuple[str, Language]] = set()
        for name, contexts in self.contexts.items():
            words = self.automaton.languages[name]
            passed = self.guards.language(self.looks[name])
            for number in contexts:
                rest = self._rest(number, name)
                if name in found or (name, rest) in done:
                    continue
                done.add((name, rest))
                wrong = passed - rest
                witness = common_word(
                    self._join(words, wrong), self._join(words, rest), self.alphabet
                )
                if witness is not None:
                    found[name] = Conflict(name, None, self._bad_rest(words, wrong, witness))
        return found

    def _bad_rest(self, words: Language, wrong: Language, witness: str) -> str:
        """Split a witness into a word of the token and a wrong rest."""
        for cut in range(len(witness) + 1):
            if words.accepts(witness[:cut], self.alphabet) and wrong.accepts(
                witness[cut:], self.alphabet
            ):
                return witness[cut:]
        return ""

    # -- orders ------------------------------------------------------------------------------

    def _orders(self) -> tuple[dict[str, set[str]], dict[str, Conflict]]:
        """Return for each terminal those that it must be tried before."""
        before: dict[str, set[str]] = {name: set() for name in self.contexts}
        found: dict[str, Conflict] = {}
        for number, here in enumerate(self.automaton.configurations):
            order = self.order[here.start]
            tried = sorted(here.tried & order.keys(), key=order.__getitem__)
            if not self.apart:
                tried += sorted(here.tried - order.keys())
            for first, second in combinations(tried, 2):
                if first not in here.moves and second not in here.moves:
                    continue
                ahead = self._may_precede(number, first, second)
                behind = self._may_precede(number, second, first)
                if behind is True and ahead is True:
                    if self._both(number, first, second):
                        before[first].add(second)
                    continue
                if behind is True and self._both(number, first, second):
                    behind = ""
                if ahead is True:
                    before[first].add(second)
                elif behind is True:
                    before[second].add(first)
                else:
                    rest = ahead if isinstance(ahead, str) else ""
                    found.setdefault(first, Conflict(first, second, rest))
        return before, found

    def _may_precede(self, number: int, first: str, second: str) -> bool | str:
        """Return whether trying ``first`` before ``second`` is correct here, else a bad rest."""
        if second not in self.automaton.configurations[number].moves:
            return True
        words, other = self.automaton.languages[first], self.automaton.languages[second]
        if not words.first() & other.first():
            return True
        rest, other_rest = self._rest(number, first), self._rest(number, second)
        passed = self.guards.language(self.looks[first])
        return self._hides(words, passed, rest, self._join(other, other_rest))

    @memoized
    def _hides(
        self, words: Language, passed: Language, rest: Language, others: Language
    ) -> bool | str:
        taken, right = self._join(words, passed), self._join(words, rest)
        witness = common_word(taken, others, self.alphabet, outside=right)
        return True if witness is None else self._bad_rest(words, passed, witness)

    def _both(self, number: int, first: str, second: str) -> bool:
        """Return whether some text can be read with either terminal here."""
        words, other = self.automaton.languages[first], self.automaton.languages[second]
        if not words.first() & other.first():
            return False
        mine = self._join(words, self._rest(number, first))
        theirs = self._join(other, self._rest(number, second))
        return common_word(mine, theirs, self.alphabet) is not None

    # -- guards ------------------------------------------------------------------------------

    def _strengthen(self, conflict: Conflict) -> None:
        names = [conflict.terminal] + ([conflict.other] if conflict.other else [])
        for name in names:
            look = self.looks[name]
            stronger = self._stronger(name, look, conflict.rest)
            if stronger != look:
                self.looks[name] = stronger
                return
        rules = tuple(sorted({self.components.terminals[name].rule for name in names}))
        what = " and ".join(sorted(names))
        raise NotLalrError(
            f"no guard keeps {what} apart (rules: {', '.join(rules)})"
            + (f"; for example before {conflict.rest!r}" if conflict.rest else ""),
            rules,
        )

    def _stronger(self, name: str, look: Look | None, rest: str) -> Look | None:
        after = frozenset(
            self.automaton.configurations[number].moves[name] for number in self.contexts[name]
        )
        if not after:
            return look
        if look is None:
            return NextCharacter(after)
        self.tries[name] += 1
        deep = self.tries[name] > MAX_REFINEMENTS
        stronger = WholeRest(after) if deep else self.guards.refine(look, rest)
        # Where the token can recur, an unbounded guard takes quadratic time.
        configurations = self.automaton.configurations
        later = reached(after, lambda number: configurations[number].moves.values())
        recurs = not self.contexts[name].isdisjoint(later)
        return look if recurs and self.guards.unbounded(stronger) else stronger

    # -- results -----------------------------------------------------------------------------

    def _finish(self, ranks: dict[str, int]) -> dict[str, LexedTerminal]:
        lexed: dict[str, LexedTerminal] = {}
        for name, terminal in self.components.terminals.items():
            look = self.looks[name]
            follow = self.guards.first_chars(look) if look else ANY_CHARS
            try:
                node = linear(terminal.node, self.alphabet)
            except proof.NotLinearError as error:
                raise NotLalrError(f"of {name}, {error}", (terminal.rule,)) from None
            words, guard = self.automaton.languages[name], self.guards.spell(look)
            text = proved_text(name, node, words, self.alphabet, (follow, guard))
            if proof.guard_language(guard, self.alphabet) != self.guards.language(look):
                raise proof.ProofError(f"the guard of {name} is spelled wrong")
            why = proof.backtracking(seq([node, proof.guard_expression(guard)]))
            if why is not None:
                raise NotLalrError(f"of {name} with its guard, {why}", (terminal.rule,))
            lexed[name] = LexedTerminal(text, guard, ranks[name])
        return lexed

    def _rest(self, number: int, name: str) -> Language:
        target = self.automaton.configurations[number].moves.get(name)
        size = self.alphabet.size
        return Language.empty(size) if target is None else self.automaton.rest(target, size)

    @memoized
    def _join(self, left: Language, right: Language) -> Language:
        return left + right
