"""From the tokens of a rule to its expression. They are in order: ``scan`` has seen to that."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from abnf2lark.reading.ir import (
    EMPTY,
    MAX_CODE_POINT,
    SURROGATES,
    Chars,
    Ref,
    Rep,
    Text,
    alt,
    optional,
    seq,
)
from abnf2lark.reading.outline import Choice, Outline, Part, Repeat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from abnf2lark.reading.ir import Node, Position
    from abnf2lark.reading.tokens import Token

MAX_REPEAT = 100_000
MAX_DIGITS = 40  # more than any base needs for a code point
_BASES = {"x": 16, "d": 10, "b": 2}


def stand_in(name: str) -> Node:
    """Return something for a rule that is not known, so that checks can go on without it.

    It matches a private-use character. No grammar with errors is ever emitted.
    """
    return Chars.single(chr(0xF0000 + crc32(name.casefold().encode()) % 0xFFFE))


class Elements:
    """Takes the tokens of a rule, from behind its ``=`` on, and makes an expression of them.

    Every choice and repetition goes to the outline; ``problem`` is told what is wrong, with its
    token. ``place`` writes a position with its file.
    """

    def __init__(
        self,
        rule: str,
        tokens: Sequence[Token],
        where: Callable[[Token], Position],
        place: Callable[[Position], str],
        problem: Callable[[Token, str, str], None],
        outline: Outline,
    ) -> None:
        self.rule = rule
        self.tokens = [token for token in tokens if token.kind != "space"]
        self.where = where
        self.place = place
        self.problem = problem
        self.outline = outline
        self.next = 0

    def alternatives(self) -> list[Part]:
        """Take all alternatives up to the end, or to what closes the group."""
        parts = [self.alternative()]
        while self.kind == "slash":
            self.next += 1
            parts.append(self.alternative())
        return parts

    @property
    def kind(self) -> str:
        """The kind of the next token; empty at the end."""
        return self.tokens[self.next].kind if self.next < len(self.tokens) else ""

    def taken(self) -> Token:
        """Take the next token."""
        self.next += 1
        return self.tokens[self.next - 1]

    def alternative(self) -> Part:
        """Take one alternative."""
        position = self.where(self.tokens[self.next])
        items: list[Node] = []
        while self.kind not in ("", "slash", "close"):
            items.append(self.repetition())
        return Part(position, seq(items))

    def repetition(self) -> Node:
        """Take an element with its repeat."""
        token = self.tokens[self.next]
        if token.kind != "repeat":
            return self.element()
        self.next += 1
        low, high = self.counts(token)
        item = self.element()
        part = Part(self.where(token), item)
        self.outline.repeats.append(Repeat(self.rule, part, low, high))
        if (low, high) == (1, 1):
            return item
        return EMPTY if high == 0 else Rep(item, low, high, self.place(part.position))

    def counts(self, token: Token) -> tuple[int, int | None]:
        """Read a repeat."""
        low, star, high = token.text.partition("*")
        if any(_number(digits, 10) > MAX_REPEAT for digits in (low, high)):
            text = f"a repeat count above {MAX_REPEAT} cannot be compiled"
            self.problem(token, "repeat", text)
            return 0, None
        least = int(low) if low else 0
        most = (int(high) if high else None) if star else least
        if most is not None and most < least:
            self.problem(token, "repeat", f"{token.text}: at least {least} but at most {most}")
        return least, most

    def element(self) -> Node:
        """Take one element."""
        token = self.taken()
        match token.kind:
            case "open":
                parts = self.alternatives()
                self.next += 1
                if len(parts) > 1:
                    self.outline.choices.append(Choice(self.rule, parts))
                body = alt([part.node for part in parts])
                return body if token.text == "(" else optional(body)
            case "literal":
                return _literal(token.text)
            case "number":
                return self.number(token)
            case _:
                return Ref(token.text, self.where(token))

    def number(self, token: Token) -> Node:
        """Read a character, several, or a range by their numbers."""
        base = _BASES[token.text[1].lower()]
        digits = token.text[2:]
        low, dash, high = digits.partition("-")
        values = [_number(part, base) for part in ((low, high) if dash else digits.split("."))]
        if any(value > MAX_CODE_POINT for value in values):
            self.problem(token, "code-point", f"{token.text} is no Unicode code point")
            return stand_in(token.text)
        if all(value in SURROGATES for value in values):
            self.surrogates(token, values)
        if not dash:
            return _exactly("".join(map(chr, values)))
        if values[0] > values[1]:
            text = f"{token.text} is empty: its ends stand in reverse order"
            self.problem(token, "range", text)
        return _characters(min(values), max(values))

    def surrogates(self, token: Token, values: list[int]) -> None:
        """Warn of halves of UTF-16: a text is made of characters, and these are none."""
        units = b"".join(value.to_bytes(2, "big") for value in values)
        meant = units.decode("utf-16-be", "surrogatepass")
        hint = "; write code points, such as %x1F600"
        if "-" not in token.text and not any(ord(char) in SURROGATES for char in meant):
            hint = f"; write %x{'.'.join(f'{ord(char):X}' for char in meant)}"
        text = f"{token.text} is made of halves of UTF-16, which stand in no text{hint}"
        self.problem(token, "surrogate", text)


def _characters(low: int, high: int) -> Chars:
    """Return the characters of a range; halves of UTF-16 are none, unless it has no others."""
    parts = [(low, min(high, SURROGATES.start - 1)), (max(low, SURROGATES.stop), high)]
    return Chars(tuple(part for part in parts if part[0] <= part[1]) or ((low, high),))


def _number(digits: str, base: int) -> int:
    """Return the value of digits; of many, zeros before them apart, one that is too large."""
    digits = digits.lstrip("0")
    return int(digits[:MAX_DIGITS] or "0", base)


def _literal(value: str) -> Node:
    text = value[value.index('"') + 1 : -1]
    if value[:2].lower() == "%s" or text.lower() == text.upper():
        return _exactly(text)
    return seq([_either_case(char) for char in text])


def _exactly(text: str) -> Node:
    if len(text) == 1:
        return Chars.single(text)
    return Text(text) if text else EMPTY


def _either_case(char: str) -> Node:
    """Return a letter in both cases; ABNF literals are ASCII, so the cases are too."""
    return Chars.of([(ord(c), ord(c)) for c in {char.lower(), char.upper()}])
