"""All texts of a rule, recursive or not, in order of length: each once, however it is derived."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import TYPE_CHECKING, Final, NamedTuple

from abnf2lark import ir
from abnf2lark.charts import LimitError

if TYPE_CHECKING:
    from abnf2lark.library.generating import Deriver, Part

_NESTED: Final = "texts of {} characters nest too deeply to list all of them"


class _Rest(NamedTuple):
    """What is left of an expression: of a sequence or a repetition after so many of its parts."""

    part: Part
    done: int = 0


class _Texts:
    """Texts of one length in order of code points, made when they are first asked for."""

    def __init__(self, source: Iterator[str]) -> None:
        self._source = source
        self._known: list[str] = []

    def __iter__(self) -> Iterator[str]:
        place = 0
        while True:
            while place == len(self._known):
                text = next(self._source, None)
                if text is None:
                    return
                if not self._known or text != self._known[-1]:  # ambiguous texts come again
                    self._known.append(text)
            yield self._known[place]
            place += 1


class Enumerator:
    """Lists texts; keeps those of all parts, of which there may be more than of the rule."""

    def __init__(self, deriver: Deriver) -> None:
        self._deriver = deriver
        self._known: dict[tuple[_Rest, int], _Texts] = {}

    def texts(self, rule: str, limit: int) -> Iterator[str]:
        """Yield the texts of up to so many characters, shorter ones first."""
        top = _Rest(self._deriver.part(rule))
        for length in range(limit + 1):
            try:
                yield from self._texts(top, length)
            except RecursionError:
                raise LimitError(_NESTED.format(length)) from None

    def _texts(self, rest: _Rest, length: int) -> _Texts:
        if (rest, length) not in self._known:
            self._known[rest, length] = _Texts(self._merged(rest, length))
        return self._known[rest, length]

    def _merged(self, rest: _Rest, length: int) -> Iterator[str]:
        """Merge the texts of all that an expression can be as a whole.

        Rules that lead to themselves without a character more are passed but once; what remains
        is made of shorter texts.
        """
        if length == 0:
            return iter([""] if _least(rest) == 0 else [])
        wholes = ir.reached([rest], lambda one: self._wholes(one, length))
        return merge(*(texts for one in wholes for texts in self._made(one, length)))

    def _wholes(self, rest: _Rest, length: int) -> Iterator[_Rest]:
        """Yield what may be all of an expression's text, where the rest of it is empty."""
        if _least(rest) > length:
            return
        match rest.part.node:
            case ir.Chars() | ir.Text():
                pass
            case ir.Ref() | ir.Alt():
                yield from map(_Rest, rest.part.items)
            case _:
                head, tail = _cut(rest)
                if head is None:
                    return
                if _least(tail) == 0:
                    yield _Rest(head)
                if head.least == 0 and tail != rest and isinstance(rest.part.node, ir.Seq):
                    yield tail

    def _made(self, rest: _Rest, length: int) -> Iterator[Iterator[str]]:
        """Yield the texts of what has characters itself, or is put together of shorter texts."""
        match rest.part.node:
            case ir.Chars(ranges):
                if length == 1:
                    yield (
                        chr(code) for low, high in sorted(ranges) for code in range(low, high + 1)
                    )
            case ir.Text(value):
                if length == len(value):
                    yield iter([value])
            case ir.Seq() | ir.Rep() | ir.Capture():
                head, tail = _cut(rest)
                if head is None:
                    return
                for first in range(max(head.least, 1), length - max(_least(tail), 1) + 1):
                    yield self._joined(_Rest(head), first, tail, length - first)
            case _:
                pass

    def _joined(self, head: _Rest, first: int, tail: _Rest, last: int) -> Iterator[str]:
        ends = self._texts(tail, last)
        if any(True for _ in ends):
            for begin in self._texts(head, first):
                for end in ends:
                    yield begin + end


def _cut(rest: _Rest) -> tuple[Part | None, _Rest]:
    """Return the next part of an expression, and what is left after it."""
    part, done = rest
    if isinstance(part.node, ir.Rep):
        low, high = part.node.low, part.node.high
        if done == high:
            return None, rest
        return part.items[0], _Rest(part, min(done + 1, low) if high is None else done + 1)
    if done == len(part.items):
        return None, rest
    return part.items[done], _Rest(part, done + 1)


def _least(rest: _Rest) -> int:
    """Return the characters of the shortest text of what is left."""
    part, done = rest
    if isinstance(part.node, ir.Rep):
        return max(part.node.low - done, 0) * part.items[0].least
    return sum(item.least for item in part.items[done:]) if done else part.least
