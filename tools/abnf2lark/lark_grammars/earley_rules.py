"""Write the rules of a grammar over tokens, for a parser that reads every grammar.

Rules keep their ABNF names and structure. No token is empty. A rule that is a leaf, or holds no
node, keeps all its text as tokens; elsewhere text that never varies is left out of trees, as in
LALR grammars.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.components import NONEMPTY
from abnf2lark.lark_grammars.names import fixed_text, lark_name, spelled_out
from abnf2lark.lark_grammars.written_out import Texts, is_fixed, single_characters
from abnf2lark.patterns.determinism import NO_CHARS, common, first_chars
from abnf2lark.patterns.passes import merge_classes
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
    is_nullable,
    leading_to,
    nullable_rules,
    optional,
    references,
    seq,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Grammar

# A rule inside of a leaf, where its nodes are not wanted.
TEXT = "___text"

MAX_CUT = 40  # parts of what is repeated in a token that is cut


@dataclass(frozen=True, slots=True)
class Token:
    """An expression without the empty word, and the rule that it stands in, as Lark calls it.

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
        """Tell whether an expression can be a token: no node is wanted inside of it."""
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
