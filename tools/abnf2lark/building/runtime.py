"""A compiled grammar at work: verdicts, the texts of fields, messages, trees.

Copied into packages that are built, so it needs nothing but the standard library; Lark is loaded
for trees alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lark import Lark, ParseTree

_DEAD = "fff"
_SHOWN = 12  # words in a message


class _Matchers(Protocol):
    PATTERNS: Mapping[str, str]
    DISPATCH: Mapping[str, tuple[str, ...]]
    FIELDS: Mapping[str, str]


class _Diagnosis(Protocol):
    STARTS: Mapping[str, int]
    ASCII: Sequence[int]
    BEYOND: Sequence[tuple[int, int]]
    ROWS: Sequence[str]
    LABEL_OF: Sequence[int]
    LABELS: Sequence[tuple[bool, tuple[int, ...]]]
    GROUPS: Sequence[tuple[str, str, tuple[str, ...]]]


class Stop(NamedTuple):
    """How far a rule goes with a text.

    Attributes:
        rule: the rule.
        text: what was read.
        offset: how many characters some text of the rule begins with.
        may_end: whether the characters before the offset are a text of the rule.
        expected: what could have followed them, in ABNF words.

    """

    rule: str
    text: str
    offset: int
    may_end: bool
    expected: tuple[str, ...]

    @property
    def matches(self) -> bool:
        """Whether the text is one of the rule's."""
        return self.may_end and self.offset == len(self.text)

    def __str__(self) -> str:
        if self.matches:
            return f"{self.rule} matches"
        words = [*self.expected[:_SHOWN], *(("…",) if len(self.expected) > _SHOWN else ())]
        words += ["the end"] if self.may_end else []
        char = self.text[self.offset : self.offset + 1]
        shown = f'"{char}"' if char.isprintable() and char != '"' else f"U+{ord(char):04X}"
        found = shown if char else "the end"
        wanted = ", ".join(words)
        return f"no {self.rule}: expected {wanted} at offset {self.offset}, found {found}"


class NoMatchError(ValueError):
    """A text that is none of a rule's; ``stop`` says where, and what could have followed."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(str(stop))
        self.stop = stop


class Compiled:
    """A grammar of the package that this module is in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def matches(self, text: str, rule: str) -> bool:
        """Tell whether a text belongs to a rule; `KeyError` for a rule that there is not."""
        return self._pattern(rule).fullmatch(text) is not None

    def fields(self, text: str, rule: str) -> dict[str, str | None]:
        """Give the texts of fields, ``None`` for those that are absent; else `NoMatchError`."""
        for way in self._matchers.DISPATCH.get(rule, (rule,)):
            found = self._pattern(way).fullmatch(text)
            if found is not None:
                values: dict[str, str | None] = {}
                for group, value in found.groupdict().items():
                    field = self._matchers.FIELDS.get(group)
                    if field is not None and values.get(field) is None:
                        values[field] = value
                return values
        raise NoMatchError(self.explain(text, rule))

    def explain(self, text: str, rule: str) -> Stop:
        """Tell how far a rule goes with a text, and what could have followed there."""
        tables = self._diagnosis
        state, offset = tables.STARTS[rule], 0
        for char in text:
            code = ord(char)
            label = tables.ASCII[code] if code < 128 else self._class(code)
            cell = tables.ROWS[state][label * 3 : label * 3 + 3]
            if cell == _DEAD:
                break
            state = int(cell, 16)
            offset += 1
        ends, groups = tables.LABELS[tables.LABEL_OF[state]]
        words = (word for number in groups for word in tables.GROUPS[number][2])
        return Stop(rule, text, offset, ends, tuple(dict.fromkeys(words)))

    def tree(self, text: str, rule: str) -> ParseTree:
        """Parse a text by Lark; `NoMatchError` for one that is not the rule's."""
        if not self.matches(text, rule):
            raise NoMatchError(self.explain(text, rule))
        return self._lark(rule).parse(text)

    def _class(self, code: int) -> int:
        beyond = self._diagnosis.BEYOND
        return beyond[bisect_right(beyond, (code, 1 << 30)) - 1][1]

    @property
    def _matchers(self) -> _Matchers:
        return cast("_Matchers", import_module(f".{self.name}_matchers", __package__))

    @property
    def _diagnosis(self) -> _Diagnosis:
        return cast("_Diagnosis", import_module(f".{self.name}_diagnosis", __package__))

    def _pattern(self, rule: str) -> re.Pattern[str]:
        return re.compile(self._matchers.PATTERNS[rule])  # which `re` keeps

    def _lark(self, rule: str) -> Lark:
        return _lark(self.name, rule)


@cache
def _lark(name: str, rule: str) -> Lark:
    from lark import Lark  # noqa: PLC0415 - for trees alone

    starts = import_module(f".{name}_tables", __package__).STARTS
    file = resources.files(__package__ or "").joinpath(f"{name}.lark")
    text = file.read_text(encoding="utf-8")
    return Lark(
        text, parser="lalr", lexer="contextual", start=starts[rule], maybe_placeholders=False
    )
