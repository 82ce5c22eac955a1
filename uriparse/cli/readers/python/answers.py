"""What a reader in Python is, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable


class Answer(TypedDict):
    """What a reader says of a text it reads, as the reader has it."""

    scheme: str | None
    host: str | None
    port: str | int | None
    target: str


class RefusedError(Exception):
    """The reader will not have the text; the message says nothing of it."""


class PythonReader(NamedTuple):
    """A reader.

    Attributes:
        version: the library's.
        read: gives an answer, or raises anything at all where it refuses the text.

    """

    version: str
    read: Callable[[str], Answer]
