"""Lark trees and Lark parsers of a rule; loaded when one is asked for, since lark is slow."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING

from lark import Lark, ParseTree, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.tree import Meta

from abnf2lark.library.explanations import Explanation, NoMatchError, as_text

if TYPE_CHECKING:
    from abnf2lark.charts import Event
    from abnf2lark.lark_grammars.compiling import LarkGrammar

# Trees of rules, as Lark's: every character is in them.


def grown(events: Iterable[Event], kept: Container[str], text: str) -> Tree[Token]:
    """Make a tree of a derivation; rules that are not ``kept`` do not become nodes.

    Text that stands together in one node is one token, whose type is ``TEXT``. Nodes and tokens
    have their places as Lark's have: offsets from 0, lines and columns from 1.
    """
    top: Tree[Token] | None = None
    above: list[Tree[Token]] = []
    places = _Places(text)
    for kind, value, offset in events:
        if kind == "text":
            children = above[-1].children
            last = children[-1] if children else None
            start = offset
            if isinstance(last, Token):
                start = last.start_pos or 0
                children.pop()
            children.append(places.token(start, offset + len(value)))
        elif not above or value in kept:
            if kind == "leave":
                places.end(above.pop().meta, offset)
                continue
            node: Tree[Token] = Tree(value, [], places.begun(offset))
            if above:
                above[-1].children.append(node)
            top = top or node
            above.append(node)
    if top is None:
        raise AssertionError("the first event enters the rule itself")
    return top


class _Places:
    """Lines and columns of offsets in a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(place + 1 for place, char in enumerate(text) if char == "\n")]

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def token(self, start: int, end: int) -> Token:
        """Make the token of a part of the text."""
        places = (*self.place(start), *self.place(end))
        return Token("TEXT", self._text[start:end], start, *places, end)

    def begun(self, start: int) -> Meta:
        """Make what a node knows of its place; `end` adds where it ends."""
        meta = Meta()  # type: ignore[no-untyped-call]  # Lark's is not typed
        meta.empty = False
        meta.start_pos = start
        meta.line, meta.column = self.place(start)
        return meta

    def end(self, meta: Meta, end: int) -> None:
        """Say where a node ends."""
        meta.end_pos = end
        meta.end_line, meta.end_column = self.place(end)


# Lark parsers whose errors speak of rules and ABNF words.


class UnexpectedTextError(NoMatchError, UnexpectedInput):
    """A text that a parser refuses; Lark's ``UnexpectedInput`` as well.

    Attributes:
        explanation: where it stops, and what could have followed.
        pos_in_stream: the offset, in characters from 0.
        line: of the offset, from 1.
        column: of the offset, from 1.

    """

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(explanation)
        self.line = explanation.line
        self.column = explanation.column
        self.pos_in_stream = explanation.offset  # type: ignore[assignment]  # Lark has None alone


class Parser(Lark):
    """A ``lark.Lark`` that is made of a grammar; made by `Grammar.lark`.

    Attributes:
        grammar_text: Lark's grammar, which can be kept in a file.
        kind: ``"lalr"`` or ``"earley"``.
        reason: why it is Earley's; empty where it is LALR.

    """

    grammar_text: str
    kind: str
    reason: str
    _explain: Callable[[str], Explanation]

    def parse(  # type: ignore[override]  # Lark's is not typed on
        self,
        text: str,
        start: str | None = None,
        on_error: Callable[[UnexpectedInput], bool] | None = None,
    ) -> ParseTree:
        """Parse a text; :class:`UnexpectedTextError` says in ABNF words why it is refused."""
        as_text(text, "text")
        try:
            return super().parse(text, start, on_error)
        except UnexpectedInput:
            explanation = self._explain(text)
            if explanation.matches:  # the fault is the parser's, and Lark says where
                raise
        raise UnexpectedTextError(explanation)


_OURS = ("parser", "lexer", "start", "regex")
"""Options of Lark's that the grammar decides."""


def parser(
    made: LarkGrammar, explain: Callable[[str], Explanation], options: Mapping[str, object]
) -> Parser:
    """Load a Lark grammar that was made for one rule, with options of Lark's."""
    for name in _OURS:
        if name in options:
            raise TypeError(f"{name} is not given: what the grammar needs is used")
    how: dict[str, object] = {"parser": "earley", "start": made.starts[0]}
    if made.parser == "lalr":
        how |= {"parser": "lalr", "lexer": "contextual"}
    found = Parser(made.text, **how, **options)
    found.grammar_text = made.text
    found.kind = made.parser
    found.reason = made.reason
    found._explain = explain  # noqa: SLF001 - Lark's own arguments are all that it can be made with
    return found
