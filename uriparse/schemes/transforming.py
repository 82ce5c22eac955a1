"""`transform`: from a parse tree of any grammar to the record of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse._base.coerce import as_str
from uriparse.errors import UnknownRuleError
from uriparse.grammar.matchers import node_name, tables
from uriparse.schemes.current import CURRENT
from uriparse.schemes.other import OTHER_URL
from uriparse.schemes.registry import RFC1738

if TYPE_CHECKING:
    from lark import Token, Tree

    from uriparse.components.component_text import Components
    from uriparse.records import URI, RelativeRef
    from uriparse.schemes.registry import Scheme, Schemes
    from uriparse.schemes.url import URL


def transform(
    tree: Tree[Token],
    *,
    text: str | None = None,
    grammar: str | None = None,
    registry: Schemes | None = None,
) -> URI | RelativeRef | URL | Components:
    """Return the record of a parse tree, equal to that of the fast reader of its rule.

    tree: of `parse_tree`, with either detail, or of a parser of Lark's for the `.lark` file of a
        grammar.
    text: what the tree is of; None for a tree of `parse_tree`, which has it. Needed for URLs.
    grammar: the name of its grammar; None for a tree of `parse_tree`, which has it too.
    registry: the schemes whose records are made of URLs; None for `CURRENT` and `RFC1738`.

    Trees of references (RFC 3986, RFC 3987) become the records of `parse`, those of RFC 2396 the
    `Components` of `legacy.rfc2396`, and those of the rule of a scheme the records of `parse_url`.

    UnknownRuleError for a tree of another rule, or with a node that its grammar lacks.

    >>> from uriparse import parse_tree
    >>> transform(parse_tree("http://user:secret@[::1]/a?"))
    <URI 'http://user:***@[::1]/a?'>
    >>> transform(parse_tree("ftp://h.d/a", "ftpurl", grammar="rfc1738"))
    <FtpURL 'ftp://h.d/a'>
    """
    from uriparse.trees import ReferenceTransformer, RFC2396Transformer  # noqa: PLC0415 - loads lark

    own = getattr(tree, "grammar", None) if grammar is None else as_str(grammar, "grammar")
    name = own or "rfc3986"
    text = getattr(tree, "text", None) if text is None else as_str(text, "text")
    if name == "rfc2396":
        return RFC2396Transformer().transform(tree)
    known = tables(name)
    if known.RECORDS and registry is None:
        return ReferenceTransformer(name).transform(tree, text)
    scheme = _scheme_of(tree, text, name, (CURRENT, RFC1738) if registry is None else (registry,))
    return scheme.transformed(tree, scheme.source_of(text or ""))


def _scheme_of(
    tree: Tree[Token], text: str | None, grammar: str, among: tuple[Schemes, ...]
) -> Scheme:
    """Return the scheme by whose rule a tree was made, which may be within a wider one."""
    if text is None:
        raise TypeError("transform() needs the text of a URL: parse_tree() has not made this tree")
    word = text.partition(":")[0].lower()
    for registry in among:
        scheme = registry.get(word) or getattr(registry, "other", None) or OTHER_URL
        node: Tree[Token] | Token = tree
        while scheme.grammar == grammar and not isinstance(node, str):
            if node_name(node.data) == node_name(scheme.rule):
                return scheme
            node = node.children[0] if len(node.children) == 1 else ""  # type: ignore[assignment]
    raise UnknownRuleError(f"no record is made of a tree of {tree.data} of {grammar}")
