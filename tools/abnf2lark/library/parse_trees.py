"""Lark trees and Lark parsers of a rule; loaded when one is asked for, since lark is slow."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from lark import Lark, ParseTree, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.tree import Meta

from abnf2lark.lark_grammars.ordering import keep_first
from abnf2lark.library.explanations import Explanation, NoMatchError, as_text

if TYPE_CHECKING:
    from abnf2lark.charts import Derivation
    from abnf2lark.lark_grammars.compiling import LarkGrammar

# Trees of rules, as Lark's: every character is in them.


class DerivedTree(Tree[Token]):
    """A tree of Lark's whose children are made when they are first looked at."""

    _derived: _Derived
    _node: int

    def __getattr__(self, name: str) -> object:
        # Asked for what is not there yet; once made, it is an attribute like any other.
        if name == "children":
            self.children = self._derived.children(self._node)
            return self.children
        if name == "_meta" and "_derived" in self.__dict__:
            self._meta = self._derived.meta(self._node)
            return self._meta
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce__(self) -> tuple[type[Tree[Token]], tuple[str, list[Token | Tree[Token]], Meta]]:
        return Tree, (self.data, self.children, self.meta)


def grown(
    derivation: Derivation,
    kind: type[DerivedTree] = DerivedTree,
    omitted: Container[str] = (),
) -> DerivedTree:
    """Make the tree of a derivation; neighbouring text is one token, places are as Lark's.

    omitted: rules whose nodes and texts are left out.
    """
    return _Derived(derivation, kind, omitted).tree(0)


class _Derived:
    """A derivation, and the lines of its text."""

    def __init__(
        self, derivation: Derivation, kind: type[DerivedTree], omitted: Container[str]
    ) -> None:
        self._kind = kind
        self._omitted = omitted
        self._text = derivation.text
        self._names = derivation.names
        self._nodes = derivation.nodes

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(place + 1 for place, char in enumerate(self._text) if char == "\n")]

    def _place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def tree(self, node: int) -> DerivedTree:
        made = self._kind.__new__(self._kind)
        made.data = self._names[self._nodes[4 * node]]
        made._derived, made._node = self, node  # noqa: SLF001 - of the same module
        return made

    def children(self, node: int) -> list[Token | Tree[Token]]:
        _, offset, end, after = self._nodes[4 * node : 4 * node + 4]
        found: list[Token | Tree[Token]] = []
        inner = node + 1
        while inner < after:
            begin = self._nodes[4 * inner + 1]
            if offset < begin:
                found.append(self._token(offset, begin))
            if self._names[self._nodes[4 * inner]] not in self._omitted:
                found.append(self.tree(inner))
            offset, inner = self._nodes[4 * inner + 2 : 4 * inner + 4]
        if offset < end:
            found.append(self._token(offset, end))
        return found

    def _token(self, start: int, end: int) -> Token:
        places = (*self._place(start), *self._place(end))
        return Token("TEXT", self._text[start:end], start, *places, end)

    def meta(self, node: int) -> Meta:
        meta = Meta()  # type: ignore[no-untyped-call]  # Lark's is not typed
        _, meta.start_pos, meta.end_pos, _ = self._nodes[4 * node : 4 * node + 4]
        meta.empty = False
        meta.line, meta.column = self._place(meta.start_pos)
        meta.end_line, meta.end_column = self._place(meta.end_pos)
        return meta


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

    grammar_text: Lark's grammar, which can be kept in a file.
    kind: ``"lalr"`` or ``"earley"``.
    reason: why it is Earley's; empty where it is LALR.
    ambiguity: a text with two trees, and what they are; empty where none is known.
    """

    grammar_text: str
    kind: str
    reason: str
    ambiguity: str
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


_OURS = {
    **dict.fromkeys(("parser", "lexer", "start", "regex"), "what the grammar needs is used"),
    "priority": "priorities of terminals are part of the proof",
    "edit_terminals": "terminals are proved as they are",
    "g_regex_flags": "flags change what terminals match",
    "use_bytes": "texts are strings; for a grammar of octets, decode them as latin-1",
}
"""Options of Lark's that the grammar decides, and why."""


def parser(
    made: LarkGrammar, explain: Callable[[str], Explanation], options: Mapping[str, object]
) -> Parser:
    """Load a Lark grammar that was made for one rule, with options of Lark's."""
    for name, reason in _OURS.items():
        if name in options:
            raise TypeError(f"{name} is not given: {reason}")
    how: dict[str, object] = {"parser": "earley", "start": made.starts[0]}
    if made.parser == "lalr":
        how |= {"parser": "lalr", "lexer": "contextual"}
    found = Parser(made.text, **how, **options)
    if made.parser == "earley":
        keep_first(found)
    found.grammar_text = made.text
    found.kind = made.parser
    found.reason = made.reason
    found.ambiguity = made.ambiguity
    found._explain = explain  # noqa: SLF001 - Lark's own arguments are all that it can be made with
    return found
