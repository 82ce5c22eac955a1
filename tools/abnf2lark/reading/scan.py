"""Cut ABNF text into rules and tokens, and name the place where a rule is malformed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.reading.leniency import relaxed
from abnf2lark.reading.problems import Problem, lines
from abnf2lark.reading.tokens import TOKEN, Token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.reading.problems import Source

MAX_TOKEN = 1_000
MAX_NESTING = 40
_BLANK = " \t\n\r\f\v"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One rule on one logical line.

    Comments and line ends are spaces, so that an offset in ``text`` is an offset from ``offset``
    in the file.
    """

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Scanned:
    """The tokens of a rule, none if it is malformed, and what is to be said of it."""

    tokens: list[Token]
    problems: list[Problem]


def chunks(source: Source, *, lenient: bool = False) -> Iterator[Chunk]:
    """Cut the text into rules; a rule goes on over lines that are indented deeper than it.

    With ``lenient`` it also goes on over lines that begin with what separates alternatives.
    """
    for begin, text in source.parts():
        indent: int | None = None
        start, parts, offset = begin, [""], begin
        for line in lines(text):
            blank = _without_comment(line)
            stripped = blank.strip(_BLANK)
            goes_on = lenient and indent is not None and stripped[:1] in ("/", "|")
            if stripped and not goes_on:
                depth = len(blank) - len(blank.lstrip(_BLANK))
                if indent is None or depth <= indent:
                    indent = depth
                    yield from _chunk(parts, start)
                    start, parts = offset, []
            parts.append(blank)
            offset += len(line)
        yield from _chunk(parts, start)


def _chunk(parts: list[str], start: int) -> Iterator[Chunk]:
    """Yield what lines hold, if they hold anything."""
    text = "".join(parts).rstrip(_BLANK)
    stripped = text.lstrip(_BLANK)
    if stripped:
        yield Chunk(stripped, start + len(text) - len(stripped))


def _without_comment(line: str) -> str:
    """Return the line with its comment and line end replaced by as many spaces."""
    body = line.rstrip("\n\r\f\v")
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


def scanned(source: Source, chunk: Chunk, *, lenient: bool = False) -> Scanned:
    """Cut a rule into tokens, or say where and why it is malformed."""
    problems: list[Problem] = []
    if lenient:
        tokens, read_as = relaxed(chunk.text)
        for offset, text in read_as:
            here = source.position(chunk.offset + offset)
            problems.append(Problem(source, here, "lenient", text, "warning"))
    else:
        tokens = _cut(chunk.text)
    checker = _Checker()
    for token in tokens:
        offset = token.offset
        message = _bad_character(token.text) if token.kind == "none" else checker.feed(token)
        if message:
            break
    else:
        offset, message = checker.finish()
        if not message:
            return Scanned(tokens, problems)
    here = source.position(chunk.offset + offset)
    return Scanned([], [*problems, Problem(source, here, "syntax", message)])


def _cut(text: str) -> list[Token]:
    """Cut a text into tokens; what is none stands last, as a character of kind "none"."""
    found: list[Token] = []
    offset = 0
    while offset < len(text):
        match = TOKEN.match(text, offset)
        if match is None or match.lastgroup is None:
            return [*found, Token("none", text[offset], offset)]
        found.append(Token(match.lastgroup, match.group(), offset))
        offset = match.end()
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
