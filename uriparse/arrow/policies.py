"""`verdict` and `findings` for columns: every row against a policy."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING, NamedTuple, cast

from uriparse._base.coerce import as_instance
from uriparse._native import kernel
from uriparse.arrow.column import (
    INT64,
    ChunkedColumn,
    Column,
    Outcome,
    Type,
    Values,
    bits,
    text_type,
    texts,
    values_of,
)
from uriparse.arrow.distinct import named, numbered
from uriparse.arrow.importing import Rows, asked, import_column
from uriparse.arrow.judging import given, prepare, way_of
from uriparse.arrow.reading import ByKernel, ByRows, text_of
from uriparse.validation import Policy
from uriparse.validation.compiled_policy import ORDINARY, compiled
from uriparse.validation.first_sight import CODES, NULL, SYNTAX, Verdicts, first_codes, places_of
from uriparse.validation.report import OUTBOUND, codes_of_invalid, evaluate, parse_by_policy

if TYPE_CHECKING:
    from uriparse._native import _kernel
    from uriparse.arrow.column import Octets
    from uriparse.arrow.importing import ArrowColumn


def verdict(column: ArrowColumn, policy: Policy = OUTBOUND) -> ChunkedColumn:
    """Return why a policy refuses each row: a column of the codes of first reasons.

    The code is that of `validate(text, policy).reasons[0]`. Null where the text is accepted, and
    for null: a missing URL has to be looked for apart.

    policy: by default what a server may fetch on behalf of others.

    With the kernel, an accepted row costs little more than validating its syntax, and so does one
    that is invalid or is refused for its scheme, userinfo, name, IPv4 address or port; of other
    rows each beginning, up to the path, is judged once. TypeError for what is not a policy;
    TypeError and ColumnError for a column as for `is_valid`.

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
    as_instance(policy, Policy, "policy")
    prepare()
    imported = import_column(column)
    width = imported.place_width
    kinds = tuple(
        INT64._replace(name=name) if name == "offset" else text_type(width, name) for name in fields
    )

    def values(rows: Rows) -> Values:
        def text(row: int) -> str | None:
            octets = rows.octets(row)
            return None if octets is None else text_of(octets)

        count = len(rows)
        told = first_codes(
            policy, count, text, None if kernel is None else cast("_kernel.Rows", rows.facts), asked
        )
        children = [values_of(count, named(told.numbers, 1, _octets(CODES), width))]
        if len(fields) == 1:
            return children[0]
        children.append(values_of(count, _causes(told, policy, text, width)))
        children.append(values_of(count, _offsets(told)))
        return Values(count, 0, (None,), tuple(children))

    kind = text_type(width) if len(fields) == 1 else Type("+s", "", kinds)
    return given(imported, kind, values)


def _octets(names: Sequence[str | None]) -> tuple[bytes | None, ...]:
    return tuple(None if name is None else name.encode() for name in names)


def _causes(
    told: Verdicts, policy: Policy, text: Callable[[int], str | None], width: int
) -> Outcome:
    """Write the causes of syntax errors, null for all other texts."""
    from uriparse.diagnosis import CAUSES  # noqa: PLC0415 - only refused text pays for it
    from uriparse.diagnosis.failure_context import FailureContext, find_cause  # noqa: PLC0415 - the same

    rule, names = compiled(policy).start, (None, *CAUSES)
    numbers = bytearray(len(told.numbers))
    for row in places_of(SYNTAX, told.numbers):
        cause = find_cause(FailureContext(cast("str", text(row)), rule, policy.grammar))
        numbers[row] = names.index(cause)
    return named(numbers, 1, _octets(names), width)


def _offsets(told: Verdicts) -> Outcome:
    """Write the offsets of the reasons, null for texts without one."""
    is_refused = [number not in (0, NULL) for number in told.numbers]
    return is_refused.count(False), bits(is_refused), told.offsets.tobytes(), None


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
        found = evaluate(text_of(octets), policy).findings
        return [finding.code.encode() for finding in found]

    def values(rows: Rows) -> Values:
        return _lists([None if octets is None else codes(octets) for octets in rows])

    return given(imported, Type("+l", "", (text_type(4, "item"),)), values)


# Counts: what is found in texts that begin alike is found out once.


class _Found(NamedTuple):
    """What is counted of a text: codes, each once, and the host in lower case.

    is_kept: whether texts that go on with an `ordinary-location` have the same.
    """

    codes: tuple[str, ...]
    host: str | None = None
    is_kept: bool = False


@lru_cache(16)
def _finder(policy: Policy) -> Callable[[bytes], _Found]:
    """Return what judges a text for counts; it remembers short ones from batch to batch."""
    beginnings = compiled(policy).beginnings

    def found(octets: bytes) -> _Found:
        judged = evaluate(text := text_of(octets), policy)
        record = parse_by_policy(text, policy) if judged.is_read else None
        host = None if record is None or record.host is None else str(record.host).lower()
        return _Found(judged.codes, host, beginnings.get(text) is judged)

    known = lru_cache(_MOST_KNOWN)(found)
    return lambda octets: known(octets) if len(octets) < _LONG else found(octets)


_MOST_KNOWN, _LONG = 1 << 15, 1 << 8
"""Texts that are remembered, of fewer octets than this: 8 MiB of them at most."""


def codes_and_hosts(column: ArrowColumn, policy: Policy) -> tuple[Counter[str], Counter[str]]:
    """Count the texts of a column with each code of `findings`, and with each host in lower case.

    Web URIs are counted by their beginning up to the path if the rest is ordinary, and invalid
    texts are alike; each other text is judged. Without the kernel all are.
    """
    prepare()
    find, counted = _finder(policy), Counter[_Found]()
    for rows in import_column(column).chunks:
        counted.update(map(find, _not_alike(rows, policy, find, counted)))
    codes, hosts = Counter[str](), Counter[str]()
    for found, times in counted.items():
        codes.update(dict.fromkeys(found.codes, times))
        hosts.update(() if found.host is None else {found.host: times})
    return codes, hosts


def _not_alike(
    rows: Rows, policy: Policy, find: Callable[[bytes], _Found], counted: Counter[_Found]
) -> list[bytes]:
    """Return the texts that are to be judged, and count the others."""
    prepared = compiled(policy)
    own, ordinary = way_of(prepared.start, policy.grammar), way_of(*ORDINARY)
    if isinstance(own, ByRows) or isinstance(ordinary, ByRows) or not prepared.keeps_beginnings:
        return [octets for octets in rows if octets is not None]
    valid, numbers, beginnings = _beginnings(rows, policy, own, ordinary)
    times, left = Counter(numbers), {-1}
    for number, begin in enumerate(beginnings):
        found = find(begin)
        if found.is_kept:
            counted[found] += times[number]
        else:
            left.add(number)
    if not any(map(times.get, left)):
        return []
    invalid = _Found(codes_of_invalid(policy))
    others = []
    for row in [row for row, number in enumerate(numbers) if number in left]:
        octets = rows.octets(row)
        if octets is None:
            continue
        if len(octets) < prepared.least_limit and not valid[row >> 3] >> (row & 7) & 1:
            counted[invalid] += 1
        else:
            others.append(octets)
    return others


def _beginnings(
    rows: Rows, policy: Policy, own: ByKernel, ordinary: ByKernel
) -> tuple[bytes, array[int], list[bytes]]:
    """Return which rows match the rule, the number of each row's beginning, and the beginnings.

    The number is -1 if a check may report anything about what follows the port.
    """
    parts = ["scheme", "userinfo", "host", "port"]
    every = [*parts, "path", "query", "fragment"]
    (_, valid, *_), begins, whole, ends = own.spans(rows, 8, parts, every, ["fragment"])
    count, places = len(rows), array("q", bytes(whole[2]))
    kept = _number(ordinary.verdicts(rows)[2])
    if not policy.fragment:
        kept &= ~(-1 if ends[1] is None else _number(ends[1]))
    least = compiled(policy).least_limit
    if max(map(sub, places[1:], places), default=0) >= least:
        kept &= _number(bits([size < least for size in map(sub, places[1:], places)]))
    is_kept = kept.to_bytes((count + 7) // 8, "little")
    column = Column(
        text_type(8), (Values(count, count - kept.bit_count(), (is_kept, *begins[2:])),)
    )
    (made,) = import_column(column).chunks
    numbers, found = numbered(made)
    is_valid = b"\xff" * len(is_kept) if valid is None else bytes(valid)
    return is_valid, array("i", bytes(numbers)), found


def _number(octets: Octets) -> int:
    return int.from_bytes(bytes(octets), "little")


def _lists(rows: Collection[list[bytes] | None]) -> Values:
    """Write lists of texts, None for null."""
    nulls, validity, _, _ = texts([None if row is None else b"" for row in rows], 4)
    begins = array("i", accumulate((len(row or ()) for row in rows), initial=0))
    items = [item for row in rows for item in row or ()]
    children = (values_of(len(items), texts(items, 4)),)
    return Values(len(rows), nulls, (validity, begins.tobytes()), children)
