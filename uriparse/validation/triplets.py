"""The percent-encoded triplets of a valid text, with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def triplets_in(text: str) -> Iterator[tuple[int, str]]:
    """Give the offset and the text of each triplet, in order; every "%" begins one.

    >>> list(triplets_in("a%2Fb%41"))
    [(1, '%2F'), (5, '%41')]
    """
    at = text.find("%")
    while at >= 0:
        yield at, text[at : at + 3]
        at = text.find("%", at + 3)


def octet_of(triplet: str) -> int:
    """Give the octet that a triplet encodes.

    >>> octet_of("%0a")
    10
    """
    return int(triplet[1:], 16)
