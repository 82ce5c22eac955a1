"""Lark trees of texts: `parse_tree`.

Full trees are derived by the engine of the compiler, which is loaded for them alone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from uriparse._base.coerce import Text, as_choice, as_str
from uriparse.grammar import rule_expressions, rule_name
from uriparse.grammar.rule_sources import as_grammar
from uriparse.records.references import as_readable
from uriparse.trees.lark_parser import ParseTree, component_tree

if TYPE_CHECKING:
    from abnf2lark.charts import States
    from abnf2lark.library.parse_trees import DerivedTree
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


def full_tree(text: str, rule: str, grammar: str) -> ParseTree | None:
    """Return the tree of every rule, down to characters; None if the text does not match.

    `rule` is in the RFC's spelling. Takes linear time, since no shipped rule is recursive.
    """
    from abnf2lark.charts import read  # noqa: PLC0415 - see above
    from abnf2lark.library.parse_trees import grown  # noqa: PLC0415 - see above

    states = _states(grammar)
    found = read(states, rule, text, kept=states.names).derivation
    return None if found is None else cast("ParseTree", grown(found, _kind()))


@cache
def _states(grammar: str) -> States:
    from abnf2lark.charts import States  # noqa: PLC0415 - see above

    return States(as_grammar(rule_expressions(grammar)))


@cache
def _kind() -> type[DerivedTree]:
    from abnf2lark.library.parse_trees import DerivedTree  # noqa: PLC0415 - see above

    class FullTree(DerivedTree, ParseTree):  # type: ignore[misc]  # children are a tuple
        """A tree of every rule, whose children are made when they are first looked at."""

        __repr__ = ParseTree.__repr__

        def __reduce__(self) -> tuple[object, ...]:  # type: ignore[override]  # with the text
            kept = {"text": self.text, "grammar": self.grammar}
            return ParseTree, (self.data, [*self.children], self.meta), kept

    return FullTree
