"""Records as fields of pydantic models: a value is read as the constructor reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pydantic_core.core_schema import CoreSchema


class Framed:
    """A class of references that pydantic, FastAPI and Typer take for the type of a field."""

    __slots__ = ()
    _FORMAT: ClassVar[str]
    """What JSON Schema calls the texts of the class."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object, /) -> CoreSchema:
        """Read a text, or take a record, as the constructor does; write it as its text."""
        from uriparse.pydantic_schema import read_schema  # noqa: PLC0415 - only pydantic asks

        return read_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object, /) -> dict[str, str]:
        """Say that it is a string, and of which format."""
        return {"type": "string", "format": cls._FORMAT}
