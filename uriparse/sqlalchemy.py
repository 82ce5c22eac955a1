"""SQLAlchemy: a column type for URIs, and a constraint with which PostgreSQL checks the rule.

>>> from sqlalchemy import Column, MetaData, Table, create_engine, select
>>> links = Table("links", MetaData(), Column("url", URIType()), fits("url"))
>>> engine = create_engine("sqlite://")
>>> with engine.begin() as connection:
...     links.create(connection)
...     added = connection.execute(links.insert(), {"url": "http://h/a"})
...     connection.scalar(select(links.c.url))
<URI 'http://h/a'>

For database URLs see `uriparse.legacy.sqlalchemy`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uriparse.errors import MissingPackageError, URISyntaxError
from uriparse.expressions import pattern
from uriparse.grammar import rule_name
from uriparse.parsing import parse
from uriparse.records import URIReference

try:
    from sqlalchemy import CheckConstraint, Dialect, String, column, literal
    from sqlalchemy.exc import DontWrapMixin
    from sqlalchemy.ext.compiler import compiles
    from sqlalchemy.sql import operators
    from sqlalchemy.sql.expression import ColumnElement
    from sqlalchemy.types import TypeDecorator
except ImportError:
    raise MissingPackageError("sqlalchemy", __name__) from None

if TYPE_CHECKING:
    from sqlalchemy.sql.compiler import SQLCompiler
    from sqlalchemy.types import TypeEngine

    from uriparse.coerce import Text

__all__ = ["ColumnSyntaxError", "URIType", "fits"]


class ColumnSyntaxError(URISyntaxError, DontWrapMixin):
    """An invalid value for a column, with the attributes of `URISyntaxError`.

    SQLAlchemy raises it unchanged; to any other error it would add all parameters of the statement,
    passwords included.
    """


class URIType(TypeDecorator[URIReference]):
    """A column type whose values are records, stored as text.

    rule, grammar: as for `parse`.
    length: of the column, in characters; None if the database needs none.

    Text is accepted as a value and in comparisons; a pattern of LIKE is not checked.
    ColumnSyntaxError for an invalid value, written or read.
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
        """The Python type of values."""
        return URIReference

    # SQLAlchemy also passes the dialect, which is not needed.
    def process_bind_param(self, value: Text | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - see above
        """Return the text of a value after checking it by the rule."""
        return None if value is None else str(self._read(value))

    def process_result_value(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002 - see above
    ) -> URIReference | None:
        """Return the record of a stored text."""
        return None if value is None else self._read(value)

    def coerce_compared_value(self, op: object, value: object) -> TypeEngine[Any]:  # noqa: ARG002 - see above
        """Return the type of the other operand: a URI for equality, else a string."""
        return self if op in _IDENTITY else String()

    def _read(self, value: Text) -> URIReference:
        try:
            return parse(value, self.rule, grammar=self.grammar)
        except URISyntaxError as error:
            facts, message = vars(error), str(error)
        # Raised outside the handler, so that the first error is not its context.
        refused = ColumnSyntaxError(message)
        vars(refused).update(facts)
        raise refused

    def __repr__(self) -> str:
        return f"URIType({self.rule!r}, grammar={self.grammar!r}, length={self.length!r})"


_IDENTITY = (operators.eq, operators.ne, operators.in_op, operators.not_in_op)


def fits(name: str, rule: str = "URI", *, grammar: str = "rfc3986") -> CheckConstraint:
    """Return a constraint of a table, with which PostgreSQL checks a column by a rule.

    name: of the column.

    Other databases get no constraint. The expression is made and proved when the table is created,
    which takes about a second. UnknownRuleError if there is no such rule.
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
def _written(element: _Fits, compiler: SQLCompiler, **options: Any) -> str:
    options["literal_binds"] = True
    expression = pattern(element.rule, flavour="postgresql", grammar=element.grammar)
    return compiler.process(element.column.op("~")(literal(expression)), **options)
