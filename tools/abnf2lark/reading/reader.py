"""Read ABNF text (RFC 5234, RFC 7405) into rules of the intermediate form.

Every malformed rule is reported, not only the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from operator import eq
from typing import TYPE_CHECKING, Literal

from abnf2lark.reading.elements import Elements, stand_in
from abnf2lark.reading.ir import Alt, Ref, Rule, alt, children, rebuild
from abnf2lark.reading.outline import Choice, Outline
from abnf2lark.reading.problems import Problem
from abnf2lark.reading.scan import chunks, scanned

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Node, Position
    from abnf2lark.reading.problems import Source
    from abnf2lark.reading.scan import Chunk
    from abnf2lark.reading.tokens import Token

_HEAD = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*=")
WARNINGS = frozenset({"surrogate", "lenient", "repeated-rule"})


def read_rules(
    source: Source, origin: str, outline: Outline | None = None, *, lenient: bool = False
) -> tuple[list[Rule], list[Problem]]:
    """Read every rule of a text; ``=/`` adds its alternatives to the rule it names.

    With ``lenient`` what is no ABNF is read as what it seems to mean, where that is known.
    """
    file = _File(source, outline or Outline(), lenient=lenient)
    for chunk in chunks(source, lenient=lenient):
        file.read(chunk)
    if not file.rules and not file.problems:
        here = source.position(0)
        file.problems.append(Problem(source, here, "empty", "no rule in this file"))
    return [rule.made(origin) for rule in file.rules.values()], file.problems


@dataclass(slots=True)
class _Definition:
    """A rule that is being read, in as many parts as there are."""

    name: str
    position: Position
    place: str
    bodies: list[Node]
    sources: list[str]
    choice: Choice = field(init=False)
    _compared: int = field(init=False, default=0)  # of the bodies, those that are in `_folded`
    _folded: dict[Node, None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.choice = Choice(self.name.casefold())

    def made(self, origin: str) -> Rule:
        source = "\n".join(self.sources)
        return Rule(self.name, alt(self.bodies), origin, self.position, source, self.place)

    def is_alike(self, body: Node) -> bool:
        """Tell whether an expression has the alternatives of the rule, its names in any case."""
        for one in self.bodies[self._compared :]:
            self._folded |= _alternatives(one)
        self._compared = len(self.bodies)
        others = _alternatives(body)
        return len(others) == len(self._folded) and all(map(eq, others, self._folded))


def _alternatives(node: Node) -> dict[Node, None]:
    """Return the alternatives of an expression, each once, with references in small letters."""
    folded = _folded(node)
    return dict.fromkeys(folded.items if isinstance(folded, Alt) else (folded,))


def _folded(node: Node) -> Node:
    """Return an expression whose references have small letters."""
    if isinstance(node, Ref):
        return Ref(node.name.casefold())
    parts = children(node)
    return rebuild(node, [_folded(part) for part in parts]) if parts else node


class _File:
    """The rules of a text, by their folded names, and its problems so far."""

    def __init__(self, source: Source, outline: Outline, *, lenient: bool) -> None:
        self.source = source
        self.outline = outline
        self.lenient = lenient
        self.rules: dict[str, _Definition] = {}
        self.problems: list[Problem] = []

    def read(self, chunk: Chunk) -> None:
        """Read one rule, whole or in alternatives added to it."""
        found = scanned(self.source, chunk, lenient=self.lenient)
        self.problems.extend(found.problems)
        if not found.tokens:
            self.define_broken(chunk)
            return
        head = next(place for place, token in enumerate(found.tokens) if token.kind == "define")

        def where(token: Token) -> Position:
            return self.source.position(chunk.offset + token.offset)

        def problem(token: Token, code: str, text: str) -> None:
            self.report(where(token), code, text)

        name, operator = found.tokens[0], found.tokens[head].text
        kept = len(self.outline.choices), len(self.outline.repeats)
        rest = found.tokens[head + 1 :]
        elements = Elements(
            name.text.casefold(), rest, where, self.source.named, problem, self.outline
        )
        parts = elements.alternatives()
        rule = self.define(chunk, name.text, operator, alt([part.node for part in parts]))
        if rule is None:
            del self.outline.choices[kept[0] :], self.outline.repeats[kept[1] :]
            return
        if len(rule.choice.parts) <= 1 < len(rule.choice.parts) + len(parts):
            self.outline.choices.append(rule.choice)
        rule.choice.parts.extend(parts)

    def define(self, chunk: Chunk, name: str, operator: str, body: Node) -> _Definition | None:
        """Add a rule, or alternatives to one; return it, if its text counts."""
        here = self.source.position(chunk.offset)
        written = self.source.text[chunk.offset : chunk.offset + len(chunk.text)]
        known = self.rules.get(name.casefold())
        if known is not None and operator == "=/":
            known.bodies.append(body)
            known.sources.append(written)
            return known
        if known is not None:
            self.defined_again(chunk, name, known, same=known.is_alike(body))
            return None
        if operator == "=/":
            text = f'"{name}" has no definition that "=/" could add to; write "="'
            self.problem(chunk, "no-base", text)
        rule = self.rules[name.casefold()] = _Definition(
            name, here, self.source.named(here), [body], [written]
        )
        return rule

    def defined_again(self, chunk: Chunk, name: str, known: _Definition, *, same: bool) -> None:
        """Report a second definition of a rule."""
        here = self.source.place(self.source.position(chunk.offset).line)[0]
        file, line = self.source.place(known.position.line)
        place = f"line {line}" if file == here else f"{file}, line {line}"
        if same:
            text = f'"{name}" is defined alike in {place}; one of the two can go'
            self.problem(chunk, "repeated-rule", text)
        else:
            text = f'"{name}" is defined already in {place}; write "=/" to add alternatives'
            self.problem(chunk, "duplicate", text)

    def define_broken(self, chunk: Chunk) -> None:
        """Let a rule that cannot be read be known by its name, so that it is reported once."""
        found = _HEAD.match(chunk.text)
        if found and found[1].casefold() not in self.rules:
            here = self.source.position(chunk.offset)
            name = found[1]
            self.rules[name.casefold()] = _Definition(
                name, here, self.source.named(here), [stand_in(name)], [chunk.text]
            )

    def problem(self, chunk: Chunk, code: str, text: str) -> None:
        """Report something about a whole rule."""
        self.report(self.source.position(chunk.offset), code, text)

    def report(self, here: Position, code: str, text: str) -> None:
        """Report something about a place."""
        severity: Literal["error", "warning"] = "warning" if code in WARNINGS else "error"
        self.problems.append(Problem(self.source, here, code, text, severity))
