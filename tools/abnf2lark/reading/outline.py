"""What the checks want to know of a file and the rules no longer say.

Rules hold each alternative once and flat; the outline keeps every choice and every repetition as
written, each with its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from abnf2lark.reading.ir import Node, Position, Rule


@dataclass(slots=True)
class Part:
    """An expression and where it begins."""

    position: Position
    node: Node


@dataclass(slots=True)
class Choice:
    """Alternatives of one rule, as written."""

    rule: str
    parts: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Repeat:
    """An element that a rule repeats."""

    rule: str
    part: Part
    low: int
    high: int | None


@dataclass(slots=True)
class Outline:
    """The choices and repetitions of a file."""

    choices: list[Choice] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)

    def bind(self, rules: dict[str, Rule], rewrite: Callable[[Node, Rule], Node]) -> None:
        """Bind the references, as those of the rules are; ``rules`` by their folded name."""
        for choice in self.choices:
            rule = rules[choice.rule]
            choice.rule = rule.name
            for part in choice.parts:
                part.node = rewrite(part.node, rule)
        for repeat in self.repeats:
            rule = rules[repeat.rule]
            repeat.rule = rule.name
            repeat.part.node = rewrite(repeat.part.node, rule)
