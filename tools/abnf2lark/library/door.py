"""Values as they come in: what is of another type than was asked for is told at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def as_text(value: object, what: str) -> str:
    """Give a text; TypeError for anything else.

    >>> as_text(b"a", "text")
    Traceback (most recent call last):
    ...
    TypeError: text is a str, not bytes
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")
    return value


def as_several(values: Iterable[T], what: str, of: str) -> tuple[T, ...]:
    """Give several values; TypeError for one text, whose letters would be taken for them.

    >>> as_several("rfc3986", "imports", "grammars")
    Traceback (most recent call last):
    ...
    TypeError: imports is an iterable of grammars, such as a list, not str
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        told = f"{what} is an iterable of {of}, such as a list"
        raise TypeError(f"{told}, not {type(values).__name__}")
    return tuple(values)
