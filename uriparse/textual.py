"""What every value that stands for a piece of text has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class Textual:
    """A value that has a text, and is copied as itself.

    Wherever a function of uriparse takes text, such a value stands for its own (`door.as_text`).
    Subclasses keep the text in a slot `_text`, or say in `__str__` what it is.
    """

    __slots__ = ()
    _text: str

    def __str__(self) -> str:
        return self._text

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self


class ComparedAsText(Textual):
    """A value that is its text: equal to it, hashed and ordered as it is.

    So a host is found in a set of names, a name in a set of hosts. Two values of whatever class
    are equal when their texts are: were `RegName("h")` and `RelativeRef(path="h")` equal to "h"
    and not to each other, what a set keeps of the three would hang on their order.
    Subclasses keep the text in a slot `_text`.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ComparedAsText):
            return self._text == other._text
        # The characters alone: a subclass of str may compare as something else.
        return str.__eq__(self._text, other)

    def __hash__(self) -> int:
        return hash(self._text)

    def __lt__(self, other: str | ComparedAsText) -> bool:
        return str.__lt__(self._text, _text(other))

    def __le__(self, other: str | ComparedAsText) -> bool:
        return str.__le__(self._text, _text(other))

    def __gt__(self, other: str | ComparedAsText) -> bool:
        return str.__gt__(self._text, _text(other))

    def __ge__(self, other: str | ComparedAsText) -> bool:
        return str.__ge__(self._text, _text(other))


def _text(value: str | ComparedAsText) -> str:
    """Give the text to compare with; what has none stays, and `str` does not compare with it."""
    return value._text if isinstance(value, ComparedAsText) else value  # noqa: SLF001 - same module
