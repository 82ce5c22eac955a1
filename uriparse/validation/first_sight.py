"""The first reasons of a policy for many texts at once: most by the kernel, the others one by one.

The kernel decides the same as `first_reason`, but leaves to it hosts that are names with A-labels
or IPv6 addresses, hosts and ports on which clients may disagree, and long texts; if warnings
refuse, also what follows the authority unless it is of the rule `ordinary-location`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from uriparse._native import kernel, native_rule, tagged
from uriparse.components.servers import default_port
from uriparse.grammar import charset
from uriparse.records.chunks import rows_of
from uriparse.validation.agreement_checks import LONGEST_LABEL, LONGEST_NAME
from uriparse.validation.compiled_policy import ORDINARY, SCHEME_CODES, CompiledPolicy, compiled
from uriparse.validation.finding_catalogue import CATALOGUE
from uriparse.validation.findings import BLOCKED
from uriparse.validation.policy import WEB
from uriparse.validation.report import evaluate, first_reason
from uriparse.validation.special import (
    LOOPBACK_NAME,
    SINGLE_LABEL,
    SPECIAL_NAMES,
    address_starts,
)

if TYPE_CHECKING:
    from uriparse._native import _kernel
    from uriparse._native._kernel import Block
    from uriparse.validation.policy import Policy

CODES: Final[tuple[str | None, ...]] = (None, *CATALOGUE)
"""The code for each number of a verdict; 0 is that of accepted texts."""

NULL: Final = 255
"""The number for a missing text."""

UNDECIDED: Final = 254
"""The number for a text that is to be judged by itself."""

_NUMBERS: Final[Mapping[str | None, int]] = {code: number for number, code in enumerate(CODES)}
SYNTAX: Final = _NUMBERS["syntax"]

_PORTS: Final = frozenset(
    {"non-default-port", "reserved-port", "cross-protocol-smtp", "uncommon-port"}
)

_SIGHTS: Final[tuple[tuple[str | None, Collection[str]], ...]] = (
    (None, ()),
    ("syntax", ()),
    ("userinfo", SCHEME_CODES),
    ("long-name", {"host-too-long"}),
    *((f"{what}-refused", ()) for what in ("host", "name", "address")),
    ("port-refused", _PORTS),
    ("bad-port-refused", _PORTS),
    ("fragment-refused", ()),
    ("scheme-other", {"upper-case-scheme", "not-globally-accessible"}),
)
"""The codes for the outcomes of the kernel, each with those that may come before it.

Without agreement, those of userinfo and scheme are "userinfo-refused" and "scheme-refused".
"""

_OPEN: Final = len(_SIGHTS)
"""The outcome of a text that the kernel does not decide; the next: its authority alone does."""

_IN_AUTHORITY: Final = range(2, _OPEN - 2)
"""The outcomes whose place is in the authority."""


class Verdicts(NamedTuple):
    """The first reasons for which a policy refuses some texts.

    Attributes:
        numbers: for each text that of the code, in `CODES`; `NULL` for a missing text.
        offsets: where the reason of each refused text begins, in characters.

    """

    numbers: bytearray
    offsets: array[int]


def first_codes(
    policy: Policy,
    count: int,
    text_at: Callable[[int], str | None],
    rows: _kernel.Rows | None = None,
    ask: Callable[..., tuple[Block, Block]] = lambda function, *given: function(*given),
    *,
    leaves_others: bool = False,
) -> Verdicts:
    """Judge texts, each by its number.

    rows: the same texts as the kernel has imported them; None without it.
    ask: calls the kernel.
    leaves_others: whether those that the kernel does not decide get `UNDECIDED`.
    """
    look = None if rows is None else _look(policy)
    if rows is None or look is None or kernel is None:
        numbers, offsets = bytearray([UNDECIDED]) * count, array("q", bytes(8 * count))
        look = None
    else:
        outcomes, numbers, offsets = look.at(ask, rows)
        if leaves_others:
            return Verdicts(numbers, offsets)
        kinds = outcomes.translate(look.kinds)
        ask(kernel.recalled, rows, kinds, look.by_prefix, _AFTER_AUTHORITY, numbers, offsets)
    for row in places_of(UNDECIDED, numbers):
        text = text_at(row)
        reason = None if text is None else first_reason(text, policy)
        numbers[row] = NULL if reason is None else _NUMBERS[reason.code]
        offsets[row] = 0 if reason is None else reason.offset or 0
    return Verdicts(numbers, offsets)


def codes_of_texts(
    policy: Policy, texts: Sequence[str], *, leaves_others: bool = False
) -> bytearray:
    """Return the number of the code of the first reason for each text, as `first_codes`."""
    text_at = texts.__getitem__
    rows = rows_of(texts)
    return first_codes(policy, len(texts), text_at, rows, leaves_others=leaves_others).numbers


def places_of(number: int, numbers: bytes | bytearray) -> Iterator[int]:
    """Yield the rows that have a number."""
    row = numbers.find(number)
    while row >= 0:
        yield row
        row = numbers.find(number, row + 1)


_AFTER_AUTHORITY = "".join(charset("gen-delims") - charset("pchar")).encode()
"""What ends an authority, or a host before an IP literal that cannot be there."""

_MOST_PREFIXES = 1 << 15


class _Prefixes(dict[bytes, int]):
    """By the beginning of texts the first reason of each; -2 for none, -3 if more decides on it.

    That is the number of its code, and 256 times its offset. A beginning is a scheme with its colon
    and a "//" after it, or ends with a host, or with the delimiter after an authority or in place
    of one. What follows has no reason that begins before the end of it.
    """

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy
        self._warns = not compiled(policy).is_plain

    def __missing__(self, prefix: bytes) -> int:
        text = prefix.decode("utf-8", "surrogateescape")
        reason = evaluate(text, self._policy).reason
        is_within = reason.offset is not None and reason.offset < len(text)
        if text.endswith((":", "://")):  # without a host, reasons about it begin at 0
            is_within = reason.code in (_OF_SCHEMES if text[-1] == "/" else _WITHOUT_HOST)
        elif "//" not in text and text.partition(":")[0] not in WEB:
            is_within = False  # what is wrong may depend on the rest of the path
        elif self._warns and not text.startswith(_WEB_URIS):
            is_within = reason.code in _OF_SCHEMES
        elif self._warns and text[-1] not in "/#":
            is_within = False  # of a query, an "@" may cause a warning about the host
        if len(self) >= _MOST_PREFIXES:
            self.clear()
        found = -3 if reason.code else -2
        if is_within:
            found = _NUMBERS[reason.code] | (reason.offset or 0) << 8
        self[prefix] = found
        return found


_OF_SCHEMES = "scheme-other", "scheme-case", "scheme-refused"
_WITHOUT_HOST = *_OF_SCHEMES, "host-refused"
_WEB_URIS = tuple(f"{scheme}://" for scheme in WEB)


class _Look(NamedTuple):
    """What the kernel finds for a policy.

    numbers: by outcome that of the code; `UNDECIDED` where another may come first, or none refuse.
    kinds: by outcome 1 for undecided ones in the authority, 2 if it decides alone, otherwise 0.
    """

    sighted: Callable[..., tuple[Block, Block]]
    conditions: _kernel.Conditions
    numbers: bytes
    kinds: bytes
    by_prefix: _Prefixes

    def at(
        self, ask: Callable[..., tuple[Block, Block]], rows: _kernel.Rows
    ) -> tuple[bytes, bytearray, array[int]]:
        """Return for each row the outcome, the number of its code, and the place."""
        found, places = ask(self.sighted, rows, self.conditions)
        outcomes, offsets = bytes(found), array("q")
        offsets.frombytes(places)
        return outcomes, bytearray(outcomes.translate(self.numbers)), offsets


@lru_cache(maxsize=16)
def _look(policy: Policy) -> _Look | None:
    """Return what looks at the rows of a policy; None if all are to be judged one by one."""
    prepared = compiled(policy)
    fast = prepared.fast_rule
    rule = None if fast is None else native_rule(*fast, lambda _: None)
    own = native_rule(prepared.start, policy.grammar, lambda _: None)
    always = frozenset.intersection(*(one.refusing for one in prepared.by_scheme.values()))
    some = prepared.refusing_somewhere
    if fast is None or rule is None or own is None or "syntax" not in always:
        return None
    if "host-underscore" in some:  # the one code that a text of `ORDINARY` may have in its name
        return None
    names = {"userinfo": "userinfo-refused", "scheme-other": "scheme-refused", "long-name": ""}
    numbers = []
    for code, earlier in _SIGHTS:
        name = code if code is None or policy.agreement is not None else names.get(code, code)
        is_first = name is None or (name in always and some.isdisjoint(earlier))
        if name == "scheme-other" and prepared.base is not None:
            is_first = is_first and "misformed-relative-reference" not in some
        numbers.append(_NUMBERS[name] if is_first else UNDECIDED)
    undecided = [numbers[outcome] == UNDECIDED for outcome in _IN_AUTHORITY]
    kinds = bytes([0, 0, *undecided, 0, 0, 1, 2]).ljust(256, b"\0")
    table = bytes([*numbers, UNDECIDED, UNDECIDED, NULL]).ljust(256)
    conditions = _conditions(prepared, fast[1], own)
    return _Look(rule.sighted, conditions, table, kinds, _Prefixes(policy))


_NO_FIELD = 0xFF


def _conditions(prepared: CompiledPolicy, grammar: str, own: _kernel.Rule) -> _kernel.Conditions:
    """Return a policy's conditions on a text of its fast rule, for `Rule.sighted` of the kernel.

    own: the rule of the policy.
    """
    policy, names = prepared.policy, prepared.names
    numbers = {field: number for number, field in enumerate(tagged(grammar).FIELDS)}
    # "domain" is a field of destinations: any host will do for a policy that lists schemes alone.
    fields = ["scheme", "", "domain", "IPv4address", "lower-IPv6", "port", "fragment"]
    if prepared.fast_rule == ORDINARY:
        fields[-1] = "ordinary-fragment"
    if "domain" not in numbers:
        fields = ["scheme", "userinfo", "", "", "", "", "fragment"]
    if policy.userinfo:
        fields[1] = ""
    if policy.fragment:
        fields[-1] = ""
    refused = {row.name for row in SPECIAL_NAMES if row.kind in names}
    only_default = not prepared.refusing_somewhere.isdisjoint(_PORTS)  # others have a warning
    words: tuple[Collection[str] | None, ...] = (
        None if policy.schemes == "*" else policy.schemes,
        None if policy.hosts == "*" else policy.hosts,
        None if policy.ports == "*" and not only_default else _origins(policy, only_default),
        BLOCKED if policy.ports == "*" and not policy.bad_ports else None,
        {*refused, *(f".{name}" for name in refused)} if refused else None,
        {LOOPBACK_NAME} if SINGLE_LABEL.kind in names else None,
        WEB,
    )
    scheme, user, host = map(tagged(policy.grammar).FIELDS.index, ("scheme", "userinfo", "host"))
    # In the order in which the kernel searches them.
    searched = tuple(None if one is None else tuple(sorted(map(str.encode, one))) for one in words)
    longest = LONGEST_LABEL if prepared.is_plain and policy.agreement is not None else 0
    user = _NO_FIELD if policy.userinfo and policy.agreement is None else user
    return (
        int(min(prepared.least_limit, _MOST)),
        LONGEST_NAME,
        tuple(numbers.get(field, _NO_FIELD) for field in fields),
        searched,
        array("I", _flips(policy)).tobytes() if prepared.judges_addresses else b"",
        (own, scheme, user, host, longest, prepared.is_plain),
    )


_MOST = (1 << 62) - 1


def _flips(policy: Policy) -> Iterator[int]:
    """Yield the IPv4 addresses from which on a policy refuses others, or allows them again."""
    is_refused = False
    for start in address_starts(*policy.refused_addresses, *policy.allowed_addresses):
        if bool(policy.refused_classes(IPv4Address(start))) != is_refused:
            is_refused = not is_refused
            yield start


def _origins(policy: Policy, only_default: bool) -> list[str]:  # noqa: FBT001 - one caller
    """Return every "scheme:port" that a policy allows, and "scheme:" for its default port."""
    found = []
    for scheme in WEB:
        default = default_port(scheme)
        numbers = {port for port in policy.ports if isinstance(port, int)}
        if policy.ports == "*" or default in numbers or "default" in policy.ports:
            numbers.add(cast("int", default))
            found.append(f"{scheme}:")
        found += [f"{scheme}:{port}" for port in numbers if port == default or not only_default]
    return found
