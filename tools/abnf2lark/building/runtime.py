"""A compiled grammar at work: verdicts, the texts of fields, messages, trees.

Copied into packages that are built, so it needs nothing but the standard library; Lark is
loaded for trees alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from abnf2lark.tables.packed import ABSENT, Section, load

if TYPE_CHECKING:
    from lark import Lark, ParseTree

_SHOWN = 12  # words in a message


class _Matchers(Protocol):
    PATTERNS: Mapping[str, str]
    DISPATCH: Mapping[str, tuple[str, ...]]
    FIELDS: Mapping[str, str]


class _Diagnosis:
    """The section ``diagnosis``: how far a text can go on, and what could have followed."""

    def __init__(self, tables: Section) -> None:
        self.starts = tables.mapping("starts")
        self._ascii = tables.numbers("ascii")
        self._bounds, self._classes = tables.numbers("bounds"), tables.numbers("classes")
        self._states = tables.grid("states")
        self._label_of, self._labels = tables.numbers("label_of"), tables.lists("labels")
        self._words, self._groups = tables.words("words"), tables.lists("groups")

    def step(self, state: int, char: str) -> int | None:
        """Return the next state; None where the text cannot go on."""
        code = ord(char)
        beyond = 0 if code < 128 else bisect_right(self._bounds, code) - 1
        label = self._ascii[code] if code < 128 else self._classes[beyond]
        after = self._states.row(state)[label]
        return None if after == ABSENT else after

    def label(self, state: int) -> tuple[bool, tuple[str, ...]]:
        """Return whether a text may end in a state, and the ABNF words that could follow."""
        ends, *groups = self._labels[self._label_of[state]]
        words = (word for number in groups for word in self._groups[number][2:])
        return bool(ends), tuple(dict.fromkeys(self._words[word] for word in words))


class Stop(NamedTuple):
    """How far a rule goes with a text, whether that is one of its texts, and what it expects."""

    rule: str
    text: str
    offset: int
    may_end: bool
    expected: tuple[str, ...]

    @property
    def matches(self) -> bool:
        """Return whether the text is one of the rule's."""
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


class MismatchError(ValueError):
    """A text that a rule does not match; ``stop`` says where, and what could have followed."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(str(stop))
        self.stop = stop


class Compiled:
    """A grammar of the package that this module is in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def matches(self, text: str, rule: str) -> bool:
        """Return whether a text belongs to a rule; `KeyError` for a rule that there is not."""
        return self._pattern(rule).fullmatch(text) is not None

    def fields(self, text: str, rule: str) -> dict[str, str | None]:
        """Return the texts of fields, ``None`` for those that are absent; else `MismatchError`."""
        for way in self._matchers.DISPATCH.get(rule, (rule,)):
            found = self._pattern(way).fullmatch(text)
            if found is not None:
                values: dict[str, str | None] = {}
                for group, value in found.groupdict().items():
                    field = self._matchers.FIELDS.get(group)
                    if field is not None and values.get(field) is None:
                        values[field] = value
                return values
        raise MismatchError(self.explain(text, rule))

    def explain(self, text: str, rule: str) -> Stop:
        """Say how far a rule goes with a text, and what could have followed there."""
        tables = _diagnosis(self.name)
        state, offset = tables.starts[rule], 0
        for char in text:
            after = tables.step(state, char)
            if after is None:
                break
            state = after
            offset += 1
        return Stop(rule, text, offset, *tables.label(state))

    def tree(self, text: str, rule: str) -> ParseTree:
        """Parse a text by Lark; `MismatchError` for one that is not the rule's."""
        if not self.matches(text, rule):
            raise MismatchError(self.explain(text, rule))
        return _lark(self.name, rule).parse(text)

    @property
    def _matchers(self) -> _Matchers:
        return cast("_Matchers", import_module(f".{self.name}_matchers", __package__))

    def _pattern(self, rule: str) -> re.Pattern[str]:
        return re.compile(self._matchers.PATTERNS[rule])  # which `re` keeps


@cache
def _diagnosis(name: str) -> _Diagnosis:
    return _Diagnosis(load(name, "diagnosis"))


@cache
def _lark(name: str, rule: str) -> Lark:
    from lark import Lark  # noqa: PLC0415 - for trees alone

    starts = cast("dict[str, str]", load(name, "lalr").json("starts"))
    file = resources.files(__package__ or "").joinpath(f"{name}.lark")
    text = file.read_text(encoding="utf-8")
    return Lark(
        text, parser="lalr", lexer="contextual", start=starts[rule], maybe_placeholders=False
    )
