"""Schemas for pydantic: how a value is read, and its JSON Schema.

The records, `Policy` and the types of `uriparse.extra.pydantic` answer by these functions.
Pydantic's core is loaded when pydantic asks, never before. Works with pydantic from 2.4 on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

from uriparse._base.coerce import Textual, as_text
from uriparse.errors import URIError, URISyntaxError, excerpt

if TYPE_CHECKING:
    from pydantic_core import InitErrorDetails, ValidationError
    from pydantic_core.core_schema import CoreSchema

    Facts = Mapping[str, int | str | None]

    class Function(TypedDict):
        """Where a core schema keeps its function."""

        function: Callable[..., Any]


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


def refused_scheme(value: object, scheme: str | None, allowed: Iterable[str]) -> ValidationError:
    """Make the error of a text whose scheme is not among those allowed."""
    found = "no scheme" if scheme is None else f'the scheme "{scheme}"'
    return refused(
        "uri_scheme",
        value,
        f"scheme: {found} is not allowed; allowed: {', '.join(allowed) or 'none'}",
        {"offset": 0, "component": "scheme"},
    )


def facts_of(error: URIError) -> Facts:
    """Return where an error is, with offsets in characters from 0."""
    facts: dict[str, int | str | None] = {"offset": getattr(error, "offset", 0)}
    if isinstance(error, URISyntaxError):
        facts |= {"component": error.component, "rule": error.rule, "cause": error.cause}
    return facts


class _OfText(dict[str, object]):
    """A core schema that takes the constraints of strings, as the schema of a `str` does.

    pydantic keeps a constraint such as `max_length` in a schema of type "str". For every other
    type it calls `len` or a validator of strings on the value, which a record does not pass. So
    pydantic's Python code finds the type "str" here, and what it sets is passed on to the schema
    of the text. pydantic's core reads the dictionary itself, and finds the function.
    """

    def __getitem__(self, key: str) -> object:
        return "str" if key == "type" else super().__getitem__(key)

    def __setitem__(self, key: str, value: object) -> None:
        from pydantic_core import core_schema  # noqa: PLC0415 - see above

        if key in core_schema.WrapValidatorFunctionSchema.__annotations__ and key != "strict":
            super().__setitem__(key, value)
            return
        if "schema" not in self:
            # The first constraint: until then no validator of strings costs time.
            read = cast("Function", self["function"])["function"]
            # What the model's configuration changes in its strings, it does not change in URIs.
            text = core_schema.str_schema(strip_whitespace=False, to_lower=False, to_upper=False)
            self.update(
                core_schema.no_info_wrap_validator_function(partial(_read_fitting, read), text)
            )
        inner = cast("dict[str, object]", self["schema"]).copy()
        inner[key] = value
        super().__setitem__("schema", inner)

    def copy(self) -> _OfText:
        """Return a copy that takes constraints as well."""
        return _OfText(self)

    def then(self, check: Callable[[_V], _V]) -> _OfText:
        """Return the schema of the values that a function lets pass."""
        function = cast("Function", self["function"])
        first, checked = function["function"], self.copy()
        checked["function"] = {**function, "function": lambda *args: check(first(*args))}
        return checked


def _read_fitting(
    read: Callable[[Any], object],
    value: Any,
    fitting: Callable[[str], str],
) -> object:
    """Read a value whose text pydantic's validator of strings accepts, perhaps changed by it."""
    from pydantic_core import ValidationError  # noqa: PLC0415 - see above

    try:
        text = as_text(value)
    except (TypeError, URIError):
        return read(value)  # which raises the error of a value that is not a text
    try:
        fit = fitting(text)
    except ValidationError as error:
        (found,) = error.errors(include_url=False)
        line = {"type": found["type"], "ctx": found.get("ctx", {}), "input": excerpt.masked(text)}
        raise ValidationError.from_exception_data("uri", [cast("InitErrorDetails", line)]) from None
    return read(value if fit == text else fit)


def read_schema(read: Callable[[Any], object]) -> CoreSchema:
    """Describe values that a function reads, which raises TypeError and URIError.

    They are written to JSON as their text, for which constraints such as `max_length` hold.
    """
    from pydantic_core import core_schema  # noqa: PLC0415 - see above

    def validate(value: object) -> object:
        try:
            return read(value)
        except TypeError as error:
            raise refused("uri_type", value, str(error), {}) from None
        except URIError as error:
            told = error.summary() if isinstance(error, URISyntaxError) else str(error)
            raise refused("uri_syntax", value, told, facts_of(error)) from None

    schema = core_schema.no_info_plain_validator_function(
        validate, serialization=core_schema.to_string_ser_schema()
    )
    return cast("CoreSchema", _OfText(schema))


def checked_schema(inner: CoreSchema, check: Callable[[_V], None]) -> CoreSchema:
    """Describe the values of a schema that a function lets pass; it raises what `refused` makes."""
    from pydantic_core import core_schema  # noqa: PLC0415 - see above

    def validate(value: _V) -> _V:
        check(value)
        return value

    if isinstance(inner, _OfText):
        return cast("CoreSchema", inner.then(validate))
    return core_schema.no_info_after_validator_function(validate, inner)


def json_schema(
    name: str, schema: Mapping[str, Any], handler: Callable[[Any], dict[str, object]]
) -> dict[str, object]:
    """Return the JSON Schema of the texts of a format, with the constraints set for them."""
    from pydantic_core import core_schema  # noqa: PLC0415 - see above

    while "schema" in schema:
        schema = schema["schema"]
    text = schema if schema.get("type") == "str" else core_schema.str_schema()
    return {**handler(text), "format": name}
