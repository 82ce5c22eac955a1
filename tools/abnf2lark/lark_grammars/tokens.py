"""What a Lark parser with a contextual lexer does, as a finite automaton over tokens.

A component grammar is not recursive, so its LALR parser has finitely many stacks
("configurations"). Walking them all through Lark's own parse table tells, for each
configuration, which terminals its lexer tries, which of them the parser can use, and where
they lead.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from abnf2lark.automata import Nfa, TooLargeError, spend
from abnf2lark.automata.minimize import blocks

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet, Language

Stack: TypeAlias = tuple[int, ...]

MAX_CONFIGURATIONS = 20_000


class ConflictError(Exception):
    """The component grammar is not LALR(1)."""


@dataclass(slots=True)
class Configuration:
    """A stack of the parser: what its lexer tries and where the useful terminals lead."""

    start: str
    tried: frozenset[str]
    moves: dict[str, int] = field(default_factory=dict)
    accepting: bool = False


class TokenAutomaton:
    """All configurations of a parser, and the text that each of them can still read."""

    def __init__(
        self, lark_text: str, starts: dict[str, str], languages: dict[str, Language]
    ) -> None:
        table = _Table(lark_text, list(starts.values()))
        self.languages = languages
        self.configurations: list[Configuration] = []
        self.starts: dict[str, int] = {}
        self._rest: dict[int, Language] = {}
        numbers: dict[tuple[str, Stack], int] = {}
        pending: deque[tuple[str, Stack]] = deque()

        def number(start: str, stack: Stack) -> int:
            key = (start, stack)
            if key not in numbers:
                if len(numbers) > MAX_CONFIGURATIONS:
                    raise TooLargeError
                spend(len(stack))
                numbers[key] = len(numbers)
                self.configurations.append(Configuration(start, table.tried(stack)))
                pending.append((start, stack))
            return numbers[key]

        for abnf, lark in starts.items():
            self.starts[abnf] = number(lark, table.start(lark))
        while pending:
            start, stack = pending.popleft()
            here = self.configurations[numbers[start, stack]]
            here.accepting = table.accepts(start, stack)
            for name in sorted(here.tried):
                after = table.shift(stack, name)
                if after is not None:
                    here.moves[name] = number(start, after)
        self._drop_dead_moves()
        # Configurations after which the same tokens can come read the same.
        self._block = blocks(
            {i: here.moves for i, here in enumerate(self.configurations)},
            {i for i, here in enumerate(self.configurations) if here.accepting},
        )

    def _drop_dead_moves(self) -> None:
        """Forget moves after which nothing can be accepted."""
        alive = {i for i, here in enumerate(self.configurations) if here.accepting}
        grown = True
        while grown:
            grown = False
            for i, here in enumerate(self.configurations):
                if i not in alive and any(target in alive for target in here.moves.values()):
                    alive.add(i)
                    grown = True
        for here in self.configurations:
            here.moves = {name: t for name, t in here.moves.items() if t in alive}

    def rest(self, configuration: int, size: int) -> Language:
        """Return the texts that some sequence of tokens leads to acceptance from here."""
        block = self._block[configuration]
        known = self._rest.get(block)
        if known is None:
            known = self._rest[block] = self._compute_rest(configuration, size)
        return known

    def _compute_rest(self, configuration: int, size: int) -> Language:
        nfa = Nfa()
        states = {self._block[configuration]: nfa.state()}
        end = nfa.state()
        pending = [configuration]
        while pending:
            number = pending.pop()
            here = self.configurations[number]
            source = states[self._block[number]]
            if here.accepting:
                nfa.jump(source, end)
            for name, target in here.moves.items():
                block = self._block[target]
                if block not in states:
                    states[block] = nfa.state()
                    pending.append(target)
                nfa.embed(self.languages[name], source, states[block])
        return nfa.language(states[self._block[configuration]], {end}, size)

    def first(self, configuration: int, alphabet: Alphabet) -> tuple[frozenset[int], bool]:
        """Return the classes that can come next here, and whether the end can."""
        rest = self.rest(configuration, alphabet.size)
        return rest.first(), rest.nullable()


class _Table:
    """Lark's LALR parse table."""

    def __init__(self, lark_text: str, starts: list[str]) -> None:
        from lark.exceptions import GrammarError  # noqa: PLC0415 - needed for a table alone
        from lark.parsers.lalr_analysis import Shift  # noqa: PLC0415 - same

        from abnf2lark.lark_grammars.metered import Analyzer, loaded  # noqa: PLC0415 - needs lark

        parser = loaded(lark_text, starts)
        try:
            analyzer = Analyzer(parser.rules, starts)
            analyzer.compute_lalr()  # type: ignore[no-untyped-call]  # Lark's are not typed
        except GrammarError as error:
            raise ConflictError(str(error)) from error
        table: Any = analyzer.parse_table
        self._shift = Shift
        self._states = table.states
        self._starts = table.start_states
        self._ends = table.end_states
        self._terminals = {terminal.name for terminal in parser.terminals}

    def start(self, start: str) -> Stack:
        return (self._starts[start],)

    def tried(self, stack: Stack) -> frozenset[str]:
        return frozenset(name for name in self._states[stack[-1]] if name in self._terminals)

    def shift(self, stack: Stack, terminal: str) -> Stack | None:
        """Feed a terminal; return the stack after it, ``None`` if the parser rejects it."""
        while True:
            entry = self._states[stack[-1]].get(terminal)
            if entry is None:
                return None
            action, argument = entry
            if action is self._shift:
                return (*stack, argument)
            stack = self._reduce(stack, argument)

    def accepts(self, start: str, stack: Stack) -> bool:
        """Tell whether the end of the text is accepted here."""
        end = self._ends[start]
        while True:
            entry = self._states[stack[-1]].get("$END")
            if entry is None:
                return False
            action, argument = entry
            stack = (*stack, argument) if action is self._shift else self._reduce(stack, argument)
            if stack[-1] == end:
                return True

    def _reduce(self, stack: Stack, rule: object) -> Stack:
        size = len(rule.expansion)  # type: ignore[attr-defined]
        kept = stack[: len(stack) - size]
        entry = self._states[kept[-1]][rule.origin.name]  # type: ignore[attr-defined]
        return (*kept, entry[1])
