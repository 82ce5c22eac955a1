"""From the parse tree of a URL to its record: what the transformers of all schemes share.

A transformer has one method for each node that its trees may hold, named as the ABNF rule with
"_" for "-". Leaves and branches give the fields found below them; the root gives the record. A
node without a method is an error: nothing of a URL is lost unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from lark import Lark, Token, Transformer, Tree

from uriparse.schemes.encoding import Encoded
from uriparse.schemes.host import Host, HostName, HostNumber, RelaxedHost
from uriparse.schemes.url import URL, trusted_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark.tree import Meta

URLTree: TypeAlias = Tree[Token]
"""What a parser of URLs gives: nodes named by ABNF rules, whose leaves hold a token or nothing."""

Found: TypeAlias = dict[str, object]
"""Fields by name."""

Child: TypeAlias = Token | Found

TreeParser: TypeAlias = Callable[[str], URLTree]
"""Gives the parse tree of a whole URL without its fragment, or raises URISyntaxError."""


@dataclass(frozen=True, slots=True)
class Source:
    """The URL that a tree was made of.

    Attributes:
        text: the URL as written, fragment included.
        scheme: its scheme in lower case.
        record: the class of the record to make.
        default_port: the port of the scheme.
        fragment: the fragment, or None.
        shift: what to add to an offset in the parsed text to get one in `text`, where the
            scheme's word was exchanged for another's.
        host: the host that the tree has a stand-in for, or None.
        stand_in: characters of that stand-in.

    """

    text: str = field(repr=False)
    scheme: str
    record: type[URL]
    default_port: int | None
    fragment: Encoded | None
    shift: int = 0
    host: RelaxedHost | None = None
    stand_in: int = 0

    def at(self, offset: int) -> int:
        """Translate an offset in the parsed text to one in `text`."""
        place = offset + self.shift
        if self.host is not None and self.host.start is not None and place > self.host.start:
            return place + len(self.host) - self.stand_in
        return place

    @property
    def url(self) -> str:
        """The text without the fragment."""
        return self.text.partition("#")[0]


class URLTransformer(Transformer[Token, URL]):
    """The nodes of the common Internet scheme syntax (RFC 1738 section 3.1), and the plumbing.

    A scheme's own transformer adds its nodes: those that are one field with `leaf`, those that
    only hold others with `branch`, and the root with `root`, unless it has to say more.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(visit_tokens=False)
        self.source = source

    def __init_subclass__(cls) -> None:
        """Reach the methods by the names that the ABNF spells with hyphens."""
        for name, method in list(vars(cls).items()):
            if "_" in name.strip("_") and callable(method):
                setattr(cls, name.replace("_", "-"), method)

    def __default__(self, data: str, children: list[Child], meta: Meta) -> Found | URL:
        """Treat a variant of a rule as the rule; refuse a node that nobody expected.

        `abnf2lark compile` names variants after their rule, with three underscores between.
        """
        del meta
        rule, variant, _ = str(data).partition("___")
        method: Callable[[list[Child]], Found | URL] | None = getattr(self, rule, None)
        if not variant or method is None:
            raise TypeError(f"{type(self).__name__} does not know the node {str(data)!r}")
        return method(children)

    def encoded(self, children: list[Child]) -> Encoded:
        """Give the text of a leaf and where it lies."""
        if not children:
            return Encoded("")
        token = children[0]
        if len(children) > 1 or not isinstance(token, Token):
            raise TypeError(f"{type(self).__name__}: a leaf holds more than its text")
        return Encoded(str(token), self.source.at(token.start_pos or 0))

    def record(self, found: Mapping[str, object]) -> URL:
        """Make the record of the fields found."""
        source = self.source
        return trusted_url(
            source.record,
            {
                "_text": source.text,
                "scheme": source.scheme,
                "fragment": source.fragment,
                "default_port": source.default_port,
                **found,
            },
        )

    def host(self, children: list[Child]) -> Found:
        """Give the host itself where another stood in for it."""
        if self.source.host is not None:
            return {"host": self.source.host}
        return merged(children)

    def hostname(self, children: list[Child]) -> Found:
        """Give the host as a name."""
        return {"host": self._host(HostName, children)}

    def hostnumber(self, children: list[Child]) -> Found:
        """Give the host as a number."""
        return {"host": self._host(HostNumber, children)}

    def _host(self, kind: type[HostName | HostNumber], children: list[Child]) -> Host:
        text = self.encoded(children)
        return kind(str(text), text.start)


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
        start=start.lower().replace("-", "_"),
        maybe_placeholders=False,
    )

    def parse(text: str) -> URLTree:
        return own.parse(text)

    return parse


Method: TypeAlias = Callable[[URLTransformer, list[Child]], Found]


def leaf(field: str) -> Method:
    """Make the method of a node that is the field of that name."""

    def method(self: URLTransformer, children: list[Child]) -> Found:
        return {field: self.encoded(children)}

    return method


def branch(self: URLTransformer, children: list[Child]) -> Found:  # noqa: ARG001 - a method
    """Be the method of a node that only holds others."""
    return merged(children)


def root(self: URLTransformer, children: list[Child]) -> URL:
    """Be the method of the whole rule, where its fields are all there is."""
    return self.record(merged(children))


def merged(children: Iterable[Child]) -> Found:
    """Put the fields of the nodes below together; delimiters have none."""
    found: Found = {}
    for child in children:
        if not isinstance(child, Token):
            found.update(child)
    return found


class ServerTransformer(URLTransformer):
    """For schemes with `hostport`."""

    hostport = branch
    port = leaf("port")


class LoginTransformer(ServerTransformer):
    """For schemes with `login`."""

    login = branch
    user = leaf("user")
    password = leaf("password")
