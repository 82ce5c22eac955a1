"""Explanations of texts that a rule does not match, and the checks of arguments; without lark."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeVar

from abnf2lark.charts import Expected, Reading, States, read
from abnf2lark.problems import AbnfError

T = TypeVar("T")


def as_text(value: object, what: str) -> str:
    """Return a text; TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    return value


def as_number(value: object, what: str, least: int | None = None) -> int:
    """Return an integer; TypeError for anything else, ValueError for one that is too small."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is an int, not {type(value).__name__}")
    if least is not None and value < least:
        raise ValueError(f"{what} is at least {least}, not {value}")
    return value


def as_several(values: Iterable[T], what: str, of: str) -> tuple[T, ...]:
    """Return several values; TypeError for one text, whose letters would be taken for them."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        told = f"{what} is an iterable of {of}, such as a list"
        raise TypeError(f"{told}, not {type(values).__name__}")
    return tuple(values)


# Why a text does not match a rule: where it stops, and what could have followed, in ABNF words.

MAX_WORDS: Final = 12  # words of a message; all of them are in `expected`


@dataclass(frozen=True, slots=True)
class Explanation:
    """How far a text matches a rule, and what could follow there.

    rule: the rule, as its grammar spells it.
    text: what was read.
    matches: whether the whole text matches.
    offset: the length of the longest viable prefix: some text of the rule begins with it.
    may_end: whether the characters before the offset match.
    may_end_at_begin: whether those before `begin` match.
    begin: where the expected words begin: at the offset, or before it if only strings of the
        grammar could continue, whose first characters have been read.
    expected: what could have followed there, by the rules in progress.
    meant: the string that may be meant: an expected one that is one edit away.
    """

    rule: str
    text: str
    matches: bool
    offset: int
    may_end: bool
    may_end_at_begin: bool
    expected: tuple[Expected, ...]
    begin: int
    meant: str | None

    @property
    def line(self) -> int:
        """The line of the offset, from 1."""
        return _line(self.text, self.offset)[0]

    @property
    def column(self) -> int:
        """The column of the offset in its line, from 1."""
        return _line(self.text, self.offset)[1]

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
        if self.may_end_at_begin:
            words.append("the end")
        *before, last = words or ["nothing"]
        wanted = f"{', '.join(before)} or {last}" if before else last
        every = {*self.words}
        whole = (one.rule for one in self.expected if every == {*one.words})
        inner = self.rule if self.may_end_at_begin else next(whole, self.rule)
        inside = f" in {inner}" if inner != self.rule else ""
        place = f"offset {self.begin}"
        if "\n" in self.text:
            line, column = _line(self.text, self.begin)
            place += f", line {line}, column {column}"
        hint = "" if self.meant is None else f"; is {self.meant} meant?"
        return f"no {self.rule}: expected {wanted}{inside} at {place}, found {self.found}{hint}"

    @property
    def found(self) -> str:
        """What is there instead, for people: the characters up to the one at the offset."""
        there = self.text[self.begin : self.offset + 1]
        parts: list[str] = []
        for is_shown, chars in groupby(there, lambda char: char.isprintable() and char != '"'):
            run = "".join(chars)
            parts += [f'"{run}"'] if is_shown else [f"U+{ord(char):04X}" for char in run]
        if self.offset < len(self.text):
            return " ".join(parts)
        return f"{' '.join(parts)} and the end" if parts else "the end"


class NoMatchError(AbnfError):
    """A text does not match the rule.

    explanation: where it stops, and what could have followed.
    """

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(str(explanation))
        self.explanation = explanation


def explanation(states: States, rule: str, text: str, reading: Reading) -> Explanation:
    """Describe how far a text matches a rule."""
    if reading.matches:
        return Explanation(rule, text, True, len(text), True, True, (), len(text), None)
    begun = reading.begun()
    begin = reading.offset - begun
    at = read(states, rule, text[:begin]) if begun else reading
    expected = at.expected()
    words = dict.fromkeys(word for one in expected for word in one.words)
    strings = [(word, begin) for word in words]
    strings += [(one.whole, reading.offset - one.place) for one in reading.partial()]
    meant = _meant(states, rule, text, strings)
    return Explanation(
        *(rule, text, False, reading.offset, reading.may_end, at.may_end, expected, begin, meant)
    )


def _line(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


LONGEST_MEANT: Final = 100  # characters of a string that may be meant


def _meant(states: States, rule: str, text: str, strings: Iterable[tuple[str, int]]) -> str | None:
    """Return the string, one edit away, with which the text matches farthest; the longest."""
    best, found = (0, 0), None
    for word, begin in strings:
        string = word.removeprefix("%s").strip('"')
        if not (word.endswith('"') and 1 < len(string) <= LONGEST_MEANT):
            continue
        exact = word.startswith("%s")
        for length in (len(string), len(string) - 1, len(string) + 1):
            there = text[begin : begin + length]
            if len(there) == length and _is_one_edit(there, string, exact=exact):
                mended = f"{text[:begin]}{string}{text[begin + length :]}"
                offset = read(states, rule, mended).offset - len(string) + length
                if offset >= begin + length and (offset, len(string)) > best:
                    best, found = (offset, len(string)), word
    return found


def _is_one_edit(there: str, string: str, *, exact: bool) -> bool:
    """Return whether one insertion, deletion, change, swap or letter case makes the string."""
    if there == string or (not exact and there.lower() == string.lower()):
        return False
    a, b = (there, string) if exact else (there.lower(), string.lower())
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    swapped = len(a) == len(b) == 2 and a == b[::-1]
    other = len(a) <= 1 and len(b) <= 1 and (len(string) > 2 or len(a) != len(b))
    return swapped or other or (exact and a.lower() == b.lower())
