"""The rows of a suite: a text, whether it belongs to the rule, and what it tests."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from uriparse import excerpt
from uriparse.diagnosis import listed

if TYPE_CHECKING:
    from uriparse.conformance.cases import Case
    from uriparse.conformance.subjects import Subject
    from uriparse.grammar.derivation import Expression


class Row(NamedTuple):
    """A text, the verdict on it, and what it is there for.

    text: as it is, lone surrogates and line ends included.
    valid: whether it belongs to the rule.
    method: what it comes from: `"transition"`, `"hsi"` or `"mutants"`.
    component: the component that is under way at the character that it tests, or where it stops;
        `""` between components.
    rule: the rule that is under way there.
    tests: what it tests: `'"(" for pchar at offset 9'`.
    offset: where it stops, in characters from 0; None for a text that belongs.
    expected: ABNF words for what could have stood there, `"end"` among them; empty for a text that
        belongs.
    """

    text: str
    valid: bool
    method: str
    component: str
    rule: str
    tests: str
    offset: int | None
    expected: tuple[str, ...]


class Rows:
    """Makes the rows of the cases of one rule."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._automaton = subject.telling
        self._expressions = subject.source.expressions
        self._begins = cache(self._looked_up)

    def row(self, case: Case, method: str) -> Row:
        """Judge a text, and say what it tests."""
        text = case.text
        offset, state = self._automaton.read(text)
        valid = offset == len(text) and state in self._automaton.final
        at = min(case.at, offset)
        here = self._automaton.read(text[:at]).state if at < offset else state
        component, rule, word = self._under_way(here, text[at : at + 1])
        tests = self._tested(text, at, word, here)
        if case.edit:
            tests = f"{case.edit}; {tests}"
        if valid:
            return Row(text, True, method, component, rule, tests, None, ())
        component, rule, _ = self._under_way(state, text[offset : offset + 1])
        return Row(text, False, method, component, rule, tests, offset, self._expected(state))

    def _tested(self, text: str, at: int, word: str, state: int) -> str:
        if at == len(text):
            what = f"end at offset {at}"
            fits = state in self._automaton.final
        else:
            what = f"{excerpt.named(text[at])} for {word} at offset {at}"
            fits = bool(word)
        if fits:
            return what
        found = "end" if at == len(text) else excerpt.named(text[at])
        return f"{found} at offset {at}, for {listed(self._expected(state))}"

    def _expected(self, state: int) -> tuple[str, ...]:
        groups = self._automaton.groups[state]
        words = tuple(dict.fromkeys(word for group in groups for word in group.words))
        return (*words, "end") if state in self._automaton.final else words

    def _under_way(self, state: int, character: str) -> tuple[str, str, str]:
        """Give component, rule and word of the first group that takes a character, else the first.

        The word is `""` where none takes it.
        """
        groups = self._automaton.groups[state]
        for component, rule, words in groups:
            for word in words:
                if character and self._begins(word, character):
                    return component, rule, word
        component, rule = groups[0][:2] if groups else ("", self._subject.rule)
        return component, rule, ""

    def _looked_up(self, word: str, character: str) -> bool:
        """Whether what an ABNF word stands for can begin with a character."""
        if word.startswith('"'):
            return word[1].casefold() == character.casefold() and character.isascii()
        if word.startswith("%x"):
            ends = [part.removeprefix("%x").partition("-") for part in word.split(" / ")]
            code = ord(character)
            return any(int(low, 16) <= code <= int(high or low, 16) for low, _, high in ends)
        return self._can_begin(self._expressions[word], ord(character))

    def _can_begin(self, expression: Expression, code: int) -> bool:
        """Whether a word of an expression can begin with a character.

        The rules that are named as expected derive one to three characters, never none.
        """
        match expression:
            case ("chars", tuple(ranges)):
                return any(low <= code <= high for low, high in ranges)
            case ("text", str(value)):
                return ord(value[0]) == code
            case ("ref", str(rule)):
                return self._can_begin(self._expressions[rule], code)
            case ("alt", tuple(items)):
                return any(self._can_begin(item, code) for item in items)
            case ("seq", (tuple(first), *_)) | ("rep", tuple(first), _, _):
                return self._can_begin(first, code)
            case _:
                raise TypeError(expression)
