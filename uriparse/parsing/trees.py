"""`parse_tree`: the Lark tree of a text under any rule, named as the RFC names its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from uriparse.grammar import rule_name
from uriparse.grammar.tree import component_tree, full_tree

if TYPE_CHECKING:
    from lark import Token, Tree


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
        tree = component_tree(text, name, grammar)
    elif detail == "full":
        tree = full_tree(text, name, grammar)
    else:
        raise ValueError(f'detail is "components" or "full", not {detail!r}')
    if tree is None:
        from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only refused text pays for it

        raise diagnose(text, rule, grammar)
    return tree
