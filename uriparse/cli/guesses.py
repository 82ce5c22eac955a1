"""What may have been meant by a word that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Ask for the known word that is nearest to one, or give None if none is near.

    >>> did_you_mean("--jsno", ["--json", "--rule"])
    'did you mean --json?'
    """
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1)
    return f"did you mean {near[0]}?" if near else None
