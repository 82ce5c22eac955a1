"""Compile a recursive grammar to a Lark grammar for LALR, where the proof is found."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata import Alphabet, TooLargeError
from abnf2lark.lark_grammars.components import (
    Components,
    cut,
    lark_text,
    renamed,
    renamed_node,
    terminal_languages,
    with_plain_names,
)
from abnf2lark.lark_grammars.conflicts import ConflictingError, collision, priorities, undecided
from abnf2lark.lark_grammars.kept_tokens import kept_names
from abnf2lark.lark_grammars.lalr_tables import Actions, ConflictError, LexingStates
from abnf2lark.lark_grammars.lexing import UnprovableError
from abnf2lark.lark_grammars.losses import Losses
from abnf2lark.lark_grammars.recursive_lexing import RecursiveLexing
from abnf2lark.reading.ir import (
    Alt,
    Chars,
    Grammar,
    Node,
    Ref,
    Rep,
    Seq,
    Text,
    alt,
    children,
    is_nullable,
    leading_to,
    nullable_rules,
    rebuild,
    references,
    seq,
    walk,
)
from abnf2lark.reading.recursion import recursive_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from abnf2lark.lark_grammars.components import LexedTerminal
    from abnf2lark.reading.ir import Rule


# Let a rule that ends with itself take in what comes after it.
#
#     array  = "[" values ws "]"               array   = "[" _values "]"
#     values = ws val ws "," values      is    _values = ws val ws "," _values
#            / ws val ws [ "," ]                       / ws val ws [ "," ] ws
#
# A parser that sees white space after a comma need not know yet whether another value comes, or
# the end. What the rule stood for is not a node then: its parts stand in the node around it.

HIDDEN = "_"  # begins the names of rules that make no node


def absorbed(grammar: Grammar, name: str) -> Grammar | None:
    """Return the grammar in which a rule takes in what comes after it; ``None`` if it cannot."""
    following: set[Node] = set()
    rules: dict[str, Rule] = {}
    own = grammar.rules[name]
    hidden = HIDDEN + name
    if name.startswith(HIDDEN) or hidden in grammar.rules or not _ends_with_itself(own.body, name):
        return None
    for rule in grammar.rules.values():
        if rule is not own:
            body = _taken_in(rule.body, name, hidden, following)
            if any(ref.name == name for ref in references(body)):
                return None
            rules[rule.name] = replace(rule, body=body)
    if len(following) != 1:
        return None
    body = _with_end(own.body, name, hidden, following.pop())
    if any(ref.name == name for ref in references(body)):
        return None
    rules[hidden] = replace(own, name=hidden, body=body)
    return Grammar(grammar.name, rules, grammar.own)


def _ends_with_itself(node: Node, name: str) -> bool:
    match node:
        case Ref(other):
            return other == name
        case Seq((*_, last)):
            return _ends_with_itself(last, name)
        case Alt(items):
            return any(_ends_with_itself(item, name) for item in items)
        case Rep(item, _, 1):
            return _ends_with_itself(item, name)
        case _:
            return False


def _taken_in(node: Node, name: str, hidden: str, following: set[Node]) -> Node:
    """Put the new rule in the place of the old one and what comes after it there."""
    if not isinstance(node, Seq):
        parts = [_taken_in(part, name, hidden, following) for part in children(node)]
        return rebuild(node, parts) if parts else node
    made: list[Node] = []
    items = list(node.items)
    while items:
        item = items.pop(0)
        if items and item in (Ref(name), Rep(Ref(name), 0, 1)):
            behind = items.pop(0)
            following.add(behind)
            made.append(Ref(hidden) if item == Ref(name) else alt([Ref(hidden), behind]))
        else:
            made.append(_taken_in(item, name, hidden, following))
    return seq(made)


def _with_end(node: Node, name: str, hidden: str, end: Node) -> Node:
    """Return an expression for what there is with an end after it."""
    match node:
        case Ref(other) if other == name:
            return Ref(hidden)
        case Alt(items):
            return alt([_with_end(item, name, hidden, end) for item in items])
        case Seq((*before, last)) if _ends_with_itself(last, name):
            return seq([*before, _with_end(last, name, hidden, end)])
        case Rep(item, 0, 1) if _ends_with_itself(item, name):
            return alt([_with_end(item, name, hidden, end), end])
        case _:
            return seq([node, end])


# Which rules of a recursive grammar are nodes of its trees: as many as can be, step by step.


class Trees:
    """Nodes and leaves of a grammar, to be changed where the proof fails.

    Attributes:
        grammar: the rules.
        nodes: those that are nodes.
        leaves: those that are nodes which hold text only.

    """

    def __init__(
        self,
        grammar: Grammar,
        starts: tuple[str, ...],
        nodes: frozenset[str],
        leaves: frozenset[str],
    ) -> None:
        self.grammar = grammar
        self.nodes = nodes
        self.leaves = leaves
        self._starts = frozenset(starts)
        self._recursive = leading_to(grammar, recursive_rules(grammar))

    def decide(self, error: ConflictingError, components: Components) -> bool:
        """Change what makes a conflict; tell whether there is anything to change."""
        owners = components.abnf_names
        names = [error.dropped.name] if error.kept is None else [error.kept.name]
        rules = {owners.get(name, name) for name in [*names, error.dropped.name]}
        if error.kept is None and any(self._absorb(name, rules) for name in self.grammar.rules):
            return True
        # What would be decided on after a token can be decided on if it is one token with it.
        behind = {owners.get(name, name) for name in error.behind}
        token = components.terminals.get(error.token)
        return (
            self._drop(rules)
            or (error.kept is None and self._drop(behind))
            or (token is not None and self._drop({token.rule}))
        )

    def _absorb(self, name: str, ended: AbstractSet[str]) -> bool:
        """Let a rule that may end where others do take in what is after it, if it can."""
        inside = {ref.name for ref in references(self.grammar.rules[name].body)}
        if name in self._starts or ended.isdisjoint(inside | {name}):
            return False
        found = absorbed(self.grammar, name)
        if found is None:
            return False
        self.grammar = found
        self.nodes -= {name}
        self._recursive = leading_to(found, recursive_rules(found))
        return True

    def tell_apart(self, rules: Iterable[str]) -> bool:
        """Change rules whose tokens cannot be told apart; tell whether there is any to change."""
        kept = self.nodes | self.leaves
        above: set[str] = set()
        for name in rules:
            if name in self.nodes and self._inside(name):
                above.add(name)
            else:
                above |= {other for other in kept if name in self._inside(other)}
        found = above - self._recursive - self.leaves
        if found:
            self.nodes -= found
            self.leaves |= found
        return bool(found)

    def coarsen(self) -> bool:
        """Make leaves of all rules that are regular; tell whether some were none."""
        found = self.nodes - self._recursive
        self.nodes -= found
        self.leaves |= found
        return bool(found)

    def _drop(self, rules: Iterable[str]) -> bool:
        """Let regular rules be no nodes; tell whether some were."""
        found = frozenset(rules) & (self.nodes | self.leaves) - self._recursive
        self.nodes -= found
        self.leaves -= found
        return bool(found)

    def _inside(self, name: str) -> set[str]:
        """Return the nodes right below a rule: those reached without passing through another."""
        kept = self.nodes | self.leaves
        found: set[str] = set()
        seen: set[str] = set()
        pending = [name]
        while pending:
            for ref in references(self.grammar.rules[pending.pop()].body):
                if ref.name in kept or ref.name.startswith(HIDDEN):
                    found.add(ref.name)
                elif ref.name not in seen:
                    seen.add(ref.name)
                    pending.append(ref.name)
        return found


# Write each rule once for each set of tokens that can follow it.
#
# An LALR parser puts together what rules do in all places where they stand: after a value it
# lets come what follows one in an array, and what follows one in a table. A contextual lexer
# tries the tokens of both then. With a rule of its own for each place it tries those alone that
# fit.

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


MAX_TRIES = 30


class UndecidedError(Exception):
    """A parser cannot decide between two actions; the message says where, ``rules`` of which."""

    def __init__(self, message: str, rules: tuple[str, ...]) -> None:
        super().__init__(message)
        self.rules = rules


def recursive_components(
    grammar: Grammar, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> Components:
    """Cut a recursive grammar; rules that lead back to themselves are nodes, whatever is wanted."""
    recursive = recursive_rules(grammar)
    texts = {
        name
        for name, rule in grammar.rules.items()
        if any(isinstance(part, Chars | Text) for part in walk(rule.body))
    }
    nullable = nullable_rules(grammar)
    components = cut(
        grammar,
        starts,
        nodes | recursive,
        leaves - recursive,
        nullable=nullable,
        only_empty=nullable - leading_to(grammar, texts),
        spread=True,
    )
    components = with_plain_names(components)
    return renamed(components, kept_names(components.rules, components.abnf_names))


def recursive_lalr(
    grammar: Grammar, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> tuple[Components, dict[str, LexedTerminal]]:
    """Find trees for which a recursive grammar is LALR(1), the finest first.

    Where the proof fails, the rules at which it does are changed: to leaves, to none, or so that
    one takes in what comes after it. Raises :class:`UndecidedError` or ``UnprovableError`` where
    that ends, with what stood in the way of the finest trees last.
    """
    trees = Trees(grammar, starts, nodes, leaves)
    failures: list[Exception] = []
    finest = split = False
    for _ in range(MAX_TRIES):
        components = recursive_components(trees.grammar, starts, trees.nodes, trees.leaves)
        if split:
            components = apart(components)
        try:
            return components, lexed(components)
        except ConflictingError as error:
            failures.append(UndecidedError(*undecided(error, components)))
            changed = trees.decide(error, components)
        except ConflictError as error:
            failures.append(UndecidedError(*collision(str(error), components)))
            changed = False
        except UnprovableError as error:
            failures.append(error)
            changed = not split or trees.tell_apart(error.rules)
            split = True
        except TooLargeError:
            if not failures:
                raise
            break
        if finest:
            failures.pop()
        if not changed:
            finest = True
            if not trees.coarsen():
                break
    raise failures[-1]


def lexed(components: Components) -> dict[str, LexedTerminal]:
    """Find guards and priorities for a recursive component grammar; set those of its rules.

    Raises :class:`ConflictError` where it is not LALR(1), :class:`UnprovableError` where tokens
    cannot be told apart.
    """
    alphabet = Alphabet(terminal.node for terminal in components.terminals.values())
    languages = terminal_languages(components, alphabet)
    actions = Actions(lark_text(components, {}, {}), list(components.starts.values()))
    losses = Losses(actions, languages, alphabet)
    components.priorities = priorities(actions, losses, list(components.rules))
    losses.decide(components.priorities)
    states = LexingStates(actions)
    return RecursiveLexing(components, states, losses, languages, alphabet).solve()
