"""Write a grammar for Lark's Earley parser: any grammar, recursive or ambiguous, but slower."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby

from abnf2lark import ir
from abnf2lark.automata import Alphabet, Language, TooLargeError, language_of_node, limited, spend
from abnf2lark.lark_grammars import component_rules
from abnf2lark.lark_grammars.kept_tokens import kept_names
from abnf2lark.lark_grammars.longest_tokens import LongestTokens, longest_first
from abnf2lark.lark_grammars.rule_parts import ordered, unfolded
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import NO_CHARS, first_chars, merge_classes, nonempty
from abnf2lark.reading.recursion import innermost_first

MAX_PLACES = 3_000  # characters of an expression, repetitions written out
MAX_DEPTH = 60  # rules that are in each other


def is_fixed(node: ir.Node) -> bool:
    """Return whether a token is one character or a constant text, so that it has one length."""
    return isinstance(node, ir.Chars | ir.Text) or component_rules.fixed_text(node) is not None


class Texts:
    """The rules that can be inlined in a token: those that are regular and small."""

    def __init__(self, grammar: ir.RuleSet, sets: Iterable[str]) -> None:
        self.grammar = grammar
        self._sizes: dict[str, tuple[int, int]] = dict.fromkeys(sets, (1, 1))
        self._bodies: dict[str, ir.Node] = {}
        for name in innermost_first(grammar):
            if name in self._sizes:  # innermost first, as they may refer to each other at length
                self.inlined(ir.Ref(name))
                continue
            size = self.size(grammar.rules[name].body)
            if size is not None and size[1] < MAX_DEPTH:
                self._sizes[name] = size[0], size[1] + 1

    def inlined(self, node: ir.Node) -> ir.Node:
        """Replace references by bodies."""
        match node:
            case ir.Ref(name) if name.endswith(component_rules.NONEMPTY):
                whole = self.inlined(ir.Ref(name.removesuffix(component_rules.NONEMPTY)))
                return nonempty(whole) or ir.EMPTY
            case ir.Ref(name):
                if name not in self._bodies:
                    self._bodies[name] = self.inlined(self.grammar.rules[name].body)
                return self._bodies[name]
            case _:
                return ir.changed(node, self.inlined)

    def size(self, node: ir.Node) -> tuple[int, int] | None:
        """Return the size of an expression in characters, and its depth; None if too large."""
        match node:
            case ir.Chars():
                return 1, 0
            case ir.Text(value):
                return len(value), 0
            case ir.Ref(name):
                return self._sizes.get(name.removesuffix(component_rules.NONEMPTY))
        places = depth = 0
        for part in ir.children(node):
            size = self.size(part)
            if size is None:
                return None
            times = (node.high or node.low + 1) if isinstance(node, ir.Rep) else 1
            places += size[0] * times
            depth = max(depth, size[1])
            if places > MAX_PLACES:
                return None
        return places, depth


def single_characters(grammar: ir.RuleSet) -> dict[str, ir.Chars]:
    """Return the rules whose words are single characters, and their sets."""
    found: dict[str, ir.Chars] = {}
    for name in innermost_first(grammar):
        body = ir.replaced(grammar.rules[name].body, lambda ref: found.get(ref.name, ref))
        body = merge_classes(body)
        if isinstance(body, ir.Chars):
            found[name] = body
    return found


# Write the rules of a grammar over tokens, for a parser that reads every grammar.
#
# Rules keep their ABNF names and structure. No token is empty. A leaf, or a rule without nodes,
# keeps all its text as tokens; elsewhere constant text is left out of trees, as in LALR grammars.

# Suffix of a rule inside a leaf, where no nodes are wanted.
TEXT = "___text"

MAX_CUT = 40  # parts of what is repeated in a token that is cut


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token: its expression without the empty word, with and without references, and its rule."""

    rule: str
    node: ir.Node
    body: ir.Node = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A rule to be written, and its Lark name; ``text``: without nodes; ``full``: never empty."""

    lark: str
    name: str
    text: bool
    full: bool


@dataclass
class Writer:
    """Writes a grammar, again after each change of its tokens.

    smallest: whether all tokens are split, down to characters and constant texts.
    in_order: whether alternatives stay in their order.
    parted: tokens that are split, each with the characters that must not extend it.
    """

    plan: component_rules.Plan
    smallest: bool
    in_order: bool
    parted: dict[Lexeme, ir.Chars] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.grammar = grammar = self.plan.grammar
        self.kept = kept = self.plan.nodes | self.plan.leaves
        self.nullable = ir.nullable_rules(grammar)
        self.filled = ir.filled_rules(grammar)
        sets = single_characters(grammar)
        self.set_names = {chars: name for name, chars in reversed(sets.items())}  # the first one's
        self.texts = Texts(grammar, sets)
        self.holding = above = ir.leading_to(grammar, kept)
        self.structural = {
            name
            for name, rule in grammar.rules.items()
            if any(ref.name in above for ref in ir.references(rule.body))
        }
        self.found = component_rules.Components()
        self.tokens: dict[str, Lexeme] = {}
        self.pending: list[_Wanted] = []

    def written(self) -> component_rules.Components:
        """Write the rules that the starts lead to; their tokens are apart."""
        self.found, self.tokens = component_rules.Components(), {}
        for start in self.plan.starts:
            self.found.starts[start] = self.rule(start, kept=True)
        while self.pending:
            wanted = self.pending.pop(0)
            body: ir.Node | None = self.grammar.rules[wanted.name].body
            if wanted.full and body is not None:
                body = self.without_empty(body)
            self.found.rules[wanted.lark] = self.convert(body or ir.EMPTY, wanted)
        return self.found

    def rule(self, name: str, *, kept: bool, text: bool = False, full: bool = False) -> str:
        """Request a rule; return its Lark name."""
        flat = name in self.plan.leaves or name not in self.structural
        lark = component_rules.lark_name(name) if kept else "_" + component_rules.lark_name(name)
        if text and name in self.structural:
            lark += TEXT
        if full:
            lark += component_rules.NONEMPTY
        if lark not in self.found.rules:
            self.found.rules[lark] = ir.EMPTY
            self.found.abnf_names[lark] = name
            self.pending.append(_Wanted(lark, name, text or flat, full))
        return lark

    def without_empty(self, node: ir.Node) -> ir.Node | None:
        """Return an expression for the non-empty words of ``node``; ``None`` without any."""

        def of_rule(ref: ir.Ref) -> ir.Node | None:
            return ir.Ref(ref.name + component_rules.NONEMPTY) if ref.name in self.filled else None

        return nonempty(node, self.nullable, of_rule)

    def convert(self, node: ir.Node, wanted: _Wanted) -> ir.Node:
        """Convert an expression into references to rules and tokens."""
        if self.is_text(node, wanted):
            return self.token(node, wanted)
        match node:
            case ir.Ref(name):
                return self.reference(name, wanted, kept=True)
            case ir.Seq(items):
                return ir.seq([self.convert(part, wanted) for part in self.runs(items, wanted)])
            case ir.Alt(items):
                return ir.alt([self.convert(way, wanted) for way in self.ways(items, wanted)])
            case ir.Rep(item, low, high) if ir.is_nullable(item, self.nullable):
                full = self.without_empty(item)
                return ir.EMPTY if full is None else ir.Rep(self.convert(full, wanted), 0, high)
            case ir.Rep(ir.Alt(items), 0 | 1 as low, None):
                ways = self.ways(items, wanted)
                turn = ir.alt([self.run(way, wanted) for way in ways])
                first = ir.alt([self.convert(way, wanted) for way in ways])
                apart = low and turn != first
                return ir.seq([first, ir.Rep(turn, 0, None)]) if apart else ir.Rep(turn, low, None)
            case ir.Rep(item, low, high):
                return ir.Rep(self.convert(item, wanted), low, high)
            case _:
                raise TypeError(node)

    def reference(self, name: str, wanted: _Wanted, *, kept: bool) -> ir.Node:
        """Refer to a rule, as a node if it is one."""
        full = name.endswith(component_rules.NONEMPTY)
        name = name.removesuffix(component_rules.NONEMPTY)
        kept = kept and name in self.kept and not wanted.text
        return ir.Ref(self.rule(name, kept=kept, text=wanted.text, full=full))

    def run(self, way: ir.Node, wanted: _Wanted) -> ir.Node:
        """Convert an alternative of a loop; repeated text is one token if it can be."""
        run = ir.Rep(way, 1, None)
        whole = self.is_text(way, wanted) and Lexeme(wanted.lark, run, ir.EMPTY) not in self.parted
        return self.convert(run if whole else way, wanted)

    def is_text(self, node: ir.Node, wanted: _Wanted) -> bool:
        """Return whether an expression can be a token: it is small, and no node is wanted in it."""
        inside = {ref.name.removesuffix(component_rules.NONEMPTY) for ref in ir.references(node)}
        if not wanted.text and not self.holding.isdisjoint(inside):
            return False
        return self.texts.size(node) is not None

    def runs(self, items: tuple[ir.Node, ...], wanted: _Wanted) -> list[ir.Node]:
        """Join neighbours that can be one token."""
        found: list[ir.Node] = []
        for item in items:
            joined = ir.seq([found[-1], item]) if found else item
            three = (found[-1], item, joined) if found else ()
            if found and all(self.is_text(one, wanted) for one in three):
                found[-1] = joined
            else:
                found.append(item)
        return found

    def ways(self, items: tuple[ir.Node, ...], wanted: _Wanted) -> list[ir.Node]:
        """Join alternatives that can be one token, in the place of the first."""
        if self.in_order:
            runs = groupby(items, lambda item: self.is_text(item, wanted))
            each = [(is_text, tuple(run)) for is_text, run in runs]
            joins = [is_text and self.is_text(ir.alt(run), wanted) for is_text, run in each]
            pairs = zip(each, joins, strict=True)
            return [way for (_, run), one in pairs for way in ([ir.alt(run)] if one else run)]
        texts = [item for item in items if self.is_text(item, wanted)]
        if len(texts) < 2 or not self.is_text(ir.alt(texts), wanted):
            return [*items]
        others = [item for item in items if item not in texts[1:]]
        return [ir.alt(texts) if item == texts[0] else item for item in others]

    def token(self, node: ir.Node, wanted: _Wanted) -> ir.Node:
        """Return a reference to a token, or to its parts."""
        full = self.without_empty(node)
        if full is None:
            return ir.EMPTY
        body = merge_classes(self.texts.inlined(full))
        token = Lexeme("", body, body) if is_fixed(body) else Lexeme(wanted.lark, full, body)
        if token.rule and (self.smallest or token in self.parted):
            made = self.parts(full, self.parted.get(token, NO_CHARS), wanted)
        else:
            made = self.terminal(token, wanted)
        return ir.optional(made) if ir.is_nullable(node, self.nullable) else made

    def parts(self, node: ir.Node, lost: ir.Chars, wanted: _Wanted) -> ir.Node:
        """Split a token into smaller ones."""
        match node:
            case ir.Ref(name):
                return self.reference(name, wanted, kept=False)
            case ir.Seq((*items, last)):
                return ir.seq([self.token(ir.seq(items), wanted), self.token(last, wanted)])
            case ir.Alt(items):
                return ir.alt([self.token(item, wanted) for item in items])
            case ir.Rep(item, low, None) if low < 2 and (cut := self.cut(item, lost)):
                run = self.token(ir.Rep(cut[0], 1, None), wanted)
                single = self.token(cut[1], wanted)
                turn = ir.seq([single, ir.optional(run)])
                return ir.seq([ir.alt([run, turn]), ir.Rep(turn, 0, None)])
            case ir.Rep(item, low, high):
                empty = ir.is_nullable(item, self.nullable)
                full_item = self.without_empty(item) or ir.EMPTY
                return ir.Rep(self.token(full_item, wanted), 0 if empty else low, high)
            case _:
                raise TypeError(node)

    def cut(self, item: ir.Node, lost: ir.Chars) -> tuple[ir.Node, ir.Node] | None:
        """Split what is repeated: alternatives that begin with certain characters, and others."""
        body = merge_classes(self.texts.inlined(item))
        ways = body.items if isinstance(body, ir.Alt) else (body,)
        if ir.is_nullable(body) or sum(1 for way in ways for _ in ir.walk(way)) > MAX_CUT:
            return None
        runs: list[ir.Node] = []
        singles: list[ir.Node] = []
        for way in ways:
            inside = first_chars(way).common(lost)
            if not isinstance(way, ir.Chars):
                (singles if inside.ranges else runs).append(way)
            else:
                outside = way.common(lost.others())
                singles += [inside] if inside.ranges else []
                runs += [outside] if outside.ranges else []
        return (ir.alt(runs), ir.alt(singles)) if runs and singles else None

    def terminal(self, token: Lexeme, wanted: _Wanted) -> ir.Node:
        """Name a token."""
        text = component_rules.fixed_text(token.body)
        hidden = "" if wanted.text or text is None else "_"
        if isinstance(token.body, ir.Chars) and token.body in self.set_names and text is None:
            name = component_rules.lark_name(self.set_names[token.body]).upper()
        elif text is not None and (spelled := component_rules.spelled_out(text)):
            name = hidden + spelled
        else:
            number = "" if wanted.text else "__1"
            name = f"{hidden}{component_rules.lark_name(wanted.name).upper()}{number}"
        while self.tokens.setdefault(name, token) != token:
            base, mark, number = name.rpartition("__")
            name = f"{base}__{int(number) + 1}" if mark and number.isdigit() else f"{name}__2"
        return ir.Ref(name)


# Write a grammar for Lark's Earley parser, with tokens as large as possible.
#
# Each token costs time, so a regular expression without nodes is one token. But Lark takes only the
# longest text of a token. Where no proof shows that this suffices, the token is split, down to
# single characters.

MAX_STEPS = 3_000_000  # of automata; about 3 seconds
MAX_STEPS_OF_ONE = 800_000  # for the expression of one token
MAX_STEPS_OF_NAMES = 2_000_000  # for what trees may leave out


def earley_grammar(
    plan: component_rules.Plan,
    *,
    max_steps: int = MAX_STEPS,
    in_order: bool = False,
    smallest: bool = False,
) -> component_rules.LexedGrammar:
    """Convert any grammar into rules over tokens of which the longest text suffices.

    in_order: whether rules are written so that Lark keeps the first of several trees.
    smallest: whether a token is a character or a constant text.
    """
    writer = Writer(plan, smallest, in_order)
    expressions = _Expressions(plan.grammar)
    found = writer.written()
    try:
        with limited(max_steps):
            while parts := expressions.parted(found, writer.tokens):
                writer.parted |= parts
                found = writer.written()
    except TooLargeError:
        writer.smallest = True
        found = writer.written()
    if not in_order:
        unfolded(found.rules, found.abnf_names)
    with limited(MAX_STEPS_OF_NAMES):
        names = kept_names(found.rules, found.abnf_names)
    rules = {name: ir.renamed(body, names) for name, body in found.rules.items()}
    if in_order:  # of which kept names would be found in the square of the time
        with limited(MAX_STEPS_OF_NAMES):
            ordered(rules, found.abnf_names)
    components = component_rules.Components(rules, {}, found.abnf_names, found.starts)
    texts = {names.get(name, name): expressions.of(one) for name, one in writer.tokens.items()}
    lexed = {name: component_rules.LexedTerminal(text) for name, text in texts.items()}
    return component_rules.LexedGrammar(components, lexed)


class _Expressions:
    def __init__(self, grammar: ir.RuleSet) -> None:
        self._alphabet = Alphabet(rule.body for rule in grammar.rules.values())
        self._known: dict[Lexeme, tuple[Language, str] | None] = {}

    def of(self, token: Lexeme) -> str:
        """Return the expression of a token that is not split."""
        known = self._known.get(token)
        return known[1] if known else pattern(token.body, PYTHON)

    def parted(
        self, found: component_rules.Components, tokens: Mapping[str, Lexeme]
    ) -> dict[Lexeme, ir.Chars]:
        """Return the tokens that must be split, each with the characters that must not extend it.

        Without characters: it is not known to take the longest text.
        """
        known = {name: self._proved(one) for name, one in tokens.items()}
        words = {name: one[0] for name, one in known.items() if one}
        parts = {tokens[name]: NO_CHARS for name, one in known.items() if not one}
        if not parts:
            proof = LongestTokens(found.rules, found.starts.values(), words)
            for name, token in tokens.items():
                if labels := proof.lost(name):
                    parts[token] = self._alphabet.chars(labels)
        return parts

    def _proved(self, token: Lexeme) -> tuple[Language, str] | None:
        """Return the language of a token, and an expression that matches its longest text."""
        if token not in self._known:
            self._known[token] = None
            node = token.body
            with limited(MAX_STEPS_OF_ONE) as left, suppress(TooLargeError, RecursionError):
                words = language_of_node(node, self._alphabet)
                longest = None if is_fixed(node) else longest_first(node, words, self._alphabet)
                if text := pattern(node, PYTHON) if is_fixed(node) else longest:
                    self._known[token] = words, text
            spend(MAX_STEPS_OF_ONE - left[0])
        return self._known[token]
