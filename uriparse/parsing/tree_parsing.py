"""Lark trees: `parse_tree`, and `transform` from component trees to the records of `parse`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from lark import Token, Transformer, Tree

from uriparse.coerce import Text, as_choice, as_str
from uriparse.errors import UnknownRuleError
from uriparse.grammar import rule_name, rules
from uriparse.grammar.full_trees import full_tree
from uriparse.grammar.lark_parser import component_tree
from uriparse.grammar.matchers import tables
from uriparse.parsing.parser import as_readable
from uriparse.parsing.readers import yields_records
from uriparse.records import URI, Authority, Host, RelativeRef, _unchecked
from uriparse.records.components import rule_of
from uriparse.records.hosts import KINDS

if TYPE_CHECKING:
    from uriparse._compiled.names import GrammarName, RuleName


if TYPE_CHECKING:
    Value: TypeAlias = "tuple[str, str | Authority] | Host | URI | RelativeRef"
    """The result for a node: a component and its text, a host, or a record."""
    Action: TypeAlias = Callable[[list[Value | Token]], Value]


def transform(tree: Tree[Token], grammar: str = "rfc3986") -> URI | RelativeRef:
    """Return the record of a component tree of a rule for references, such as URI-reference.

    The record equals that of `parse` for the same text. UnknownRuleError for a node that is not a
    component of the grammar, such as one of a full tree; no node is ignored.

    >>> from uriparse.parsing.tree_parsing import parse_tree
    >>> transform(parse_tree("http://user:secret@[::1]/a?"))
    <URI 'http://user:***@[::1]/a?'>
    """
    record = ToRecord(grammar).transform(tree)
    if not isinstance(record, URI | RelativeRef):
        raise UnknownRuleError(f"a tree of {tree.data} is not a reference")
    return record


class ToRecord(Transformer["Token", "Value"]):
    """Transforms component trees of a grammar to records."""

    def __init__(self, grammar: str = "rfc3986") -> None:
        super().__init__(visit_tokens=False)
        self._actions = _actions(grammar)
        self._grammar = grammar

    def __default__(self, data: str, children: list[Value | Token], meta: object) -> Value:
        """Return the result for a node by its rule; lark calls this for inner nodes first."""
        del meta
        try:
            action = self._actions[data]
        except KeyError:
            message = f"node {data} is not a component of {self._grammar}"
            raise UnknownRuleError(message) from None
        return action(children)


@cache
def _actions(grammar: str) -> dict[str, Action]:
    """Return the action for each node of a grammar's component trees, by rule."""
    known = tables(grammar)
    actions: dict[str, Action] = {}
    for rule in rules(grammar):
        group = rule.replace("-", "_")
        if rule in known.RECORDS:
            actions[rule] = _record(grammar)
        elif yields_records(rule, grammar):
            actions[rule] = _only
        elif group in known.HOSTS:
            actions[rule] = _host(KINDS[known.HOSTS[group]])
        elif group in known.FIELDS:
            actions[rule] = _component(known.FIELDS[group])
    if actions:
        actions[rule_of("authority", grammar)] = _authority
        actions[rule_of("host", grammar)] = _only
        actions["IP-literal"] = _literal
    return actions


def _text(children: list[Value | Token]) -> str:
    """Return the text of a leaf, which has no token if it is empty."""
    return str(children[0]) if children else ""


def _component(name: str) -> Action:
    return lambda children: (name, _text(children))


def _host(kind: type[Host]) -> Action:
    return lambda children: _unchecked.host(kind, _text(children))


def _only(children: list[Value | Token]) -> Value:
    (child,) = children
    return cast("Value", child)


def _literal(children: list[Value | Token]) -> Value:
    host = cast("Host", _only(children))
    return _unchecked.host(type(host), f"[{host}]")


def _authority(children: list[Value | Token]) -> Value:
    (host,) = (child for child in children if isinstance(child, Host))
    parts = cast("dict[str, str]", dict(child for child in children if isinstance(child, tuple)))
    return "authority", _unchecked.authority(parts.get("userinfo"), host, parts.get("port"))


def _record(grammar: str) -> Action:
    def action(children: list[Value | Token]) -> Value:
        parts = dict(cast("list[tuple[str, str]]", children))
        authority = cast("Authority | None", parts.get("authority"))
        return _unchecked.reference(
            parts.get("scheme"),
            authority,
            parts["path"],
            parts.get("query"),
            parts.get("fragment"),
            grammar,
        )

    return action


_DETAILS: tuple[Literal["components", "full"], ...] = ("components", "full")


def parse_tree(
    text: Text,
    rule: RuleName | str = "URI-reference",
    *,
    grammar: GrammarName | str = "rfc3986",
    detail: Literal["components", "full"] = "components",
) -> Tree[Token]:
    """Parse a text by any rule of a grammar and return its Lark tree.

    text: the whole text must match; bytes must be ASCII; a record is parsed by its text.
    rule: any name in `rules(grammar)`, in any letter case.
    detail: `"components"` has a node for each component, whose text is one token (none if the
        component is empty), and no delimiters. `"full"` has a node for every rule of the ABNF down
        to characters, and the whole text: adjacent characters of a node are one token. Its nodes
        are made when they are first looked at.

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
    return tree
