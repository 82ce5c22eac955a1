"""From the parse tree of a URL to its record: one transformer for the records of all schemes.

A node whose rule is a field of the record becomes that field; the others hold nodes, whose fields
they pass on. A node that holds neither is an error: no part of a URL is lost unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from uriparse.errors import URISyntaxError
from uriparse.schemes.encoding import _trusted_field
from uriparse.schemes.fields import node_name
from uriparse.schemes.url import URL, Source, _unchecked_url

if TYPE_CHECKING:
    from lark import Token, Tree


if TYPE_CHECKING:
    URLTree: TypeAlias = Tree[Token]
    """A parse tree: nodes named by ABNF rules, whose leaves hold at most one token."""

Found: TypeAlias = dict[str, object]
"""Fields by name."""

TreeParser: TypeAlias = "Callable[[str], URLTree]"
"""Returns the parse tree of a whole URL without its fragment, or raises URISyntaxError."""


class RecordTransformer:
    """Make the record of a parse tree by the fields that the record's class states."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.captures = source.record.CAPTURES

    def transform(self, tree: URLTree) -> URL:
        """Make the record of a tree, inner nodes first, however deep they are."""
        made: dict[int, Found] = {}
        for node in tree.iter_subtrees():
            below = [made[id(child)] for child in node.children if not isinstance(child, str)]
            tokens = [child for child in node.children if isinstance(child, str)]
            # `abnf2lark compile` names variants after their rule, with three underscores between.
            rule = node_name(str(node.data).partition("___")[0])
            made[id(node)] = self._fields(rule, below, tokens, is_root=node is tree)
        return record_of(self.source, made[id(tree)])

    def _fields(
        self, rule: str, below: list[Found], tokens: list[Token], *, is_root: bool
    ) -> Found:
        source = self.source
        if rule == "host" and source.host is not None:
            return {source.record.HOST_FIELD: source.host}
        capture = self.captures.get(rule)
        if capture is None:
            if not below and not is_root and rule not in self.captures:
                raise TypeError(f"{source.record.__name__} has no field for the rule {rule!r}")
            return {name: value for found in below for name, value in found.items()}
        name, kind = capture
        if below or len(tokens) > 1:
            raise TypeError(f"{source.record.__name__}: the rule {rule!r} holds more than its text")
        if not tokens:
            return {name: _trusted_field(kind, "")}
        token = tokens[0]
        return {name: _trusted_field(kind, str(token), source.at(token.start_pos or 0))}


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
    """Parse with a user's parser; URISyntaxError where it raises an error of Lark."""
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - same

    try:
        return parser(text)
    except UnexpectedInput as error:
        token = getattr(error, "token", None)  # of the kinds of error that have one
        place = error.pos_in_stream
        at_end = place is None or place < 0 or getattr(token, "type", None) == "$END"
        offset = len(text) if at_end else place or 0
    raise URISyntaxError("", text=text, offset=offset, rule=rule)
