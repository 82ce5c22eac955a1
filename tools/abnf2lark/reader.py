"""Read ABNF text (RFC 5234, RFC 7405) into rules of the intermediate form.

The ``abnf`` package parses each rule; here its parse trees become nodes. Every malformed rule is
reported, not only the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .ir import EMPTY, MAX_CODE_POINT, Chars, Node, Ref, Rep, Rule, Text, alt, optional, seq
from .problems import Problem, Source
from .scan import Chunk, chunks, explain, position

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_REPEAT = 100_000


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


def read_rules(source: Source, origin: str) -> tuple[list[Rule], list[Problem]]:
    """Read every rule of a file; ``=/`` adds its alternatives to the rule it names."""
    rules: dict[str, Rule] = {}
    problems: list[Problem] = []
    for chunk in chunks(source):
        tree = _parse(chunk)
        if tree is None:
            problems.append(explain(source, chunk))
            continue
        reading = _Reading(source, chunk, problems)
        name, operator, body = reading.rule(tree)
        here = position(source, chunk.offset)
        written = source.text[chunk.offset : chunk.offset + len(chunk.text)]
        key = name.casefold()
        known = rules.get(key)
        if operator == "=/":
            if known is None:
                text = f'"{name}" has no definition that "=/" could add to; write "="'
                problems.append(Problem(source, here, "no-base", text))
            else:
                body = alt([known.body, body])
                both = f"{known.source}\n{written}"
                rules[key] = Rule(known.name, body, origin, known.position, both)
                continue
        elif known is not None:
            text = (
                f'"{name}" is defined already in line {known.position.line}; '
                f'write "=/" to add alternatives'
            )
            problems.append(Problem(source, here, "duplicate", text))
            continue
        rules[key] = Rule(name, body, origin, here, written)
    if not rules and not problems:
        problems.append(Problem(source, position(source, 0), "empty", "no rule in this file"))
    return list(rules.values()), problems


def _parse(chunk: Chunk) -> Tree | None:
    """Parse one rule with the ``abnf`` package; ``None`` where it is malformed."""
    from abnf.parser import ABNFGrammarRule, ParseError  # noqa: PLC0415 - extra `grammar`

    try:
        tree: Tree = ABNFGrammarRule("rule").parse_all(chunk.text + "\r\n")
    except (ParseError, RecursionError):
        return None
    return tree


class _Reading:
    """Turn the parse tree of one rule into a node."""

    def __init__(self, source: Source, chunk: Chunk, problems: list[Problem]) -> None:
        self.source = source
        self.chunk = chunk
        self.problems = problems
        self.offset = 0

    def rule(self, tree: Tree) -> tuple[str, str, Node]:
        name, operator, elements = (
            part for part in tree.children if part.name in ("rulename", "defined-as", "elements")
        )
        self.offset = len(name.value) + len(operator.value)
        return name.value, operator.value.strip(), self.alternation(elements.children[0])

    def alternation(self, tree: Tree) -> Node:
        return alt([self.concatenation(part) for part in self.steps(tree, "concatenation")])

    def concatenation(self, tree: Tree) -> Node:
        return seq([self.repetition(part) for part in self.steps(tree, "repetition")])

    def steps(self, tree: Tree, wanted: str) -> list[Tree]:
        """Return the parts of one name; ``self.offset`` is kept by ``element``."""
        return [part for part in tree.children if part.name == wanted]

    def repetition(self, tree: Tree) -> Node:
        low, high = 1, 1
        for part in tree.children:
            if part.name == "repeat":
                low, high_or_none = self.repeat(part)
                if high_or_none is None:
                    return Rep(self.element(tree.children[-1].children[0]), low, None)
                high = high_or_none
        item = self.element(tree.children[-1].children[0])
        if (low, high) == (1, 1):
            return item
        return Rep(item, low, high) if high else EMPTY

    def repeat(self, tree: Tree) -> tuple[int, int | None]:
        low, star, high = tree.value.partition("*")
        if any(len(digits) > len(str(MAX_REPEAT)) for digits in (low, high)):
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
                return Ref(tree.value, position(self.source, self.where(tree)))
            case "group" | "option":
                inner = next(part for part in tree.children if part.name == "alternation")
                body = self.alternation(inner)
                return body if tree.name == "group" else optional(body)
            case "char-val":
                return self.literal(tree.value)
            case "num-val":
                return self.number(tree)
            case _:
                return Ref(tree.value, position(self.source, self.where(tree)))

    def where(self, tree: Tree) -> int:
        """Return the offset of a node in the file."""
        leaf = tree
        while leaf.children:
            leaf = leaf.children[0]
        offset: int = getattr(leaf, "offset", 0)
        return self.chunk.offset + offset

    def problem(self, tree: Tree, code: str, text: str) -> None:
        at = position(self.source, self.where(tree))
        self.problems.append(Problem(self.source, at, code, text))

    def literal(self, value: str) -> Node:
        text = value[value.index('"') + 1 : -1]
        if value[:2].lower() == "%s" or text.lower() == text.upper():
            return _exactly(text)
        return seq([_either_case(char) for char in text])

    def number(self, tree: Tree) -> Node:
        base = {"x": 16, "d": 10, "b": 2}[tree.value[1].lower()]
        digits = tree.value[2:]
        low, dash, high = digits.partition("-")
        values = [int(part, base) if len(part) < 40 else -1 for part in digits.split(".")] if (
            not dash
        ) else [int(part, base) if len(part) < 40 else -1 for part in (low, high)]
        if any(not 0 <= value <= MAX_CODE_POINT for value in values):
            self.problem(tree, "code-point", f"{tree.value} is no Unicode code point")
            return EMPTY
        if not dash:
            return _exactly("".join(map(chr, values)))
        if values[0] > values[1]:
            self.problem(tree, "range", f"{tree.value} is empty: its ends stand in reverse order")
        return Chars(((values[0], values[1]),))


def _exactly(text: str) -> Node:
    if len(text) == 1:
        return Chars.single(text)
    return Text(text) if text else EMPTY


def _either_case(char: str) -> Node:
    """Return a letter in both cases; ABNF literals are ASCII, so the cases are too."""
    return Chars.of([(ord(c), ord(c)) for c in {char.lower(), char.upper()}])
