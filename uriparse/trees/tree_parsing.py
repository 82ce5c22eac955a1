"""Lark trees of texts: `parse_tree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from uriparse._base.coerce import Text, as_choice, as_str
from uriparse.grammar import rule_name
from uriparse.records.references import as_readable
from uriparse.trees.full_trees import full_tree
from uriparse.trees.lark_parser import ParseTree, component_tree

if TYPE_CHECKING:
    from uriparse._compiled.names import GrammarName, RuleName


_DETAILS: tuple[Literal["components", "full"], ...] = ("components", "full")


def parse_tree(
    text: Text,
    rule: RuleName | str = "URI-reference",
    *,
    grammar: GrammarName | str = "rfc3986",
    detail: Literal["components", "full"] = "components",
) -> ParseTree:
    """Parse a text by any rule of a grammar and return its Lark tree.

    text: the whole text must match; bytes must be ASCII; a record is parsed by its text.
    rule: any name in `rules(grammar)`, in any letter case.
    detail: `"components"` has a node for each component, whose text is one token (none if the
        component is empty), and no delimiters. `"full"` has a node for every rule of the ABNF down
        to characters, and the whole text: adjacent characters of a node are one token. Its nodes
        are made when they are first looked at.

    `transform` makes the record of a tree. `repr` shows the text, its password masked.

    In an ambiguous ABNF the first alternative that matches the whole text is used (RFC 3986 section
    3.2.2). Trees take linear time.

    URISyntaxError if the rule does not match the text; UnknownRuleError for an unknown rule or
    grammar; TypeError if `text` is not text.

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
    tree.text, tree.grammar = plain, grammar
    return tree
