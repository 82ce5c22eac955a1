"""Cut ABNF text into rules and name the place where a rule is malformed.

The ``abnf`` package reads each rule (see ``reader``). It says *that* a rule is malformed but not
where; this module finds the first token that no rule could continue with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .ir import Position
from .problems import Problem, Source


@dataclass(frozen=True, slots=True)
class Chunk:
    """One rule on one logical line.

    Comments and line ends are spaces, so that an offset in ``text`` is an offset from ``offset``
    in the file.
    """

    text: str
    offset: int


# The tokens of RFC 5234 section 4 and RFC 7405; they describe ABNF itself, not URIs.
_TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<define>=/?)
      | (?P<slash>/)
      | (?P<open>[(\[])
      | (?P<close>[)\]])
      | (?P<repeat>[0-9]*\*[0-9]*|[0-9]+)
      | (?P<literal>(?:%[sSiI])?"[\x20\x21\x23-\x7e]*")
      | (?P<number>%(?:[xX][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)+)?
                     |[dD][0-9]+(?:-[0-9]+|(?:\.[0-9]+)+)?
                     |[bB][01]+(?:-[01]+|(?:\.[01]+)+)?))
      | (?P<prose><[\x20-\x3d\x3f-\x7e]*>)
      | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    """,
    re.VERBOSE,
)


def chunks(source: Source) -> list[Chunk]:
    """Cut the text into rules; a rule goes on over lines that are indented deeper than it."""
    found: list[Chunk] = []
    indent: int | None = None
    start, parts = 0, [""]
    offset = 0
    for line in source.text.splitlines(keepends=True):
        blank = _without_comment(line)
        stripped = blank.strip()
        if stripped:
            depth = len(blank) - len(blank.lstrip())
            if indent is None or depth <= indent:
                indent = depth
                if "".join(parts).strip():
                    found.append(Chunk("".join(parts).rstrip(), start))
                start, parts = offset, []
        parts.append(blank)
        offset += len(line)
    if "".join(parts).strip():
        found.append(Chunk("".join(parts).rstrip(), start))
    return [
        Chunk(c.text.lstrip(), c.offset + len(c.text) - len(c.text.lstrip())) for c in found
    ]


def _without_comment(line: str) -> str:
    """Return the line with its comment and line end replaced by as many spaces."""
    body = line.rstrip("\r\n")
    closing = ""
    for index, char in enumerate(body):
        if closing:
            if char == closing:
                closing = ""
        elif char in '"<':
            closing = '"' if char == '"' else ">"
        elif char == ";":
            body = body[:index]
            break
    return body + " " * (len(line) - len(body))


def position(source: Source, offset: int) -> Position:
    """Turn an offset into a line and a column."""
    before = source.text[:offset]
    line_starts = before.splitlines(keepends=True)
    if not line_starts or line_starts[-1][-1] in "\r\n":
        return Position(len(line_starts) + 1, 1)
    return Position(len(line_starts), len(line_starts[-1]) + 1)


def explain(source: Source, chunk: Chunk) -> Problem:
    """Say where and why a chunk that the reader refused is malformed."""
    offset, message = _first_fault(chunk.text)
    return Problem(source, position(source, chunk.offset + offset), "syntax", message)


def _first_fault(text: str) -> tuple[int, str]:
    """Walk the tokens until one cannot follow; return its offset and the reason."""
    opened: list[tuple[str, int]] = []
    expecting = "name"
    offset = 0
    while offset < len(text):
        token = _TOKEN.match(text, offset)
        if token is None or token.lastgroup is None:
            return offset, _bad_character(text, offset)
        kind, value = token.lastgroup, token.group()
        fault = _fault(kind, value, expecting, opened)
        if fault:
            return offset, fault
        if kind == "open":
            opened.append((value, offset))
        elif kind == "close":
            opened.pop()
        if kind != "space":
            expecting = _next_expected(kind, expecting)
        offset = token.end()
    if opened:
        bracket, place = opened[-1]
        return place, f'"{bracket}" is never closed'
    if expecting in ("name", "define"):
        return 0, 'expected a rule: a name, "=" and elements (a continued line is indented)'
    return len(text), f"expected {_WANTED[expecting]}, found the end of the rule"


_WANTED = {
    "name": "a rule name",
    "define": '"=" or "=/" after the rule name (a continued line is indented)',
    "element": "an element",
    "repeated": "an element to repeat",
}


def _next_expected(kind: str, expecting: str) -> str:
    if expecting == "name":
        return "define"
    if kind in ("define", "slash", "open"):
        return "element"
    return "repeated" if kind == "repeat" else "more"


def _fault(kind: str, value: str, expecting: str, opened: list[tuple[str, int]]) -> str:
    """Return why this token cannot stand here, or an empty string."""
    if kind == "space":
        return "a repeat stands directly before its element" if expecting == "repeated" else ""
    if expecting in ("name", "define"):
        return "" if kind == expecting else f'expected {_WANTED[expecting]}, found "{value}"'
    if kind == "define":
        return f'"{value}" inside a rule (is the next rule indented deeper than this one?)'
    if kind == "close":
        wanted = {"(": ")", "[": "]"}.get(opened[-1][0]) if opened else None
        if wanted != value:
            return f'"{value}" closes nothing' if wanted is None else f'expected "{wanted}"'
    if expecting in ("element", "repeated") and kind in ("slash", "close"):
        return f'expected {_WANTED[expecting]}, found "{value}"'
    if expecting == "repeated" and kind == "repeat":
        return "an element has one repeat only"
    return ""


def _bad_character(text: str, offset: int) -> str:
    char = text[offset]
    hints = {
        '"': "a string is closed on its own line and holds printable ASCII only",
        "|": 'alternatives are separated by "/" in ABNF, not "|"',
        "'": 'strings stand in double quotes, "…"',
        "<": 'a prose-value is closed by ">" on its own line',
        "%": 'a number is %x, %d or %b with digits; a string %s"…" or %i"…"',
        "{": "repetition is written before the element: *x, 1*x, 2*4x",
        "_": 'a rule name holds letters, digits and "-"',
    }
    shown = f'"{char}"' if char.isprintable() else f"U+{ord(char):04X}"
    return hints.get(char) or f"{shown} has no meaning in ABNF"
