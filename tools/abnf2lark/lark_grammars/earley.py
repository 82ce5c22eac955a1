"""Write a grammar for Lark's Earley parser: any grammar, recursive or ambiguous, slower.

Every terminal has one length, so that it does not matter how far Lark's dynamic lexer looks; no
terminal is empty. Rules keep their ABNF names and structure. A rule that is a leaf, or holds no
node, keeps every character as a token; elsewhere text that never varies is left out of trees, as
in LALR grammars.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.components import NONEMPTY
from abnf2lark.lark_grammars.emit_lark import regexp, rule_line
from abnf2lark.lark_grammars.names import fixed_text, lark_name, spelled_out
from abnf2lark.lark_grammars.plain_names import renamed_node
from abnf2lark.lark_grammars.remembering import remembered
from abnf2lark.lark_grammars.unfolding import unfolded
from abnf2lark.patterns.emit_pattern import pattern
from abnf2lark.patterns.flavours import PYTHON
from abnf2lark.patterns.passes import merge_classes
from abnf2lark.reading.ir import (
    EMPTY,
    Alt,
    Chars,
    Ref,
    Rep,
    Seq,
    Text,
    alt,
    is_nullable,
    leading_to,
    nullable_rules,
    references,
    seq,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abnf2lark.reading.ir import Grammar, Node

# A rule inside of a leaf, where its nodes are not wanted.
TEXT = "___text"


@dataclass(frozen=True, slots=True)
class EarleyGrammar:
    """Rules and terminals by their Lark names; ``starts`` lead from ABNF to Lark names."""

    rules: dict[str, Node]
    terminals: dict[str, Node]
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
        lines.extend(f"{name}: {regexp(text)}" for name, text in self.expressions().items())
        return "\n".join([*lines, ""])

    def expressions(self) -> dict[str, str]:
        """Return the expression of each terminal."""
        return {name: pattern(node, PYTHON) for name, node in self.terminals.items()}


def earley_grammar(
    grammar: Grammar, starts: Iterable[str], nodes: frozenset[str], leaves: frozenset[str]
) -> EarleyGrammar:
    """Turn a grammar, recursive or not, into rules over terminals of one length each."""
    writer = _Writer(grammar, nodes | leaves, leaves)
    for start in starts:
        writer.found.starts[start] = writer.rule(start, kept=True)
    writer.finish()
    found = writer.found
    unfolded(found.rules, found.abnf_names)
    names = remembered(found.rules, found.abnf_names)
    return EarleyGrammar(
        {name: renamed_node(body, names) for name, body in found.rules.items()},
        {names.get(name, name): node for name, node in found.terminals.items()},
        found.abnf_names,
        found.starts,
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A rule to be written: as text alone, and without its empty word."""

    name: str
    text: bool
    full: bool


class _Writer:
    def __init__(self, grammar: Grammar, kept: frozenset[str], leaves: frozenset[str]) -> None:
        self.grammar = grammar
        self.kept = kept
        self.leaves = leaves
        self.nullable = nullable_rules(grammar)
        self.filled = _rules_with_text(grammar)
        self.sets = single_characters(grammar)
        self.set_names: dict[Chars, str] = {}
        for name, chars in self.sets.items():
            self.set_names.setdefault(chars, name)
        above = leading_to(grammar, kept)
        self.structural = {
            name
            for name, rule in grammar.rules.items()
            if any(ref.name in above for ref in references(rule.body))
        }
        self.found = EarleyGrammar({}, {}, {}, {})
        self.pending: list[tuple[str, _Wanted]] = []

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
            self.pending.append((lark, _Wanted(name, text or flat, full)))
        return lark

    def finish(self) -> None:
        while self.pending:
            lark, wanted = self.pending.pop(0)
            body: Node | None = self.grammar.rules[wanted.name].body
            if wanted.full and body is not None:
                body = self.without_empty(body)
            self.found.rules[lark] = self.convert(
                merge_classes(self.with_sets(body or EMPTY)), wanted
            )

    def with_sets(self, node: Node) -> Node:
        """Put sets of characters in place of the rules that are nothing else."""
        match node:
            case Ref(name):
                return self.sets.get(name, node)
            case Seq(items):
                return seq([self.with_sets(item) for item in items])
            case Alt(items):
                return alt([self.with_sets(item) for item in items])
            case Rep(item, low, high):
                if is_nullable(item, self.nullable):
                    full = self.without_empty(item)
                    return EMPTY if full is None else Rep(self.with_sets(full), 0, high)
                return Rep(self.with_sets(item), low, high)
            case _:
                return node

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
                return None if full is None else Rep(full, 1, high)
            case _:
                return node

    def convert(self, node: Node, wanted: _Wanted) -> Node:
        """Turn an expression into references to Lark rules and terminals."""
        match node:
            case Chars() | Text():
                return self.terminal(node, wanted)
            case Ref(name):
                full = name.endswith(NONEMPTY)
                name = name.removesuffix(NONEMPTY)
                kept = name in self.kept and not wanted.text
                return Ref(self.rule(name, kept=kept, text=wanted.text, full=full))
            case Seq(items):
                return seq([self.item(item, wanted) for item in _joined(items)])
            case Alt(items):
                return alt([self.convert(item, wanted) for item in items])
            case Rep(item, low, high):
                return Rep(self.convert(item, wanted), low, high)
            case _:
                raise TypeError(node)

    def item(self, node: Node, wanted: _Wanted) -> Node:
        """Turn one item of a sequence; a text that never varies is one terminal."""
        return self.terminal(node, wanted) if fixed_text(node) else self.convert(node, wanted)

    def terminal(self, node: Node, wanted: _Wanted) -> Node:
        text = fixed_text(node)
        hidden = "" if wanted.text or text is None else "_"
        if isinstance(node, Chars) and node in self.set_names and text is None:
            name = lark_name(self.set_names[node]).upper()
        elif text is not None and (spelled := spelled_out(text)):
            name = hidden + spelled
        else:
            name = f"{hidden}{lark_name(wanted.name).upper()}__1"
        while self.found.terminals.setdefault(name, node) != node:
            base, mark, number = name.rpartition("__")
            name = f"{base}__{int(number) + 1}" if mark and number.isdigit() else f"{name}__2"
        return Ref(name)


def _joined(items: tuple[Node, ...]) -> list[Node]:
    """Join neighbours that are always the same text, letter case aside, into one item."""
    made: list[Node] = []
    for item in items:
        if fixed_text(item) and made and fixed_text(made[-1]):
            made[-1] = seq([made[-1], item])
        else:
            made.append(item)
    return made


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


def _rules_with_text(grammar: Grammar) -> frozenset[str]:
    """Return the rules that match more than the empty string."""
    filled = {
        name
        for name, rule in grammar.rules.items()
        if any(isinstance(part, Chars | Text) for part in walk(rule.body))
    }
    return leading_to(grammar, filled)
