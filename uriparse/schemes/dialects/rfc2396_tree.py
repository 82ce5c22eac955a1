"""From component trees of RFC 2396 to components, in the words of RFC 3986."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lark import Token, Transformer, Tree

if TYPE_CHECKING:
    from lark.tree import Meta

Components: TypeAlias = dict[str, str | None]

_BRANCHES = frozenset(
    {"URI-reference", "absoluteURI", "relativeURI", "hier-part", "net-path", "hostport", "host"}
)
_LEAVES = {
    "scheme": "scheme",
    "userinfo": "userinfo",
    "port": "port",
    "abs-path": "path",
    "rel-path": "path",
    "opaque-part": "path",
    "query": "query",
    "fragment": "fragment",
}
_HOSTS = {"hostname": "name", "IPv4address": "IPv4"}


class ToComponents(Transformer[Token, Components]):
    """The transformer of component trees of the rule `URI-reference` of RFC 2396.

    An authority that fits the rule `server` has a host, which is empty if the authority is; one
    that is only a `reg-name` has none that RFC 2396 would know of.
    """

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)

    def __default__(self, data: str, children: list[Components | Token], meta: Meta) -> Components:
        """Treat a node by its rule; a rule that is not known is an error."""
        del meta
        text = "".join(child for child in children if isinstance(child, str))
        found: Components = {}
        for child in children:
            if isinstance(child, dict):
                found |= child
        if data in _BRANCHES:
            return found
        if data in _LEAVES:
            return {_LEAVES[data]: text}
        if data in _HOSTS:
            return {"host": text, "host_kind": _HOSTS[data]}
        match data:
            case "reg-name":
                return {"authority": text, "host_kind": "registry"}
            case "server":
                return {"host": "", "host_kind": "name", **found}
            case "authority":
                return found if "authority" in found else {**found, "authority": _joined(found)}
            case _:
                raise TypeError(f"a component tree of RFC 2396 has no node {data!r}")


def components_of(tree: Tree[Token]) -> Components:
    """Give the components that a tree holds; the path of a reference is never absent."""
    return {"path": "", **ToComponents().transform(tree)}


def _joined(found: Components) -> str:
    userinfo, port = found.get("userinfo"), found.get("port")
    login = "" if userinfo is None else f"{userinfo}@"
    return f"{login}{found['host']}{'' if port is None else f':{port}'}"
