"""Cut a grammar into components, rules that become tree nodes, and write it as a Lark grammar."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from abnf2lark import ir
from abnf2lark.automata import Alphabet, Language, language_of_node
from abnf2lark.lark_grammars.rule_parts import unfolded
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import nonempty, optimize

# Names in Lark grammars for the rules and texts of ABNF.

MAX_SPELLED = 40


def lark_name(rule: str) -> str:
    """Spell an ABNF rule name as a Lark rule name."""
    return rule.lower().replace("-", "_").replace(".", "__")


def fixed_text(node: ir.Node) -> str | None:
    """Return the only text that an expression matches, ignoring letter case; else ``None``."""
    match node:
        case ir.Text(value):
            return value
        case ir.Chars(ranges):
            single = all(low == high for low, high in ranges)
            folded = {chr(low).lower() for low, _ in ranges}
            return folded.pop() if single and len(folded) == 1 else None
        case ir.Seq(items):
            parts = [fixed_text(item) for item in items]
            return "".join(part or "" for part in parts) if None not in parts else None
        case _:
            return None


def spelled_out(text: str) -> str:
    """Spell a text as a terminal's name; empty where it cannot be."""
    if not (text.isascii() and text.isprintable() and 0 < len(text) <= MAX_SPELLED):
        return ""
    words = "".join(f" {_NAMES[c]} " if c in _NAMES else c.upper() for c in text)
    name = "_".join(words.split())
    return f"TEXT_{name}" if name[0].isdigit() else name


_NAMES = {
    ":": "COLON", "/": "SLASH", "?": "QUESTION", "#": "HASH", "[": "LBRACKET", "]": "RBRACKET",
    "@": "AT", "!": "BANG", "$": "DOLLAR", "&": "AMPERSAND", "'": "QUOTE", "(": "LPAREN",
    ")": "RPAREN", "*": "STAR", "+": "PLUS", ",": "COMMA", ";": "SEMICOLON", "=": "EQUALS",
    ".": "DOT", "-": "MINUS", "_": "UNDERSCORE", "~": "TILDE", "<": "LESS", ">": "GREATER",
    '"': "DQUOTE", " ": "SPACE", "{": "LBRACE", "}": "RBRACE", "|": "BAR", "\\": "BACKSLASH",
    "^": "CARET", "%": "PERCENT", "`": "BACKQUOTE",
}  # fmt: skip


# Cut a grammar into components: rules that become tree nodes, and terminals between them.
#
# A rule chosen as a *node* keeps the structure below it; a rule chosen as a *leaf* becomes one
# terminal. Everything else is inlined, and what then is between nodes becomes terminals of
# its own. A terminal never matches the empty string: where a leaf can be empty, its rule has an
# empty alternative. An empty string that two alternatives could yield is left to the first.

# Variants of a rule: without the empty word; only the empty word; as a whole text; inside one.
NONEMPTY, ONLY_EMPTY, ALONE, INSIDE = "___nonempty", "___empty", "___alone", "___inside"


@dataclass(frozen=True, slots=True)
class Terminal:
    """A token: its expression without the empty word, and its rule."""

    node: ir.Node
    rule: str


@dataclass(slots=True)
class Components:
    """A token-level grammar. Bodies refer to Lark names of rules and terminals."""

    rules: dict[str, ir.Node] = field(default_factory=dict)
    terminals: dict[str, Terminal] = field(default_factory=dict)
    abnf_names: dict[str, str] = field(default_factory=dict)  # Lark rule name -> ABNF name
    starts: dict[str, str] = field(default_factory=dict)  # ABNF name -> Lark rule name
    priorities: dict[str, int] = field(default_factory=dict)  # of rules, by which Lark decides


class Plan(NamedTuple):
    """A grammar, its start rules, and which rules are to be nodes and leaves of trees."""

    grammar: ir.RuleSet
    starts: tuple[str, ...]
    nodes: frozenset[str]
    leaves: frozenset[str] = frozenset()


def cut(
    plan: Plan, nullable: frozenset[str], only_empty: frozenset[str], *, spread: bool = False
) -> Components:
    """Cut a grammar; every start becomes a rule, whether or not it is a node elsewhere.

    ``nullable`` are the rules that match the empty string, ``only_empty`` those that match
    nothing else. With ``spread`` alternatives that begin with text take in the text before them.
    """
    cutter = _Cutter(plan, nullable, only_empty, spread)
    for start in plan.starts:
        # A leaf is followed by other things inside a tree than at the end of a text; a terminal
        # of its own keeps the guards apart.
        alone = start in cutter.kept and cutter.is_leaf(start)
        cutter.found.starts[start] = cutter.rule(start, ALONE if alone else "")
    cutter.finish()
    unfolded(cutter.found.rules, cutter.found.abnf_names)
    return cutter.found


@dataclass
class _Cutter:
    plan: Plan
    nullable: frozenset[str]
    only_empty: frozenset[str]
    spread: bool
    found: Components = field(default_factory=Components)
    pending: list[tuple[str, str]] = field(default_factory=list)
    anonymous: dict[ir.Node, str] = field(default_factory=dict)
    can_derive_nothing: set[str] = field(default_factory=set)  # by Lark's names

    def __post_init__(self) -> None:
        self.grammar = self.plan.grammar
        self.kept = self.plan.nodes | self.plan.leaves
        # The kept rules and the rules that lead to them.
        self.above_nodes = ir.leading_to(self.grammar, self.kept)

    def rule(self, name: str, variant: str) -> str:
        """Ask for a rule in a variant; return its Lark name."""
        lark = lark_name(name) + variant
        if lark not in self.found.rules:
            self.found.rules[lark] = ir.EMPTY
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
                body = self.without_empty(body) or ir.EMPTY
            elif variant == ONLY_EMPTY:
                body = self.empty(body)
            self.found.rules[lark_name(name) + variant] = body

    def body(self, name: str, variant: str) -> ir.Node:
        body = self.grammar.rules[name].body
        if self.is_leaf(name):
            suffix = ALONE if variant == ALONE else ""
            return self.terminal(name, self.inlined(body), lark_name(name) + suffix)
        return self.components(body, name)

    def is_leaf(self, name: str) -> bool:
        return name in self.plan.leaves or not self.holds_nodes(self.grammar.rules[name].body)

    def holds_nodes(self, node: ir.Node) -> bool:
        return any(ref.name in self.above_nodes for ref in ir.references(node))

    def inlined(self, node: ir.Node) -> ir.Node:
        return ir.replaced(node, lambda ref: self.inlined(self.grammar.rules[ref.name].body))

    def components(self, node: ir.Node, rule: str) -> ir.Node:
        if isinstance(node, ir.Ref):
            if node.name in self.kept:
                return ir.Ref(self.rule(node.name, ""))
            node = self.grammar.rules[node.name].body
            return self.components(node, rule)
        if not self.holds_nodes(node):
            return self.terminal(rule, self.inlined(node))
        match node:
            case ir.Seq():
                return self.sequence(node.items, rule)
            case ir.Alt(items):
                return self.first_empty_only([self.components(item, rule) for item in items])
            case ir.Rep(item, low, high):
                return self.repeat(self.components(item, rule), low, high)
            case _:
                raise TypeError(node)

    def sequence(self, items: tuple[ir.Node, ...], rule: str) -> ir.Node:
        """Convert a sequence; neighbours without nodes share a terminal."""
        made: list[ir.Node] = []
        between: list[ir.Node] = []
        for item in (*items, None):
            if item is not None and not self.holds_nodes(item):
                between.append(item)
                continue
            ways = self.begun_with_text(item) if between and item is not None else ()
            if ways:
                item = ir.alt([ir.seq([*between, way]) for way in ways])  # noqa: PLW2901 - with more
                between = []
            if between:
                made.append(self.components(ir.seq(between), rule))
                between = []
            if item is not None:
                made.append(self.components(item, rule))
        return ir.seq(made)

    def begun_with_text(self, node: ir.Node) -> tuple[ir.Node, ...]:
        """Return alternatives, if text before them would form one token with theirs."""
        while isinstance(node, ir.Ref) and node.name not in self.kept:
            node = self.grammar.rules[node.name].body
        if not self.spread or not isinstance(node, ir.Alt):
            return ()
        ways = [self.unfolded(way) for way in node.items]
        first = [way.items[0] if isinstance(way, ir.Seq) and way.items else way for way in ways]
        return tuple(ways) if any(not self.holds_nodes(one) for one in first) else ()

    def unfolded(self, node: ir.Node) -> ir.Node:
        """Return the body of a rule that is not a node; else the expression itself."""
        while isinstance(node, ir.Ref) and node.name not in self.kept and self.holds_nodes(node):
            node = self.grammar.rules[node.name].body
        return node

    def first_empty_only(self, items: list[ir.Node]) -> ir.Node:
        kept: list[ir.Node] = []
        one_is = False
        for item in items:
            if one_is and self.can_be_empty(item):
                full = self.without_empty(item)
                if full is not None:
                    kept.append(full)
            else:
                kept.append(item)
                one_is = one_is or self.can_be_empty(item)
        return ir.alt(kept)

    def repeat(self, item: ir.Node, low: int, high: int | None) -> ir.Node:
        """Convert a repetition; only its first iteration may be empty."""
        if not self.can_be_empty(item):
            return _counted(item, low, high)
        if (low, high) in ((0, 1), (1, 1)):
            return item
        full = self.without_empty(item)
        rest = ir.EMPTY if full is None else _counted(full, 0, None if high is None else high - 1)
        return ir.seq([item, rest])

    def terminal(self, rule: str, node: ir.Node, leaf: str | None = None) -> ir.Node:
        """Return a reference to the terminal for an expression, optional where it can be empty."""
        full = nonempty(node)
        if full is None:
            return ir.EMPTY
        body = optimize(full)
        if leaf:
            name = leaf.upper()
        else:
            name = self.anonymous.get(body) or self.name_for(body, rule)
            self.anonymous[body] = name
        self.found.terminals.setdefault(name, Terminal(body, rule))
        return ir.optional(ir.Ref(name)) if ir.is_nullable(node) else ir.Ref(name)

    def name_for(self, node: ir.Node, rule: str) -> str:
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

    def can_be_empty(self, node: ir.Node) -> bool:
        return ir.is_nullable(node, self.can_derive_nothing)

    def without_empty(self, node: ir.Node) -> ir.Node | None:
        def of_rule(ref: ir.Ref) -> ir.Node | None:
            if self.found.abnf_names[ref.name] in self.only_empty:
                return None
            return ir.Ref(self.variant(ref.name, NONEMPTY))

        return nonempty(node, self.can_derive_nothing, of_rule, self.empty)

    def empty(self, node: ir.Node) -> ir.Node:
        """Return the first empty derivation of the expression."""
        match node:
            case ir.Ref(name):
                return ir.Ref(self.variant(name, ONLY_EMPTY))
            case ir.Seq(items):
                return ir.seq([self.empty(item) for item in items])
            case ir.Alt(items):
                return self.empty(next(item for item in items if self.can_be_empty(item)))
            case _:
                return ir.EMPTY

    def variant(self, lark: str, variant: str) -> str:
        return self.rule(self.found.abnf_names[lark], variant)


def _counted(item: ir.Node, low: int, high: int | None) -> ir.Node:
    """Expand a bounded repetition, so that only ``?``, ``*`` and ``+`` remain."""
    if high is None:
        return ir.seq([item] * (low - 1) + [ir.Rep(item, min(low, 1), None)])
    tail: ir.Node = ir.EMPTY
    for _ in range(high - low):
        tail = ir.optional(ir.seq([item, tail]))
    return ir.seq([item] * low + [tail])


def written_order(components: Components, start: str) -> list[str]:
    """Return the terminals in the order in which the rules first reach them."""

    def inside(name: str) -> list[str]:
        body = components.rules.get(name, ir.EMPTY)
        return [ref.name for ref in ir.references(body)][::-1]

    return [name for name in ir.each_reached([start], inside) if name in components.terminals]


def terminal_languages(components: Components, alphabet: Alphabet) -> dict[str, Language]:
    """Return the words of every terminal."""
    return {
        name: language_of_node(terminal.node, alphabet)
        for name, terminal in components.terminals.items()
    }


# Give start rules the names that users know.
#
# A start rule that is also a leaf in other rules has two variants: the one for whole texts gets the
# plain name.


def with_plain_names(found: Components) -> Components:
    """Return the components with the plain name for a start, and another for its inner variant."""
    names: dict[str, str] = {}
    for lark in found.starts.values():
        if lark.endswith(ALONE):
            plain = lark.removesuffix(ALONE)
            names |= {lark: plain, plain: plain + INSIDE}
            names[plain.upper()] = ir.free_name(plain.upper(), {*found.terminals, plain.upper()})
            names[lark.upper()] = plain.upper()
    return renamed(found, names) if names else found


def renamed(found: Components, names: Mapping[str, str]) -> Components:
    """Return the components with other names for some of their rules and terminals."""
    return Components(
        {names.get(name, name): ir.renamed(body, names) for name, body in found.rules.items()},
        {names.get(name, name): terminal for name, terminal in found.terminals.items()},
        {names.get(name, name): abnf for name, abnf in found.abnf_names.items()},
        {abnf: names.get(name, name) for abnf, name in found.starts.items()},
        {names.get(name, name): number for name, number in found.priorities.items()},
    )


NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LexedTerminal:
    """A terminal of the lexer: its expression, the guard after it, and its priority."""

    pattern: str
    guard: str = ""
    priority: int = 0


@dataclass(frozen=True, slots=True)
class LexedGrammar:
    """A component grammar with the expressions, guards and priorities of its terminals."""

    components: Components
    lexed: dict[str, LexedTerminal] = field(default_factory=dict)

    def text(
        self, comments: Mapping[str, str] = NOTHING, header: str = "", *, aliases: bool = False
    ) -> str:
        """Return the Lark grammar; ``comments`` hold ABNF, ``aliases`` name variants."""
        components, lines = self.components, [header] if header else []
        for name, body in components.rules.items():
            comment = comments.get(components.abnf_names[name])
            if comment:
                lines.extend(f"// {line}".rstrip() for line in comment.splitlines())
            tree_name = lark_name(components.abnf_names[name]) if aliases else ""
            rank = components.priorities.get(name, 0)
            lines.append(rule_line(name, body, tree_name, f".{rank}" if rank else ""))
        lines.append("")
        for name in components.terminals or self.lexed:
            one = self.lexed.get(name)
            one = one or LexedTerminal(pattern(components.terminals[name].node, PYTHON))
            priority = f".{one.priority}" if one.priority else ""
            lines.append(f"{name}{priority}: {regexp(one.pattern + one.guard)}")
        return "\n".join([*lines, ""])

    def expressions(self) -> dict[str, str]:
        """Return the expression of each terminal, with its guard."""
        return {name: one.pattern + one.guard for name, one in self.lexed.items()}


def rule_line(name: str, body: ir.Node, tree_name: str = "", priority: str = "") -> str:
    """Write a rule; its trees are called ``tree_name``, where that is not its own name."""
    if tree_name in ("", name) or name.startswith("_"):
        return f"{name}{priority}: {expansion(body)}".rstrip()
    ways = body.items if isinstance(body, ir.Alt) else (body,)
    written = " | ".join(f"{expansion(way)} -> {tree_name}".strip() for way in ways)
    return f"{name}{priority}: {written}"


def regexp(body: str) -> str:
    """Write a regular expression between slashes so that Lark, which unescapes, reads the same."""
    return "/" + body.replace("/", "\\/").replace('\\"', "\\\\x22") + "/"


def expansion(node: ir.Node) -> str:
    """Write the right side of a Lark rule."""
    match node:
        case ir.Ref(name):
            return name
        case ir.Seq(items):
            return " ".join(
                f"({expansion(item)})" if isinstance(item, ir.Alt) else expansion(item)
                for item in items
            )
        case ir.Alt(items):
            return " | ".join(expansion(item) for item in items)
        case ir.Rep(item, 0, 1):
            return _group(item) + "?"
        case ir.Rep(item, 0, None):
            return _group(item) + "*"
        case ir.Rep(item, 1, None):
            return _group(item) + "+"
        case ir.Rep(item, low, None):
            return f"{_group(item)}~{low} {_group(item)}*"
        case ir.Rep(item, low, high):
            return f"{_group(item)}~{low}" + ("" if low == high else f"..{high}")
        case _:
            raise TypeError(node)


def _group(node: ir.Node) -> str:
    return expansion(node) if isinstance(node, ir.Ref) else f"({expansion(node)})"
