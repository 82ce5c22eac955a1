"""Write the witnesses of rules as Python data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.mutants.witnesses import Witnesses

_GUIDE = """\
# For each rule: texts, each with the first edit of the grammar that it tells from the rule; how
# many edits were made of the rules that it leads to; how many of them change nothing."""


def witnesses_text(found: Mapping[str, Witnesses], header: str) -> str:
    """Return the module."""
    lines = [header, _GUIDE]
    lines.append("WITNESSES: dict[str, tuple[tuple[tuple[str, str], ...], int, int]] = {")
    for rule, one in found.items():
        lines.append(f"    {rule!r}: (")
        lines.append("        (")
        lines += [f"            ({text!a}, {edit!a})," for text, edit in one.texts]
        lines += ["        ),", f"        {one.mutants},", f"        {one.equal},", "    ),"]
    return "\n".join([*lines, "}", ""])
