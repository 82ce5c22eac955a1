"""`is_valid`, `stop`, `split`: columns against a rule."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

from uriparse._native import implementation, native_rule
from uriparse.arrow.by_kernel import ByKernel
from uriparse.arrow.by_rows import COLUMNS, ByRows
from uriparse.arrow.column import ChunkedColumn, Column
from uriparse.arrow.made import BOOL, INT64, Type, Values, text_type, values_of
from uriparse.arrow.taking import take
from uriparse.door import as_str
from uriparse.grammar import rule_name
from uriparse.parsing.readers import reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse._compiled.names import GrammarName, RecordRule, RuleName
    from uriparse.arrow.rows import Rows
    from uriparse.arrow.taking import ArrowColumn, Taken


def is_valid(
    column: ArrowColumn, rule: RuleName | str = "URI", *, grammar: GrammarName | str = "rfc3986"
) -> ChunkedColumn:
    """Tell of each row whether the rule derives its whole text: a column of bool, null for null.

    rule, grammar: as for `uriparse.is_valid`: any rule of any shipped grammar. The kernel reads
        those that yield references; the others are read row by row in Python.

    Octets are read as UTF-8; what is none is not valid. A `Column` where the column is an array,
    a `ChunkedColumn` where it is a stream. UnknownRuleError if there is no such rule; TypeError
    for what is no column of texts; ColumnError for one that contradicts itself.

    >>> import pyarrow
    >>> pyarrow.array(is_valid(pyarrow.array(["//h", "a:"]))).to_pylist()
    [False, True]
    """
    way = way_of(as_str(rule, "rule"), as_str(grammar, "grammar"))
    taken = take(column)
    return given(taken, BOOL, lambda rows: values_of(len(rows), way.verdicts(rows)))


def stop(
    column: ArrowColumn, rule: RuleName | str = "URI", *, grammar: GrammarName | str = "rfc3986"
) -> ChunkedColumn:
    """Tell of each row where it stops being a text of the rule: a column of int64.

    That is the length of the longest prefix that some text of the rule continues, in characters:
    the offset of the first character that cannot stand, or the length of a text that lacks
    something at its end; null for a text of the rule, and for null. The same offset as that of a
    `URISyntaxError`. Parameters and errors as for `is_valid`.

    >>> import pyarrow
    >>> pyarrow.array(stop(pyarrow.array(["http://h/a b", "http://h/", "http"]))).to_pylist()
    [10, None, 4]
    """
    way = way_of(as_str(rule, "rule"), as_str(grammar, "grammar"))
    taken = take(column)
    return given(taken, INT64, lambda rows: values_of(len(rows), way.stops(rows)))


def split(
    column: ArrowColumn,
    rule: RecordRule | str = "URI-reference",
    *,
    grammar: GrammarName | str = "rfc3986",
) -> ChunkedColumn:
    """Split each row into its components: a column of structs.

    Their fields are scheme, authority, userinfo, host, port, path, query, fragment, and
    host_kind: "IPv4", "IPv6", "IPvFuture" or "RegName". All are texts as written; null is
    absent, `""` empty; the path is never null. The struct is null where the text is refused, and
    for null.

    rule, grammar: as for `uriparse.parse`: a rule that yields references. UnknownRuleError for
    another; other errors as for `is_valid`.

    >>> import pyarrow
    >>> parts = pyarrow.array(split(pyarrow.array(["//h:80?", "a b"])))
    >>> [part.as_py() for part in parts.field("host")], parts[1].as_py()
    (['h', None], None)
    """
    name, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    reader(name, grammar)
    way = way_of(name, grammar)
    taken = take(column)
    width = taken.kind.place_width
    kind = Type("+s", "", tuple(text_type(width, name) for name in COLUMNS))

    def structs(rows: Rows) -> Values:
        (nulls, validity, *_), *columns = way.split(rows, width)
        children = tuple(values_of(len(rows), column) for column in columns)
        return Values(len(rows), nulls, (validity,), children)

    return given(taken, kind, structs)


def given(taken: Taken, kind: Type, values: Callable[[Rows], Values]) -> ChunkedColumn:
    """Make a column of what was taken, chunk by chunk."""
    chunks = tuple(values(rows) for rows in taken.chunks)
    return (Column if taken.is_array else ChunkedColumn)(kind, chunks)


@cache
def way_of(rule: str, grammar: str) -> ByKernel | ByRows:
    """Give the way to read columns by a rule; UnknownRuleError if there is no such rule."""
    name = rule_name(rule, grammar)
    warn()
    native = native_rule(name, grammar, _unused)
    return ByRows(name, grammar) if native is None else ByKernel(native, grammar)


@cache
def warn() -> None:
    """Say that there is no kernel, once."""
    if implementation == "pure":
        warnings.warn(
            "uriparse has no C kernel here: columns are read row by row in Python, which takes"
            " some twenty times as long (uriparse.implementation says which it is)",
            RuntimeWarning,
            stacklevel=4,
        )


def _unused(text: str) -> None:
    raise AssertionError(text)
