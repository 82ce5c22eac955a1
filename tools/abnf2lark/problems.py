"""Problems found in a grammar file, shown together, with suggestions for names."""

import difflib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from abnf2lark.ir import Position, RuleSet

MAX_WORD = 80  # characters of a name or number shown in a message
_LONG_WORD = re.compile(rf"\S{{{MAX_WORD + 1},}}")
MAX_SHOWN = 60  # characters of a long line shown on each side of a place


# Other characters that Unicode says end a line, such as U+0085, are in comments of real files.
_LINE = re.compile(r"[^\n\r\f\v]*(?:\r\n|[\n\r\f\v])|[^\n\r\f\v]+")


def lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends."""
    return (found[0] for found in _LINE.finditer(text))


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a grammar file, the name to show for it, and how it is read.

    Of several files it is all their text; ``files`` then holds for each the offset and the line
    with which it begins, and its name. ``defines`` give rules for names and prose that are no
    others, as ``NAME=elements``. With ``lenient`` dialects of ABNF are read as well, or `LISTS`.
    """

    name: str
    text: str
    files: tuple[tuple[int, int, str], ...] = ()
    defines: Sequence[str] = ()
    lenient: bool | str = False
    _starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        for line in lines(self.text):
            if line[-1] in "\n\r\f\v":
                starts.append(starts[-1] + len(line))
        object.__setattr__(self, "_starts", starts)

    def parts(self) -> Iterator[tuple[int, str]]:
        """Yield the text of each file with the offset where it begins."""
        begins = [offset for offset, _, _ in self.files] or [0]
        for begin, end in zip(begins, [*begins[1:], len(self.text)], strict=True):
            yield begin, self.text[begin:end]

    def line(self, number: int) -> str:
        """Return a line of the text, counted from 1, without its line end."""
        starts = self._starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\n\r\f\v")

    def position(self, offset: int) -> Position:
        """Turn an offset in the text into a line and a column."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def place(self, line: int) -> tuple[str, int]:
        """Return the file that a line of the text is in, and its line there."""
        found = bisect_right(self.files, line, key=lambda file: file[1]) - 1
        if found < 0:
            return self.name, line
        _, first, name = self.files[found]
        return name, line - first + 1

    def pointed(self, position: Position) -> tuple[str, str]:
        """Return the line of a position, or what is near it there, and a caret under the place."""
        line, place = self.line(position.line), position.column - 1
        start = max(0, place - MAX_SHOWN) if place > 2 * MAX_SHOWN else 0
        before = ("…" if start else "") + _printable(line[start:place])
        after = _printable(line[place : place + MAX_SHOWN])
        after += "…" if len(line) > place + MAX_SHOWN else ""
        pad = "".join("\t" if char == "\t" else " " for char in before)
        return f"  {before}{after}", f"  {pad}^"

    def named(self, position: Position) -> str:
        """Write the file and the line of a position, as ``file:line``."""
        name, line = self.place(position.line)
        return f"{name}:{line}"


def joined(sources: Sequence[Source]) -> Source:
    """Put the text of several files together, each from a new line on."""
    if len(sources) == 1:
        return sources[0]
    files: list[tuple[int, int, str]] = []
    texts: list[str] = []
    offset, line = 0, 1
    for source in sources:
        text = source.text if source.text.endswith(("\n", "\r")) else f"{source.text}\n"
        files.append((offset, line, source.name))
        texts.append(text)
        offset += len(text)
        line += sum(1 for _ in lines(text))
    return Source(sources[0].name, "".join(texts), tuple(files))


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (``error``) or doubtful (``warning``) at a place of a grammar file.

    ``witness`` is a text that shows it, where there is one.
    """

    source: Source
    position: Position
    code: str
    message: str
    severity: Literal["error", "warning"] = "error"
    witness: str | None = None

    def headline(self) -> str:
        """Return ``file:line:column: code: message``."""
        name, line = self.source.place(self.position.line)
        message = _LONG_WORD.sub(lambda word: f"{word[0][:MAX_WORD]}…", self.message)
        return f"{name}:{line}:{self.position.column}: {self.code}: {message}"

    def __str__(self) -> str:
        return self.headline()

    def show(self) -> str:
        """Return the headline, the line of the file, and a caret under the place."""
        return "\n".join([self.headline(), *self.source.pointed(self.position)])

    def as_dict(self) -> dict[str, str | int]:
        """Return the problem as data, for ``--json``."""
        name, line = self.source.place(self.position.line)
        found: dict[str, str | int] = {
            "file": name,
            "line": line,
            "column": self.position.column,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
        }
        return found if self.witness is None else {**found, "witness": self.witness}


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in text)


class AbnfError(ValueError):
    """The base class of the errors of this package that users see; the message is for people."""


class InputError(AbnfError):
    """A file or a setting cannot be used at all; the message is for people."""


class GrammarError(AbnfError):
    """A grammar cannot be used; ``problems`` says why, all of it at once."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(problem.show() for problem in problems))
        self.problems = problems


def has_errors(problems: list[Problem]) -> bool:
    """Return whether any problem is more than a warning."""
    return any(problem.severity == "error" for problem in problems)


MAX_NEAR = 3
MAX_KNOWN = 2_000  # names that are looked through; more take seconds


def meant(name: str, known: Iterable[str]) -> str:
    """Ask for the names that are near to one that is unknown, whatever the letter case."""
    spelled = {one.lower(): one for one in islice(known, MAX_KNOWN)}
    near = difflib.get_close_matches(name.lower(), spelled, MAX_NEAR)
    quoted = [f'"{spelled[one]}"' for one in near]
    return f"; is {' or '.join(quoted)} meant?" if near else ""


def no_rule(name: str, grammar: RuleSet) -> str:
    """Say that a grammar lacks a rule, with near misses."""
    return f'{grammar.name} has no rule "{name}"{meant(name, grammar.rules)}'


def find_rules(grammar: RuleSet, names: Iterable[str], option: str) -> tuple[str, ...]:
    """Return rules by their names in any letter case; :class:`InputError` names near misses."""
    found: list[str] = []
    for name in names:
        rule = grammar.find(name)
        if rule is None:
            raise InputError(f"{option} {name}: {no_rule(name, grammar)}")
        found.append(rule.name)
    return tuple(dict.fromkeys(found))
