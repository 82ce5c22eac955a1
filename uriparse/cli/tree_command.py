"""`uriparse tree`: the rules by which a grammar derives a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from uriparse.cli import rejection
from uriparse.errors import URISyntaxError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from lark import Token, Tree

    from uriparse.cli.console import Console, Span

NAME = "tree"
HELP = "show the parse tree of texts by any rule of any grammar"

START_RULES: Mapping[str, str] = {
    "rfc3986": "URI-reference",
    "rfc3987": "IRI-reference",
    "rfc1738": "url",
    "rfc2396": "URI-reference",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("uri", nargs="+", metavar="URI", help='a text; "-" reads standard input')
    parser.add_argument("--rule", help="ABNF rule to start from; the grammar's widest otherwise")
    parser.add_argument("--grammar", choices=START_RULES, default="rfc3986")
    parser.add_argument("--full", action="store_true", help="every rule, down to characters")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace, console: Console) -> int:
    """Show the tree of each input; 1 if some were invalid."""
    from uriparse.grammar.tree import TextTooLongError
    from uriparse.parsing.trees import parse_tree

    rule = args.rule or START_RULES[args.grammar]
    detail: Literal["components", "full"] = "full" if args.full else "components"
    reject = rejection.as_object if args.json else rejection.as_text
    code = 0
    for text in console.lines(args.uri):
        try:
            tree = parse_tree(text, rule, grammar=args.grammar, detail=detail)
        except URISyntaxError as error:
            reject(error, console)
            code = 1
            continue
        except TextTooLongError as error:  # which says nothing about the text's validity
            console.error(str(error))
            code = 1
            continue
        if args.json:
            console.json({**console.place, "text": text, "valid": True, "tree": _nested(tree)})
        else:
            console.styled(span for row in _rows(tree) for span in row)
    return code


def _rows(tree: Tree[Token]) -> Iterator[list[Span]]:
    """Give a line for each rule, deeper ones further in, with the text where it is a leaf.

    Tokens are told from trees by being strings, which spares loading lark for a help text.
    """
    waiting: list[tuple[int, Tree[Token] | Token]] = [(0, tree)]
    while waiting:
        depth, node = waiting.pop()
        margin = "  " * depth
        if isinstance(node, str):
            yield [(f"{margin}{_quoted(node)}\n", "")]
        elif (text := _leaf(node)) is not None:
            yield [(margin, ""), (node.data, "rule"), (f" {_quoted(text)}\n", "")]
        else:
            yield [(margin, ""), (f"{node.data}\n", "rule")]
            waiting += [(depth + 1, child) for child in reversed(node.children)]


def _leaf(node: Tree[Token]) -> str | None:
    """Give the text of a node that has no nodes under it; None for any other."""
    if not node.children:
        return ""
    only = node.children[0]
    return str(only) if len(node.children) == 1 and isinstance(only, str) else None


def _quoted(text: str) -> str:
    return f'"{text}"'


def _nested(tree: Tree[Token]) -> object:
    """Give the tree as JSON values: a rule with its text, or with its parts in order.

    Grammars are not recursive, so neither depth nor recursion depends on the text.
    """
    text = _leaf(tree)
    if text is not None:
        return {"rule": tree.data, "text": text}
    parts = [str(c) if isinstance(c, str) else _nested(c) for c in tree.children]
    return {"rule": tree.data, "parts": parts}
