"""Explanations of texts that a rule does not match, and the checks of arguments; without lark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from abnf2lark.charts import Expected, Reading

# Values as they come in: another type than was asked for is reported at once.

T = TypeVar("T")


def as_text(value: object, what: str) -> str:
    """Return a text; TypeError for anything else.

    >>> as_text(b"a", "text")
    Traceback (most recent call last):
    ...
    TypeError: text is a str, not bytes
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")
    return value


def as_number(value: object, what: str, least: int | None = None) -> int:
    """Return an integer; TypeError for anything else, ValueError for one that is too small.

    >>> as_number(-1, "size", 0)
    Traceback (most recent call last):
    ...
    ValueError: size is at least 0, not -1
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is an int, not {type(value).__name__}")
    if least is not None and value < least:
        raise ValueError(f"{what} is at least {least}, not {value}")
    return value


def as_several(values: Iterable[T], what: str, of: str) -> tuple[T, ...]:
    """Give several values; TypeError for one text, whose letters would be taken for them.

    >>> as_several("rfc3986", "imports", "grammars")
    Traceback (most recent call last):
    ...
    TypeError: imports is an iterable of grammars, such as a list, not str
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        told = f"{what} is an iterable of {of}, such as a list"
        raise TypeError(f"{told}, not {type(values).__name__}")
    return tuple(values)


# Why a text is none of a rule's: where it stops, and what could have followed, in ABNF words.

MAX_WORDS: Final = 12
"""Words of a message; who wants all of them reads `expected`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a rule says to a text.

    Attributes:
        rule: the rule, as its grammar spells it.
        text: what was read.
        matches: whether the whole text is one of the rule's.
        offset: how many characters some text of the rule begins with; from 0.
        may_end: whether the characters before the offset are a text of the rule.
        expected: what could have followed them, by the rules that are begun there.

    """

    rule: str
    text: str
    matches: bool
    offset: int
    may_end: bool
    expected: tuple[Expected, ...]

    @property
    def line(self) -> int:
        """The line of the offset, from 1."""
        return self.text.count("\n", 0, self.offset) + 1

    @property
    def column(self) -> int:
        """The column of the offset in its line, from 1."""
        return self.offset - (self.text.rfind("\n", 0, self.offset) + 1) + 1

    @property
    def words(self) -> tuple[str, ...]:
        """What could have followed, each word once."""
        return tuple(dict.fromkeys(word for one in self.expected for word in one.words))

    def __str__(self) -> str:
        if self.matches:
            return f"{self.rule} matches"
        words = [*self.words]
        if len(words) > MAX_WORDS:
            words = [*words[: MAX_WORDS - 1], f"{len(words) - MAX_WORDS + 1} others"]
        if self.may_end:
            words.append("the end")
        *before, last = words or ["nothing"]
        wanted = f"{', '.join(before)} or {last}" if before else last
        inner = max(self.expected, key=lambda one: len(one.words)).rule if self.expected else ""
        inside = f" in {inner}" if inner not in ("", self.rule) and not self.may_end else ""
        place = f"offset {self.offset}"
        if "\n" in self.text:
            place += f", line {self.line}, column {self.column}"
        return f"no {self.rule}: expected {wanted}{inside} at {place}, found {self.found}"

    @property
    def found(self) -> str:
        """What is at the offset, for people: a character, or the end."""
        if self.offset == len(self.text):
            return "the end"
        char = self.text[self.offset]
        return f'"{char}"' if char.isprintable() and char != '"' else f"U+{ord(char):04X}"


class NoMatchError(ValueError):
    """A text is none of the rule's.

    Attributes:
        explanation: where it stops, and what could have followed.

    """

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(str(explanation))
        self.explanation = explanation


def explanation(rule: str, text: str, reading: Reading) -> Explanation:
    """Put in words how far a rule goes with a text."""
    expected = () if reading.matches else reading.expected()
    return Explanation(rule, text, reading.matches, reading.offset, reading.may_end, expected)
