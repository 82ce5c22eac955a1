"""Print the derivation of each text, a line a node: the rule, where it begins and
ends, in characters from 0, and its text where nothing else is in it.
Exit codes: 0 the rule matches all texts, 1 it does not, 2 a usage error.

examples:
  abnf2lark tree rfc3986 authority 'u@h:80'
  abnf2lark tree my.abnf document --full --json --file a.doc
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from abnf2lark.commands.texts import TextNode, add_text_arguments, each_text, grammar_of, put_nodes
from abnf2lark.process import flag

if TYPE_CHECKING:
    from lark import Token, Tree


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_text_arguments(parser)
    flag(parser, "--full", help="make every rule a node, down to single characters")


def run(options: Namespace) -> int:
    """Print the trees; return 1 if a text does not match."""
    grammar = grammar_of(options)

    def read(text: str) -> None:
        tree = grammar.tree(text, options.rule, detail="full" if options.full else "nodes")
        put_nodes(_nodes(tree), text, options)

    return each_text(options, read)


def _nodes(tree: "Tree[Token]") -> Iterator[TextNode]:
    pending: list[tuple[int, Tree[Token] | Token]] = [(0, tree)]
    while pending:
        depth, node = pending.pop()
        if isinstance(node, str):
            yield TextNode(depth, "", node.start_pos or 0, node.end_pos or 0, True)
            continue
        inside = node.children
        is_leaf = all(isinstance(child, str) for child in inside)
        yield TextNode(depth, str(node.data), node.meta.start_pos, node.meta.end_pos, is_leaf)
        if not is_leaf:
            pending.extend((depth + 1, child) for child in reversed(inside))
