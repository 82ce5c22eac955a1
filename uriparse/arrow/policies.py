"""`verdict` and `findings` for columns: every row against a policy."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING

from uriparse._base.coerce import as_instance
from uriparse._native import native_rule
from uriparse.arrow.column import (
    INT64,
    ChunkedColumn,
    Outcome,
    Type,
    Values,
    text_type,
    texts,
    values_of,
)
from uriparse.arrow.importing import Rows, asked, import_column
from uriparse.arrow.judging import given, patched, prepare, unset
from uriparse.arrow.reading import text_of, wanted
from uriparse.validation import Policy
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.first_sight import acceptance
from uriparse.validation.report import OUTBOUND, Reason, evaluate, first_reason

if TYPE_CHECKING:
    from uriparse.arrow.importing import ArrowColumn


def verdict(column: ArrowColumn, policy: Policy = OUTBOUND) -> ChunkedColumn:
    """Return why a policy refuses each row: a column of the codes of first reasons.

    The code is that of `validate(text, policy).reasons[0]`. Null where the text is accepted, and
    for null: a missing URL has to be looked for apart.

    policy: by default what a server may fetch on behalf of others.

    With the kernel, a row that is accepted at first sight, as most are, costs little more than
    validating its syntax, and so does one that is invalid or whose scheme is refused; the others
    are read one by one. TypeError for what is not a policy; TypeError and ColumnError for a column
    as for `is_valid`.

    >>> import pyarrow
    >>> column = pyarrow.array(["https://example.com/", "http://127.1/", "http://a b/", None])
    >>> pyarrow.array(verdict(column)).to_pylist()
    [None, 'numeric-host', 'syntax', None]
    """
    return _judged(column, policy, fields=("code",))


def reasons(column: ArrowColumn, policy: Policy) -> ChunkedColumn:
    """Return the first reason why a policy refuses each row: a column of structs, none of it null.

    Their fields are code, cause and offset, as of `validation.report.Reason`.
    """
    return _judged(column, policy, fields=("code", "cause", "offset"))


def _judged(column: ArrowColumn, policy: Policy, fields: tuple[str, ...]) -> ChunkedColumn:
    """Return fields of the first reasons: a column of structs, or of texts for one alone."""
    accepts = acceptance(as_instance(policy, Policy, "policy"))
    prepare()
    by_scheme = _Schemes(policy) if accepts else None
    imported = import_column(column)
    width = imported.place_width
    kinds = tuple(
        INT64._replace(name=name) if name == "offset" else text_type(width, name) for name in fields
    )

    def values(rows: Rows) -> Values:
        kept = bytes(asked(accepts, rows.facts)) if accepts else bytes((len(rows) + 7) // 8)
        told = _told(rows, kept, policy, by_scheme, is_whole=len(fields) > 1)
        children = []
        for name in fields:
            if name == "offset":
                outcome = _offsets(told, len(rows))
            else:
                found = map(attrgetter(name), told.values())
                words = tuple(None if one is None else one.encode() for one in found)
                outcome = patched(rows, kept, words, width, blank=True)
            children.append(values_of(len(rows), outcome))
        return children[0] if len(fields) == 1 else Values(len(rows), 0, (None,), tuple(children))

    kind = text_type(width) if len(fields) == 1 else Type("+s", "", kinds)
    return given(imported, kind, values)


class _Schemes(dict[bytes, "Reason | None"]):
    """By refused scheme the first reason, which is the same whatever follows it; None for others.

    For policies with a fast path, of which no finding depends on severities.
    """

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy

    def __missing__(self, scheme: bytes) -> Reason | None:
        reason = first_reason(f"{scheme.decode()}:", self._policy)
        self[scheme] = reason if reason.code in _OF_SCHEMES else None
        return self[scheme]


_OF_SCHEMES = "scheme-other", "scheme-case", "scheme-refused"
_SYNTAX = Reason("syntax", None, None)
_SHARE = 256
"""A column is split for its schemes if one row in so many is not accepted at first sight."""


def _told(
    rows: Rows, kept: bytes, policy: Policy, by_scheme: _Schemes | None, *, is_whole: bool
) -> dict[int, Reason]:
    """Return the first reason for each row but those kept and nulls; all None for an accepted one.

    is_whole: whether causes and offsets are wanted, too.
    """
    others, found = [*unset(kept, len(rows))], {}
    rule = native_rule(compiled(policy).start, policy.grammar, len)
    if rule is None or by_scheme is None or len(others) * _SHARE < len(rows):
        by_scheme, places, data = None, memoryview(b""), b""
    else:  # the kernel finds the schemes, none of a text that is invalid
        column = asked(rule.split, rows.facts, wanted(policy.grammar)[:1], 8)[1]
        places, data = memoryview(column[2]).cast("q"), bytes(column[3] or b"")
    for row in others:
        scheme = None if by_scheme is None else data[places[row] : places[row + 1]]
        reason = by_scheme[scheme] if scheme and by_scheme is not None else None
        if reason is None:
            octets = rows.octets(row)
            if octets is None:
                continue
            is_plain = scheme == b"" and len(octets) < compiled(policy).least_limit and not is_whole
            reason = _SYNTAX if is_plain else first_reason(text_of(octets), policy)
        found[row] = reason
    return found


def _offsets(told: Mapping[int, Reason], length: int) -> Outcome:
    """Write the offsets of some rows, null for all others."""
    numbers, bits = array("q", bytes(8 * length)), bytearray((length + 7) // 8)
    refused = {row: reason.offset for row, reason in told.items() if reason.offset is not None}
    for row, number in refused.items():
        numbers[row] = number
        bits[row >> 3] |= 1 << (row & 7)
    return length - len(refused), bytes(bits), numbers.tobytes(), None


def findings(column: ArrowColumn, policy: Policy = OUTBOUND) -> ChunkedColumn:
    """Return what a policy finds in each row: a column of lists of codes.

    The codes are those of `validate(text, policy).findings`, warnings too; an empty list where
    nothing is found, null for null. Rows are read one by one. Parameters and errors as for
    `verdict`.

    >>> import pyarrow
    >>> column = pyarrow.array(["https://example.com/", "http://u:p@127.1/"])
    >>> pyarrow.array(findings(column)).to_pylist()
    [[], ['userinfo-not-allowed', 'userinfo', 'userinfo-refused', 'password-in-uri', 'dns-label', \
'ipv4-lookalike', 'numeric-host']]
    """
    as_instance(policy, Policy, "policy")
    prepare()
    imported = import_column(column)

    def codes(octets: bytes) -> list[bytes]:
        found = evaluate(text_of(octets), policy).findings(policy)
        return [finding.code.encode() for finding in found]

    def values(rows: Rows) -> Values:
        return _lists([None if octets is None else codes(octets) for octets in rows])

    return given(imported, Type("+l", "", (text_type(4, "item"),)), values)


def _lists(rows: Collection[list[bytes] | None]) -> Values:
    """Write lists of texts, None for null."""
    nulls, validity, _, _ = texts([None if row is None else b"" for row in rows], 4)
    begins = array("i", accumulate((len(row or ()) for row in rows), initial=0))
    items = [item for row in rows for item in row or ()]
    children = (values_of(len(items), texts(items, 4)),)
    return Values(len(rows), nulls, (validity, begins.tobytes()), children)
