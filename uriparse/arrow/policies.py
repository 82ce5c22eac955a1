"""`verdict` and `findings` for columns: every row against a policy."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from uriparse._native import native_rule, tagged
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
from uriparse.arrow.importing import Rows, import_column
from uriparse.arrow.judging import given, patched, prepare, unset
from uriparse.arrow.reading import asked, text_of
from uriparse.coerce import as_instance
from uriparse.records.servers import default_port
from uriparse.validation import Policy
from uriparse.validation.agreement_checks import LONGEST_NAME
from uriparse.validation.findings import BLOCKED
from uriparse.validation.policy import special_labels
from uriparse.validation.report import OUTBOUND, Reason, evaluate, first_reason

if TYPE_CHECKING:
    from uriparse.arrow.importing import ArrowColumn


def verdict(column: ArrowColumn, policy: Policy = OUTBOUND) -> ChunkedColumn:
    """Return why a policy refuses each row: a column of the codes of first reasons.

    The code is that of `validate(text, policy).reasons[0]`. Null where the text is accepted, and
    for null: a missing URL has to be looked for apart.

    policy: by default what a server may fetch on behalf of others.

    With the kernel, a row that is accepted at first sight, as most are, costs little more than
    validating its syntax; the others are read one by one. TypeError for what is not a policy;
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
    accepts = _acceptance(as_instance(policy, Policy, "policy"))
    prepare()
    imported = import_column(column)
    width = imported.kind.place_width
    kinds = tuple(
        INT64._replace(name=name) if name == "offset" else text_type(width, name) for name in fields
    )

    def values(rows: Rows) -> Values:
        kept = accepts(rows)
        told = {
            row: first_reason(text_of(octets), policy)
            for row in unset(kept, len(rows))
            if (octets := rows.octets(row)) is not None
        }
        children = []
        for name in fields:
            if name == "offset":
                outcome = _offsets(told, len(rows))
            else:
                found = map(attrgetter(name), told.values())
                others = tuple(None if one is None else one.encode() for one in found)
                outcome = patched(rows, kept, others, width, blank=True)
            children.append(values_of(len(rows), outcome))
        return children[0] if len(fields) == 1 else Values(len(rows), 0, (None,), tuple(children))

    kind = text_type(width) if len(fields) == 1 else Type("+s", "", kinds)
    return given(imported, kind, values)


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


# The rows that are accepted at first sight, by the kernel.
#
# It decides the same as `Policy.fast_accept` about names; hosts that are addresses, names with "--"
# and long texts are left to Python.

Accepts: TypeAlias = Callable[[Rows], bytes]
"""Returns a set bit for each row that is certainly accepted."""

_NO_FIELD = 0xFF


def _acceptance(policy: Policy) -> Accepts:
    """Return what finds the rows that a policy certainly accepts."""
    fast = policy.fast_rule
    rule = None if fast is None else native_rule(*fast, lambda _: None)
    if fast is None or rule is None:
        return lambda rows: bytes((len(rows) + 7) // 8)
    accepted, conditions = rule.accepted, _conditions(policy, fast[1])
    return lambda rows: bytes(asked(accepted, rows.facts, conditions))


_Words: TypeAlias = "tuple[bytes, ...] | None"


def _conditions(
    policy: Policy, grammar: str
) -> tuple[int, int, int, tuple[int, int, int], tuple[_Words, ...]]:
    """Return a policy's conditions on a text of its rule, for `Rule.accepted` of the kernel."""
    numbers = {field: number for number, field in enumerate(tagged(grammar).FIELDS)}
    refused = ["userinfo"] * (not policy.userinfo) + ["fragment"] * (not policy.fragment)
    absent = sum(1 << numbers[field] for field in refused if field in numbers)
    # "domain" is a field of destinations: any host will do for a policy that lists schemes alone.
    fields = ["scheme", "domain", "port"] if "domain" in numbers else ["scheme", "", ""]
    scheme, name, port = (numbers.get(field, _NO_FIELD) for field in fields)
    labels, pairs = special_labels(policy.names)
    words = (
        None if policy.schemes == "*" else policy.schemes,
        None if policy.hosts == "*" else policy.hosts,
        None if policy.ports == "*" else _origins(policy),
        BLOCKED if policy.ports == "*" and not policy.bad_ports else None,
        labels if policy.names else None,
        pairs if policy.names else None,
    )
    searched = tuple(None if one is None else _sorted_words(one) for one in words)
    return int(min(policy.least_limit, _MOST)), LONGEST_NAME, absent, (scheme, name, port), searched


_MOST = (1 << 62) - 1


def _sorted_words(words: Iterable[str]) -> tuple[bytes, ...]:
    """Return words in the order in which the kernel searches them."""
    return tuple(sorted(word.encode() for word in words))


def _origins(policy: Policy) -> list[str]:
    """Return every "scheme:port" that a policy allows, and "scheme:" for its default port."""
    found = []
    for scheme in ("http", "https"):
        default = default_port(scheme)
        numbers = {port for port in policy.ports if isinstance(port, int)}
        if default is not None and (default in numbers or "default" in policy.ports):
            numbers.add(default)
            found.append(f"{scheme}:")
        found += [f"{scheme}:{number}" for number in numbers]
    return found
