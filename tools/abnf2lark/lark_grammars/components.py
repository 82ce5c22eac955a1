"""Cut a grammar into components: rules that become tree nodes, and terminals between them.

A rule chosen as a *node* keeps the structure below it; a rule chosen as a *leaf* becomes one
terminal. Everything else is inlined, and what then stands between nodes becomes terminals of its
own. A terminal never matches the empty string: where a leaf can be empty, its rule has an empty
alternative. An empty string that two alternatives could yield is left to the first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from abnf2lark.lark_grammars.names import fixed_text, lark_name, spelled_out
from abnf2lark.lark_grammars.unfolding import unfolded
from abnf2lark.patterns.passes import nonempty, optimize
from abnf2lark.reading.ir import (
    EMPTY,
    Alt,
    Grammar,
    Node,
    Ref,
    Rep,
    Seq,
    alt,
    children,
    is_nullable,
    leading_to,
    optional,
    rebuild,
    references,
    seq,
)

# Variants of a rule: less its empty word; its empty word only; as the whole text; not so.
NONEMPTY, ONLY_EMPTY, ALONE, INSIDE = "___nonempty", "___empty", "___alone", "___inside"


@dataclass(frozen=True, slots=True)
class Terminal:
    """A token: its name in Lark, an expression without the empty word, and where it is from."""

    name: str
    node: Node
    rule: str


@dataclass(slots=True)
class Components:
    """A token-level grammar. Bodies refer to Lark names of rules and terminals."""

    rules: dict[str, Node] = field(default_factory=dict)
    terminals: dict[str, Terminal] = field(default_factory=dict)
    abnf_names: dict[str, str] = field(default_factory=dict)  # Lark rule name -> ABNF name
    starts: dict[str, str] = field(default_factory=dict)  # ABNF name -> Lark rule name
    priorities: dict[str, int] = field(default_factory=dict)  # of rules, by which Lark decides


def cut(
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    *,
    nullable: frozenset[str],
    only_empty: frozenset[str] = frozenset(),
    spread: bool = False,
) -> Components:
    """Cut a grammar; every start becomes a rule, whether or not it is a node elsewhere.

    ``nullable`` are the rules that match the empty string, ``only_empty`` those that match
    nothing else. With ``spread`` alternatives that begin with text take in the text before them.
    """
    cutter = _Cutter(grammar, nodes | leaves, leaves, nullable, only_empty)
    cutter.spread = spread
    for start in starts:
        # A leaf is followed by other things inside a tree than at the end of a text; a terminal
        # of its own keeps the guards apart.
        alone = start in cutter.kept and cutter.is_leaf(start)
        cutter.found.starts[start] = cutter.rule(start, ALONE if alone else "")
    cutter.finish()
    unfolded(cutter.found.rules, cutter.found.abnf_names)
    return cutter.found


class _Cutter:
    def __init__(
        self,
        grammar: Grammar,
        kept: frozenset[str],
        leaves: frozenset[str],
        nullable: frozenset[str],
        only_empty: frozenset[str],
    ) -> None:
        self.grammar = grammar
        self.kept = kept
        self.leaves = leaves
        self.nullable = nullable
        self.only_empty = only_empty
        self.spread = False
        # The kept rules and the rules that lead to them.
        self.above_nodes = leading_to(grammar, kept)
        self.found = Components()
        self.pending: list[tuple[str, str]] = []
        self.anonymous: dict[Node, str] = {}
        self.can_derive_nothing: set[str] = set()  # by Lark's names

    def rule(self, name: str, variant: str) -> str:
        """Ask for a rule in a variant; return its Lark name."""
        lark = lark_name(name) + variant
        if lark not in self.found.rules:
            self.found.rules[lark] = EMPTY
            self.found.abnf_names[lark] = name
            if variant != NONEMPTY and name in self.nullable:
                self.can_derive_nothing.add(lark)
            self.pending.append((name, variant))
        return lark

    def finish(self) -> None:
        while self.pending:
            name, variant = self.pending.pop()
            body = self.body(name, variant)
            if variant == NONEMPTY:
                body = self.without_empty(body) or EMPTY
            elif variant == ONLY_EMPTY:
                body = self.empty(body)
            self.found.rules[lark_name(name) + variant] = body

    def body(self, name: str, variant: str) -> Node:
        body = self.grammar.rules[name].body
        if self.is_leaf(name):
            suffix = ALONE if variant == ALONE else ""
            return self.terminal(name, self.inlined(body), lark_name(name) + suffix)
        return self.components(body, name)

    def is_leaf(self, name: str) -> bool:
        return name in self.leaves or not self.holds_nodes(self.grammar.rules[name].body)

    def holds_nodes(self, node: Node) -> bool:
        return any(ref.name in self.above_nodes for ref in references(node))

    def inlined(self, node: Node) -> Node:
        """Inline all references."""
        if isinstance(node, Ref):
            return self.inlined(self.grammar.rules[node.name].body)
        parts = children(node)
        return rebuild(node, [self.inlined(part) for part in parts]) if parts else node

    def components(self, node: Node, rule: str) -> Node:
        """Turn an expression into references to rules and terminals."""
        if isinstance(node, Ref):
            if node.name in self.kept:
                return Ref(self.rule(node.name, ""))
            node = self.grammar.rules[node.name].body
            return self.components(node, rule)
        if not self.holds_nodes(node):
            return self.terminal(rule, self.inlined(node))
        match node:
            case Seq():
                return self.sequence(node.items, rule)
            case Alt(items):
                return self.first_empty_only([self.components(item, rule) for item in items])
            case Rep(item, low, high):
                return self.repeat(self.components(item, rule), low, high)
            case _:
                raise TypeError(node)

    def sequence(self, items: tuple[Node, ...], rule: str) -> Node:
        """Turn a sequence; neighbours without nodes share a terminal."""
        made: list[Node] = []
        between: list[Node] = []
        for item in (*items, None):
            if item is not None and not self.holds_nodes(item):
                between.append(item)
                continue
            ways = self.begun_with_text(item) if between and item is not None else ()
            if ways:
                item = alt([seq([*between, way]) for way in ways])  # noqa: PLW2901 - with more
                between = []
            if between:
                made.append(self.components(seq(between), rule))
                between = []
            if item is not None:
                made.append(self.components(item, rule))
        return seq(made)

    def begun_with_text(self, node: Node) -> tuple[Node, ...]:
        """Return alternatives, where text before them would be one token with their own."""
        while isinstance(node, Ref) and node.name not in self.kept:
            node = self.grammar.rules[node.name].body
        if not self.spread or not isinstance(node, Alt):
            return ()
        ways = [self.unfolded(way) for way in node.items]
        first = [way.items[0] if isinstance(way, Seq) and way.items else way for way in ways]
        return tuple(ways) if any(not self.holds_nodes(one) for one in first) else ()

    def unfolded(self, node: Node) -> Node:
        """Return the body of a rule that is no node, else the expression itself."""
        while isinstance(node, Ref) and node.name not in self.kept and self.holds_nodes(node):
            node = self.grammar.rules[node.name].body
        return node

    def first_empty_only(self, items: list[Node]) -> Node:
        kept: list[Node] = []
        one_is = False
        for item in items:
            if one_is and self.can_be_empty(item):
                full = self.without_empty(item)
                if full is not None:
                    kept.append(full)
            else:
                kept.append(item)
                one_is = one_is or self.can_be_empty(item)
        return alt(kept)

    def repeat(self, item: Node, low: int, high: int | None) -> Node:
        """Turn a repetition; only a first turn may be empty."""
        if not self.can_be_empty(item):
            return _counted(item, low, high)
        if (low, high) in ((0, 1), (1, 1)):
            return item
        full = self.without_empty(item)
        rest = EMPTY if full is None else _counted(full, 0, None if high is None else high - 1)
        return seq([item, rest])

    def terminal(self, rule: str, node: Node, leaf: str | None = None) -> Node:
        """Return a reference to the terminal for an expression, optional where it can be empty."""
        full = nonempty(node)
        if full is None:
            return EMPTY
        body = optimize(full)
        if leaf:
            name = leaf.upper()
            self.found.terminals.setdefault(name, Terminal(name, body, rule))
        else:
            name = self.anonymous.get(body) or self.name_for(body, rule)
            self.anonymous[body] = name
            self.found.terminals.setdefault(name, Terminal(name, body, rule))
        return optional(Ref(name)) if is_nullable(node) else Ref(name)

    def name_for(self, node: Node, rule: str) -> str:
        """Name an inner terminal; one that is always the same text is left out of trees."""
        text = fixed_text(node)
        spelled = spelled_out(text) if text is not None else ""
        if spelled:
            name = "_" + spelled
        else:
            hidden = "_" if text is not None else ""
            number = sum(terminal.rule == rule for terminal in self.found.terminals.values()) + 1
            name = f"{hidden}{lark_name(rule).upper()}__{number}"
        return name if name not in self.found.terminals else f"{name}__{len(self.anonymous)}"

    def can_be_empty(self, node: Node) -> bool:
        """Tell whether a component expression derives the empty string."""
        return is_nullable(node, self.can_derive_nothing)

    def without_empty(self, node: Node) -> Node | None:
        """Return the expression less its empty derivations."""
        if not self.can_be_empty(node):
            return node
        match node:
            case Ref(name) if self.found.abnf_names[name] in self.only_empty:
                return None
            case Ref(name):
                return Ref(self.variant(name, NONEMPTY))
            case Seq(items):
                choices: list[Node] = []
                for place, item in enumerate(items):
                    full = self.without_empty(item)
                    if full is not None:
                        empties = [self.empty(before) for before in items[:place]]
                        choices.append(seq([*empties, full, *items[place + 1 :]]))
                return alt(choices) if choices else None
            case Alt(items):
                kept = [full for item in items if (full := self.without_empty(item)) is not None]
                return alt(kept) if kept else None
            case Rep(item, _, high):
                return item if high == 1 else Rep(item, 1, high)
            case _:
                raise TypeError(node)

    def empty(self, node: Node) -> Node:
        """Return the expression cut down to its first empty derivation."""
        match node:
            case Ref(name):
                return Ref(self.variant(name, ONLY_EMPTY))
            case Seq(items):
                return seq([self.empty(item) for item in items])
            case Alt(items):
                return self.empty(next(item for item in items if self.can_be_empty(item)))
            case _:
                return EMPTY

    def variant(self, lark: str, variant: str) -> str:
        return self.rule(self.found.abnf_names[lark], variant)


def _counted(item: Node, low: int, high: int | None) -> Node:
    """Write a bounded repetition out, so that only ``?``, ``*`` and ``+`` remain."""
    if high is None:
        return Rep(item, low, None) if low <= 1 else seq([item] * (low - 1) + [Rep(item, 1, None)])
    tail: Node = EMPTY
    for _ in range(high - low):
        tail = optional(seq([item, tail]))
    return seq([item] * low + [tail])
