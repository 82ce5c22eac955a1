"""Print the derivation of each text, a line a node: the rule, where it begins and
ends, in characters from 0, and its text where nothing else is in it.
Exit codes: 0 the rule matches all texts, 1 it does not, 2 a usage error.

examples:
  abnf2lark tree rfc3986 authority 'u@h:80'
  abnf2lark tree my.abnf document --full --json --file a.doc
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from abnf2lark.commands.texts import add_text_arguments, each_text, grammar_of, put_nodes
from abnf2lark.process import flag

if TYPE_CHECKING:
    from lark import Token, Tree


def add_arguments(parser: ArgumentParser) -> None:
    add_text_arguments(parser)
    flag(parser, "--full", help="make every rule a node, down to single characters")


def run(options: Namespace) -> int:
    """Print the trees; return 1 if a text does not match."""
    grammar = grammar_of(options)

    def read(text: str) -> None:
        detail: Literal["full", "nodes"] = "full" if options.full else "nodes"
        tops: list[Tree[Token] | Token] = [grammar.tree(text, options.rule, detail=detail)]
        put_nodes(tops, _parts, text, options)

    return each_text(options, read)


def _parts(node: "Tree[Token] | Token") -> "tuple[str, int, int, Sequence[Tree[Token] | Token]]":
    if isinstance(node, str):
        return "", node.start_pos or 0, node.end_pos or 0, ()
    inside = () if all(isinstance(child, str) for child in node.children) else node.children
    return str(node.data), node.meta.start_pos, node.meta.end_pos, inside
