"""Write the witnesses of rules as Python data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.mutants.witnesses import Witnesses

_GUIDE = """\
# For each rule: texts, each with the first edit of the grammar that it tells from the rule; how
# many edits were made of the rules that it leads to; how many of them change nothing, and of how
# many it was not decided."""


def witnesses_text(entries: Iterable[str], header: str) -> str:
    """Return the module that holds what was found for some rules."""
    lines = [header, _GUIDE]
    lines.append("WITNESSES: dict[str, tuple[tuple[tuple[str, str], ...], int, int, int]] = {")
    return "\n".join([*lines, *entries, "}", ""])


def entry_text(rule: str, found: Witnesses) -> str:
    """Return what the module holds of one rule."""
    lines = [f"    {rule!r}: (", "        ("]
    lines += [f"            ({text!a}, {edit!a})," for text, edit in found.texts]
    lines += ["        ),", f"        {found.mutants},", f"        {found.equal},"]
    lines += [f"        {found.undecided},", "    ),"]
    return "\n".join(lines)
