"""Guards: the lookahead that a token needs before the lexer may take it."""

from dataclasses import dataclass
from typing import TypeAlias

from abnf2lark.automata import Alphabet, Language, Nfa
from abnf2lark.ir import EMPTY, Alt, Chars, Node, Rep, alt, grouped, memoized, walk
from abnf2lark.lark_grammars.lalr_tables import TokenAutomaton
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import NO_CHARS, optimize, union
from abnf2lark.reading.recursion import END, START, expression


def lookahead(rest: Language, length: int, alphabet: Alphabet) -> str:
    """Write a guard by the first ``length`` characters of a rest, or by fewer and the end."""

    def ways(state: int, left: int) -> str:
        if left == 0:
            return ""
        steps = grouped((ways(t, left - 1), label) for label, t in rest.edges[state].items())
        sets = {then: alphabet.chars(labels).ranges for then, labels in steps.items()}
        found = [PYTHON.char_class(ranges) + then for then, ranges in sets.items()]
        return _either([*found, r"\Z"] if state in rest.final else found)

    if length == 1:
        return _next_character(alphabet.chars(rest.first()), may_end=rest.nullable())
    return f"(?={ways(0, length)})" if length else ""


def _next_character(chars: Chars, *, may_end: bool) -> str:
    if not may_end:
        return f"(?={PYTHON.char_class(chars.ranges)})"
    # "Not another character" also holds at the end of the text, "one of these" does not.
    return f"(?!{PYTHON.char_class(chars.ranges, negated=True)})" if chars.ranges else r"\Z"


def _either(ways: list[str]) -> str:
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


# Guards: what must follow a token for the lexer to take it.
#
# A guard is refined by counterexamples: it starts empty, then checks one character, then one token
# more wherever a counterexample passes, and at last the whole rest of the text.

MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class NextCharacter:
    """The next character can begin what is read in these configurations (or the text ends)."""

    configurations: frozenset[int]


@dataclass(frozen=True, slots=True)
class NextToken:
    """The next token is one of these, and what follows it satisfies its own guard."""

    configurations: frozenset[int]
    branches: "tuple[tuple[str, Look], ...]"


@dataclass(frozen=True, slots=True)
class WholeRest:
    """The rest of the text is what these configurations read."""

    configurations: frozenset[int]


Look: TypeAlias = NextCharacter | NextToken | WholeRest


@dataclass(eq=False)
class Guards:
    """Languages, refinements and spellings of guards over one token automaton."""

    automaton: TokenAutomaton
    nodes: dict[str, Node]
    alphabet: Alphabet

    @memoized
    def language(self, look: Look | None) -> Language:
        """Return the continuations that satisfy a guard."""
        if look is None:
            return Language.everything(self.alphabet.size)
        nfa = Nfa()
        start, end = nfa.state(), nfa.state()
        self._embed(nfa, look, start, end)
        return nfa.language(start, {end}, self.alphabet.size)

    def _embed(self, nfa: Nfa, look: Look | None, source: int, end: int) -> None:
        size = self.alphabet.size
        match look:
            case NextCharacter(configurations):
                for number in configurations:
                    first, nullable = self.automaton.first(number, self.alphabet)
                    middle = nfa.state()
                    nfa.step(source, first, middle)
                    nfa.embed(Language.everything(size), middle, end)
                    if nullable:
                        nfa.jump(source, end)
            case NextToken(configurations, branches):
                for name, inner in branches:
                    middle = nfa.state()
                    nfa.embed(self.automaton.languages[name], source, middle)
                    self._embed(nfa, inner, middle, end)
                if self._accepting(configurations):
                    nfa.jump(source, end)
            case WholeRest(configurations):
                for number in configurations:
                    nfa.embed(self.automaton.rest(number, size), source, end)
            case None:
                nfa.embed(Language.everything(size), source, end)

    def _accepting(self, configurations: frozenset[int]) -> bool:
        return any(self.automaton.configurations[n].accepting for n in configurations)

    def first_chars(self, look: Look) -> Chars:
        """Return the characters that can come next under a guard."""
        found = NO_CHARS
        for number in look.configurations:
            labels, _ = self.automaton.first(number, self.alphabet)
            found = union(found, self.alphabet.chars(labels))
        return found

    def refine(self, look: Look, rest: str, depth: int = 0) -> Look:
        """Return a stronger guard: the parts that ``rest`` satisfies check one token more."""
        match look:
            case NextCharacter(configurations):
                if depth >= MAX_DEPTH:
                    return WholeRest(configurations)
                return self._expand(configurations)
            case NextToken(configurations, branches):
                stronger: list[tuple[str, Look]] = []
                for name, inner in branches:
                    language = self.automaton.languages[name] + self.language(inner)
                    # A branch that rejects the counterexample is strong enough, and stays short.
                    if language.accepts(rest, self.alphabet):
                        cut = self._after(name, rest)
                        stronger.append((name, self.refine(inner, cut, depth + 1)))
                    else:
                        stronger.append((name, inner))
                return NextToken(configurations, tuple(stronger))
            case WholeRest():
                return look

    def _after(self, name: str, text: str) -> str:
        """Return what is left of ``text`` after the longest token of that name."""
        # The lexer takes the longest token, so the next guard is applied after that one.
        language, lengths = self.automaton.languages[name], range(len(text), 0, -1)
        cut = (n for n in lengths if language.accepts(text[:n], self.alphabet))
        return text[next(cut, 0) :]

    def _expand(self, configurations: frozenset[int]) -> Look:
        rows = (self.automaton.configurations[number].moves for number in configurations)
        targets = sorted(grouped(move for row in rows for move in row.items()).items())
        branches = ((name, NextCharacter(frozenset(goals))) for name, goals in targets)
        return NextToken(configurations, (*branches,))

    def unbounded(self, look: Look | None) -> bool:
        """Return whether a guard can look at arbitrarily many characters."""
        match look:
            case WholeRest():
                return True
            case NextToken(_, branches):
                tokens = (part for name, _ in branches for part in walk(self.nodes[name]))
                endless = any(isinstance(part, Rep) and part.high is None for part in tokens)
                return endless or any(self.unbounded(inner) for _, inner in branches)
            case _:
                return False

    def spell(self, look: Look | None) -> str:
        """Write a guard as a lookahead."""
        match look:
            case None:
                return ""
            case NextCharacter(configurations):
                may_end = self._may_end(configurations)
                return _next_character(self.first_chars(look), may_end=may_end)
            case _:
                return f"(?={self._spell(look)})"

    def _may_end(self, configurations: frozenset[int]) -> bool:
        return any(self.automaton.first(n, self.alphabet)[1] for n in configurations)

    def _spell(self, look: Look) -> str:
        match look:
            case NextCharacter(configurations):
                chars = self.first_chars(look)
                ways = [PYTHON.char_class(chars.ranges)] if chars.ranges else []
                return _either([*ways, r"\Z"] if self._may_end(configurations) else ways)
            case NextToken(configurations, branches):
                ways = []
                for name, inner in branches:
                    token = pattern(self.nodes[name], PYTHON, self.first_chars(inner))
                    if isinstance(self.nodes[name], Alt):
                        token = f"(?:{token})"
                    ways.append(token + self._spell(inner))
                return _either([*ways, r"\Z"] if self._accepting(configurations) else ways)
            case WholeRest(configurations):
                node = optimize(self.expression(configurations))
                text = pattern(node, PYTHON)
                return (f"(?:{text})" if isinstance(node, Alt) else text) + r"\Z"

    def expression(self, configurations: frozenset[int]) -> Node:
        """Return an expression for all that the configurations read (by eliminating states)."""
        size = self.alphabet.size
        same: dict[Language, int] = {}  # configurations that read the same are one state

        def state(number: int) -> int:
            return same.setdefault(self.automaton.rest(number, size), number)

        arrows: dict[int, dict[int, Node]] = {}
        starts = sorted({state(number) for number in configurations})
        pending = list(starts)
        while pending:
            number = pending.pop()
            if number in arrows:
                continue
            here = self.automaton.configurations[number]
            row = arrows[number] = {END: EMPTY} if here.accepting else {}
            for name, goal in here.moves.items():
                target, token = state(goal), self.nodes[name]
                row[target] = alt([row[target], token]) if target in row else token
                pending.append(target)
        arrows[START] = dict.fromkeys(starts, EMPTY)
        return expression(arrows) or EMPTY
