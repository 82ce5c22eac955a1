"""`normalize`, `resolve`: columns rewritten.

An automaton tells the rows that stay as they are; only the others are looked at in Python.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from uriparse._native import kernel
from uriparse.arrow.by_kernel import asked
from uriparse.arrow.by_rows import text_of
from uriparse.arrow.judging import given, way_of
from uriparse.arrow.made import text_type, texts, values_of
from uriparse.arrow.taking import take
from uriparse.door import as_choice, as_str
from uriparse.normalization import normalize as normal_form
from uriparse.parsing import common_grammar, try_parse
from uriparse.parsing.inputs import REFERENCE_RULES
from uriparse.resolution import resolve as target_of
from uriparse.resolution.resolving import absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from uriparse._compiled.names import RecordGrammar
    from uriparse.arrow.by_kernel import ByKernel
    from uriparse.arrow.by_rows import ByRows
    from uriparse.arrow.column import ChunkedColumn
    from uriparse.arrow.made import Outcome, Values
    from uriparse.arrow.rows import Rows
    from uriparse.arrow.taking import ArrowColumn
    from uriparse.parsing import Record, Reference
    from uriparse.records.derived import NormalLevel

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
