"""For pydantic, and so for FastAPI and Typer: types of texts that a rule validates, and marks.

The records need nothing of this: `URI`, `RelativeRef`, `URIReference`, the classes of
`uriparse.schemes` and `Target` are types of fields as they are, and a `Policy` is a mark. Here are
the records of IRIs, the types whose values stay texts, and `Schemes`.

>>> from typing import Annotated
>>> from pydantic import TypeAdapter
>>> TypeAdapter(URI).validate_python("http://h/a").path
'/a'
>>> TypeAdapter(Annotated[URIStr, Schemes("https")]).validate_python("https://h/")
'https://h/'
>>> TypeAdapter(URIStr).json_schema() == {"type": "string", "format": "uri"}
True

A refused value raises an error whose `ctx` holds the `offset`, in characters from 0. The
password of its `input` is masked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from uriparse._base import needed
from uriparse._base.coerce import Text, as_str, as_text
from uriparse._base.pydantic_schema import checked_schema, json_schema, read_schema, refused_scheme
from uriparse.parsing import is_valid, parse, try_parse
from uriparse.records import URI, URIReference
from uriparse.validation import Policy

with needed("pydantic", __name__):
    import pydantic as _pydantic  # noqa: F401 - the error says what to install
    from pydantic_core.core_schema import CoreSchema

__all__ = [
    "IRI", "IRIReference", "IRIReferenceStr", "IRIStr", "Schemes", "URIReferenceStr", "URIStr",
]  # fmt: skip


@dataclass(frozen=True)
class _HeldTo:
    """A mark: the texts of a rule, which stay texts unless they become records."""

    rule: str
    grammar: str
    name: str
    is_record: bool = False

    def __get_pydantic_core_schema__(self, source: object, handler: object, /) -> CoreSchema:
        rule, grammar = self.rule, self.grammar

        if self.is_record:
            return read_schema(partial(parse, rule=rule, grammar=grammar))

        def read(value: Text) -> str:
            # A record is made only for a refused value, or one that is not a plain string.
            if type(value) is str and is_valid(value, rule, grammar=grammar):
                return value
            return as_text(parse(value, rule, grammar=grammar))

        return read_schema(read)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: Callable[[object], dict[str, object]], /
    ) -> dict[str, object]:
        return json_schema(self.name, schema, handler)


URIStr = Annotated[str, _HeldTo("URI", "rfc3986", "uri")]
"""A text that is a URI (RFC 3986 section 3); it stays a `str`."""

URIReferenceStr = Annotated[str, _HeldTo("URI-reference", "rfc3986", "uri-reference")]
"""A text that is a URI reference (RFC 3986 section 4.1); it stays a `str`."""

IRIStr = Annotated[str, _HeldTo("IRI", "rfc3987", "iri")]
"""A text that is an IRI (RFC 3987 section 2.2); it stays a `str`."""

IRIReferenceStr = Annotated[str, _HeldTo("IRI-reference", "rfc3987", "iri-reference")]
"""A text that is an IRI reference (RFC 3987 section 2.2); it stays a `str`."""


IRI = Annotated[URI, _HeldTo("IRI", "rfc3987", "iri", is_record=True)]
"""A record of an IRI (RFC 3987 section 2.2): a `URI` of the grammar rfc3987."""

IRIReference = Annotated[
    URIReference, _HeldTo("IRI-reference", "rfc3987", "iri-reference", is_record=True)
]
"""A record of an IRI reference (RFC 3987 section 2.2)."""


class Schemes:
    """A mark on a type of URIs, records or texts: these schemes alone, in any letter case.

    A reference without a scheme has none of them. PolicyDefinitionError for an invalid scheme.

    >>> Schemes("https", "WSS")
    Schemes('https', 'wss')
    """

    def __init__(self, *schemes: str) -> None:
        names = [as_str(scheme, "scheme") for scheme in schemes]
        Policy(schemes=names)
        self._schemes = tuple(name.lower() for name in names)

    def __repr__(self) -> str:
        return f"Schemes({', '.join(map(repr, self._schemes))})"

    def __eq__(self, other: object) -> bool:
        return self._schemes == other._schemes if isinstance(other, Schemes) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._schemes)

    def __get_pydantic_core_schema__(
        self, source: object, handler: Callable[[object], CoreSchema], /
    ) -> CoreSchema:
        def check(value: Text) -> None:
            # Every URI is an IRI, and has the same scheme as one.
            record = try_parse(value, "IRI-reference", grammar="rfc3987")
            scheme = None if record is None else record.scheme
            if scheme is None or scheme.lower() not in self._schemes:
                raise refused_scheme(value, scheme, self._schemes)

        return checked_schema(handler(source), check)
