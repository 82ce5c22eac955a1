"""`verdict` and `findings` for columns: every row against a policy."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, cast

from uriparse._native import kernel, native_rule
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
from uriparse.arrow.judging import given, prepare
from uriparse.arrow.reading import ByKernel, text_of
from uriparse.records.chunks import rows_of
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.first_sight import (
    CODES,
    IS_INVALID,
    IS_NULL,
    NULL,
    SYNTAX,
    Verdicts,
    code_lists,
    codes_of_list,
    first_codes,
    places_of,
)
from uriparse.validation.policy import as_policy
from uriparse.validation.report import OUTBOUND, codes_of_invalid, evaluate, parse_by_policy

if TYPE_CHECKING:
    from uriparse._native import _kernel
    from uriparse.arrow.importing import ArrowColumn
    from uriparse.validation import Policy


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
    as_policy(policy)
    prepare()
    imported = import_column(column)
    width = imported.place_width
    kinds = tuple(
        INT64._replace(name=name) if name == "offset" else text_type(width, name) for name in fields
    )

    def values(rows: Rows) -> Values:
        text, count = partial(_text_at, rows), len(rows)
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


def _text_at(rows: Rows, row: int) -> str | None:
    octets = rows.octets(row)
    return None if octets is None else text_of(octets)


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
    nothing is found, null for null. Rows of which there is something to find are read one by one.
    Parameters and errors as for `verdict`.

    >>> import pyarrow
    >>> column = pyarrow.array(["https://example.com/", "http://u:p@127.1/"])
    >>> pyarrow.array(findings(column)).to_pylist()
    [[], ['userinfo-not-allowed', 'userinfo', 'userinfo-refused', 'password-in-uri', 'dns-label', \
'ipv4-lookalike', 'numeric-host']]
    """
    as_policy(policy)
    prepare()
    imported = import_column(column)

    invalid: list[bytes] = []  # the codes of each invalid text

    def codes(text: str | None) -> list[bytes] | None:
        found = () if text is None else evaluate(text, policy).findings
        return None if text is None else [finding.code.encode() for finding in found]

    def values(rows: Rows) -> Values:
        native = None if kernel is None else cast("_kernel.Rows", rows.facts)
        each: list[list[bytes] | None] = []
        for row, number in enumerate(code_lists(policy, len(rows), native, asked)):
            if number == 0:
                each.append([])
            elif number == IS_INVALID and invalid:
                each.append(invalid)
            else:
                each.append(codes(_text_at(rows, row)))
                if number == IS_INVALID:
                    invalid.extend(each[-1] or ())
        return _lists(each)

    return given(imported, Type("+l", "", (text_type(4, "item"),)), values)


# Counts: the kernel finds the codes of most texts, and all hosts.


def codes_and_hosts(column: ArrowColumn, policy: Policy) -> tuple[Counter[str], Counter[str]]:
    """Count the texts of a column with each code of `findings`, and each host in lower case."""
    prepare()
    codes, hosts = Counter[str](), Counter[str]()
    for rows in import_column(column).chunks:
        native = None if kernel is None else cast("_kernel.Rows", rows.facts)
        counted = _counted(policy, len(rows), partial(_text_at, rows), native)
        codes.update(counted[0])
        hosts.update(counted[1])
    return codes, hosts


def codes_and_hosts_of_texts(
    texts: Sequence[str], policy: Policy
) -> tuple[Counter[str], Counter[str]]:
    """Count texts as `codes_and_hosts` counts those of a column."""
    return _counted(policy, len(texts), texts.__getitem__, rows_of(texts))


def _counted(
    policy: Policy, count: int, text_at: Callable[[int], str | None], rows: _kernel.Rows | None
) -> tuple[Counter[str], Counter[str]]:
    prepared, codes_of = compiled(policy), _finder(policy)
    is_read = prepared.read is not None
    rule = native_rule(prepared.start, policy.grammar, lambda _: None) if is_read else None
    sets, counted, hosts = code_lists(policy, count, rows, asked), Counter[tuple[str, ...]](), []
    for number, times in Counter(sets).items():
        if number >= 0:
            counted[codes_of_list(number)] += times
        elif number == IS_INVALID:
            counted[codes_of_invalid(policy)] += times
    for row in [row for row, number in enumerate(sets) if number < IS_NULL]:
        if (text := text_at(row)) is not None:
            counted[codes_of(text)] += 1
            if rule is None or rows is None:
                record = parse_by_policy(text, policy)
                hosts += [] if record is None or record.host is None else [str(record.host)]
    codes, hosts_in_lower_case = Counter[str](), Counter[str]()
    for found, times in counted.items():
        codes.update(dict.fromkeys(found, times))
    if rule is None or rows is None:
        each = Counter(hosts)
    else:
        (_, column) = ByKernel(rule, policy.grammar).split(
            Rows(cast("Sequence[bytes | None]", rows)), 8, ("host",)
        )
        (made,) = import_column(Column(text_type(8), (values_of(count, column),))).chunks
        numbers, names = numbered(made)
        by_number = Counter(memoryview(numbers).cast("B").cast("i"))
        each = Counter({text_of(name): by_number[at] for at, name in enumerate(names)})
    for host, times in each.items():
        hosts_in_lower_case[host.lower()] += times
    return codes, hosts_in_lower_case


@lru_cache(16)
def _finder(policy: Policy) -> Callable[[str], tuple[str, ...]]:
    """Return what finds the codes of a text; it remembers short ones from batch to batch."""

    def codes(text: str) -> tuple[str, ...]:
        return evaluate(text, policy).codes

    known = lru_cache(_MOST_KNOWN)(codes)
    return lambda text: known(text) if len(text) < _LONG else codes(text)


_MOST_KNOWN, _LONG = 1 << 15, 1 << 8
"""Texts that are remembered, of fewer characters than this."""


def _lists(rows: Collection[list[bytes] | None]) -> Values:
    """Write lists of texts, None for null."""
    nulls, validity, _, _ = texts([None if row is None else b"" for row in rows], 4)
    begins = array("i", accumulate((len(row or ()) for row in rows), initial=0))
    items = [item for row in rows for item in row or ()]
    children = (values_of(len(items), texts(items, 4)),)
    return Values(len(rows), nulls, (validity, begins.tobytes()), children)
