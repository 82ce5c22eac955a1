"""Lark trees and Lark parsers of a rule; loaded when one is asked for, since lark is slow."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TYPE_CHECKING

from lark import Lark, ParseTree, Token, Tree
from lark.exceptions import UnexpectedInput

from abnf2lark.library.explanations import Explanation, NoMatchError, as_text

if TYPE_CHECKING:
    from abnf2lark.charts import Event
    from abnf2lark.lark_grammars.compiling import LarkGrammar

# Trees of rules, as Lark's: every character is in them.


def grown(events: Iterable[Event], kept: Container[str]) -> Tree[Token]:
    """Make a tree of a derivation; rules that are not ``kept`` do not become nodes.

    Text that stands together in one node is one token, whose type is ``TEXT``.
    """
    top: Tree[Token] | None = None
    above: list[Tree[Token]] = []
    for kind, value, offset in events:
        if kind == "text":
            children = above[-1].children
            last = children[-1] if children else None
            if isinstance(last, Token):
                start = last.start_pos or 0
                children[-1] = _token(f"{last}{value}", start)
            else:
                children.append(_token(value, offset))
        elif not above or value in kept:
            if kind == "leave":
                above.pop()
                continue
            node: Tree[Token] = Tree(value, [])
            if above:
                above[-1].children.append(node)
            top = top or node
            above.append(node)
    if top is None:
        raise AssertionError("the first event enters the rule itself")
    return top


def _token(text: str, start: int) -> Token:
    return Token("TEXT", text, start_pos=start, end_pos=start + len(text))


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


def parser(made: LarkGrammar, explain: Callable[[str], Explanation]) -> Parser:
    """Load a Lark grammar that was made for one rule."""
    if made.parser == "lalr":
        found = Parser(made.text, parser="lalr", lexer="contextual", start=made.starts[0])
    else:
        found = Parser(made.text, parser="earley", start=made.starts[0])
    found.grammar_text = made.text
    found.kind = made.parser
    found.reason = made.reason
    found._explain = explain  # noqa: SLF001 - Lark's own arguments are all that it can be made with
    return found
