"""`parse_tree`: the Lark tree of a text under any rule, named as the RFC names its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from uriparse.errors import URIError
from uriparse.grammar.derivation import derive
from uriparse.grammar.matchers import grammars, rule_name, rules
from uriparse.grammar import lark_parser

if TYPE_CHECKING:
    from lark import Token, Tree

__all__ = ["FULL_LIMIT", "TextTooLongError", "grammars", "parse_tree", "rules"]

FULL_LIMIT = 10_000
"""The longest text, in characters, of which a full tree is made."""


class TextTooLongError(URIError):
    """A text of more than `FULL_LIMIT` characters, of which a full tree was asked for.

    Attributes:
        length: of the text, in characters.

    """

    def __init__(self, length: int) -> None:
        super().__init__(
            f"a full tree is made of at most {FULL_LIMIT:,} characters, this text has "
            f'{length:,}; detail="components" has no limit'
        )
        self.length = length


def parse_tree(
    text: str,
    rule: str = "URI-reference",
    *,
    grammar: str = "rfc3986",
    detail: Literal["components", "full"] = "components",
) -> Tree[Token]:
    """Parse a text with any rule of a grammar; return its Lark tree.

    text: the whole text must match.
    rule: any name of `rules(grammar)`, in any letter case.
    detail: `"components"` has a node for each component, whose text is one token (none where
        the component is empty), and leaves delimiters out. `"full"` has a node for every rule
        of the ABNF, down to characters, and holds the whole text; it is made for people and
        takes milliseconds, and texts of more than `FULL_LIMIT` characters are refused.

    Where the ABNF is ambiguous the first alternative that leads to the end is taken (RFC 3986
    section 3.2.2). Component trees take linear time.

    URISyntaxError if the rule does not derive the text; UnknownRuleError if there is no such
    rule or grammar; TextTooLongError; TypeError if `text` is not a str.

    >>> tree = parse_tree("http://[::1]:8080/a?")
    >>> [str(node.data) for node in tree.iter_subtrees_topdown()]  # doctest: +NORMALIZE_WHITESPACE
    ['URI-reference', 'URI', 'scheme', 'authority', 'host', 'IP-literal', 'IPv6address', 'port',
     'path-abempty', 'query']
    >>> parse_tree("25", "dec-octet", detail="full").pretty("  ").split()
    ['dec-octet', '2', 'DIGIT', '5']
    """
    if not isinstance(text, str):
        raise TypeError(f"text is a str, not {type(text).__name__}")
    name = rule_name(rule, grammar)
    if detail == "components":
        tree = lark_parser.component_tree(text, name, grammar)
    elif detail == "full":
        tree = _full_tree(text, name, grammar)
    else:
        raise ValueError(f'detail is "components" or "full", not {detail!r}')
    if tree is None:
        from uriparse.diagnosis.diagnosing import diagnose  # noqa: PLC0415 - only refused text pays for it

        raise diagnose(text, rule, grammar)
    return tree


def _full_tree(text: str, rule: str, grammar: str) -> Tree[Token] | None:
    if len(text) > FULL_LIMIT:
        raise TextTooLongError(len(text))
    events = derive(text, rule, grammar)
    if events is None:
        return None
    root: list[Tree[Token] | Token] = []
    open_children = [root]
    for kind, value, offset in events:
        if kind == "enter":
            tree = lark_parser.node(value)
            open_children[-1].append(tree)
            open_children.append(tree.children)
        elif kind == "exit":
            open_children.pop()
        else:
            open_children[-1].append(lark_parser.leaf(value, offset))
    top = root[0]
    assert not isinstance(top, str)  # noqa: S101 - the first event enters the rule itself
    return top
