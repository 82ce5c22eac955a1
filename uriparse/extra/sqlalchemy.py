"""For SQLAlchemy: columns of URIs, and a constraint by which PostgreSQL itself holds to the rule.

>>> from sqlalchemy import Column, MetaData, Table, create_engine, select
>>> links = Table("links", MetaData(), Column("url", URIType()), fits("url"))
>>> engine = create_engine("sqlite://")
>>> with engine.begin() as connection:
...     links.create(connection)
...     added = connection.execute(links.insert(), {"url": "http://h/a"})
...     connection.scalar(select(links.c.url))
<URI 'http://h/a'>

User names and passwords of database URLs are another matter: see `uriparse.legacy.sqlalchemy`.
"""

from __future__ import annotations

import re
from typing import Any, Literal, Protocol

from uriparse._base import needed
from uriparse._base.coerce import Text, as_text
from uriparse.errors import URISyntaxError
from uriparse.grammar import rule_name
from uriparse.grammar.expressions import pattern
from uriparse.parsing import parse
from uriparse.records import URIReference

with needed("sqlalchemy", __name__):
    from sqlalchemy import CheckConstraint, Dialect, String, column
    from sqlalchemy.exc import DontWrapMixin
    from sqlalchemy.ext.compiler import compiles
    from sqlalchemy.sql import compiler as sql
    from sqlalchemy.sql import operators
    from sqlalchemy.sql.expression import ColumnElement
    from sqlalchemy.types import TypeDecorator, TypeEngine

__all__ = ["ColumnSyntaxError", "URIType", "fits", "render_item"]


class ColumnSyntaxError(URISyntaxError, DontWrapMixin):
    """A value for a column that its rule does not derive; the facts are those of its base.

    SQLAlchemy lets it through as it is, while it would show all parameters of a statement, and
    passwords among them, with any other error.
    """


class URIType(TypeDecorator[URIReference]):
    """The type of a column whose values are records, kept as their text.

    rule, grammar: as for `parse`.
    length: of the column, in characters; None where the database needs none.

    Texts are accepted as values. ColumnSyntaxError for one that the rule does not derive, on the
    way in or out. In comparisons any text is accepted: one that the rule does not derive equals no
    value. A pattern of LIKE stays as it is.
    """

    impl = String
    cache_ok = True

    def __init__(
        self, rule: str = "URI", *, grammar: str = "rfc3986", length: int | None = None
    ) -> None:
        super().__init__(length)
        self.rule = rule_name(rule, grammar)
        self.grammar = grammar
        self.length = length

    @property
    def python_type(self) -> type[URIReference]:
        """What values are."""
        return URIReference

    def process_bind_param(self, value: Text | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - see above
        """Return the text of a value, validated by the rule."""
        return None if value is None else str(self._read(value))

    def process_result_value(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002 - see above
    ) -> URIReference | None:
        """Make the record of a text from the database."""
        return None if value is None else self._read(value)

    def coerce_compared_value(self, op: object, value: object) -> TypeEngine[Any]:  # noqa: ARG002 - see above
        """Compare by identity as the text of a value, by anything else as a text."""
        return _Compared() if op in _IDENTITY else String()

    def _read(self, value: Text) -> URIReference:
        try:
            return parse(value, self.rule, grammar=self.grammar)
        except URISyntaxError as error:
            message, facts = str(error), vars(error)  # which are there when the message is
        # After the handler: inside it, the first error would be the context of this one.
        refused = ColumnSyntaxError(message)
        vars(refused).update(facts)
        raise refused

    def __repr__(self) -> str:
        return f"URIType({self.rule!r}, grammar={self.grammar!r}, length={self.length!r})"


class _Compared(TypeDecorator[str]):
    """The type of what is compared with values: texts, not held to any rule."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Text | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - see above
        """Return the text of a value."""
        return None if value is None else as_text(value, "value")


_IDENTITY = (operators.eq, operators.ne, operators.in_op, operators.not_in_op)


def fits(name: str, rule: str = "URI", *, grammar: str = "rfc3986") -> CheckConstraint:
    """Make a constraint for a table, with which PostgreSQL checks a column against a rule.

    name: of the column.

    Other databases get no constraint. The expression is made from the grammar, and proved, when the
    table is created; that takes about a second.
    UnknownRuleError for an unknown rule.
    """
    condition = _Fits(name, rule_name(rule, grammar), grammar)
    return CheckConstraint(condition, name=f"{name}_fits").ddl_if(dialect="postgresql")


class _Fits(ColumnElement[bool]):
    inherit_cache = False

    def __init__(self, name: str, rule: str, grammar: str) -> None:
        self.column: ColumnElement[str] = column(name, String)
        self.rule = rule
        self.grammar = grammar


@compiles(_Fits, "postgresql")
def _written(element: _Fits, compiler: sql.SQLCompiler, **options: Any) -> str:
    expression = pattern(element.rule, flavour="postgresql", grammar=element.grammar)
    # Drivers and SQLAlchemy double "%" if they expect parameters, and `text`, as in a migration,
    # reads ":name" as one. Neither is in the expression if these characters are escaped.
    neutral = re.sub(r"%|(?<=:)\w", lambda found: f"\\u{ord(found[0]):04x}", expression)
    # SQLAlchemy 2.0 doubles backslashes of literals where no database is connected (alembic --sql).
    quoted = neutral.replace("'", "''")
    return f"{compiler.process(element.column, **options)} ~ '{quoted}'"


class _Autogeneration(Protocol):
    imports: set[str]


def render_item(
    type_: str,  # noqa: ARG001 - the objects say what they are
    obj: object,
    autogen_context: _Autogeneration,
) -> str | Literal[False]:
    """Write a `URIType` or a constraint of `fits` into a migration, with the import that it needs.

    For `context.configure(render_item=render_item)` in the env.py of Alembic. False for other
    objects: Alembic writes them itself.
    """
    if isinstance(obj, URIType):
        call = repr(obj)
    elif isinstance(obj, CheckConstraint) and isinstance(obj.sqltext, _Fits):
        checked = obj.sqltext
        call = f"fits({checked.column.name!r}, {checked.rule!r}, grammar={checked.grammar!r})"
    else:
        return False
    autogen_context.imports.add(f"import {__name__}")
    return f"{__name__}.{call}"
