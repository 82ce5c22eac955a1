"""Write a grammar for Lark's Earley parser: any grammar, recursive or ambiguous, but slower."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, Nfa, TooLargeError, limited, spend
from abnf2lark.lark_grammars.components import (
    NONEMPTY,
    fixed_text,
    lark_name,
    regexp,
    renamed_node,
    rule_line,
    spelled_out,
)
from abnf2lark.lark_grammars.kept_tokens import kept_names
from abnf2lark.lark_grammars.longest_tokens import LongestTokens, longest_first
from abnf2lark.lark_grammars.unfolding import unfolded
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import NO_CHARS, common, first_chars, merge_classes, nonempty
from abnf2lark.patterns.proof import complement
from abnf2lark.reading.ir import (
    EMPTY,
    Alt,
    Chars,
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
    optional,
    rebuild,
    references,
    seq,
    walk,
)
from abnf2lark.reading.recursion import innermost_first, recursive_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abnf2lark.automata import Language
    from abnf2lark.reading.ir import Grammar


# Which rules can be written out where they stand, so that an expression is one token.

MAX_PLACES = 3_000  # characters of an expression, repetitions written out
MAX_DEPTH = 60  # rules that are in each other


def is_fixed(node: Node) -> bool:
    """Return whether a token is a character, or a text that never varies: it has one length."""
    return isinstance(node, Chars | Text) or fixed_text(node) is not None


class Texts:
    """The rules that can be written out in a token: those that are regular, and small."""

    def __init__(self, grammar: Grammar, sets: Iterable[str]) -> None:
        self.grammar = grammar
        self._sizes: dict[str, tuple[int, int]] = dict.fromkeys(sets, (1, 1))
        self._bodies: dict[str, Node] = {}
        for name in innermost_first(grammar, recursive_rules(grammar)):
            if name in self._sizes:  # innermost first, as they may refer to each other at length
                self.inlined(Ref(name))
                continue
            size = self._size(grammar.rules[name].body)
            if size is not None and size[1] < MAX_DEPTH:
                self._sizes[name] = size[0], size[1] + 1

    def is_small(self, node: Node) -> bool:
        """Return whether an expression can be written out."""
        return self._size(node) is not None

    def inlined(self, node: Node) -> Node:
        """Put bodies in place of references."""
        match node:
            case Ref(name) if name.endswith(NONEMPTY):
                return nonempty(self.inlined(Ref(name.removesuffix(NONEMPTY)))) or EMPTY
            case Ref(name):
                if name not in self._bodies:
                    self._bodies[name] = self.inlined(self.grammar.rules[name].body)
                return self._bodies[name]
            case _:
                parts = [self.inlined(part) for part in children(node)]
                return rebuild(node, parts) if parts else node

    def _size(self, node: Node) -> tuple[int, int] | None:
        """Return how many characters are in an expression, and how deep rules do."""
        match node:
            case Chars():
                return 1, 0
            case Text(value):
                return len(value), 0
            case Ref(name):
                return self._sizes.get(name.removesuffix(NONEMPTY))
        places = depth = 0
        for part in children(node):
            size = self._size(part)
            if size is None:
                return None
            times = (node.high or node.low + 1) if isinstance(node, Rep) else 1
            places += size[0] * times
            depth = max(depth, size[1])
            if places > MAX_PLACES:
                return None
        return places, depth


def single_characters(grammar: Grammar) -> dict[str, Chars]:
    """Return the rules whose words are single characters, and their sets."""
    found: dict[str, Chars] = {}

    def chars(node: Node) -> Chars | None:
        match node:
            case Chars():
                return node
            case Ref(name):
                return found.get(name)
            case Alt(items):
                sets = [chars(item) for item in items]
                known = [one for one in sets if one is not None]
                if len(known) == len(sets):
                    return Chars.of([span for one in known for span in one.ranges])
                return None
            case _:
                return None

    grown = True
    while grown:
        grown = False
        for name, rule in grammar.rules.items():
            if name not in found and (one := chars(rule.body)) is not None:
                found[name] = one
                grown = True
    return found


# Write the rules of a grammar over tokens, for a parser that reads every grammar.
#
# Rules keep their ABNF names and structure. No token is empty. A rule that is a leaf, or holds no
# node, keeps all its text as tokens; elsewhere text that never varies is left out of trees, as in
# LALR grammars.

# A rule inside of a leaf, where its nodes are not wanted.
TEXT = "___text"

MAX_CUT = 40  # parts of what is repeated in a token that is cut


@dataclass(frozen=True, slots=True)
class Token:
    """An expression without the empty word, and the rule that it is in, as Lark calls it.

    ``body`` is the same without references. What has one length is the same in all rules.
    """

    rule: str
    node: Node
    body: Node = field(compare=False)


@dataclass(slots=True)
class Written:
    """Rules over tokens, by their Lark names; ``starts`` lead from ABNF to Lark names."""

    rules: dict[str, Node] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    abnf_names: dict[str, str] = field(default_factory=dict)
    starts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A rule to be written, and its Lark name: as text alone, and without its empty word."""

    lark: str
    name: str
    text: bool
    full: bool


class Writer:
    """Writes a grammar, as often as its tokens change.

    Attributes:
        parted: tokens that are written as those that they are made of, each with characters that
            it must not go on with.
        smallest: whether all tokens are, down to characters and texts that never vary.

    """

    def __init__(self, grammar: Grammar, kept: frozenset[str], leaves: frozenset[str]) -> None:
        self.grammar = grammar
        self.kept = kept
        self.leaves = leaves
        self.parted: dict[Token, Chars] = {}
        self.smallest = False
        self.nullable = nullable_rules(grammar)
        self.filled = _rules_with_text(grammar)
        sets = single_characters(grammar)
        self.set_names: dict[Chars, str] = {}
        for name, chars in sets.items():
            self.set_names.setdefault(chars, name)
        self.texts = Texts(grammar, sets)
        above = leading_to(grammar, kept)
        self.holding = {name for name in grammar.rules if name in above}
        self.structural = {
            name
            for name, rule in grammar.rules.items()
            if any(ref.name in above for ref in references(rule.body))
        }
        self.found = Written()
        self.pending: list[_Wanted] = []

    def written(self, starts: Iterable[str]) -> Written:
        """Write the rules that the given ones lead to."""
        self.found = Written()
        for start in starts:
            self.found.starts[start] = self.rule(start, kept=True)
        while self.pending:
            wanted = self.pending.pop(0)
            body: Node | None = self.grammar.rules[wanted.name].body
            if wanted.full and body is not None:
                body = self.without_empty(body)
            self.found.rules[wanted.lark] = self.convert(body or EMPTY, wanted)
        return self.found

    def rule(self, name: str, *, kept: bool, text: bool = False, full: bool = False) -> str:
        """Ask for a rule; return its Lark name."""
        flat = name in self.leaves or name not in self.structural
        lark = lark_name(name) if kept else "_" + lark_name(name)
        if text and name in self.structural:
            lark += TEXT
        if full:
            lark += NONEMPTY
        if lark not in self.found.rules:
            self.found.rules[lark] = EMPTY
            self.found.abnf_names[lark] = name
            self.pending.append(_Wanted(lark, name, text or flat, full))
        return lark

    def without_empty(self, node: Node) -> Node | None:
        """Return an expression for the words of ``node`` but the empty one; ``None`` if none."""
        if not is_nullable(node, self.nullable):
            return node
        match node:
            case Ref(name):
                return Ref(name + NONEMPTY) if name in self.filled else None
            case Seq(items):
                ways: list[Node] = []
                for place, item in enumerate(items):
                    full = self.without_empty(item)
                    if full is not None:
                        ways.append(seq([full, *items[place + 1 :]]))
                return alt(ways) if ways else None
            case Alt(items):
                fulls = [full for item in items if (full := self.without_empty(item)) is not None]
                return alt(fulls) if fulls else None
            case Rep(item, _, high):
                full = self.without_empty(item)
                return full if full is None or high == 1 else Rep(full, 1, high)
            case _:
                return node

    def convert(self, node: Node, wanted: _Wanted) -> Node:
        """Turn an expression into references to rules and tokens."""
        if self.is_text(node, wanted):
            return self.token(node, wanted)
        match node:
            case Ref(name):
                return self.reference(name, wanted, kept=True)
            case Seq(items):
                return seq([self.convert(part, wanted) for part in self.runs(items, wanted)])
            case Alt(items):
                return alt([self.convert(way, wanted) for way in self.ways(items, wanted)])
            case Rep(item, low, high) if is_nullable(item, self.nullable):
                full = self.without_empty(item)
                return EMPTY if full is None else Rep(self.convert(full, wanted), 0, high)
            case Rep(Alt(items), 0 | 1 as low, None):
                ways = self.ways(items, wanted)
                turns = Rep(alt([self.run(way, wanted) for way in ways]), 0, None)
                first = alt([self.convert(way, wanted) for way in ways])
                return (
                    seq([first, turns])
                    if low and turns.item != first
                    else Rep(turns.item, low, None)
                )
            case Rep(item, low, high):
                return Rep(self.convert(item, wanted), low, high)
            case _:
                raise TypeError(node)

    def reference(self, name: str, wanted: _Wanted, *, kept: bool) -> Node:
        """Refer to a rule; as a node, if it is one."""
        full = name.endswith(NONEMPTY)
        name = name.removesuffix(NONEMPTY)
        kept = kept and name in self.kept and not wanted.text
        return Ref(self.rule(name, kept=kept, text=wanted.text, full=full))

    def run(self, way: Node, wanted: _Wanted) -> Node:
        """Turn a way of a loop; what is text is one token as often as it comes, if it can be."""
        run = Rep(way, 1, None)
        whole = self.is_text(way, wanted) and Token(wanted.lark, run, EMPTY) not in self.parted
        return self.convert(run if whole else way, wanted)

    def is_text(self, node: Node, wanted: _Wanted) -> bool:
        """Return whether an expression can be a token: no node is wanted inside of it."""
        inside = {ref.name.removesuffix(NONEMPTY) for ref in references(node)}
        if not wanted.text and not self.holding.isdisjoint(inside):
            return False
        return self.texts.is_small(node)

    def runs(self, items: tuple[Node, ...], wanted: _Wanted) -> list[Node]:
        """Join neighbours that can be one token."""
        found: list[Node] = []
        for item in items:
            joined = seq([found[-1], item]) if found else item
            if (
                found
                and self.is_text(found[-1], wanted)
                and self.is_text(item, wanted)
                and self.is_text(joined, wanted)
            ):
                found[-1] = joined
            else:
                found.append(item)
        return found

    def ways(self, items: tuple[Node, ...], wanted: _Wanted) -> list[Node]:
        """Join alternatives that can be one token, where the first of them stands."""
        texts = [item for item in items if self.is_text(item, wanted)]
        if len(texts) < 2 or not self.is_text(alt(texts), wanted):
            return [*items]
        return [alt(texts) if item == texts[0] else item for item in items if item not in texts[1:]]

    def token(self, node: Node, wanted: _Wanted) -> Node:
        """Return a reference to a token, or to those that it is made of."""
        full = self.without_empty(node)
        if full is None:
            return EMPTY
        body = merge_classes(self.texts.inlined(full))
        token = Token("", body, body) if is_fixed(body) else Token(wanted.lark, full, body)
        if token.rule and (self.smallest or token in self.parted):
            made = self.parts(full, self.parted.get(token, NO_CHARS), wanted)
        else:
            made = self.terminal(token, wanted)
        return optional(made) if is_nullable(node, self.nullable) else made

    def parts(self, node: Node, lost: Chars, wanted: _Wanted) -> Node:
        """Write an expression as the tokens that it is made of."""
        match node:
            case Ref(name):
                return self.reference(name, wanted, kept=False)
            case Seq((*items, last)):
                return seq([self.token(seq(items), wanted), self.token(last, wanted)])
            case Alt(items):
                return alt([self.token(item, wanted) for item in items])
            case Rep(item, low, None) if low < 2 and (cut := self.cut(item, lost)):
                run, single = self.token(Rep(cut[0], 1, None), wanted), self.token(cut[1], wanted)
                turn = seq([single, optional(run)])
                return seq([alt([run, turn]), Rep(turn, 0, None)])
            case Rep(item, low, high):
                empty = is_nullable(item, self.nullable)
                full_item = self.without_empty(item) or EMPTY
                return Rep(self.token(full_item, wanted), 0 if empty else low, high)
            case _:
                raise TypeError(node)

    def cut(self, item: Node, lost: Chars) -> tuple[Node, Node] | None:
        """Cut what is repeated in two: what begins with none of some characters, and the rest."""
        body = merge_classes(self.texts.inlined(item))
        ways = body.items if isinstance(body, Alt) else (body,)
        if is_nullable(body) or sum(1 for way in ways for _ in walk(way)) > MAX_CUT:
            return None
        runs: list[Node] = []
        singles: list[Node] = []
        for way in ways:
            inside = common(first_chars(way), lost)
            if not isinstance(way, Chars):
                (singles if inside.ranges else runs).append(way)
            else:
                outside = common(way, complement(lost))
                singles += [inside] if inside.ranges else []
                runs += [outside] if outside.ranges else []
        return (alt(runs), alt(singles)) if runs and singles else None

    def terminal(self, token: Token, wanted: _Wanted) -> Node:
        """Name a token."""
        text = fixed_text(token.body)
        hidden = "" if wanted.text or text is None else "_"
        if isinstance(token.body, Chars) and token.body in self.set_names and text is None:
            name = lark_name(self.set_names[token.body]).upper()
        elif text is not None and (spelled := spelled_out(text)):
            name = hidden + spelled
        else:
            name = f"{hidden}{lark_name(wanted.name).upper()}" + ("" if wanted.text else "__1")
        while self.found.tokens.setdefault(name, token) != token:
            base, mark, number = name.rpartition("__")
            name = f"{base}__{int(number) + 1}" if mark and number.isdigit() else f"{name}__2"
        return Ref(name)


def _rules_with_text(grammar: Grammar) -> frozenset[str]:
    """Return the rules that match more than the empty string."""
    filled = {
        name
        for name, rule in grammar.rules.items()
        if any(isinstance(part, Chars | Text) for part in walk(rule.body))
    }
    return leading_to(grammar, filled)


# Write a grammar for Lark's Earley parser: any grammar, recursive or ambiguous, slower.
#
# What is regular and holds no node is one token, as large as can be, since the parser takes its
# time for each. But of each token Lark takes the longest text alone. Where that is not proved to
# be enough, a token is written as the tokens that it is made of, down to single characters.

MAX_STEPS = 3_000_000  # of automata; about 3 seconds
MAX_STEPS_OF_ONE = 800_000  # for the expression of one token
MAX_STEPS_OF_NAMES = 2_000_000  # for what trees may leave out


@dataclass(frozen=True, slots=True)
class EarleyGrammar:
    """Rules and expressions of terminals by their Lark names.

    ``starts`` lead from ABNF to Lark names.
    """

    rules: dict[str, Node]
    terminals: dict[str, str]
    abnf_names: dict[str, str]
    starts: dict[str, str]

    def text(self, comments: Mapping[str, str]) -> str:
        """Return the Lark grammar; ``comments`` hold the ABNF of rules."""
        lines: list[str] = []
        for name, body in self.rules.items():
            abnf = self.abnf_names[name]
            lines.extend(f"// {line}".rstrip() for line in comments.get(abnf, "").splitlines())
            lines.append(rule_line(name, body, lark_name(abnf)))
        lines.append("")
        lines.extend(f"{name}: {regexp(text)}" for name, text in self.terminals.items())
        return "\n".join([*lines, ""])


def earley_grammar(
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    *,
    max_steps: int = MAX_STEPS,
) -> EarleyGrammar:
    """Turn a grammar, recursive or not, into rules over tokens of which the longest are enough."""
    writer = Writer(grammar, nodes | leaves, leaves)
    expressions = _Expressions(grammar)
    found = writer.written(starts)
    try:
        with limited(max_steps):
            while parts := expressions.parted(found):
                writer.parted |= parts
                found = writer.written(starts)
    except TooLargeError:
        writer.smallest = True
        found = writer.written(starts)
    unfolded(found.rules, found.abnf_names)
    with limited(MAX_STEPS_OF_NAMES):
        names = kept_names(found.rules, found.abnf_names)
    return EarleyGrammar(
        {name: renamed_node(body, names) for name, body in found.rules.items()},
        {names.get(name, name): expressions.of(one) for name, one in found.tokens.items()},
        found.abnf_names,
        found.starts,
    )


class _Expressions:
    """What the tokens of a grammar are to Lark."""

    def __init__(self, grammar: Grammar) -> None:
        self._alphabet = Alphabet(rule.body for rule in grammar.rules.values())
        self._known: dict[Token, tuple[Language, str] | None] = {}

    def of(self, token: Token) -> str:
        """Return the expression of a token that is not to be parted."""
        known = self._known.get(token)
        return known[1] if known else pattern(token.body, PYTHON)

    def parted(self, found: Written) -> dict[Token, Chars]:
        """Return the tokens that have to be written as those that they are made of.

        With each come the characters that it must not go on with; none where it is not known to
        take the longest text.
        """
        known = {name: self._proved(one) for name, one in found.tokens.items()}
        words = {name: one[0] for name, one in known.items() if one}
        parts = {found.tokens[name]: NO_CHARS for name, one in known.items() if not one}
        if not parts:
            proof = LongestTokens(found.rules, found.starts.values(), words)
            lost = {token: proof.lost(name) for name, token in found.tokens.items()}
            parts = {
                token: self._alphabet.chars(labels) for token, labels in lost.items() if labels
            }
        return parts

    def _proved(self, token: Token) -> tuple[Language, str] | None:
        """Return the words of a token, and an expression that takes the longest of them."""
        if token not in self._known:
            self._known[token] = None
            with limited(MAX_STEPS_OF_ONE) as left, suppress(TooLargeError, RecursionError):
                self._known[token] = self._found(token.body)
            spend(MAX_STEPS_OF_ONE - left[0])
        return self._known[token]

    def _found(self, node: Node) -> tuple[Language, str] | None:
        nfa = Nfa()
        start = nfa.state()
        end = nfa.add(node, start, {}, self._alphabet)
        words = nfa.language(start, {end}, self._alphabet.size)
        fixed = is_fixed(node)
        text = pattern(node, PYTHON) if fixed else longest_first(node, words, self._alphabet)
        return (words, text) if text else None
