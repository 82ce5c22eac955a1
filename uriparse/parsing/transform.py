"""From component trees to records: the way through Lark, which `parse` is held against."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

from lark import Transformer

from uriparse.errors import UnknownRuleError
from uriparse.grammar import rules
from uriparse.grammar.matchers import tables
from uriparse.parsing.readers import yields_records
from uriparse.records import URI, Authority, Host, RelativeRef, _unchecked
from uriparse.records.components import rule_of
from uriparse.records.hosts import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token, Tree

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
