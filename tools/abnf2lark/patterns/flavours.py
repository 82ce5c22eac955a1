"""How expressions are spelled in a regular expression engine.

A flavour is data: what the engine can do and how it writes a few things. Adding an engine means
adding a :class:`Flavour`; nothing else in the compiler knows their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Flavour:
    """A dialect of regular expressions."""

    name: str
    possessive: bool
    named_group: str | None  # a format for the opening of a named group; None: no named groups
    group: str  # the opening of a group that captures nothing
    code_point: Callable[[int], str]  # a character that needs escaping, by number
    special: frozenset[str]  # ASCII characters escaped outside of classes
    special_in_class: frozenset[str]  # and inside
    delimiters: tuple[str, str] = ("", "")

    def literal(self, code: int, *, in_class: bool = False) -> str:
        """Spell one character."""
        char = chr(code)
        if not 0x20 < code < 0x7F:
            return self.code_point(code)
        special = self.special_in_class if in_class else self.special
        return "\\" + char if char in special else char

    def char_class(self, ranges: tuple[tuple[int, int], ...], *, negated: bool = False) -> str:
        """Spell a set of characters, or all the others."""
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1] and not negated:
            return self.literal(ranges[0][0])
        parts: list[str] = ["^"] if negated else []
        for low, high in ranges:
            parts.append(self.literal(low, in_class=True))
            if high > low + 1:
                parts.append("-")
            if high > low:
                parts.append(self.literal(high, in_class=True))
        return "[" + "".join(parts) + "]"


def _python_code_point(code: int) -> str:
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


PYTHON = Flavour(
    name="python",
    possessive=True,
    named_group="(?P<{}>",
    group="(?:",
    code_point=_python_code_point,
    special=frozenset(".^$*+?{}[]\\|()"),
    special_in_class=frozenset("^-]\\[&~|"),
)


def _of_fixed_length(code: int) -> str:
    """Spell a character in so many digits that none which follows can be taken for one more."""
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


# Advanced regular expressions, as of the operator ~. They know no possessive loops and no names,
# and of digits behind \x they take all.
POSTGRESQL = Flavour(
    name="postgresql",
    possessive=False,
    named_group=None,
    group="(?:",
    code_point=_of_fixed_length,
    special=frozenset(".^$*+?{}[]\\|()"),
    special_in_class=frozenset("^-]\\["),
)

FLAVOURS = {flavour.name: flavour for flavour in (PYTHON, POSTGRESQL)}
