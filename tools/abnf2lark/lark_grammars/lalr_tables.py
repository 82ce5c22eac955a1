"""LALR(1) tables over tokens, conflicts included, and the automaton that they run."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from lark import Lark
from lark.common import ParserConf
from lark.grammar import Rule
from lark.parsers.lalr_analysis import LALR_Analyzer

from abnf2lark.automata import Alphabet, Language, Nfa, TooLargeError, spend
from abnf2lark.automata.language import blocks, leading_to
from abnf2lark.ir import Memo, grouped, memoized, reached

# Lark's own rules and tables, whose cost is counted in steps, like that of automata.
#
# For a grammar of a few pages Lark may need hours and all memory: a table grows with the square of
# the rules that begin with each other, and may have exponentially many states. So states are
# counted as they are made, and everything else before.


def loaded(lark_text: str, starts: Iterable[str]) -> Lark:
    """Load a Lark grammar without making a parser: only its rules and terminals."""
    return Lark(lark_text, parser=None, lexer="basic", start=[*starts], maybe_placeholders=False)


class Analyzer(LALR_Analyzer):
    """Lark's own, with each closure made once, and its cost counted; :class:`TooLargeError`."""

    def __init__(self, rules: Sequence[Rule], starts: Sequence[str]) -> None:
        self._closures: dict[tuple[object, bool], frozenset[Any]] = {}
        symbols = {symbol for rule in rules for symbol in rule.expansion}
        self._terminals = sum(symbol.is_term for symbol in symbols)
        # FIRST and FOLLOW are computed by rounds over all rules, as many as rules are nested; in a
        # rule Lark looks at all symbols between each two.
        passed = len(rules) // 3 + sum(len(rule.expansion) ** 3 for rule in rules) // 50
        spend(_depth(rules, starts) * passed)
        spend(len(symbols) * self._terminals)
        super().__init__(ParserConf([*rules], {}, [*starts]))

    def expand_rule(self, source_rule: Any, rules_by_origin: Any = None) -> Any:
        """Return the closure of a rule: the items with which it can begin."""
        key = source_rule, rules_by_origin is None
        found = self._closures.get(key)
        if found is None:
            found = frozenset(super().expand_rule(source_rule, rules_by_origin))
            self._closures[key] = found
        spend(2 * len(found))
        return found

    def compute_reads_relations(self) -> None:
        """Compute the relation "reads" of DeRemer and Pennello (1982); count its cost before."""
        for state in self.lr0_itemsets:
            rules = sum(not symbol.is_term for symbol in state.transitions)
            spend(rules * (len(state.closure) + self._terminals))
        super().compute_reads_relations()  # type: ignore[no-untyped-call]  # Lark's are not typed


def _depth(rules: Sequence[Rule], starts: Sequence[str]) -> int:
    """Return the nesting depth of rules, by the shortest path to each."""
    inside = grouped(
        (rule.origin.name, symbol.name)
        for rule in rules
        for symbol in rule.expansion
        if not symbol.is_term
    )
    depth, here, seen = 0, {*starts}, {*starts}
    while here:
        depth += 1
        here = {name for one in here for name in inside.get(one, ())} - seen
        seen |= here
    return depth


# What a Lark parser with a contextual lexer does, as a finite automaton over tokens.
#
# A component grammar is not recursive, so its LALR parser has finitely many stacks
# ("configurations"). A walk of all of them by the parse table shows for each which terminals its
# lexer tries, which of them the parser accepts, and to which configuration they lead.

MAX_CONFIGURATIONS = 20_000


class ConflictError(Exception):
    """A component grammar is not LALR(1); ``collisions``: tokens, and the rules that end there."""

    def __init__(self, message: str, collisions: Sequence[tuple[str, set[str]]] = ()) -> None:
        super().__init__(message)
        self.collisions = collisions


class NotLalrError(Exception):
    """No LALR grammar could be proved right; the message says why, ``rules`` where."""

    def __init__(self, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.rules = rules


@dataclass(slots=True)
class Configuration:
    """A stack of the parser: the terminals that its lexer tries, and where accepted ones lead."""

    start: str
    tried: frozenset[str]
    moves: dict[str, int] = field(default_factory=dict)
    accepting: bool = False


class TokenAutomaton:
    """All configurations of a parser, and the language that each accepts."""

    def __init__(
        self, lark_text: str, starts: dict[str, str], languages: dict[str, Language]
    ) -> None:
        table = self.actions = Actions(lark_text, list(starts.values()), finite=True)
        self.languages = languages
        self.configurations: list[Configuration] = []
        self.starts: dict[str, int] = {}
        numbers: dict[tuple[str, Stack], int] = {}
        pending: deque[tuple[str, Stack]] = deque()

        def number(start: str, stack: Stack) -> int:
            key = (start, stack)
            if key not in numbers:
                if len(numbers) > MAX_CONFIGURATIONS:
                    raise TooLargeError
                spend(len(stack))
                numbers[key] = len(numbers)
                self.configurations.append(Configuration(start, frozenset(table.tried(stack[-1]))))
                pending.append((start, stack))
            return numbers[key]

        for (abnf, lark), state in zip(starts.items(), table.starts, strict=True):
            self.starts[abnf] = number(lark, (state,))
        while pending:
            start, stack = pending.popleft()
            here = self.configurations[numbers[start, stack]]
            here.accepting = table.accepts(stack)
            for name in sorted(here.tried):
                for after in table.decidedly_after(stack, name):
                    here.moves[name] = number(start, after)
        accepting = {i for i, here in enumerate(self.configurations) if here.accepting}
        alive = leading_to([here.moves for here in self.configurations], accepting)
        for here in self.configurations:  # without moves after which nothing is accepted
            here.moves = {name: t for name, t in here.moves.items() if t in alive}
        # Configurations from which the same tokens are accepted have the same language.
        block = blocks({i: here.moves for i, here in enumerate(self.configurations)}, accepting)
        first = {block[i]: i for i in reversed(range(len(self.configurations)))}
        self._same = [first[block[i]] for i in range(len(self.configurations))]

    def rest(self, configuration: int, size: int) -> Language:
        """Return the language that a configuration accepts."""
        return self._rest(self._same[configuration], size)

    @memoized
    def _rest(self, configuration: int, size: int) -> Language:
        nfa = Nfa()
        end = nfa.state()
        states = Memo[int, int](lambda _: nfa.state())

        def after(number: int) -> Iterator[int]:
            here = self.configurations[number]
            if here.accepting:
                nfa.jump(states[number], end)
            for name, target in here.moves.items():
                nfa.embed(self.languages[name], states[number], states[self._same[target]])
                yield self._same[target]

        reached([configuration], after)
        return nfa.language(states[configuration], {end}, size)

    def first(self, configuration: int, alphabet: Alphabet) -> tuple[frozenset[int], bool]:
        """Return the classes that can come next here, and whether the end can."""
        rest = self.rest(configuration, alphabet.size)
        return rest.first(), rest.nullable()


# All actions of an LALR(1) table, conflicting ones included.
#
# Lark keeps one action for each state and token. The table of all actions accepts exactly the texts
# of the grammar, by all their derivations: the reference for proofs about the kept ones.

END = "$END"
MAX_HEIGHT = 60  # states of a stack

Stack: TypeAlias = tuple[int, ...]


class Reduction(NamedTuple):
    """A rule of the table: its name, how many symbols it is made of, and how Lark writes it."""

    name: str
    size: int
    shown: str


class DeeperError(Exception):
    """An action depends on states below the known part of a stack."""


class Actions:
    """The states of a table and all actions in each.

    shifts: for each state, the next state by token.
    gotos: for each state, the next state by reduced rule.
    reductions: for each state, the possible reductions by token.
    before: for each state, its predecessors.
    starts: the states in which a text begins.
    ends: the states in which a text is complete.
    begun: for each state, the rules of its kernel items, each with the symbols before its last.
    """

    def __init__(self, lark_text: str, starts: Sequence[str], *, finite: bool = False) -> None:
        """Make the table; `finite`: without recursion; then conflicts of reductions are errors."""
        from lark.exceptions import GrammarError  # noqa: PLC0415 - imported where it is used

        try:
            found = Analyzer(loaded(lark_text, starts).rules, starts)
            found.compute_lr0_states()
            found.compute_reads_relations()
            found.compute_includes_lookback()  # type: ignore[no-untyped-call]  # Lark has no types
            found.compute_lookaheads()  # type: ignore[no-untyped-call]
        except GrammarError as error:
            raise ConflictError(str(error)) from error
        self._finite = finite
        itemsets = sorted(found.lr0_itemsets, key=lambda one: sorted(map(str, one.kernel)))
        numbers = {itemset: number for number, itemset in enumerate(itemsets)}
        self.shifts: list[dict[str, int]] = [{} for _ in itemsets]
        self.gotos: list[dict[str, int]] = [{} for _ in itemsets]
        self.reductions: list[dict[str, tuple[Reduction, ...]]] = [{} for _ in itemsets]
        self.before: list[set[int]] = [set() for _ in itemsets]
        self.ends: set[int] = set()
        self.begun: list[set[tuple[str, int]]] = [set() for _ in itemsets]
        self._kept: list[dict[str, Reduction]] = []
        self.starts = [numbers[found.lr0_start_states[start]] for start in starts]
        for itemset, number in numbers.items():
            for symbol, target in itemset.transitions.items():
                (self.shifts if symbol.is_term else self.gotos)[number][str(symbol.name)] = numbers[
                    target
                ]
                self.before[numbers[target]].add(number)
            for symbol, rules in itemset.lookaheads.items():
                made = [
                    Reduction(str(rule.origin.name), len(rule.expansion), str(rule))
                    for rule in rules
                ]
                self.reductions[number][str(symbol.name)] = tuple(
                    sorted(one for one in made if not one.name.startswith("$root_"))
                )
            for item in itemset.kernel:
                name = str(item.rule.origin.name)
                if not name.startswith("$root_"):
                    self.begun[number].add((name, item.index - 1))
                elif item.is_satisfied:
                    self.ends.add(number)
        collisions = [
            (token, {rule.name for rule in rules})
            for row in self.reductions
            for token, rules in row.items()
            if len(rules) > 1
        ]
        if finite and collisions:
            raise ConflictError("two rules end before one token", collisions)
        self._tried = [
            sorted((shifts.keys() | reductions.keys()) - {END})
            for shifts, reductions in zip(self.shifts, self.reductions, strict=True)
        ]
        self.decide({})

    def tried(self, state: int) -> Sequence[str]:
        """Return the tokens that have an action in a state, sorted."""
        return self._tried[state]

    def conflicts(self) -> Iterator[tuple[int, str]]:
        """Yield the states and tokens with more than one action."""
        for state, row in enumerate(self.reductions):
            for token, rules in sorted(row.items()):
                if len(rules) + (token in self.shifts[state]) > 1:
                    yield state, token

    def undecided(self, token: str) -> set[int]:
        """Return the states from which reductions may lead to a conflict before a token."""
        found = {
            state
            for state, row in enumerate(self.reductions)
            if len(row.get(token, ())) + (token in self.shifts[state]) > 1
        }
        if not found:  # as for nearly all tokens of large grammars
            return found
        leading = grouped(step for targets in self.gotos for step in targets.items())
        from_rule = grouped(
            (target, state)
            for state, row in enumerate(self.reductions)
            for name in {rule.name for rule in row.get(token, ())}
            for target in {*leading.get(name, ())}
        )
        return reached(found, lambda state: from_rule.get(state, ()))

    def decide(self, priorities: Mapping[str, int]) -> None:
        """Resolve each conflict as Lark does, given the priorities of rules."""
        self._kept = [
            {
                token: max(rules, key=lambda rule: priorities.get(rule.name, 0))
                for token, rules in row.items()
                if token not in self.shifts[state]
            }
            for state, row in enumerate(self.reductions)
        ]

    def decided(self, stack: Stack, token: str) -> tuple[Stack | None, bool]:
        """Take the kept action before a token, ``None`` for an error; return whether it shifts."""
        target = self.shifts[stack[-1]].get(token)
        if target is not None:
            return (*stack, target), True
        rule = self._kept[stack[-1]].get(token)
        return (None if rule is None else self.reduce(stack, rule)), False

    def kept(self, state: int, token: str) -> Reduction | None:
        """Return the kept reduction in a state; ``None`` if the token is shifted."""
        return None if token in self.shifts[state] else self._kept[state].get(token)

    def options(self, stack: Stack, token: str) -> list[tuple[Stack, bool]]:
        """Return the stack after each action before a token, and whether that is a shift."""
        target = self.shifts[stack[-1]].get(token)
        found = [] if target is None else [((*stack, target), True)]
        return found + [(one, False) for one in self._steps(stack, token, known=False)]

    def only(self, stack: Stack, token: str) -> list[tuple[Stack, bool]]:
        """Return the stack after the kept action, as :meth:`options` returns all."""
        there, done = self.decided(stack, token)
        return [] if there is None else [(there, done)]

    def endings(self, stack: Stack, token: str) -> list[tuple[Stack, bool]]:
        """Return the stack after each action before the end, and whether it is accepted."""
        found = self.options(stack, token)
        return [*found, (stack, True)] if stack[-1] in self.ends else found

    @memoized
    def known(self, stack: Stack, token: str) -> frozenset[Stack]:
        """Return what a stack reduces to before a token, as far as its known part allows."""
        return frozenset(reached([stack], lambda here: self._steps(here, token, known=True)))

    def _steps(self, stack: Stack, token: str, *, known: bool) -> Iterator[Stack]:
        """Yield the stacks after one reduction before a token; ``known``: only of known states."""
        for rule in self.reductions[stack[-1]].get(token, ()):
            if rule.size < len(stack) or not known:
                one = self.reduce(stack, rule)
                if one is not None:
                    yield one

    def decidedly_after(self, stack: Stack, token: str) -> set[Stack]:
        """Return the stack after a token by kept actions; raises :class:`DeeperError`."""
        here: Stack | None = stack
        done = False
        while here is not None and not done:
            here, done = self.decided(here, token)
        return set() if here is None else {here}

    def accepts(self, stack: Stack) -> bool:
        """Return whether the end of the text is accepted; raises :class:`DeeperError`."""
        reductions = reached([stack], lambda here: self._steps(here, END, known=False))
        return any(one[-1] in self.ends for one in reductions)

    def reduce(self, stack: Stack, rule: Reduction) -> Stack | None:
        """Return the stack after a reduction; ``None`` without a goto."""
        if rule.size >= len(stack):
            raise DeeperError
        kept = stack[: len(stack) - rule.size]
        if len(kept) > MAX_HEIGHT and not self._finite:  # a rule that is empty, in front of itself
            raise TooLargeError
        target = self.gotos[kept[-1]].get(rule.name)
        return None if target is None else (*kept, target)

    # The contextual lexer is called at the beginning and after each shift. It tries the terminals
    # that have an entry in the table. The next state depends on the stack, which is unknown here:
    # so it is any target of a shift of that token.

    @cached_property
    def lexed(self) -> Sequence[int]:
        """The states in which the lexer is called."""
        return sorted({*self.starts, *(state for row in self.shifts for state in row.values())})

    @memoized
    def targets(self, name: str) -> Sequence[int]:
        """Return the states that a token leads to from any state."""
        return sorted({row[name] for row in self.shifts if name in row})

    def targets_from(self, state: int, name: str) -> Sequence[int]:
        """Return the states that a token can lead to from a state, with any stack below."""
        row, reductions = self.shifts[state], self.reductions[state]
        return [row[name]] if name in row and name not in reductions else self.targets(name)
