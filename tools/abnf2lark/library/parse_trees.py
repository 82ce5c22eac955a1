"""Lark trees and Lark parsers of a rule; loaded when one is asked for, since lark is slow."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from lark import Lark, ParseTree, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.tree import Meta

from abnf2lark._native import kernel
from abnf2lark.lark_grammars.rule_parts import keep_first
from abnf2lark.library.explanations import Explanation, NoMatchError, as_text

if TYPE_CHECKING:
    from abnf2lark.charts import Derivation
    from abnf2lark.lark_grammars.ambiguity import TreeNode
    from abnf2lark.lark_grammars.compiling import LarkGrammar
    from abnf2lark.lark_grammars.witnesses import Witness

# Trees of rules, as Lark's: every character is in them. The C engine makes nodes when they are
# first looked at; without it all are made at once.


class _Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self._lines = [0, *(place + 1 for place, char in enumerate(text) if char == "\n")]

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1


def _grown(derivation: Derivation, kind: type[DerivedTree], omitted: Container[str]) -> DerivedTree:
    """Make all nodes of a tree, from the last one to the first."""
    text, names, numbers = derivation.text, derivation.names, derivation.nodes.tolist()
    places = _Lines(text)
    made: dict[int, DerivedTree] = {}
    for place in range(len(numbers) - 4, -4, -4):
        rule, start, end, after = numbers[place : place + 4]
        tree = made[place] = kind.__new__(kind)
        tree.data, tree.derived = names[rule], places  # type: ignore[misc, assignment]  # as in C
        tree.start, tree.end = start, end  # type: ignore[misc]  # as in C
        children: list[Token | Tree[Token]] = []
        inner = place + 4
        while start < end or inner < 4 * after:
            begin = numbers[inner + 1] if inner < 4 * after else end
            if start < begin:
                at = (*places.place(start), *places.place(begin))
                children.append(Token("TEXT", text[start:begin], start, *at, begin))
                start = begin
                continue
            child = made.pop(inner)
            children += [child] if child.data not in omitted else []
            start, inner = child.end, 4 * numbers[inner + 3]
        tree.children = tuple(children)
    return made[0]


if TYPE_CHECKING:
    from abnf2lark._native._engine import Node
else:
    Node = kernel.Node if kernel else type("Node", (), dict.fromkeys(("derived", "start", "end")))


class DerivedTree(Node, Tree[Token]):  # type: ignore[misc]  # children are a tuple
    """A tree of Lark's whose nodes and tokens are made when they are looked at.

    So its children are a tuple; assign a list to change them.

    start: the offset at which it begins in the text, in characters; None outside of a derivation.
    end: the offset at which it ends.
    """

    def __getattr__(self, name: str) -> Meta:
        # Places are made when they are asked for; once made, they are an attribute like any other.
        if name != "_meta" or self.derived is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._meta = meta = Meta()  # type: ignore[no-untyped-call]  # Lark's is not typed
        meta.start_pos, meta.end_pos, meta.empty = self.start, self.end, False
        meta.line, meta.column = self.derived.place(self.start)
        meta.end_line, meta.end_column = self.derived.place(self.end)
        return meta

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return bool(self.data == other.data) and [*self.children] == [*other.children]

    __hash__ = Tree.__hash__

    def __reduce__(self) -> tuple[type[Tree[Token]], tuple[str, list[Token | Tree[Token]], Meta]]:
        return Tree, (self.data, [*self.children], self.meta)


def grown(
    derivation: Derivation,
    kind: type[DerivedTree] = DerivedTree,
    omitted: Container[str] = frozenset(),
) -> DerivedTree:
    """Make the tree of a derivation; neighbouring text is one token, places are as Lark's.

    omitted: rules whose nodes and texts are left out.
    """
    if kernel is None:
        return _grown(derivation, kind, omitted)
    own = (derivation.text, derivation.names, derivation.nodes)
    return cast("DerivedTree", kernel.Derived(*own, kind, Token, "TEXT", omitted).tree())


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


class Ambiguity(NamedTuple):
    """A shortest text that a grammar reads in two ways; `Grammar.ambiguity` makes it.

    text: the text.
    rule: the innermost rule that reads its part in two ways.
    trees: the tree that `Grammar.tree` gives, and another one.
    told: both ways in a sentence, which `str` gives as well.
    """

    text: str
    rule: str
    trees: tuple[Tree[Token], Tree[Token]]
    told: str

    def __str__(self) -> str:
        return self.told


def ambiguity(witness: Witness, given: Tree[Token]) -> Ambiguity:
    """Return the ambiguity of a witness, given the tree of its text."""
    both = [_tree(one) for one in witness.trees]
    other = both[0] if both[0] != given else both[1]
    return Ambiguity(witness.text, witness.rule, (given, other), witness.told)


def _tree(node: TreeNode) -> Tree[Token]:
    children: list[Token | Tree[Token]] = []
    for one in _parts(node):
        last = children[-1] if children else None
        if isinstance(one, str) and isinstance(last, Token):
            children[-1] = Token("TEXT", last + one)
        else:
            children.append(Token("TEXT", one) if isinstance(one, str) else _tree(one))
    return Tree(node.name, children)


def _parts(node: TreeNode) -> Iterator[TreeNode | str]:
    """Yield the nodes and texts in a node; those without a name are not shown."""
    for one in node.inside:
        if one.name:
            yield one
        elif one.inside:
            yield from _parts(one)
        elif one.text:
            yield one.text
