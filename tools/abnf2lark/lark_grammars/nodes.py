"""Choose which rules of a grammar become nodes of its trees, where nobody has said.

Every rule does, but the core rules, rules that match white space only, and rules that stand for a
character: its class, its escape, or a choice of those. A tree with a node for each character would
be of no use to anyone.
"""

from __future__ import annotations

from operator import or_
from typing import TYPE_CHECKING

from abnf2lark.reading.ir import Alt, Chars, Ref, Rep, Seq, Text, leading_to, reachable, walk
from abnf2lark.reading.loops import innermost_first, recursive_rules

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar, Node

MAX_ESCAPE = 4  # characters: \", %2F, \123, and UTF-8 octets


def default_nodes(grammar: Grammar) -> frozenset[str]:
    """Return the rules that are worth a node."""
    plain = character_rules(grammar) | blank_rules(grammar)
    return frozenset(
        name for name, rule in grammar.rules.items() if rule.origin != "core" and name not in plain
    )


def character_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules whose words are single characters or escapes of fixed length."""
    found = _Characters(grammar)
    recursive = recursive_rules(grammar)
    inner = [*innermost_first(grammar, recursive), *sorted(recursive)]  # so that few turns do
    ordered = [(name, grammar.rules[name]) for name in inner]
    grown = True
    while grown:
        grown = False
        for name, rule in ordered:
            if name not in found.lengths and (length := found.length(rule.body)) is not None:
                found.lengths[name] = length
                grown = True
        for name, rule in ordered:
            new = {name} if found.is_character(rule.body) else set()
            new |= found.escapes_beside_characters(rule.body)
            if not new <= found.rules:
                found.rules |= new
                grown = True
    # What a character is made of is no node either.
    return frozenset(reachable(grammar, sorted(found.rules)))


def blank_rules(grammar: Grammar) -> frozenset[str]:
    """Return the rules that match spaces, tabs and line ends and nothing else."""
    parts = {name: list(walk(rule.body)) for name, rule in grammar.rules.items()}
    text = {
        name for name, inside in parts.items() if any(isinstance(p, Chars | Text) for p in inside)
    }
    visible = {name for name, inside in parts.items() if any(map(_is_visible, inside))}
    return leading_to(grammar, text) - leading_to(grammar, visible)


def _is_visible(node: Node) -> bool:
    match node:
        case Chars(ranges):
            codes = (code for low, high in ranges for code in (low, high))
            return not all(chr(code) in _BLANK for code in codes)
        case Text(value):
            return any(char not in _BLANK for char in value)
        case _:
            return False


_BLANK = "\t\n\r "


class _Characters:
    """What is known so far: character rules, and rules whose words have one length."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.rules: set[str] = set()
        self.lengths: dict[str, int] = {}

    def is_character(self, node: Node) -> bool:
        match node:
            case Chars():
                return True
            case Ref(name):
                return name in self.rules
            case Alt(items):
                plain = [self.is_character(item) for item in items]
                escapes = [self.is_escape(item) for item in items]
                return any(plain) and all(map(or_, plain, escapes))
            case _:
                return False

    def escapes_beside_characters(self, node: Node) -> set[str]:
        """Return the rules that are an alternative to a character, and its escape."""
        return {
            item.name
            for part in walk(node)
            if isinstance(part, Alt) and any(self.is_character(item) for item in part.items)
            for item in part.items
            if isinstance(item, Ref) and self.is_escape(item)
        }

    def is_escape(self, node: Node) -> bool:
        length = self.length(node)
        return length is not None and 1 < length <= MAX_ESCAPE and self.is_mark(node)

    def length(self, node: Node) -> int | None:
        """Return the length that all words have, if it is known."""
        match node:
            case Chars():
                return 1
            case Text(value):
                return len(value)
            case Ref(name):
                return self.lengths.get(name)
            case Seq(items):
                lengths = [self.length(item) for item in items]
                known = [length for length in lengths if length is not None]
                return sum(known) if len(known) == len(lengths) else None
            case Alt(items):
                choices = {self.length(item) for item in items}
                return choices.pop() if len(choices) == 1 else None
            case Rep(item, low, high) if low == high:
                length = self.length(item)
                return None if length is None else low * length
            case _:
                return None

    def is_mark(self, node: Node) -> bool:
        """Tell whether an escape could begin so: not with a letter or a digit."""
        match node:
            case Chars(ranges):
                ascii_codes = (
                    code for low, high in ranges for code in range(low, min(high, 0x7F) + 1)
                )
                return not any(chr(code).isalnum() for code in ascii_codes)
            case Text(value):
                return not (value[0].isascii() and value[0].isalnum())
            case Ref(name):
                return name in self.lengths and self.is_mark(self.grammar.rules[name].body)
            case Seq((first, *_)) | Rep(first):
                return self.is_mark(first)
            case Alt(items):
                return all(self.is_mark(item) for item in items)
            case _:
                return False
