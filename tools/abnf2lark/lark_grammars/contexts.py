"""Write each rule once for each set of tokens that can follow it.

An LALR parser puts together what rules do in all places where they stand: behind a value it lets
come what follows one in an array, and what follows one in a table. A contextual lexer tries the
tokens of both then. With a rule of its own for each place it tries those alone that fit.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata import TooLargeError
from abnf2lark.lark_grammars.components import Components
from abnf2lark.lark_grammars.plain_names import renamed_node
from abnf2lark.reading.ir import Alt, Node, Ref, Rep, Seq, is_nullable

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_RULES = 600
END = "$END"

Tokens: TypeAlias = frozenset[str]


def apart(found: Components) -> Components:
    """Return the components with rules that tell what follows them."""
    return _Writer(found).written()


class _Writer:
    def __init__(self, found: Components) -> None:
        self.found = found
        self.nullable = _nullable(found.rules)
        self.firsts: dict[str, Tokens] = {name: frozenset({name}) for name in found.terminals}
        grown = True
        while grown:
            grown = False
            for name, body in found.rules.items():
                first = self.first(body)
                if first != self.firsts.get(name):
                    self.firsts[name] = first
                    grown = True
        self.names: dict[tuple[str, Tokens], str] = {}
        self.taken = {*found.rules}
        self.pending: deque[tuple[str, Tokens]] = deque()

    def written(self) -> Components:
        found = self.found
        starts = {abnf: self.name(rule, frozenset({END})) for abnf, rule in found.starts.items()}
        rules: dict[str, Node] = {}
        origins: dict[str, str] = {}
        while self.pending:
            rule, following = self.pending.popleft()
            name = self.names[rule, following]
            behind: dict[str, Tokens] = {}
            self.follow(found.rules[rule], following, behind)
            names = {inner: self.name(inner, tokens) for inner, tokens in behind.items()}
            rules[name] = renamed_node(found.rules[rule], names)
            origins[name] = found.abnf_names[rule]
        return Components(rules, found.terminals, origins, starts)

    def name(self, rule: str, following: Tokens) -> str:
        """Return the name of a rule where certain tokens can follow."""
        key = (rule, following)
        if key not in self.names:
            if len(self.names) > MAX_RULES:
                raise TooLargeError
            self.names[key] = (
                rule if not any(one == rule for one, _ in self.names) else self.free(rule)
            )
            self.pending.append(key)
        return self.names[key]

    def free(self, rule: str) -> str:
        number = 2
        while f"{rule}__{number}" in self.taken:
            number += 1
        self.taken.add(f"{rule}__{number}")
        return f"{rule}__{number}"

    def first(self, node: Node) -> Tokens:
        """Return the tokens that an expression can begin with."""
        match node:
            case Ref(name):
                return self.firsts.get(name, frozenset())
            case Seq(items):
                found: Tokens = frozenset()
                for item in items:
                    found |= self.first(item)
                    if not is_nullable(item, self.nullable):
                        break
                return found
            case Alt(items):
                return frozenset().union(*map(self.first, items))
            case Rep(item):
                return self.first(item)
            case _:
                raise TypeError(node)

    def follow(self, node: Node, following: Tokens, found: dict[str, Tokens]) -> None:
        """Find the tokens that can follow the rules in an expression.

        They are taken together for each, so that ways that begin alike go on so.
        """
        match node:
            case Ref(name):
                if name in self.found.rules:
                    found[name] = found.get(name, frozenset()) | following
            case Seq(items):
                for item in reversed(items):
                    self.follow(item, following, found)
                    empty = is_nullable(item, self.nullable)
                    following = self.first(item) | (following if empty else frozenset())
            case Alt(items):
                for item in items:
                    self.follow(item, following, found)
            case Rep(item, _, high):
                if high != 1:
                    following |= self.first(item)
                self.follow(item, following, found)
            case _:
                raise TypeError(node)


def _nullable(rules: Mapping[str, Node]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(name for name, body in rules.items() if is_nullable(body, found))
        if more == found:
            return found
        found = more
