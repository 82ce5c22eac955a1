"""`uriparse tree`: the rules by which a grammar derives a text, and the list of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from uriparse.cli.arguments import add_grammar, add_texts, declare
from uriparse.cli.console import Console, Span, UsageError
from uriparse.cli.per_line import for_each
from uriparse.errors import URIError
from uriparse.errors.excerpt import MASK, secret_span
from uriparse.grammar import rule_name, rules, start_rule

if TYPE_CHECKING:
    import argparse

    from lark import Token, Tree


NAME = "tree"
HELP = "print parse trees by any rule of an RFC's grammar"
GROUP = "read"
EXAMPLES = (
    "uriparse tree --rule authority joe@example.com:80",
    "uriparse tree --rules --grammar rfc1738",
)
OPTIONS = """
--json --show-passwords
--full  show every rule, down to characters
--rules  only list the rules of --grammar, in the RFC's order and spelling
"""

_SECRETIVE = frozenset({"password", "userinfo", "iuserinfo"})
"""The rules whose text is, or holds after its first ":", a password."""

_OPAQUE = frozenset({"schemepart", "reg-name"})
"""The rules of RFC 1738 and RFC 2396 that take an authority of any form: it may hold one."""

_DEEPEST = 200
"""Rules in each other, at most, in a tree as JSON."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "uri", "URI", unless=("rules",))
    add_grammar(parser, "ABNF rule to start from; the grammar's widest otherwise")
    declare(parser, OPTIONS)


def run(args: argparse.Namespace, console: Console) -> int:
    """Show the tree of each input; 1 if some were invalid."""
    if args.rules:
        return _list(args, console)
    from uriparse.trees import parse_tree

    rule = rule_name(args.rule or start_rule(args.grammar), args.grammar)
    detail: Literal["components", "full"] = "full" if args.full else "components"

    def answer(text: str) -> None:
        tree = parse_tree(text, rule, grammar=args.grammar, detail=detail)
        if not console.secrets and (again := _masked(text, tree)) != text:
            text, tree = again, parse_tree(again, rule, grammar=args.grammar, detail=detail)
        if args.json:
            console.answer(text, {"tree": _nested(tree)})
        else:
            console.rows(_rows(tree))

    return for_each(args.uri, console, answer)


def _list(args: argparse.Namespace, console: Console) -> int:
    """Write the name of each rule on a line of its own."""
    if args.uri:
        raise UsageError("--rules goes with --grammar alone, without texts")
    names = rules(args.grammar)
    if args.json:
        console.json(names)
    else:
        console.out("\n".join(names))
    return 0


def _masked(text: str, tree: Tree[Token]) -> str:
    """Return the text with *** for each password; all rules for passwords accept asterisks."""
    parts: list[str] = []
    done = 0
    waiting: list[Tree[Token] | Token] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            continue
        inner = [child.data for child in node.children if not isinstance(child, str)]
        is_opaque = node.data in _OPAQUE and "ip-schemepart" not in inner  # which would have it
        if node.data not in _SECRETIVE and not is_opaque:
            waiting += reversed(node.children)
            continue
        tokens = [*node.scan_values(lambda _: True)]
        start = (tokens[0].start_pos or 0) if tokens else 0
        held = "".join(tokens)
        if is_opaque:
            first, last = secret_span(held) or (0, 0)
            start, held = start + first, held[first:last]
        elif node.data != "password":
            user, colon, held = held.partition(":")
            start += len(user) + len(colon)
        if held:
            parts += [text[done:start], MASK]
            done = start + len(held)
    return "".join([*parts, text[done:]])


def _rows(tree: Tree[Token]) -> Iterator[list[Span]]:
    """Return a line for each rule, deeper ones further in, with the text where it is a leaf."""
    waiting: list[tuple[int, Tree[Token] | Token]] = [(0, tree)]
    while waiting:
        depth, node = waiting.pop()
        margin = "  " * depth
        if isinstance(node, str):
            yield [(f'{margin}"{node}"', "")]
        elif (text := _leaf(node)) is not None:
            yield [(margin, ""), (node.data, "rule"), (f' "{text}"', "")]
        else:
            yield [(margin, ""), (node.data, "rule")]
            waiting += [(depth + 1, child) for child in reversed(node.children)]


def _leaf(node: Tree[Token]) -> str | None:
    """Return the text of a node that has no nodes under it; None for any other."""
    if not node.children:
        return ""
    only = node.children[0]
    return str(only) if len(node.children) == 1 and isinstance(only, str) else None


def _nested(tree: Tree[Token]) -> object:
    """Return the tree as JSON values: a rule with its text, or with its parts in order.

    URIError for a tree that is too deep for readers of JSON, by a recursive rule.
    """
    top: list[object] = []
    waiting: list[tuple[int, Tree[Token] | Token, list[object]]] = [(1, tree, top)]
    while waiting:
        depth, node, above = waiting.pop()
        if depth > _DEEPEST:
            raise URIError(f"the tree is more than {_DEEPEST} rules deep; leave out --json")
        if isinstance(node, str):
            above.append(str(node))
        elif (text := _leaf(node)) is not None:
            above.append({"rule": node.data, "text": text})
        else:
            parts: list[object] = []
            above.append({"rule": node.data, "parts": parts})
            waiting += [(depth + 1, child, parts) for child in reversed(node.children)]
    return top[0]
