"""Columns that are imported, judged, split, normalized and resolved."""

from __future__ import annotations

import sys
import warnings
from ctypes import byref
from functools import cache, reduce
from operator import and_
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from uriparse._native import implementation, kernel, native_rule
from uriparse.arrow.column import ChunkedColumn, Column
from uriparse.arrow.exporting import (
    ARRAY,
    SCHEMA,
    STREAM,
    Array,
    Schema,
    Stream,
    SupportsArrowArray,
    SupportsArrowStream,
    error_function,
    get_function,
    memory,
    moved_out,
    pointers,
    release,
    type_name,
)
from uriparse.arrow.rows import (
    BOOL,
    COLUMNS,
    INT64,
    VIEW,
    ByKernel,
    ByRows,
    ColumnError,
    Facts,
    Keys,
    Rows,
    Texts,
    Type,
    Values,
    asked,
    text_of,
    text_type,
    texts,
    values_of,
)
from uriparse.coerce import as_choice, as_str
from uriparse.grammar import rule_name
from uriparse.normalization import normalize as normal_form
from uriparse.parsing import common_grammar, try_parse
from uriparse.parsing.parser import REFERENCE_RULES
from uriparse.parsing.readers import reader
from uriparse.resolution import resolve as target_of
from uriparse.resolution.resolving import absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from uriparse._compiled.names import GrammarName, RecordGrammar, RecordRule, RuleName
    from uriparse.arrow.rows import Outcome
    from uriparse.parsing import Record, Reference
    from uriparse.records.references import NormalLevel


# Columns that come in by the Arrow PyCapsule protocol, held to what their types say.

if TYPE_CHECKING:
    ArrowColumn: TypeAlias = SupportsArrowArray | SupportsArrowStream

_Struct = TypeVar("_Struct", Schema, Array, Stream)

_WIDTHS = {"u": 4, "z": 4, "U": 8, "Z": 8, "vu": VIEW, "vz": VIEW, "n": 0}
"""By format: string and binary, large ones, views of both; null, which has no texts."""

_KEYS = {"c": -1, "C": 1, "s": -2, "S": 2, "i": -4, "I": 4, "l": -8, "L": 8}
"""By format: whole numbers, below 0 where they are signed."""

_MOST = 1 << 57
"""Rows that an array may have: what all its places take can still be counted."""


class Kind(NamedTuple):
    """The type of a column of texts.

    Attributes:
        width: as in `Texts`; 0 where all is null.
        key_width: as in `Keys`; 0 without a dictionary.

    """

    width: int
    key_width: int

    @property
    def place_width(self) -> int:
        """Octets for where a text begins, in columns made of it: enough for all its texts."""
        return 4 if self.width in {0, 4} and not self.key_width else 8


class Taken(NamedTuple):
    """A column that was taken: its type, its chunks, and whether it came as one array."""

    kind: Kind
    chunks: list[Rows]
    is_array: bool


def take(column: ArrowColumn) -> Taken:
    """Take a column; what is no column of texts is a TypeError.

    Its capsules are consumed. ColumnError for arrays that contradict their type, and for capsules
    that were consumed before.
    """
    if isinstance(column, SupportsArrowArray):
        return _taken_array(*column.__arrow_c_array__())
    if isinstance(column, SupportsArrowStream):
        return _taken_stream(column.__arrow_c_stream__())
    raise TypeError(
        "column is an object that holds an Arrow array or stream of texts"
        f" (with __arrow_c_array__ or __arrow_c_stream__), not {type(column).__name__}"
    )


class _Owned(Generic[_Struct]):
    """A struct that is ours, released when nothing refers to this object any more."""

    def __init__(self, struct: _Struct) -> None:
        self.struct: _Struct = struct

    def __del__(self, let_go: Callable[[_Struct], None] = release) -> None:
        let_go(self.struct)


def _owned(kind: type[_Struct], capsule: object, name: bytes) -> _Owned[_Struct]:
    struct = moved_out(kind, capsule, name)
    if struct is None:
        raise ColumnError(f"column: {_RELEASED}; a capsule of Arrow can be read only once")
    return _Owned(struct)


_RELEASED = "it has been released"


def _taken_array(schema: object, array: object) -> Taken:
    owned = _owned(Schema, schema, SCHEMA)
    kind = _kind(owned.struct)
    return Taken(kind, [_rows(kind, _owned(Array, array, ARRAY))], is_array=True)


def _taken_stream(capsule: object) -> Taken:
    owned = _owned(Stream, capsule, STREAM)
    schema = _Owned(Schema())
    _get(owned.struct, owned.struct.get_schema, schema.struct)
    kind = _kind(schema.struct)
    return Taken(kind, list(_chunks(owned.struct, kind)), is_array=False)


def _kind(schema: Schema) -> Kind:
    if not schema.release:
        raise ColumnError(f"column: {_RELEASED}")
    written = (schema.format or b"").decode("ascii", "replace")
    shown, keys = type_name(written), 0
    if schema.dictionary:
        keys = _KEYS.get(written, 0)
        own = Schema.from_address(schema.dictionary)
        if not own.release:
            raise ColumnError("column: its dictionary has been released")
        written = "" if own.dictionary else (own.format or b"").decode("ascii", "replace")
        shown = f"a dictionary of {type_name(written) if written else 'dictionaries'}"
    if written in _WIDTHS and bool(keys) == bool(schema.dictionary):
        return Kind(_WIDTHS[written], keys)
    advice = "; give one of its columns" if written == "+s" else ""
    raise TypeError(
        "column holds texts (Arrow's string, binary, their large and view types, or a dictionary of"
        f" one of these), not {shown}{advice}"
    )


def _chunks(stream: Stream, kind: Kind) -> Iterator[Rows]:
    while True:
        own = _Owned(Array())
        _get(stream, stream.get_next, own.struct)
        if not own.struct.release:
            return
        yield _rows(kind, own)


def _get(stream: Stream, function: int, struct: Array | Schema) -> None:
    if not get_function(function)(byref(stream), byref(struct)):
        return
    said = error_function(stream.get_last_error)(byref(stream)) or b""
    raise ColumnError(f"column: its stream has failed: {said.decode('utf-8', 'replace') or '?'}")


def _rows(kind: Kind, owner: _Owned[Array]) -> Rows:
    array = owner.struct
    if not kind.key_width:
        _check(array)
        return Rows(Facts(array.length, _texts(kind.width, array), None), owner)
    _check(array, buffers=2)
    if not array.dictionary:
        raise ColumnError("column: its dictionary is missing")
    own = Array.from_address(array.dictionary)
    _check(own)
    validity, places = pointers(array.buffers, 2)
    end = array.offset + array.length
    size = end * abs(kind.key_width)
    keys = Keys(array.offset, kind.key_width, _bits(array, validity), _buffer(places, size))
    return Rows(Facts(array.length, _texts(kind.width, own), keys), owner)


def _check(array: Array, buffers: int | None = None) -> None:
    """Hold the numbers of an array to what can be."""
    if not array.release:
        raise ColumnError(f"column: {_RELEASED}")
    if not (0 <= array.length <= _MOST and 0 <= array.offset <= _MOST):
        raise ColumnError(
            f"column: {array.length} rows from row {array.offset} on are none that can be"
        )
    if array.null_count < -1 or array.null_count > array.length:
        raise ColumnError(f"column: {array.null_count} nulls among {array.length} rows")
    if buffers is not None and array.n_buffers != buffers:
        raise ColumnError(f"column: {array.n_buffers} buffers, where its type has {buffers}")


def _texts(width: int, array: Array) -> Texts:
    length, offset = array.length, array.offset
    if not width:
        return Texts(length, 0, 4, bytes((length + 7) // 8), bytes((length + 1) * 4), (b"",))
    _check(array, None if width == VIEW else 3)
    if width == VIEW and not 3 <= array.n_buffers < _MOST:
        raise ColumnError(f"column: {array.n_buffers} buffers, where views have 3 or more")
    validity, places, *rest = pointers(array.buffers, array.n_buffers) or [None] * array.n_buffers
    bits = _bits(array, validity)
    end = length + offset
    if width == VIEW:
        return Texts(length, offset, width, bits, _buffer(places, end * width), _parts(rest))
    if not length:
        return Texts(0, 0, width, None, b"", (b"",))
    begins = _buffer(places, (end + 1) * width)
    size = int.from_bytes(begins[end * width :], sys.byteorder, signed=True)
    if size < 0:
        raise ColumnError(f"column: its texts end at octet {size}")
    return Texts(length, offset, width, bits, begins, (_buffer(rest[0], size),))


def _parts(places: list[int | None]) -> tuple[memoryview, ...]:
    """Give the buffers that views point into; how large they are stands in the last."""
    *parts, last = places
    sizes = memory(last, 8 * len(parts)).cast("q") if parts and last else []
    if len(sizes) != len(parts) or any(size < 0 for size in sizes):
        raise ColumnError("column: it does not say how large its buffers are")
    return tuple(_buffer(place, size) for place, size in zip(parts, sizes, strict=True))


def _bits(array: Array, place: int | None) -> memoryview | None:
    if place is None or array.null_count == 0:
        if array.null_count > 0:
            raise ColumnError("column: it has nulls and does not say where")
        return None
    return memory(place, (array.offset + array.length + 7) // 8)


def _buffer(place: int | None, size: int) -> memoryview:
    if size and place is None:
        raise ColumnError("column: a buffer is missing")
    return memory(place, size)


# `is_valid`, `stop`, `split`: columns against a rule.


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


# `normalize`, `resolve`: columns rewritten.
#
# An automaton tells the rows that stay as they are; only the others are looked at in Python.

_NORMAL: dict[NormalLevel, str] = {"syntax": "normal-reference", "scheme": "default-reference"}
"""By level the rule, of the grammar "normal", whose texts are their own normal forms."""


def normalize(
    column: ArrowColumn,
    level: NormalLevel = "syntax",
    *,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Normalize each row: a column of the texts of normal forms.

    level: as for `uriparse.normalize`, whose defaults of the schemes are taken.
    grammar: "rfc3986" for URI references, or "rfc3987" for IRI references, which stay IRIs.

    Null where the text is no reference, and for null. What is its own normal form, as most texts
    are, costs no more than a verdict. ValueError if there is no such level or grammar; TypeError
    and ColumnError as for `is_valid`. RFC 3986 section 6.2.2, RFC 3987 section 5.3.2.

    >>> import pyarrow
    >>> pyarrow.array(normalize(pyarrow.array(["HTTP://h/%7eu", "a b"]))).to_pylist()
    ['http://h/~u', None]
    """
    chosen = as_choice(level, "level", tuple(_NORMAL))
    name = as_choice(as_str(grammar, "grammar"), "grammar", tuple(REFERENCE_RULES))

    def rewrite(record: Record) -> Record:
        return normal_form(record, chosen)

    return _rewritten(column, _NORMAL[chosen], name, rewrite)


def resolve(base: Reference, column: ArrowColumn, *, strict: bool = True) -> ChunkedColumn:
    """Resolve each row as a reference against one base: a column of the texts of targets.

    base, strict: as for `uriparse.resolve`. Rows are read by the grammar of the base: a record of
        an IRI makes them IRI references.

    Null where the text is no reference, and for null. ResolutionError for a base that is
    relative, URISyntaxError for one that is no reference; TypeError and ColumnError as for
    `is_valid`. RFC 3986 section 5.2.

    >>> import pyarrow
    >>> column = pyarrow.array(["../g", "#s", "http://a b", None])
    >>> pyarrow.array(resolve("http://a/b/c/d", column)).to_pylist()
    ['http://a/b/g', 'http://a/b/c/d#s', None, None]
    """
    own = absolute(base, "base", common_grammar(base))

    def rewrite(record: Record) -> Record:
        return target_of(own, record, strict=strict)

    return _rewritten(column, "normal-IRI" if strict else None, own.grammar, rewrite)


def _rewritten(
    column: ArrowColumn, stays: str | None, grammar: str, rewrite: Callable[[Record], Record]
) -> ChunkedColumn:
    """Rewrite a column of references.

    stays: the rule of texts that stay as they are; None where all are to be looked at.
    """
    rule = REFERENCE_RULES[grammar]
    # What stays is an IRI, and need be no URI.
    ways = [] if stays is None else [way_of(stays, "normal"), way_of(rule, grammar)]
    taken = take(column)
    width = taken.kind.place_width

    def again(octets: bytes) -> bytes | None:
        record = try_parse(text_of(octets), rule, grammar=grammar)
        return None if record is None else str(rewrite(record)).encode()

    def values(rows: Rows) -> Values:
        kept = _kept(rows, ways)
        found = map(rows.octets, _unset(kept, len(rows)))
        others = tuple(again(octets) for octets in found if octets is not None)
        return values_of(len(rows), _patched(rows, kept, others, width))

    return given(taken, text_type(width), values)


def _kept(rows: Rows, ways: Sequence[ByKernel | ByRows]) -> bytes:
    """Give a bit for each row that all of some rules derive; none without rules."""
    verdicts = [int.from_bytes(bytes(way.verdicts(rows)[2]), "little") for way in ways]
    bits = reduce(and_, verdicts) if verdicts else 0
    return bits.to_bytes((len(rows) + 7) // 8, "little")


def _unset(bits: bytes, count: int) -> Iterator[int]:
    """Yield the rows whose bit is not set."""
    for number, octet in enumerate(bits):
        if octet != _ALL:
            for row in range(8 * number, min(8 * number + 8, count)):
                if not octet >> (row & 7) & 1:
                    yield row


_ALL = 0xFF


def _patched(rows: Rows, kept: bytes, others: tuple[bytes | None, ...], width: int) -> Outcome:
    """Give the texts that are kept, and others in the place of the rest."""
    if kernel is not None:
        outcome: Outcome = asked(kernel.patched, rows.facts, kept, others, width)
        return outcome
    following = iter(others)
    found: list[bytes | None] = []
    for row, octets in enumerate(rows):
        stays = octets is None or kept[row >> 3] >> (row & 7) & 1
        found.append(octets if stays else next(following))
    return texts(found, width)
