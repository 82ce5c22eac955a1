"""The ABNF of a rule as HTML: as it stands in its file, the names in it linked to their rules."""

from __future__ import annotations

import re
from html import escape
from textwrap import dedent
from typing import TYPE_CHECKING

from abnf2lark.diagrams.drawing import anchor
from abnf2lark.reading.ir import references

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Rule

# What ABNF text is made of, as far as names have to be told from the rest.
_PIECE = re.compile(
    r"""(?P<comment>;[^\n]*)
      | (?P<other>"[^"\n]*"|%[^\s"]*|[A-Za-z][A-Za-z0-9-]*(?=[ \t]*=))
      | <[ ]*(?P<prose>[A-Za-z][A-Za-z0-9-]*)[^>\n]*>
      | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    """,
    re.VERBOSE,
)


def written(rule: Rule) -> str:
    """Return the text of a rule as HTML, to stand in a ``pre`` element."""
    text = dedent(" " * (rule.position.column - 1) + rule.source)
    # A rule of another grammar may be called by that grammar's name before its own.
    targets = {ref.name.rpartition(".")[2].casefold(): ref.name for ref in references(rule.body)}
    made: list[str] = []
    end = 0
    for piece in _PIECE.finditer(text):
        made.append(escape(text[end : piece.start()]))
        end = piece.end()
        target = targets.get((piece["name"] or piece["prose"] or "").casefold())
        if piece["comment"]:
            made.append(f"<i>{escape(piece[0])}</i>")
        elif target:
            made.append(link(target, piece[0]))
        else:
            made.append(escape(piece[0]))
    return "".join([*made, escape(text[end:])])


def link(rule: str, text: str = "") -> str:
    """Return a link to a rule's place on the page."""
    return f'<a href="#{escape(anchor(rule))}">{escape(text or rule)}</a>'
