"""Files without a grammar of their own, and packed files shown to people."""

from __future__ import annotations

import json
import re
import textwrap
from bisect import bisect_right
from functools import cache
from importlib import import_module, resources
from struct import error as StructError  # noqa: N812 - it is a class
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from abnf2lark.lark_grammars.component_grammar import lalr_content
from abnf2lark.mutants.witnesses import witness_part
from abnf2lark.tables.error_automaton import diagnosis_content
from abnf2lark.tables.packed import ABSENT, Section, contents, load
from abnf2lark.tagged import format as tagged_format
from abnf2lark.tagged.tagged_proof import tagged_content

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lark import Lark, ParseTree

    from abnf2lark.tagged.automaton import Act


# A compiled grammar at work: verdicts, the texts of fields, messages, trees.
#
# Copied into packages that are built, so it needs nothing but the standard library; Lark is
# loaded for trees alone.

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
        """Return whether a text belongs to a rule; `KeyError` for a rule that there is not."""
        return self._pattern(rule).fullmatch(text) is not None

    def fields(self, text: str, rule: str) -> dict[str, str | None]:
        """Return the texts of fields, ``None`` for those that are absent; else `NoMatchError`."""
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
        """Say how far a rule goes with a text, and what could have followed there."""
        tables = self._diagnosis
        state, offset = tables.starts[rule], 0
        for char in text:
            after = tables.step(state, char)
            if after is None:
                break
            state = after
            offset += 1
        return Stop(rule, text, offset, *tables.label(state))

    def tree(self, text: str, rule: str) -> ParseTree:
        """Parse a text by Lark; `NoMatchError` for one that is not the rule's."""
        if not self.matches(text, rule):
            raise NoMatchError(self.explain(text, rule))
        return self._lark(rule).parse(text)

    @property
    def _matchers(self) -> _Matchers:
        return cast("_Matchers", import_module(f".{self.name}_matchers", __package__))

    @property
    def _diagnosis(self) -> _Diagnosis:
        return _diagnosis(self.name)

    def _pattern(self, rule: str) -> re.Pattern[str]:
        return re.compile(self._matchers.PATTERNS[rule])  # which `re` keeps

    def _lark(self, rule: str) -> Lark:
        return _lark(self.name, rule)


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


# Print packed tables for people.

_GUIDES = {
    "diagnosis": diagnosis_content,
    "lalr": lalr_content,
    "tagged": tagged_content,
    "witnesses": witness_part,
}
"""What writes each section: its docstring explains the parts."""

_WIDTH = 96


def shown(data: bytes, place: str, wanted: str | None = None) -> Iterator[str]:
    """Yield the lines of a packed file, or of one of its sections.

    Raises :class:`TablesError` for a damaged file, :class:`KeyError` for an unknown section.
    """
    found = contents(data, place)
    for name in found if wanted is None else [wanted]:
        yield f"== {name}"
        for paragraph in (_GUIDES[name].__doc__ or "").split("\n\n") if name in _GUIDES else ():
            text = " ".join(paragraph.split())
            if not text.startswith("Raises"):
                yield from textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ")
        section = Section(found[name], f"{place}, {name}")
        for part, (kind, _) in section.parts.items():
            yield from _part(section, part, kind)
        yield ""


def _part(section: Section, name: str, kind: bytes) -> Iterator[str]:
    if name[-1:] in {"=", "#"}:
        return  # shown with the strings that it belongs to
    yield f"{name}:"
    if f"{name}=" in section.parts:
        yield from (f"  {key!a}: {value}" for key, value in section.mapping(name).items())
    elif f"{name}#" in section.parts:
        yield from (f"  {one!a}" for one in section.word_lists(name))
    elif kind == b"w":
        yield from (f"  {number}: {one!a}" for number, one in enumerate(section.words(name)))
    elif kind == b"l":
        yield from (f"  {number}: {one}" for number, one in enumerate(section.lists(name)))
    elif kind == b"g":
        grid = section.grid(name)
        yield from (f"  {number}: {_row(grid.row(number))}" for number in range(len(grid)))
    elif kind == b"j":
        yield from _json(section.json(name), "  ")
    elif kind == b"o":
        yield from _octets(section.octets(name))
    else:
        numbers = " ".join(map(str, section.numbers(name)))
        yield from textwrap.wrap(numbers, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _row(cells: tuple[int, ...]) -> str:
    return " ".join("." if cell == ABSENT else str(cell) for cell in cells)


def _json(value: object, indent: str) -> Iterator[str]:
    """Yield a value with one line for each entry, and for each entry of a list of lists in it."""
    if isinstance(value, dict):
        yield from (f"{indent}{key!a}: {json.dumps(entry)}" for key, entry in value.items())
    elif isinstance(value, list):
        for number, entry in enumerate(value):
            if isinstance(entry, list) and entry and isinstance(entry[0], list):
                yield from _json(entry, f"{indent}  ")
            else:
                yield f"{indent}{number}: {json.dumps(entry)}"
    else:
        yield f"{indent}{json.dumps(value)}"


def _octets(data: bytes) -> list[str]:
    """Return lines for the tables of a tagged automaton, the only part that is octets."""
    try:
        return list(_tagged(data))
    except (ValueError, LookupError, ArithmeticError, StructError):  # they are something else
        return [f"  {data.hex()}"]


def _tagged(data: bytes) -> Iterator[str]:
    tables = tagged_format.read(data)
    acts = {act: number for number, act in enumerate(tables.acts)}
    yield from (f"  act {number}: {_act(act)}" for act, number in acts.items())
    for state, (row, end) in enumerate(zip(tables.rows(), tables.ends, strict=True)):
        ending = "" if end == tagged_format.NONE else f", may end with act {end}"
        yield f"  state {state}{ending}"
        steps = [(octet, step.target, acts[step.act]) for octet, step in row.items()]
        spans: list[list[int]] = []
        for octet, target, act in steps:
            if spans and spans[-1][1:] == [octet - 1, target, act]:
                spans[-1][1] = octet
            else:
                spans.append([octet, octet, target, act])
        for first, last, target, act in spans:
            octets = f"{first:02X}" if first == last else f"{first:02X}-{last:02X}"
            yield f"    {octets} to {target}{f', act {act}' if act else ''}"


def _act(act: Act) -> str:
    told = [f"{act.back} back"] if act.back else []
    told += [f"places {act.notes.places:b}"] if act.notes.places else []
    told += [f"clear {act.cleared:b}"] if act.cleared else []
    told += [f"constant {constant} = {value}" for constant, value in act.notes.values]
    return ", ".join(told) or "nothing"
