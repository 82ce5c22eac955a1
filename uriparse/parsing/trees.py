"""`parse_tree`: the Lark tree of a text under any rule, named as the RFC names its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from uriparse.door import Text, as_choice, as_str
from uriparse.grammar import rule_name
from uriparse.grammar.tree import component_tree, full_tree
from uriparse.parsing.parser import as_readable

if TYPE_CHECKING:
    from lark import Token, Tree

    from uriparse._compiled.names import GrammarName, RuleName

_DETAILS: tuple[Literal["components", "full"], ...] = ("components", "full")


def parse_tree(
    text: Text,
    rule: RuleName | str = "URI-reference",
    *,
    grammar: GrammarName | str = "rfc3986",
    detail: Literal["components", "full"] = "components",
) -> Tree[Token]:
    """Parse a text with any rule of a grammar; return its Lark tree.

    text: the whole text must match; bytes must be ASCII; a record stands for its text.
    rule: any name of `rules(grammar)`, in any letter case.
    detail: `"components"` has a node for each component, whose text is one token (none where
        the component is empty), and leaves delimiters out. `"full"` has a node for every rule
        of the ABNF, down to characters, and holds the whole text; it is made for people and
        takes milliseconds, and texts of more than `FULL_LIMIT` characters are refused.

    Where the ABNF is ambiguous the first alternative that leads to the end is taken (RFC 3986
    section 3.2.2). Component trees take linear time.

    URISyntaxError if the rule does not derive the text; UnknownRuleError if there is no such
    rule or grammar; TextTooLongError; TypeError for what is no text.

    >>> tree = parse_tree("http://[::1]:8080/a?")
    >>> [str(node.data) for node in tree.iter_subtrees_topdown()]  # doctest: +NORMALIZE_WHITESPACE
    ['URI-reference', 'URI', 'scheme', 'authority', 'host', 'IP-literal', 'IPv6address', 'port',
     'path-abempty', 'query']
    >>> parse_tree("25", "dec-octet", detail="full").pretty("  ").split()
    ['dec-octet', '2', 'DIGIT', '5']
    """
    make = full_tree if as_choice(detail, "detail", _DETAILS) == "full" else component_tree
    grammar = as_str(grammar, "grammar")
    name = rule_name(rule, grammar)
    plain = as_readable(text)
    tree = None if plain is None else make(plain, name, grammar)
    if tree is None:
        from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only refused text pays for it

        raise diagnose(text, rule, grammar)
    return tree
