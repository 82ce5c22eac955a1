"""From parse trees to records: transformer classes of Lark, one for each kind of record.

What becomes a field is stated once, with the records: in `grammars.toml` for references, by
`url_field` for URLs. A node whose rule is a field becomes the field, and every other node passes on
the fields within it. A node that is neither is an error: no part of a text is lost unseen.

A subclass overrides the method of a rule, named as Lark names rules, `path_empty`:

>>> from uriparse.trees import ReferenceTransformer, parse_tree
>>> class Ports(ReferenceTransformer):
...     def port(self, children):
...         self.found = int("".join(children))
...         return self.__default__("port", children)
>>> ports = Ports()
>>> ports.transform(parse_tree("http://h.d:8042/")), ports.found
(<URI 'http://h.d:8042/'>, 8042)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache, partial
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.visitors import Transformer_NonRecursive

from uriparse._compiled.index import RULES
from uriparse.components.component_text import Components, compose_authority
from uriparse.errors import UnknownRuleError, URISyntaxError
from uriparse.grammar import rule_expressions, start_rule
from uriparse.grammar.matchers import node_name, tables
from uriparse.records import URI, Host, RelativeRef
from uriparse.records._draft import COMPONENTS
from uriparse.records.hosts import KINDS, _unchecked_host
from uriparse.records.readers import yields_records
from uriparse.records.references import _unchecked_parts
from uriparse.trees.lark_parser import component_nodes

Found: TypeAlias = "dict[str, object]"
"""Fields by name: the value of a node."""

R = TypeVar("R")


class Stated(Protocol):
    """A field that the text of a rule becomes."""

    @property
    def field(self) -> str:
        """Return the name of the field."""

    def value(self, text: str, start: int | None) -> object:
        """Return the value of the field; start: the offset of the text, None if it is empty."""


Statements: TypeAlias = "Mapping[str, Stated | None]"
"""What nodes become, by `node_name`; None for a node that is not a field and may hold none."""


class RecordTransformer(Transformer_NonRecursive["Token", object], Generic[R]):
    """The base of the transformers: a node becomes its field, or the fields within it.

    Every node's value is a dict of fields; a token for a rule of which only full trees have nodes.
    What a method of a subclass returns is passed to the method of the node above; `__default__`
    returns what the node becomes otherwise.

    A class with a method for an unknown rule is an UnknownRuleError; `rules`, a keyword of the
    class, adds those of a grammar that is not shipped.
    """

    GRAMMARS: ClassVar[tuple[str, ...]] = ()
    """The grammars whose rules can have methods."""

    def __init_subclass__(cls, *, rules: Iterable[str] = ()) -> None:
        super().__init_subclass__()
        known: dict[str, str] = {node_name(rule): rule for rule in rules}
        for grammar in cls.GRAMMARS:
            known |= _nodes(grammar)
        for name, value in vars(cls).items():
            own = name.startswith("_") or name in known or hasattr(RecordTransformer, name)
            if not own and callable(value) and not isinstance(value, type):
                raise UnknownRuleError(_unknown_method(cls.__name__, name, known))

    def __init__(self, grammar: str, statements: Statements, record: str, root: str) -> None:
        super().__init__(visit_tokens=False)
        self._grammar, self._statements, self._record = grammar, statements, record
        self._root = node_name(root)
        self._text: str | None = None

    def transform(self, tree: Tree[Token], text: str | None = None) -> R:
        """Return the record of a tree.

        text: what the tree is of, for a tree of a parser of Lark's; trees of `parse_tree` have it.
        """
        return self.record(self.fields(tree, text), self._text)

    def fields(self, tree: Tree[Token], text: str | None = None) -> Found:
        """Return the fields of a tree by name, as `transform` makes a record of them."""
        self._text = getattr(tree, "text", None) if text is None else text
        self._root = node_name(tree.data)
        return cast("Found", super().transform(tree))

    def record(self, found: Found, text: str | None) -> R:
        """Return the record of the fields in a tree and its text."""
        raise NotImplementedError

    def stated(self, rule: str) -> Stated | None:
        """Return the field that a node becomes; None for a node that is not one."""
        return self._statements.get(rule)

    def _call_userfunc(self, tree: Tree[Token], new_children: list[object] | None = None) -> object:
        # Lark's asks for an attribute of each name; two thirds of the time were its errors.
        if has_method(type(self), tree.data):
            return super()._call_userfunc(tree, new_children)  # type: ignore[no-untyped-call]  # of Lark
        return self.__default__(tree.data, new_children or [], tree.meta)

    def __default__(self, data: str, children: list[object], meta: object = None) -> Found | Token:
        """Return the fields of a node: what a method of its rule replaces."""
        rule = node_name(data)
        stated = self._statements.get(rule)
        if stated is not None:
            text, start = self._part(rule, children, meta)
            return {stated.field: stated.value(text, start)}
        found = within(children)
        if found or rule == self._root or rule in self._statements:
            return found
        if any(type(child) is dict for child in children):
            return found
        if self._grammar and rule not in _rules(self._grammar):
            raise UnknownRuleError(f"node {data} is not a component of {self._grammar}")
        if _is_full(meta) and rule not in component_nodes(self._grammar, self._root):
            return Token("TEXT", *self._part(rule, children, meta))
        raise TypeError(f"{self._record} has no field for the rule {str(data)!r}")

    def __getattr__(self, name: str) -> Callable[[list[object]], object]:
        """Return the method of a node whose name is not spelled as that of the method."""
        rule = node_name(name)
        if rule == name:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        return cast("Callable[[list[object]], object]", getattr(self, rule))

    def _part(self, rule: str, children: list[object], meta: object) -> tuple[str, int | None]:
        """Return the text of a node and where it begins."""
        if self._text is not None and _is_full(meta):
            start, end = meta.start_pos, meta.end_pos  # type: ignore[attr-defined]  # it is not empty
            return self._text[start:end], None if start == end else start
        pieces = [child for child in children if isinstance(child, Token)]
        if len(pieces) < len(children):
            raise TypeError(f"{self._record}: the rule {rule!r} holds more than its text")
        text = "".join(pieces)
        return text, (pieces[0].start_pos or 0) if text else None


@lru_cache(maxsize=4096)
def has_method(kind: type[RecordTransformer[Any]], data: str) -> bool:
    """Return whether a class of transformers has a method for nodes of a name."""
    name = node_name(data)  # what every class has, such as `record`, is not the method of a rule
    return hasattr(kind, name) and not hasattr(RecordTransformer, name)


def _is_full(meta: object) -> bool:
    """Return whether a node is of a full tree, whose nodes know where they begin and end."""
    return not getattr(meta, "empty", True)


def within(children: list[object]) -> Found:
    """Return the fields of nodes."""
    found: Found = {}
    for child in children:
        if type(child) is dict:
            found.update(child)
    return found


@cache
def _nodes(grammar: str) -> Mapping[str, str]:
    """Return the rules of a grammar, and the core rules, by the names of their nodes."""
    return {node_name(rule): rule for name in (grammar, "core") for rule in RULES.get(name, ())}


@cache
def _rules(grammar: str) -> Collection[str]:
    """Return the names of the nodes that full trees of a grammar can have."""
    return {*map(node_name, rule_expressions(grammar))}


def _unknown_method(kind: str, name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only failures pay for it

    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{kind}.{name}: no rule has this name, and a helper begins with an underscore{hint}"


# References: RFC 3986 and RFC 3987.


class _Part(NamedTuple):
    """A component of references."""

    field: str
    make: Callable[[str], object]

    def value(self, text: str, start: int | None) -> object:
        del start
        return self.make(text)


def _literal(kind: type[Host], text: str) -> Host:
    return _unchecked_host(kind, f"[{text}]")


_BRACKETED = {"IPv6", "IPvFuture"}
"""Kinds of host whose rule leaves the brackets out."""


@cache
def components(grammar: str) -> Statements:
    """Return the components of references, as `grammars.toml` states them for a grammar."""
    known = tables(grammar)
    stated: dict[str, _Part] = {}
    for group, field in known.FIELDS.items():
        kind = known.HOSTS.get(group)
        make: Callable[[str], object] = str
        if kind is not None:
            make = partial(_literal if kind in _BRACKETED else _unchecked_host, KINDS[kind])
        stated[node_name(group)] = _Part(field, make)
    return stated


class ReferenceTransformer(RecordTransformer[URI | RelativeRef]):
    """Makes records of trees of the rules for references: RFC 3986, and RFC 3987 for IRIs.

    The record equals that of `parse`. UnknownRuleError for a tree of another rule.

    >>> from lark import Token, Tree
    >>> tree = Tree("uri", [Tree("scheme", [Token("SCHEME", "a")]), Tree("path_empty", [])])
    >>> ReferenceTransformer().transform(tree)
    <URI 'a:'>
    """

    GRAMMARS = ("rfc3986", "rfc3987")

    def __init__(self, grammar: str = "rfc3986") -> None:
        super().__init__(grammar, components(grammar), "a reference", start_rule(grammar))

    def transform(self, tree: Tree[Token], text: str | None = None) -> URI | RelativeRef:
        """Return the record of a tree."""
        rule = _nodes(self._grammar).get(node_name(tree.data), str(tree.data))
        if not yields_records(rule, self._grammar):
            raise UnknownRuleError(f"a tree of {rule} is not a reference")
        return super().transform(tree, text)

    def record(self, found: Found, text: str | None) -> URI | RelativeRef:
        """Return the record of components."""
        del text  # which is what the components are written as
        parts = cast("dict[str, Any]", found)
        return _unchecked_parts(*map(parts.get, COMPONENTS), self._grammar)


# URLs, each by the rule of its scheme.

R_co = TypeVar("R_co", covariant=True)


class SourceOfTree(Protocol[R_co]):
    """A URL, of which a tree was made."""

    def record_of(self, found: Found) -> R_co:
        """Return the record of its fields."""


class SchemeOfTrees(Protocol[R_co]):
    """What must be known of a scheme to make the records of its trees: see `Scheme`."""

    @property
    def grammar(self) -> str:
        """Return the name of the grammar that has its rule."""

    @property
    def rule(self) -> str:
        """Return the rule of its URLs."""

    @property
    def tree_parser(self) -> TreeParser | None:
        """Return the parser of a grammar that is not shipped."""

    @property
    def record(self) -> type:
        """Return the class of its records."""

    @property
    def captures(self) -> Statements:
        """Return the fields of its records, by `node_name`."""

    def source_of(self, text: str) -> SourceOfTree[R_co]:
        """Describe a text of its rule."""


class URLTransformer(RecordTransformer[R]):
    """Makes records of trees of a scheme's rule: a scheme of RFC 1738, or of any later RFC.

    scheme: that of the record, such as `RFC1738["ftp"]`.
    source: the URL, where another text was parsed in its place; by default the text of the tree.

    The record equals that of `parse_url` for the text, which a tree of a parser of Lark's needs.

    >>> from uriparse.schemes import RFC1738
    >>> from uriparse.trees import parse_tree
    >>> tree = parse_tree("ftp://h.d/a;type=i", "ftpurl", grammar="rfc1738")
    >>> url = URLTransformer(RFC1738["ftp"]).transform(tree)
    >>> url, url.host, url.ftptype
    (<FtpURL 'ftp://h.d/a;type=i'>, 'h.d', 'i')
    """

    GRAMMARS = tuple(RULES)

    def __init__(self, scheme: SchemeOfTrees[R], source: SourceOfTree[R] | None = None) -> None:
        # A grammar of a user's own has only rules whose nodes count.
        grammar = scheme.grammar if scheme.tree_parser is None else ""
        super().__init__(grammar, scheme.captures, scheme.record.__name__, scheme.rule)
        self._scheme, self._source = scheme, source

    def record(self, found: Found, text: str | None) -> R:
        """Return the record of the fields of a text; TypeError without the text."""
        if text is None:
            raise TypeError("transform() needs the text of a tree that parse_tree() has not made")
        return (self._source or self._scheme.source_of(text)).record_of(found)


# RFC 2396, whose components are those of appendix B.


class RFC2396Transformer(RecordTransformer[Components]):
    """Makes the components of trees of RFC 2396, as `legacy.rfc2396.split_reference` does.

    >>> from uriparse.trees import parse_tree
    >>> tree = parse_tree("http://u@h.d:80/a", "URI-reference", grammar="rfc2396")
    >>> RFC2396Transformer().transform(tree)[:3]
    ('http', 'u@h.d:80', '/a')
    """

    GRAMMARS = ("rfc2396",)

    def __init__(self) -> None:
        super().__init__("rfc2396", components("rfc2396"), "Components", "URI-reference")

    def server(self, children: list[object]) -> Found:
        """Return the parts of a server, which may be empty."""
        return {"host": "", **within(children)}

    def record(self, found: Found, text: str | None) -> Components:
        """Return the components of the parts found."""
        del text  # which is what the components are written as
        part = cast("Mapping[str, str]", {name: str(value) for name, value in found.items()})
        authority = part.get("authority")  # a registered name; others have the parts of a server
        if "host" in part:
            authority = compose_authority(part.get("userinfo"), part["host"], part.get("port"))
        # The opaque part has "?", and appendix B begins the query with it there too.
        path, mark, query = part.get("path", "").partition("?")
        return Components(
            part.get("scheme"),
            authority,
            path,
            query if mark else part.get("query"),
            part.get("fragment"),
        )


# Parsers of a user's own grammar.

TreeParser: TypeAlias = "Callable[[str], Tree[Token]]"
"""Returns the parse tree of a whole URL without its fragment, or raises an error of Lark."""


def tree_parser(
    grammar: str, start: str, *, parser: Literal["lalr", "earley"] = "lalr"
) -> TreeParser:
    r"""Make a parser of a Lark grammar, as `abnf2lark compile` writes them.

    grammar: its text.
    start: the ABNF name of the rule of a URL.
    parser: which algorithm it is for; the grammar's first lines say so.

    Raises the errors of Lark for a grammar that it does not take.

    >>> parse = tree_parser('note_url: "note:" _id\n_id: /[0-9]+/', "note-url")
    >>> str(parse("note:12").data)
    'note_url'
    """
    own = Lark(
        grammar,
        parser=parser,
        lexer="contextual" if parser == "lalr" else "dynamic_complete",
        start=node_name(start),
        maybe_placeholders=False,
    )

    def parse(text: str) -> Tree[Token]:
        return own.parse(text)

    return parse


def tree_of(text: str, parser: TreeParser, rule: str) -> Tree[Token]:
    """Parse with a user's parser; URISyntaxError where it raises an error of Lark."""
    try:
        return parser(text)
    except UnexpectedInput as error:
        token = getattr(error, "token", None)  # of the kinds of error that have one
        place = error.pos_in_stream
        at_end = place is None or place < 0 or getattr(token, "type", None) == "$END"
        offset = len(text) if at_end else place or 0
    raise URISyntaxError("", text=text, offset=offset, rule=rule)
