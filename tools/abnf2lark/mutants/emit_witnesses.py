"""Write the witnesses of rules as packed tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.tables.packing import Parts

if TYPE_CHECKING:
    from abnf2lark.mutants.witnesses import Witnesses


def witness_part(rule: str, found: Witnesses) -> bytes:
    """Return one part of the section ``witnesses``, called by the rule: what was found for it.

    It is JSON: texts, each with the first edit of the grammar that it tells from the rule; how many
    edits were made of the rules that it leads to; how many of them change nothing; and for how many
    it is not decided.
    """
    made = Parts()
    made.json(rule, (found.texts, found.mutants, found.equal, found.undecided))
    return made.content
