"""Spell terminals of the intermediate form in ABNF again, as the rule's text spells them."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.names import abnf_text, fixed_text
from abnf2lark.reading.ir import Chars, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from abnf2lark.reading.ir import Node

_QUOTED = re.compile('"([^"]+)"')
_FIRST_VISIBLE, _LAST_VISIBLE = 0x21, 0x7E


class Spelling:
    """The literals of one rule, by which its text is cut and spelled as it was written.

    Rules keep no letter case and no border between two literals; the rule's text has both.

    >>> list(Spelling('r = "FTP" "://"').literals("ftp://"))
    ['"FTP"', '"://"']
    """

    def __init__(self, source: str) -> None:
        self._written = {text.lower(): text for text in _QUOTED.findall(source)}
        self._lengths = sorted({len(text) for text in self._written}, reverse=True)

    def literals(self, text: str) -> Iterator[str]:
        """Cut a text that matches in any letter case into literals of the rule."""
        start = 0
        while start < len(text):
            ends = (start + length for length in self._lengths)
            end = next((end for end in ends if text[start:end] in self._written), len(text))
            yield abnf_text(self._written.get(text[start:end], text[start:end]))
            start = end

    def terminals(self, items: Sequence[Node]) -> Iterator[Node | str]:
        """Yield the items of a sequence, those that are text as ABNF terms."""
        for literal, run in groupby(items, _in_either_case):
            if literal:
                yield from self.literals("".join(fixed_text(item) or "" for item in run))
            else:
                yield from (exact(item) or item for item in run)


def _in_either_case(item: Node) -> bool:
    """Tell whether an item is printable text that stands in quotes without a prefix."""
    text = fixed_text(item) if isinstance(item, Chars | Text) else None
    if not text or abnf_text(text)[0] != '"':
        return False
    return text == text.upper() or (isinstance(item, Chars) and item.size() == 2)


def exact(item: Node) -> str:
    """Spell characters or text whose letter case counts; anything else is empty."""
    match item:
        case Text(value):
            spelled = abnf_text(value)
            return f"%s{spelled}" if spelled[0] == '"' else spelled
        case Chars(ranges):
            return " / ".join(_range(low, high) for low, high in ranges)
        case _:
            return ""


def _range(low: int, high: int) -> str:
    return f"%x{low:02X}" if low == high else f"%x{low:02X}-{high:02X}"


def readable(item: Node) -> str:
    """Say which characters a range of visible ones holds; empty for anything else.

    >>> readable(Chars(((0x30, 0x39),)))
    '0 to 9'
    """
    if not isinstance(item, Chars):
        return ""
    ends = [end for span in item.ranges for end in span]
    if not all(_FIRST_VISIBLE <= end <= _LAST_VISIBLE for end in ends):
        return ""
    return ", ".join(
        chr(low) if low == high else f"{chr(low)} to {chr(high)}" for low, high in item.ranges
    )
