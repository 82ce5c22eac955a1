"""What every value that stands for a piece of text has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class Textual:
    """A value that is its text: equal by class and text, and copied as itself.

    Wherever a function of uriparse takes text, such a value stands for its own (`door.as_text`).
    Subclasses keep the text in a slot `_text`, or say in `__str__` what it is.
    """

    __slots__ = ()
    _text: str

    def __str__(self) -> str:
        return self._text

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self
