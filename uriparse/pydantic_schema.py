"""Schemas for pydantic: how a value is read, and its JSON Schema.

The records, `Policy` and the types of `uriparse.pydantic` answer by these functions. Pydantic's
core is loaded when pydantic asks, never before. Works with pydantic from 2.4 on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from uriparse import excerpt
from uriparse.coerce import Textual
from uriparse.errors import URIError, URISyntaxError

if TYPE_CHECKING:
    from pydantic_core import ValidationError
    from pydantic_core.core_schema import CoreSchema

    Facts = Mapping[str, int | str | None]

_V = TypeVar("_V")


def refused(kind: str, value: object, message: str, facts: Facts) -> ValidationError:
    """Make the error of a value that is refused; within a model it becomes one of the model's.

    kind: the `type` of the error, by which programs recognize it.
    facts: the `ctx` of the error, which also holds the message.

    Its `input` is the masked text, or the name of the type of another value: errors are logged,
    FastAPI sends them back, and a list of URLs may hold passwords.
    """
    from pydantic_core import PydanticCustomError, ValidationError  # noqa: PLC0415 - see above

    # The message is last: pydantic would fill braces in it with facts that follow.
    error = PydanticCustomError(kind, "{message}", {**facts, "message": message})
    if isinstance(value, bytes):
        value = value.decode("ascii", "replace")
    is_text = isinstance(value, str | Textual)
    shown = excerpt.masked(str(value)) if is_text else type(value).__name__
    return ValidationError.from_exception_data("uri", [{"type": error, "input": shown}])


def facts_of(error: URIError) -> Facts:
    """Return where an error is, with offsets in characters from 0."""
    facts: dict[str, int | str | None] = {"offset": getattr(error, "offset", 0)}
    if isinstance(error, URISyntaxError):
        facts |= {"component": error.component, "rule": error.rule, "cause": error.cause}
    return facts


def read_schema(read: Callable[[Any], object]) -> CoreSchema:
    """Describe values that a function reads, which raises TypeError and URIError.

    They are written to JSON as their text.
    """
    from pydantic_core import core_schema  # noqa: PLC0415 - see above

    def validate(value: object) -> object:
        try:
            return read(value)
        except TypeError as error:
            raise refused("uri_type", value, str(error), {}) from None
        except URIError as error:
            raise refused("uri_syntax", value, str(error), facts_of(error)) from None

    return core_schema.no_info_plain_validator_function(
        validate, serialization=core_schema.to_string_ser_schema()
    )


def checked_schema(inner: CoreSchema, check: Callable[[_V], None]) -> CoreSchema:
    """Describe the values of a schema that a function lets pass; it raises what `refused` makes."""
    from pydantic_core import core_schema  # noqa: PLC0415 - see above

    def validate(value: _V) -> _V:
        check(value)
        return value

    return core_schema.no_info_after_validator_function(validate, inner)
