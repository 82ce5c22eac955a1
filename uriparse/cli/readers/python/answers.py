"""What a reader in Python is, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


Answer: TypeAlias = "Mapping[str, str | int | None]"
"""What a reader says of a text it reads, as the reader has it: `scheme`, `host`, `port`, and
`target` where it tells what it would send, else `path` and `query`."""


class RefusedError(Exception):
    """The reader will not have the text; the message says nothing of it."""


class UnfitError(Exception):
    """The reader is there, and cannot be asked; the message says why."""


class PythonReader(NamedTuple):
    """A reader.

    Attributes:
        version: the library's.
        read: gives an answer, or raises anything at all where it refuses the text.

    """

    version: str
    read: Callable[[str], Answer]
