"""`parse_tree`, and from component trees to records: the way through Lark."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from lark import Transformer

from uriparse.coerce import Text, as_choice, as_str
from uriparse.errors import UnknownRuleError
from uriparse.grammar import rule_name, rules
from uriparse.grammar.lark_parser import component_tree, full_tree
from uriparse.grammar.matchers import tables
from uriparse.parsing.parser import as_readable
from uriparse.parsing.readers import yields_records
from uriparse.records import URI, Authority, Host, RelativeRef, _unchecked
from uriparse.records.components import rule_of
from uriparse.records.hosts import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token, Tree

    from uriparse._compiled.names import GrammarName, RuleName


# From component trees to records: the way through Lark, which `parse` is held against.

if TYPE_CHECKING:
    Value: TypeAlias = "tuple[str, str | Authority] | Host | URI | RelativeRef"
    """What a node becomes: a component and its text, a host, or a record."""
    Action: TypeAlias = Callable[[list[Value | Token]], Value]


def transform(tree: Tree[Token], grammar: str = "rfc3986") -> URI | RelativeRef:
    """Make the record of a component tree whose root yields a reference, such as URI-reference.

    The record equals the one that `parse` makes of the same text. UnknownRuleError for a node
    that is no component of the grammar, as those of full trees; nothing is passed over.

    >>> from uriparse.parsing.trees import parse_tree
    >>> transform(parse_tree("http://user:secret@[::1]/a?"))
    <URI 'http://user:***@[::1]/a?'>
    """
    record = ToRecord(grammar).transform(tree)
    if not isinstance(record, URI | RelativeRef):
        raise UnknownRuleError(f"a tree of {tree.data} holds no reference")
    return record


class ToRecord(Transformer["Token", "Value"]):
    """The transformer of the component trees of a grammar whose rules yield references."""

    def __init__(self, grammar: str = "rfc3986") -> None:
        super().__init__(visit_tokens=False)
        self._actions = _actions(grammar)
        self._grammar = grammar

    def __default__(self, data: str, children: list[Value | Token], meta: object) -> Value:
        """Treat a node by its rule; lark calls this for each, inner ones first."""
        del meta
        try:
            action = self._actions[data]
        except KeyError:
            raise UnknownRuleError(f"no component of {self._grammar}: node {data}") from None
        return action(children)


@cache
def _actions(grammar: str) -> dict[str, Action]:
    """Say what becomes of each node of a grammar's component trees."""
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
    """Give the text of a leaf, which has no token where it is empty."""
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


# `parse_tree`: the Lark tree of a text under any rule, named as the RFC names its rules.

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

    URISyntaxError if the rule does not match the text; UnknownRuleError if there is no such
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
