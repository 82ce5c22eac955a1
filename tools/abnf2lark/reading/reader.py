"""Read ABNF text (RFC 5234, RFC 7405) into rules of the intermediate form.

The ``abnf`` package parses each rule; here its parse trees become nodes. Every malformed rule is
reported, not only the first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol
from zlib import crc32

from abnf2lark.reading.ir import (
    EMPTY,
    MAX_CODE_POINT,
    Chars,
    Ref,
    Rep,
    Rule,
    Text,
    alt,
    optional,
    seq,
)
from abnf2lark.reading.outline import Choice, Outline, Part, Repeat
from abnf2lark.reading.problems import Problem
from abnf2lark.reading.scan import chunks, pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abnf2lark.reading.ir import Node, Position
    from abnf2lark.reading.problems import Source
    from abnf2lark.reading.scan import Chunk, Piece

MAX_REPEAT = 100_000
MAX_DIGITS = 40  # more than any base needs for a code point
_HEAD = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*=")
_PARTS = ("rulename", "defined-as", "elements")


class Tree(Protocol):
    """What is used of a parse tree node of the ``abnf`` package."""

    @property
    def name(self) -> str:
        """The rule of ABNF's own grammar that the node is of."""

    @property
    def value(self) -> str:
        """The text of the node."""

    @property
    def children(self) -> Sequence[Tree]:
        """The direct parts."""


def read_rules(
    source: Source, origin: str, outline: Outline | None = None
) -> tuple[list[Rule], list[Problem]]:
    """Read every rule of a file; ``=/`` adds its alternatives to the rule it names."""
    file = _File(source, origin, outline or Outline())
    for chunk in chunks(source):
        file.read(chunk)
    if not file.rules and not file.problems:
        here = source.position(0)
        file.problems.append(Problem(source, here, "empty", "no rule in this file"))
    return list(file.rules.values()), file.problems


def stand_in(name: str) -> Node:
    """Return something for a rule that is not known, so that checks can go on without it.

    It matches a private-use character. No grammar with errors is ever emitted.
    """
    return Chars.single(chr(0xF0000 + crc32(name.casefold().encode()) % 0xFFFE))


class _File:
    """The rules of a file, by their folded names, and its problems so far."""

    def __init__(self, source: Source, origin: str, outline: Outline) -> None:
        self.source = source
        self.origin = origin
        self.outline = outline
        self.rules: dict[str, Rule] = {}
        self.problems: list[Problem] = []
        self.choices: dict[str, Choice] = {}  # the outermost choice of each rule

    def read(self, chunk: Chunk) -> None:
        """Read one rule, whole or in alternatives added to it."""
        cut, problem = pieces(self.source, chunk)
        if problem:
            self.problems.append(problem)
            self.define_broken(chunk)
            return
        name, operator, parts = "", "", []
        kept = len(self.outline.choices), len(self.outline.repeats)
        for piece in cut:
            tree = _parse(piece)
            if tree is None:  # the tokens are in order, so this is a limit of the reader
                self.problem(chunk, "syntax", "this rule cannot be read; is it nested too deeply?")
                self.define_broken(chunk)
                return
            head, defined, elements = (part for part in tree.children if part.name in _PARTS)
            name, operator = head.value, defined.value.strip()
            reading = _Reading(piece, name.casefold(), self)
            parts.append(reading.part(elements.children[0]))
        if self.define(chunk, name, operator, alt([part.node for part in parts])):
            choice = self.choices.setdefault(name.casefold(), Choice(name.casefold()))
            if len(choice.parts) <= 1 < len(choice.parts) + len(parts):
                self.outline.choices.append(choice)
            choice.parts.extend(parts)
        else:
            del self.outline.choices[kept[0] :], self.outline.repeats[kept[1] :]

    def define(self, chunk: Chunk, name: str, operator: str, body: Node) -> bool:
        """Add a rule, or alternatives to one; tell whether its text counts."""
        here = self.source.position(chunk.offset)
        written = self.source.text[chunk.offset : chunk.offset + len(chunk.text)]
        known = self.rules.get(name.casefold())
        if operator == "=/" and known is not None:
            both = f"{known.source}\n{written}"
            body = alt([known.body, body])
            known = Rule(known.name, body, self.origin, known.position, both)
            self.rules[name.casefold()] = known
            return True
        if known is not None:
            text = (
                f'"{name}" is defined already in line {known.position.line}; '
                f'write "=/" to add alternatives'
            )
            self.problem(chunk, "duplicate", text)
            return False
        if operator == "=/":
            text = f'"{name}" has no definition that "=/" could add to; write "="'
            self.problem(chunk, "no-base", text)
        self.rules[name.casefold()] = Rule(name, body, self.origin, here, written)
        return True

    def define_broken(self, chunk: Chunk) -> None:
        """Let a rule that cannot be read be known by its name, so that it is reported once."""
        found = _HEAD.match(chunk.text)
        if found and found[1].casefold() not in self.rules:
            here = self.source.position(chunk.offset)
            name = found[1]
            self.rules[name.casefold()] = Rule(name, stand_in(name), self.origin, here, chunk.text)

    def problem(self, chunk: Chunk, code: str, text: str) -> None:
        """Report something about a whole rule."""
        here = self.source.position(chunk.offset)
        self.problems.append(Problem(self.source, here, code, text))


def _parse(piece: Piece) -> Tree | None:
    """Parse one rule with the ``abnf`` package; ``None`` where it is malformed."""
    from abnf.parser import ABNFGrammarRule, ParseError  # noqa: PLC0415 - slow to load

    try:
        tree: Tree = ABNFGrammarRule("rule").parse_all(piece.text + "\r\n")
    except (ParseError, RecursionError):
        return None
    return tree


class _Reading:
    """Turn the parse tree of one alternative into a node."""

    def __init__(self, piece: Piece, rule: str, file: _File) -> None:
        self.piece = piece
        self.rule = rule
        self.file = file

    def alternation(self, tree: Tree) -> Node:
        parts = [self.part(part) for part in tree.children if part.name == "concatenation"]
        if len(parts) > 1:
            self.file.outline.choices.append(Choice(self.rule, parts))
        return alt([part.node for part in parts])

    def part(self, tree: Tree) -> Part:
        """Return a concatenation, or an alternation of one, with its place."""
        if tree.name == "alternation":
            return self.part(tree.children[0])
        items = [part for part in tree.children if part.name == "repetition"]
        return Part(self.where(tree), seq([self.repetition(item) for item in items]))

    def repetition(self, tree: Tree) -> Node:
        counts = [self.repeat(part) for part in tree.children if part.name == "repeat"]
        item = self.element(tree.children[-1].children[0])
        low, high = counts[0] if counts else (1, 1)
        if counts:
            part = Part(self.where(tree), item)
            self.file.outline.repeats.append(Repeat(self.rule, part, low, high))
        if (low, high) == (1, 1):
            return item
        return EMPTY if high == 0 else Rep(item, low, high)

    def repeat(self, tree: Tree) -> tuple[int, int | None]:
        low, star, high = tree.value.partition("*")
        if any(_number(digits, 10) > MAX_REPEAT for digits in (low, high)):
            self.problem(tree, "repeat", f"a repeat count above {MAX_REPEAT} cannot be compiled")
            return 0, None
        least = int(low) if low else 0
        most = (int(high) if high else None) if star else least
        if most is not None and most < least:
            self.problem(tree, "repeat", f"{tree.value}: at least {least} but at most {most}")
        return least, most

    def element(self, tree: Tree) -> Node:
        match tree.name:
            case "rulename":
                return Ref(tree.value, self.where(tree))
            case "group" | "option":
                inner = next(part for part in tree.children if part.name == "alternation")
                body = self.alternation(inner)
                return body if tree.name == "group" else optional(body)
            case "char-val":
                return self.literal(tree.value)
            case "num-val":
                return self.number(tree)
            case _:
                return Ref(tree.value, self.where(tree))

    def where(self, tree: Tree) -> Position:
        """Return the place of a node in the file."""
        leaf = tree
        while leaf.children:
            leaf = leaf.children[0]
        offset: int = getattr(leaf, "offset", 0)
        return self.file.source.position(self.piece.offsets[offset])

    def problem(self, tree: Tree, code: str, text: str) -> None:
        self.file.problems.append(Problem(self.file.source, self.where(tree), code, text))

    def literal(self, value: str) -> Node:
        text = value[value.index('"') + 1 : -1]
        if value[:2].lower() == "%s" or text.lower() == text.upper():
            return _exactly(text)
        return seq([_either_case(char) for char in text])

    def number(self, tree: Tree) -> Node:
        base = {"x": 16, "d": 10, "b": 2}[tree.value[1].lower()]
        digits = tree.value[2:]
        low, dash, high = digits.partition("-")
        values = [_number(part, base) for part in ((low, high) if dash else digits.split("."))]
        if any(value > MAX_CODE_POINT for value in values):
            self.problem(tree, "code-point", f"{tree.value} is no Unicode code point")
            return stand_in(tree.value)
        if not dash:
            return _exactly("".join(map(chr, values)))
        if values[0] > values[1]:
            self.problem(tree, "range", f"{tree.value} is empty: its ends stand in reverse order")
        return Chars(((min(values), max(values)),))


def _number(digits: str, base: int) -> int:
    """Return the value of digits; of many, zeros before them apart, one that is too large."""
    digits = digits.lstrip("0")
    return int(digits[:MAX_DIGITS] or "0", base)


def _exactly(text: str) -> Node:
    if len(text) == 1:
        return Chars.single(text)
    return Text(text) if text else EMPTY


def _either_case(char: str) -> Node:
    """Return a letter in both cases; ABNF literals are ASCII, so the cases are too."""
    return Chars.of([(ord(c), ord(c)) for c in {char.lower(), char.upper()}])
