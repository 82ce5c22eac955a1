"""From the parse tree of a URL to its record: what the transformers of all schemes share.

A transformer has one method for each node that its trees may hold, named as the ABNF rule in lower
case with "_" for "-". Leaves and branches give the fields found below them; the root gives the
record. A node without a method is an error: nothing of a URL is lost unseen.

A transformer whose nodes are nothing but leaves, branches and a root need not be run: the rule's
expression captures its leaves (see `captures`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, overload

from uriparse.errors import URISyntaxError
from uriparse.schemes.encoding import Encoded, HostName, HostNumber, _trusted_field
from uriparse.schemes.url import URL, _unchecked_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lark import Token, Tree

    from uriparse.schemes.url import Source

    URLTree: TypeAlias = Tree[Token]
    """What a parser of URLs gives: nodes named by ABNF rules, whose leaves hold a token or none."""

Found: TypeAlias = dict[str, object]
"""Fields by name."""

Child: TypeAlias = "Token | Found"

Method: TypeAlias = "Callable[[list[Child]], Found | URL]"

TreeParser: TypeAlias = "Callable[[str], URLTree]"
"""Gives the parse tree of a whole URL without its fragment, or raises URISyntaxError."""


class Leaf:
    """The method of a node that is one field: its text as written, of a kind that tells more."""

    __slots__ = ("field", "kind")

    def __init__(self, field: str, kind: type[Encoded]) -> None:
        self.field, self.kind = field, kind

    @overload
    def __get__(self, transformer: None, owner: type) -> Leaf: ...
    @overload
    def __get__(self, transformer: URLTransformer, owner: type) -> Method: ...
    def __get__(self, transformer: URLTransformer | None, owner: type) -> Leaf | Method:
        return self if transformer is None else partial(self._found, transformer)

    def _found(self, transformer: URLTransformer, children: list[Child]) -> Found:
        return {self.field: transformer.encoded(children, self.kind)}


def method_name(rule: str) -> str:
    """Name the method of a rule; the letter case of rules means nothing (RFC 5234 section 2.1).

    >>> method_name("http-URI")
    'http_uri'
    """
    return rule.replace("-", "_").lower()


def leaf(field: str, kind: type[Encoded] = Encoded) -> Leaf:
    """Make the method of a node that is the field of that name."""
    return Leaf(field, kind)


def branch(self: URLTransformer, children: list[Child]) -> Found:  # noqa: ARG001 - a method
    """Be the method of a node that only holds others."""
    return merged(children)


def passed(self: URLTransformer, children: list[Child]) -> Found:  # noqa: ARG001 - a method
    """Be the method of a node that the record finds in its text by itself."""
    return {}


def root(self: URLTransformer, children: list[Child]) -> URL:
    """Be the method of the whole rule, where its fields are all there is."""
    return self.record(merged(children))


def merged(children: Iterable[Child]) -> Found:
    """Put the fields of the nodes below together; delimiters have none."""
    found: Found = {}
    for child in children:
        if not isinstance(child, str):
            found.update(child)
    return found


def record_of(source: Source, found: Found) -> URL:
    """Make the record of the fields found, which it completes."""
    whole = {
        "_text": source.text,
        "scheme": source.scheme,
        "fragment": source.fragment,
        "default_port": source.default_port,
        **found,
    }
    source.record.complete(whole, source.url)
    return _unchecked_url(source.record, whole)


class URLTransformer:
    """The nodes of the common Internet scheme syntax (RFC 1738 section 3.1), and the plumbing.

    A scheme's own transformer adds its nodes: those that are one field with `leaf`, those that
    only hold others with `branch`, those that the record finds in its text with `passed`, and the
    root with `root`, unless it has to say more.
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    def transform(self, tree: URLTree) -> URL:
        """Make the record of a tree, inner nodes first, however deep they are."""
        made: dict[int, Found | URL] = {}
        for node in tree.iter_subtrees():
            below = [
                child if isinstance(child, str) else made[id(child)] for child in node.children
            ]
            made[id(node)] = self._method(str(node.data))(cast("list[Child]", below))
        record = made[id(tree)]
        if not isinstance(record, URL):
            raise TypeError(f"{type(self).__name__}: the node {str(tree.data)!r} is no root")
        return record

    def _method(self, name: str) -> Method:
        """Find the method of a node; refuse one that nobody expected.

        `abnf2lark compile` names variants after their rule, with three underscores between.
        """
        rule = method_name(name.partition("___")[0])
        method: Method | None = getattr(self, rule, None)
        if method is None:
            raise TypeError(f"{type(self).__name__} does not know the node {name!r}")
        return method

    def encoded(self, children: list[Child], kind: type[Encoded] = Encoded) -> Encoded:
        """Give the text of a leaf and where it lies."""
        if not children:
            return _trusted_field(kind, "")
        token = children[0]
        if len(children) > 1 or not isinstance(token, str):
            raise TypeError(f"{type(self).__name__}: a leaf holds more than its text")
        return _trusted_field(kind, str(token), self.source.at(token.start_pos or 0))

    def record(self, found: Found) -> URL:
        """Make the record of the fields found."""
        return record_of(self.source, found)

    def host(self, children: list[Child], /) -> Found | URL:
        """Give the host itself where another stood in for it."""
        if self.source.host is not None:
            return {"host": self.source.host}
        return merged(children)

    hostname = leaf("host", HostName)
    hostnumber = leaf("host", HostNumber)


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
    from lark import Lark  # noqa: PLC0415 - loaded for grammars that are not shipped alone

    own = Lark(
        grammar,
        parser=parser,
        lexer="contextual" if parser == "lalr" else "dynamic_complete",
        start=start.lower().replace("-", "_"),
        maybe_placeholders=False,
    )

    def parse(text: str) -> URLTree:
        return own.parse(text)

    return parse


def tree_of(text: str, parser: TreeParser, rule: str) -> URLTree:
    """Parse with a parser of one's own, which may raise Lark's errors; URISyntaxError for those."""
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - same

    try:
        return parser(text)
    except UnexpectedInput as error:
        token = getattr(error, "token", None)  # of the kinds of error that have one
        place = error.pos_in_stream
        at_end = place is None or place < 0 or getattr(token, "type", None) == "$END"
        offset = len(text) if at_end else place or 0
    raise URISyntaxError("", text=text, offset=offset, rule=rule)


class ServerTransformer(URLTransformer):
    """For schemes with `hostport`."""

    hostport = branch
    port = leaf("port")


class LoginTransformer(ServerTransformer):
    """For schemes with `login`."""

    login = branch
    user = leaf("user")
    password = leaf("password")
