"""Columns against a rule, their components, normal forms, and targets of one base."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from operator import and_
from typing import TYPE_CHECKING

from uriparse._base.coerce import as_choice, as_str
from uriparse._native import implementation, kernel, native_rule
from uriparse.arrow.column import (
    BOOL,
    INT64,
    ChunkedColumn,
    Column,
    Outcome,
    Type,
    Values,
    text_type,
    texts,
    values_of,
)
from uriparse.arrow.importing import ImportedColumn, Rows, asked, import_column, pyarrow
from uriparse.arrow.reading import COLUMNS, ByKernel, ByRows, chosen, text_of
from uriparse.errors import URLError
from uriparse.grammar import rule_name
from uriparse.normalization import normalize as normal_form
from uriparse.parsing import Record, try_parse
from uriparse.records.references import REFERENCE_RULES
from uriparse.records.rewriting import rewriter
from uriparse.resolution import resolve as target_of

if TYPE_CHECKING:
    from uriparse._compiled.names import GrammarName, RecordGrammar, RecordRule, RuleName
    from uriparse._native import _kernel
    from uriparse.arrow.importing import ArrowColumn
    from uriparse.records import URI
    from uriparse.records.references import NormalLevel


# `is_valid`, `stop`, `split`: columns against a rule.


def is_valid(
    column: ArrowColumn,
    rule: RuleName | str | None = None,
    *,
    grammar: GrammarName | str = "rfc3986",
) -> ChunkedColumn:
    """Return whether the rule derives the whole text of each row: a column of bool, null for null.

    rule, grammar: as for `uriparse.is_valid`: any rule of any shipped grammar. The kernel reads
        those that yield references; the others are read row by row in Python.

    Octets are read as UTF-8; other octets are not valid. Returns a `Column` for an array, a
    `ChunkedColumn` for a stream. UnknownRuleError for an unknown rule; TypeError if it is not
    a column of texts; ColumnError for one that contradicts itself.

    >>> import pyarrow
    >>> pyarrow.array(is_valid(pyarrow.array(["//h", "a:"]))).to_pylist()
    [False, True]
    """
    way = way_of(chosen(rule, grammar, splits=False), grammar)
    imported = import_column(column)
    return given(imported, BOOL, lambda rows: values_of(len(rows), way.verdicts(rows)))


def stop(
    column: ArrowColumn,
    rule: RuleName | str | None = None,
    *,
    grammar: GrammarName | str = "rfc3986",
) -> ChunkedColumn:
    """Return the offset at which each row stops being a text of the rule: a column of int64.

    That is the length of the longest prefix that some text of the rule continues, in characters:
    the offset of the first character that is not allowed, or the length of a text that ends too
    early; null for a text of the rule, and for null. The same offset as that of a
    `URISyntaxError`. Parameters and errors as for `is_valid`.

    >>> import pyarrow
    >>> pyarrow.array(stop(pyarrow.array(["http://h/a b", "http://h/", "http"]))).to_pylist()
    [10, None, 4]
    """
    way = way_of(chosen(rule, grammar, splits=False), grammar)
    imported = import_column(column)
    return given(imported, INT64, lambda rows: values_of(len(rows), way.stops(rows)))


def split(
    column: ArrowColumn,
    rule: RecordRule | str | None = None,
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
    way = way_of(chosen(rule, grammar, splits=True), grammar)
    imported = import_column(column)
    width = imported.place_width
    kind = Type("+s", "", tuple(text_type(width, name) for name in COLUMNS))

    def structs(rows: Rows) -> Values:
        (nulls, validity, *_), *columns = way.split(rows, width)
        children = tuple(values_of(len(rows), column) for column in columns)
        return Values(len(rows), nulls, (validity,), children)

    return given(imported, kind, structs)


def get(
    column: ArrowColumn,
    component: str,
    rule: RecordRule | str | None = None,
    *,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Return one component of each row as written: a column of texts.

    component: a field of `split`, host_kind included; ValueError for another name.

    Null without that component, where the text is refused, and for null. Other parameters and
    errors as for `split`.

    >>> import pyarrow
    >>> pyarrow.array(get(pyarrow.array(["//h:80", "a?", "a b"]), "port")).to_pylist()
    ['80', None, None]
    """
    part = as_choice(as_str(component, "component"), "component", COLUMNS)
    way = way_of(chosen(rule, grammar, splits=True), grammar)
    imported = import_column(column)
    width = imported.place_width

    def values(rows: Rows) -> Values:
        _, values = way.split(rows, width, (part,))
        return values_of(len(rows), values)

    return given(imported, text_type(width), values)


def host(
    column: ArrowColumn,
    rule: RecordRule | str | None = None,
    *,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Return the host of each row as written: `get` of "host".

    >>> import pyarrow
    >>> pyarrow.array(host(pyarrow.array(["http://A.com:80/", "mailto:a@b", "a b"]))).to_pylist()
    ['A.com', None, None]
    """
    return get(column, "host", rule, grammar=grammar)


def given(imported: ImportedColumn, kind: Type, values: Callable[[Rows], Values]) -> ChunkedColumn:
    """Make a column from an imported one, chunk by chunk."""
    chunks = tuple(values(rows) for rows in imported.chunks)
    return (Column if imported.is_array else ChunkedColumn)(kind, chunks)


@cache
def way_of(rule: str, grammar: str) -> ByKernel | ByRows:
    """Return what reads columns by a rule; UnknownRuleError for an unknown rule."""
    name = rule_name(rule, grammar)
    prepare()
    native = native_rule(name, grammar, _unused)
    return ByRows(name, grammar) if native is None else ByKernel(native, grammar)


@cache
def prepare() -> None:
    """Without the kernel, load pyarrow and warn, once; MissingExtraError without pyarrow too."""
    if implementation != "native":
        pyarrow()
        warnings.warn(
            "uriparse has no C kernel here: columns are read row by row in Python, which takes"
            " some twenty times as long (uriparse.implementation says which it is)",
            RuntimeWarning,
            stacklevel=4,
        )


def _unused(text: str) -> None:
    raise AssertionError(text)


# Columns rewritten.
#
# The kernel rewrites URI references. Of IRIs an automaton finds the rows that are normal already,
# and only the others are rewritten in Python.

_NORMAL: dict[NormalLevel, str] = {"syntax": "normal-reference", "scheme": "default-reference"}
"""By level the rule, of the grammar "normal", whose texts are their own normal forms."""


def normalize(
    column: ArrowColumn,
    level: NormalLevel = "scheme",
    *,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Normalize each row: a column of the texts of normal forms.

    level: as for `uriparse.normalize`, whose defaults of the schemes are used.
    grammar: "rfc3986" for URI references, or "rfc3987" for IRI references, which stay IRIs.

    Null where the text is not a reference, and for null. An already normal text, as most are, costs
    no more than validating it. ValueError if there is no such level or grammar; TypeError
    and ColumnError as for `is_valid`. RFC 3986 section 6.2.2, RFC 3987 section 5.3.2.

    >>> import pyarrow
    >>> pyarrow.array(normalize(pyarrow.array(["HTTP://h:80/%7eu", "a b"]))).to_pylist()
    ['http://h/~u', None]
    """
    chosen = as_choice(level, "level", tuple(_NORMAL))
    name = as_choice(as_str(grammar, "grammar"), "grammar", tuple(REFERENCE_RULES))

    def rewrite(record: Record) -> Record:
        return normal_form(record, chosen)

    own = _rewriter(name)
    if own is not None:
        return _by_kernel(column, own.normals, chosen == "scheme")
    return _rewritten(column, _NORMAL[chosen], name, rewrite)


def targets(own: URI, column: ArrowColumn, *, strict: bool, grammar: str) -> ChunkedColumn:
    """Resolve each row, by a grammar, against one base."""

    def rewrite(record: Record) -> Record:
        return target_of(own, record, strict=strict)

    native = _rewriter(grammar)
    if native is not None:
        return _by_kernel(column, native.targets, str(own), bool(strict))
    return _rewritten(column, "normal-IRI" if strict else None, grammar, rewrite)


def whatwg(column: ArrowColumn) -> ChunkedColumn:
    """Read each row as browsers do: a column of the texts of URLs (`whatwg.parse(...).href`).

    Null where browsers refuse the text, and for null. Most rows are URLs in normal form, which the
    kernel finds. Octets that are not UTF-8 are read as U+FFFD. TypeError and ColumnError as for
    `is_valid`.

    >>> import pyarrow
    >>> pyarrow.array(whatwg(pyarrow.array(["HTTP:h", "http://a b/"]))).to_pylist()
    ['http://h/', None]
    """
    from uriparse.whatwg import parse as parse_url  # noqa: PLC0415 - for this function alone

    def again(octets: bytes) -> bytes | None:
        try:
            return str(parse_url(octets.decode("utf-8", "replace"))).encode()
        except URLError:
            return None

    return _changed(column, [way_of("normal-URL", "whatwg")], again)


def _rewriter(grammar: str) -> _kernel.Rewriter | None:
    return rewriter() if kernel is not None and grammar == "rfc3986" else None


def _by_kernel(column: ArrowColumn, rewrite: Callable[..., Outcome], *how: object) -> ChunkedColumn:
    """Rewrite a column of URI references by a method of the kernel."""
    imported = import_column(column)
    width = imported.place_width

    def values(rows: Rows) -> Values:
        return values_of(len(rows), asked(rewrite, rows.facts, *how, width))

    return given(imported, text_type(width), values)


def _rewritten(
    column: ArrowColumn, stays: str | None, grammar: str, rewrite: Callable[[Record], Record]
) -> ChunkedColumn:
    """Rewrite a column of references.

    stays: the rule of texts that stay as they are; None where all are to be looked at.
    """
    rule = REFERENCE_RULES[grammar]
    # A text of the first rule is an IRI, which may be no URI: the second rule decides.
    ways = [] if stays is None else [way_of(stays, "normal"), way_of(rule, grammar)]

    def again(octets: bytes) -> bytes | None:
        record = try_parse(text_of(octets), rule, grammar=grammar)
        return None if record is None else str(rewrite(record)).encode()

    return _changed(column, ways, again)


def _changed(
    column: ArrowColumn,
    ways: Sequence[ByKernel | ByRows],
    again: Callable[[bytes], bytes | None],
) -> ChunkedColumn:
    """Keep the rows that all rules derive, and write the others anew; no rule keeps none."""
    prepare()
    imported = import_column(column)
    width = imported.place_width

    def values(rows: Rows) -> Values:
        kept = _kept(rows, ways)
        found = map(rows.octets, unset(kept, len(rows)))
        others = tuple(again(octets) for octets in found if octets is not None)
        return values_of(len(rows), patched(rows, kept, others, width))

    return given(imported, text_type(width), values)


def _kept(rows: Rows, ways: Sequence[ByKernel | ByRows]) -> bytes:
    """Return a set bit for each row that all rules derive; none without rules."""
    verdicts = [int.from_bytes(bytes(way.verdicts(rows)[2]), "little") for way in ways]
    bits = reduce(and_, verdicts) if verdicts else 0
    return bits.to_bytes((len(rows) + 7) // 8, "little")


def unset(bits: bytes, count: int) -> Iterator[int]:
    """Yield the rows whose bit is not set."""
    for number, octet in enumerate(bits):
        if octet != _ALL:
            for row in range(8 * number, min(8 * number + 8, count)):
                if not octet >> (row & 7) & 1:
                    yield row


_ALL = 0xFF


def patched(rows: Rows, kept: bytes, others: tuple[bytes | None, ...], width: int) -> Outcome:
    """Return the kept texts, with others in place of the rest."""
    if kernel is not None:
        outcome: Outcome = asked(kernel.patched, rows.facts, kept, others, width)
        return outcome
    following = iter(others)
    found: list[bytes | None] = []
    for row, octets in enumerate(rows):
        stays = octets is None or kept[row >> 3] >> (row & 7) & 1
        found.append(octets if stays else next(following))
    return texts(found, width)
