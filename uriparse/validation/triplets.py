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


def characters_in(text: str) -> Iterator[tuple[int, str]]:
    r"""Give the offset and the character of each run of triplets that is one of UTF-8 beyond ASCII.

    An octet that is not of UTF-8 stands as a lone surrogate, as `surrogateescape` has it.

    >>> list(characters_in("a%41%C3%A9%e9b"))
    [(4, 'é'), (10, '\udce9')]
    """
    run, start, after = bytearray(), 0, 0
    for at, triplet in triplets_in(text):
        octet = octet_of(triplet)
        if run and (at != after or octet < 0x80):
            yield from _decoded(run, start)
            run.clear()
        if octet > 0x7F:
            start = start if run else at
            run.append(octet)
            after = at + 3
    yield from _decoded(run, start)


def is_stray_octet(char: str) -> bool:
    """Whether a character of `characters_in` stands for an octet that is not of UTF-8."""
    return "\udc80" <= char <= "\udcff"


def _decoded(run: bytearray, start: int) -> Iterator[tuple[int, str]]:
    for char in run.decode("utf-8", "surrogateescape"):
        yield start, char
        start += 3 * len(char.encode("utf-8", "surrogateescape"))
