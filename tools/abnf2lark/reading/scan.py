"""Cut ABNF text into rules and alternatives, and name the place where a rule is malformed.

The ``abnf`` package reads each alternative (see ``reader``). It says *that* text is malformed but
not where, and its time grows with the square of a run; so the tokens are checked here, in linear
time, and what it is given is short.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.reading.problems import Problem

if TYPE_CHECKING:
    from abnf2lark.reading.problems import Source

MAX_TOKEN = 1_000
MAX_ALTERNATIVE = 10_000
MAX_NESTING = 40


@dataclass(frozen=True, slots=True)
class Chunk:
    """One rule on one logical line.

    Comments and line ends are spaces, so that an offset in ``text`` is an offset from ``offset``
    in the file.
    """

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Token:
    """A token of ABNF and its offset in the chunk."""

    kind: str
    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Piece:
    """One alternative as a rule of its own; ``offsets`` lead from its characters to the file."""

    text: str
    offsets: tuple[int, ...]


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
    return [Chunk(c.text.lstrip(), c.offset + len(c.text) - len(c.text.lstrip())) for c in found]


def _without_comment(line: str) -> str:
    """Return the line with its comment and line end replaced by as many spaces."""
    body = line.splitlines()[0]
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


def pieces(source: Source, chunk: Chunk) -> tuple[list[Piece], Problem | None]:
    """Cut a rule into its alternatives, or say where and why it is malformed."""
    tokens: list[Token] = []
    checker = _Checker()
    offset = 0
    while offset < len(chunk.text):
        match = _TOKEN.match(chunk.text, offset)
        if match is None or match.lastgroup is None:
            message = _bad_character(chunk.text[offset])
            break
        token = Token(match.lastgroup, match.group(), offset)
        message = checker.feed(token)
        if message:
            break
        tokens.append(token)
        offset = match.end()
    else:
        offset, message = checker.finish()
    if not message:
        made = _alternatives(tokens, chunk.offset)
        long = next((piece for piece in made if len(piece.text) > MAX_ALTERNATIVE), None)
        if long is None:
            return made, None
        offset = long.offsets[-1] - chunk.offset
        message = f"an alternative of more than {MAX_ALTERNATIVE} characters cannot be read"
    return [], Problem(source, source.position(chunk.offset + offset), "syntax", message)


def _alternatives(tokens: list[Token], start: int) -> list[Piece]:
    """Give each top-level alternative the rule's name; a run of spaces becomes one."""
    head = next(place for place, token in enumerate(tokens) if token.kind == "define") + 1
    found: list[Piece] = []
    depth = 0
    parts: list[Token] = []
    for token in [*tokens[head:], Token("slash", "/", tokens[-1].offset)]:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind != "slash" or depth:
            parts.append(token)
            continue
        text: list[str] = []
        offsets: list[int] = []
        for part in [*tokens[:head], *parts]:
            shown = " " if part.kind == "space" else part.text
            text.append(shown)
            offsets.extend(range(start + part.offset, start + part.offset + len(shown)))
        found.append(Piece("".join(text).rstrip(), tuple(offsets)))
        parts = []
    return found


_WANTED = {
    "name": "a rule name",
    "define": '"=" or "=/" after the rule name (a continued line is indented)',
    "element": "an element",
    "repeated": "an element to repeat",
}


class _Checker:
    """Takes tokens until one cannot follow."""

    def __init__(self) -> None:
        self.opened: list[Token] = []
        self.expecting = "name"
        self.last = ""
        self.end = 0

    def feed(self, token: Token) -> str:
        """Take a token; return why it cannot stand here, or an empty string."""
        fault = self._fault(token.kind, token.text)
        if fault:
            return fault
        if token.kind == "open":
            self.opened.append(token)
        elif token.kind == "close":
            self.opened.pop()
        if token.kind != "space":
            self.expecting = self._next(token.kind)
        self.last = token.kind
        self.end = token.offset + len(token.text)
        return ""

    def finish(self) -> tuple[int, str]:
        """Return the place and the reason why the rule cannot end here, if so."""
        if self.opened:
            return self.opened[-1].offset, f'"{self.opened[-1].text}" is never closed'
        if self.expecting in ("name", "define"):
            return 0, 'expected a rule: a name, "=" and elements (a continued line is indented)'
        if self.expecting == "more":
            return 0, ""
        return self.end, f"expected {_WANTED[self.expecting]}, found the end of the rule"

    def _next(self, kind: str) -> str:
        if self.expecting == "name":
            return "define"
        if kind in ("define", "slash", "open"):
            return "element"
        return "repeated" if kind == "repeat" else "more"

    def _fault(self, kind: str, value: str) -> str:
        expecting = self.expecting
        if len(value) > MAX_TOKEN and kind != "space":
            return f"more than {MAX_TOKEN} characters without a break cannot be read"
        if kind == "space":
            return "a repeat stands directly before its element" if expecting == "repeated" else ""
        if expecting in ("name", "define"):
            return "" if kind == expecting else f'expected {_WANTED[expecting]}, found "{value}"'
        if kind == "define":
            return f'"{value}" inside a rule (is the next rule indented deeper than this one?)'
        if kind == "close":
            opener = self.opened[-1].text if self.opened else ""
            wanted = {"(": ")", "[": "]"}.get(opener)
            if wanted != value:
                return f'"{value}" closes nothing' if wanted is None else f'expected "{wanted}"'
        if expecting in ("element", "repeated") and kind in ("slash", "close"):
            return f'expected {_WANTED[expecting]}, found "{value}"'
        if expecting == "repeated" and kind == "repeat":
            return "an element has one repeat only"
        if expecting == "more" and kind not in ("slash", "close") and self.last != "space":
            return "elements are separated by a space"
        if kind == "open" and len(self.opened) >= MAX_NESTING:
            return f"groups nested more than {MAX_NESTING} deep cannot be read"
        return ""


def _bad_character(char: str) -> str:
    hints = {
        '"': "a string is closed on its own line and holds printable ASCII only",
        "|": 'alternatives are separated by "/" in ABNF, not "|"',
        "'": 'strings stand in double quotes, "…"',
        "<": 'a prose-value is closed by ">" on its own line',
        "%": 'a number is %x, %d or %b with digits; a string %s"…" or %i"…"',
        "{": "repetition is written before the element: *x, 1*x, 2*4x",
        "#": '"#" is no ABNF: the list 1#x of RFC 822 and RFC 9110 is x *( OWS "," OWS x )',
        "_": 'a rule name holds letters, digits and "-"',
    }
    shown = f'"{char}"' if char.isprintable() else f"U+{ord(char):04X}"
    return hints.get(char) or f"{shown} has no meaning in ABNF"
