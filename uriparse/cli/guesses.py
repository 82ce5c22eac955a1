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

    bare = {one.lstrip("-"): one for one in known}  # or two hyphens would make all options alike
    near = get_close_matches(word.lstrip("-"), list(bare), 1)
    return f"did you mean {bare[near[0]]}?" if near else None
