"""A second, dumb implementation of ABNF: strings are judged by derivatives of the rule's text.

Nothing is compiled: an expression is taken apart one character at a time (Antimirov 1996). What a
prefix leaves is a set of sequences still to be met. Since every expression of the grammars derives
some string, a prefix can be continued exactly if that set is not empty.
"""

from functools import cache
from typing import TypeAlias

from oracle.generation import grammar as read_grammar

from abnf2lark import ir

Rest: TypeAlias = tuple[ir.Node, ...]
State: TypeAlias = frozenset[Rest]


class Derivatives:
    """Judges strings by the rules of one grammar."""

    def __init__(self, grammar: ir.RuleSet) -> None:
        self.rules = {name: rule.body for name, rule in grammar.rules.items()}
        self.nullable = ir.nullable_rules(grammar)
        self.known: dict[State, State] = {}
        self.steps: dict[tuple[int, str], State] = {}  # by identity: states are kept in `known`
        self.endings: dict[int, str] = {}

    def accepts(self, rule: str, text: str) -> bool:
        """Tell whether a rule derives a string."""
        state, read = self._run(rule, text)
        return read == len(text) and any(self._ends(rest) for rest in state)

    def continuable(self, rule: str, text: str) -> int:
        """Give the length of the longest prefix that some string of the rule begins with."""
        return self._run(rule, text)[1]

    def completion(self, rule: str, prefix: str) -> str:
        """Give an ending that makes a continuable prefix a string of the rule."""
        state, read = self._run(rule, prefix)
        assert read == len(prefix)
        ending = self.endings.get(id(state))
        if ending is None:
            ending = min(("".join(map(self._some, rest)) for rest in state), key=len)
            self.endings[id(state)] = ending
        return ending

    def _run(self, rule: str, text: str) -> tuple[State, int]:
        state = self._keep(frozenset({(self.rules[rule],)}))
        for read, char in enumerate(text):
            step = self.steps.get((id(state), char))
            if step is None:
                step = self._keep(frozenset().union(*(self._after(rest, char) for rest in state)))
                self.steps[id(state), char] = step
            if not step:
                return state, read
            state = step
        return state, len(text)

    def _keep(self, state: State) -> State:
        return self.known.setdefault(state, state)

    def _after(self, rest: Rest, char: str) -> set[Rest]:
        """Derive a sequence by a character: what may follow it."""
        if not rest:
            return set()
        head, tail = rest[0], rest[1:]
        found: set[Rest] = set()
        match head:
            case ir.Chars():
                found = {tail} if ord(char) in head else set()
            case ir.Text(value):
                if value[0] == char:
                    found = {(ir.Text(value[1:]), *tail) if value[1:] else tail}
            case ir.Ref(name):
                found = self._after((self.rules[name], *tail), char)
            case ir.Seq(items):
                found = self._after((*items, *tail), char)
            case ir.Alt(items):
                found = set().union(*(self._after((item, *tail), char) for item in items))
            case ir.Rep(_, _, 0):
                found = self._after(tail, char)
            case ir.Rep(item, low, high):
                again = ir.Rep(item, max(low - 1, 0), None if high is None else high - 1)
                found = {(*first, again, *tail) for first in self._after((item,), char)}
                if self._vanishes(head):
                    found |= self._after(tail, char)
        return found

    def _vanishes(self, node: ir.Node) -> bool:
        return ir.is_nullable(node, self.nullable)

    def _ends(self, rest: Rest) -> bool:
        return all(map(self._vanishes, rest))

    def _some(self, node: ir.Node) -> str:
        """Give a shortest string of an expression."""
        match node:
            case ir.Chars(ranges):
                return chr(ranges[0][0])
            case ir.Text(value):
                return value
            case ir.Ref(name):
                return self._some(self.rules[name])
            case ir.Seq(items):
                return "".join(map(self._some, items))
            case ir.Alt(items):
                return min(map(self._some, items), key=len)
            case ir.Rep(item, low):
                return self._some(item) * low
        raise AssertionError(node)


@cache
def derivatives(name: str) -> Derivatives:
    """Give the judge of a grammar."""
    return Derivatives(read_grammar(name))
