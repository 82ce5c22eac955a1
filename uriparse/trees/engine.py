"""The engine of Lark: texts read by the `.lark` grammars and the transformer classes alone.

`URIPARSE_ENGINE=lark` imports this module, which installs itself in `uriparse._base.engine`. No
tree is made: what the transformer class makes of a node is made as the parser reduces it, as by
`Lark(..., transformer=...)`. The diagnosis of a refused text is that of the other engines.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from lark.exceptions import UnexpectedInput

from uriparse._base import engine as _engine
from uriparse.grammar.collecting import uncollected
from uriparse.grammar.matchers import node_name
from uriparse.trees import transformers
from uriparse.trees.lalr import LeanParser
from uriparse.trees.lark_parser import parser_of, start_symbol
from uriparse.trees.transformers import RecordTransformer, Stated, URLTransformer, within

if TYPE_CHECKING:
    from lark import Token

    from uriparse.components.component_text import Components
    from uriparse.trees.transformers import Found

Children: TypeAlias = list[object]


class TextParser(LeanParser):
    """A parser whose tokens are their text, for transformers that do not ask where it begins."""

    makes_tokens: ClassVar[bool] = False


class _Callbacks:
    """The methods of a transformer by the name of the node: `__default__` without a search."""

    def __init__(self, transformer: RecordTransformer[Any]) -> None:
        self._transformer = transformer

    def __getattr__(self, name: str) -> Callable[[Children], object]:
        if name.startswith("_"):  # not a node: Lark takes the children out of its own tree
            raise AttributeError(name)
        transformer, rule = self._transformer, node_name(name)
        if transformers.has_method(type(transformer), rule):
            return cast("Callable[[Children], object]", getattr(transformer, rule))
        stated = transformer.stated(rule)
        if stated is not None:
            return _field(stated)
        otherwise = partial(transformer.__default__, name)
        return lambda children: within(children) or otherwise(children)


def _field(stated: Stated) -> Callable[[Children], object]:
    name, value = stated.field, stated.value

    def made(children: Children) -> object:
        if not children:
            return {name: value("", None)}
        piece = cast("Token", children[0])
        return {name: value(piece, getattr(piece, "start_pos", None))}

    return made


class _Verdict:
    """Makes nothing of any node."""

    def __getattr__(self, name: str) -> Callable[[Children], object]:
        if name.startswith("_"):  # not a node: Lark takes the children out of its own tree
            raise AttributeError(name)
        return lambda _: True


def _reader(
    transformer: object, grammar: str, rule: str, kind: type[LeanParser] = LeanParser
) -> Callable[[str], Any]:
    """Return what makes of a text what a transformer makes of its tree; None if it has none."""
    parse = parser_of(grammar, start_symbol(grammar, rule), transformer, kind)

    def read(text: str) -> object:
        # Expressions read the characters of a subclass, and its slices may be something else.
        plain = text if type(text) is str else str.__str__(text)
        try:
            with uncollected(plain):
                return parse(plain)
        except UnexpectedInput:
            return None

    return read


class LarkEngine:
    """The engine: see `uriparse._base.engine.EngineReading`."""

    @staticmethod
    @cache
    def matches(rule: str, grammar: str) -> Callable[[str], object | None]:
        """Return what returns None for a text that the rule does not match."""
        return _reader(_Verdict(), grammar, rule, TextParser)

    @staticmethod
    @cache
    def components(rule: str, grammar: str) -> Callable[[str], Found | None]:
        """Return what returns the components of a text, or None if the rule does not match it."""
        return _reader(
            _Callbacks(transformers.ReferenceTransformer(grammar)), grammar, rule, TextParser
        )


def fields_reader(scheme: transformers.SchemeOfTrees[Any]) -> Callable[[str], Found | None]:
    """Return what returns the fields of a text of a scheme's rule, or None for others."""
    return _reader(_Callbacks(URLTransformer(scheme)), scheme.grammar, scheme.rule)


def split_by_lark(text: str) -> Components | None:
    """Return the components of a reference of RFC 2396; None for other texts."""
    transformer, read = _rfc2396()
    found = read(text)
    return None if found is None else transformer.record(found, text)


@cache
def _rfc2396() -> tuple[transformers.RFC2396Transformer, Callable[[str], Found | None]]:
    transformer = transformers.RFC2396Transformer()
    return transformer, _reader(_Callbacks(transformer), "rfc2396", "URI-reference", TextParser)


if _engine.CHOSEN == "lark":
    _engine.by_lark = LarkEngine()
