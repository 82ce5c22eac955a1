"""Columns read row by row in Python, by the matchers and automata that single texts are read by.

For rules that the kernel has no tables of, and where there is no kernel.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from uriparse.arrow.made import Outcome, flags, numbers, texts
from uriparse.grammar import matcher
from uriparse.grammar.automata import longest_prefix
from uriparse.parsing.readers import reader

if TYPE_CHECKING:
    from uriparse.arrow.rows import Rows

COMPONENTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
COLUMNS = (*COMPONENTS, "host_kind")
"""What a text is split into."""

_parts = attrgetter(*COMPONENTS)


class ByRows:
    """A rule that reads columns."""

    def __init__(self, rule: str, grammar: str) -> None:
        self._rule = rule
        self._grammar = grammar

    def verdicts(self, rows: Rows) -> Outcome:
        """Tell whether each row is a text of the rule."""
        fullmatch = matcher(self._rule, self._grammar).fullmatch
        return flags([o if o is None else fullmatch(text_of(o)) is not None for o in rows])

    def stops(self, rows: Rows) -> Outcome:
        """Tell where each row cannot go on."""
        return numbers([o if o is None else self._stop(text_of(o)) for o in rows])

    def split(self, rows: Rows, width: int) -> tuple[Outcome, ...]:
        """Tell which rows are references, their components, and the kinds of their hosts."""
        read = reader(self._rule, self._grammar)
        found: list[tuple[bytes | None, ...]] = []
        for octets in rows:
            record = None if octets is None else read(text_of(octets))
            if record is None:
                found.append(_NOTHING)
                continue
            parts = [None if part is None else str(part).encode() for part in _parts(record)]
            kind = None if record.host is None else type(record.host).__name__.encode()
            found.append((b"", *parts, kind))
        whole, *columns = zip(*found, strict=True) if found else [()] * len(_NOTHING)
        return flags(whole), *(texts(column, width) for column in columns)

    def _stop(self, text: str) -> int | None:
        stop = longest_prefix(text, self._rule, self._grammar)
        return None if stop.may_end and stop.offset == len(text) else stop.offset


_NOTHING = (None,) * (len(COMPONENTS) + 2)


def text_of(octets: bytes) -> str:
    """Read octets as UTF-8; for what is none stand characters that no rule reads."""
    return octets.decode("utf-8", "surrogateescape")
