"""The texts that tell a rule from what one edit makes of it."""

from __future__ import annotations

from typing import NamedTuple


class Witnesses(NamedTuple):
    """What has become of the edits of a rule and of all rules below it.

    texts: each text, and the first of the edits that it tells from the rule, in words.
    mutants: how many edits there are.
    equal: how many of them change nothing: no text tells them from the rule.
    """

    texts: tuple[tuple[str, str], ...]
    mutants: int
    equal: int


def shipped_witnesses(rule: str, grammar: str) -> Witnesses:
    """Give those of a shipped rule."""
    raise NotImplementedError
