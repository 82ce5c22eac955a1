"""A policy as a mark on a type: `Annotated[URI, policy]` in pydantic, FastAPI and Typer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uriparse.rightward import public

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_core.core_schema import CoreSchema

    from uriparse.door import Text


class Marking:
    """What judges the values of a field, be they records or texts."""

    __slots__ = ()

    def __get_pydantic_core_schema__(
        self, source: object, handler: Callable[[object], CoreSchema], /
    ) -> CoreSchema:
        """Judge what the type has read; the error's `ctx` holds the code of the first finding."""
        from uriparse.pydantic_schema import checked_schema, refused  # noqa: PLC0415 - seldom

        def check(value: Text) -> None:
            report: Any = public("validate")(value, self)
            if not report.accepted:
                first = report.reasons[0]
                facts = {"code": first.code, "offset": first.offset, "component": first.component}
                message = str(public("PolicyError")(report))
                raise refused("uri_policy", value, message, facts)

        return checked_schema(handler(source), check)
