"""What callers give for a record: its components by name, and the type of a field of pydantic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Required, TypedDict, cast

if TYPE_CHECKING:
    from pydantic_core.core_schema import CoreSchema

    from uriparse._base.coerce import Text
    from uriparse.records.authority import Authority, PortPart
    from uriparse.records.hosts import HostPart


# The components of a reference as callers name and give them; for type checkers alone.


class AfterScheme(TypedDict, total=False):
    """The components that any reference may have."""

    authority: str | Authority | None
    userinfo: str | None
    host: HostPart | None
    port: PortPart | None
    path: str
    query: str | None
    fragment: str | None


class Parts(AfterScheme, total=False):
    """The components of a `URI` or a `RelativeRef`."""

    scheme: str | None


class PartsOfURI(AfterScheme, total=False):
    """The components of a `URI`."""

    scheme: Required[str]


class ChangesOfURI(AfterScheme, total=False):
    """The components that `replace` may change in a `URI` for a `URI` to result."""

    scheme: str


# Records as fields of pydantic models.


class Framed:
    """A class of texts that pydantic, FastAPI and Typer accept as the type of a field."""

    __slots__ = ()
    _FORMAT: ClassVar[str]
    """What JSON Schema calls the texts of the class."""

    @classmethod
    def _field_reader(cls) -> Callable[[Text], object]:
        """Return the function that reads a text, or takes a record: the constructor."""
        return cast("Callable[[Text], object]", cls)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object, /) -> CoreSchema:
        """Read a text, or take a record; write it as its text."""
        from uriparse._base.pydantic_schema import read_schema  # noqa: PLC0415 - only pydantic asks

        return read_schema(cls._field_reader())

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: Callable[[object], dict[str, object]], /
    ) -> dict[str, object]:
        """Say that it is a string, of which format, and within which constraints."""
        from uriparse._base.pydantic_schema import json_schema  # noqa: PLC0415 - only pydantic asks

        return json_schema(cls._FORMAT, schema, handler)
