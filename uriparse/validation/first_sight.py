"""The reasons of a policy for many texts at once: most by the kernel, the others one by one.

The kernel decides the same as `first_reason` for URIs of the web of ASCII, and says which other
texts are invalid or have another scheme. Hosts with A-labels are left to it, once for each
beginning, and what `_LEFT` has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from html.entities import html5
from ipaddress import IPv4Address, IPv6Address
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from uriparse._native import kernel, native_rule, tagged
from uriparse.components.servers import default_port
from uriparse.grammar import charset
from uriparse.records.chunks import rows_of
from uriparse.validation.agreement_checks import (
    LONGEST_LABEL,
    LONGEST_NAME,
    is_invisible,
    is_kept_by_all,
    name_chars,
)
from uriparse.validation.compiled_policy import ORDINARY, CompiledPolicy, Reason, compiled
from uriparse.validation.finding_catalogue import CATALOGUE
from uriparse.validation.findings import BLOCKED
from uriparse.validation.policy import WEB
from uriparse.validation.report import first_reason
from uriparse.validation.scheme_checks import BIDI_CONTROLS, DEVICES
from uriparse.validation.settings import LIMITS
from uriparse.validation.special import (
    AT_END,
    EMBEDDING,
    LOOPBACK_NAME,
    SINGLE_LABEL,
    SPECIAL_NAMES,
    address_starts,
    parts_of,
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

_OPEN: Final = 3
"""The outcome of a text that the kernel does not decide; the next: its authority alone does."""

_CHECKED = """
upper-case-scheme password-in-uri userinfo-not-allowed misleading-userinfo no-server host-too-long
dns-label host-underscore ipv4-lookalike port-left-empty port-out-of-range non-default-port
reserved-port cross-protocol-smtp uncommon-port encoded-dot-segment backend-special-name
overlong-utf8 bidi-control encoded-nul encoded-line-break lower-case-hex double-encoding
encoded-traversal dots-in-query escaped-html excess-dot-dot scheme-case missing-authority userinfo
empty-host encoded-host host-delimiter host-dots label-hyphen long-name numeric-host port-range
empty-port query-without-path fragment-without-path nonlocal-reference request-empty-segment
request-dot-segment request-apostrophe request-triplet request-not-utf8 request-invisible
request-final-semicolon request-empty-query request-empty-parameter too-long too-many-segments
too-many-parameters userinfo-refused fragment-refused uri-refused scheme-refused host-refused
port-refused bad-port-refused name-refused address-refused ipv6-host ipv6-spelling ipv6-over-tls
"""
_HITS: Final = tuple(_CHECKED.split())
"""The codes that the kernel finds in URIs of the web, in the order of the checks, but for the last
three, which lists of codes do not have."""

_LEFT: Final = frozenset({"unsafe-character"})
"""Those that it does not; of A-labels it finds none."""


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
        numbers[row], offsets[row] = (NULL, 0) if text is None else _judged_alone(text, policy)
    return Verdicts(numbers, offsets)


def _judged_alone(text: str, policy: Policy) -> tuple[int, int]:
    code, _, offset = first_reason(text, policy)
    return _NUMBERS[code], offset or 0


def codes_of_texts(
    policy: Policy, texts: Sequence[str], *, leaves_others: bool = False
) -> bytearray:
    """Return the number of the code of the first reason for each text, as `first_codes`."""
    text_at = texts.__getitem__
    rows = rows_of(texts)
    return first_codes(policy, len(texts), text_at, rows, leaves_others=leaves_others).numbers


def code_lists(
    policy: Policy,
    count: int,
    rows: _kernel.Rows | None,
    ask: Callable[..., tuple[Block, Block]] = lambda function, *given: function(*given),
) -> array[int]:
    """Return which codes each row has, whatever their severity, but for those that are off.

    A number lists the codes as `codes_of_list` reads it; `IS_INVALID` stands for an invalid text
    that exceeds no limit, `IS_NULL` for a missing one, and lower numbers for texts that are to be
    judged by themselves. Other parameters as for `first_codes`.
    """
    look = None if rows is None else _collecting(policy)
    if rows is None or look is None or kernel is None:
        return array("q", [IS_NULL - 1]) * count
    return look.at(ask, rows)[2]


def code_lists_of_texts(policy: Policy, texts: Sequence[str]) -> array[int] | None:
    """Return the same of texts; None if all are to be judged by themselves, or by schemes too."""
    rows = rows_of(texts)
    if rows is None or len(compiled(policy).by_scheme) > 1 or _collecting(policy) is None:
        return None
    return code_lists(policy, len(texts), rows)


@lru_cache(maxsize=32)
def _collecting(policy: Policy) -> _Look | None:
    """Return what lists the codes of a policy."""
    return _look(policy.replace(refuse="info"), collects=True)


IS_INVALID: Final = -1
IS_NULL: Final = -2


def codes_of_list(number: int) -> tuple[str, ...]:
    """Return the codes of a number of `code_lists` of at least 0, in the order of hits."""
    found = []
    while number > 1:
        found.append(_HITS[number & 63])
        number >>= 6
    return tuple(found)


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
        prepared = compiled(policy)
        self._warns = not prepared.is_plain
        self._longest = prepared.least_limit if policy.uris == "*" else 0

    def __missing__(self, prefix: bytes) -> int:
        text = prefix.decode("utf-8", "surrogateescape")
        reason = Reason()
        # A "/" after the host of an accepted URI of the web is a path that no check is about.
        is_same = text.startswith(_WEB_URIS) and text[-1] == "/" and self.get(prefix[:-1]) == -2
        if not is_same or len(text) > self._longest:
            reason = first_reason(text, self._policy)
        is_within = reason.offset is not None and reason.offset < len(text)
        if text.endswith((":", "://")):  # without a host, reasons about it begin at 0
            is_within = reason.code in (_OF_SCHEMES if text[-1] == "/" else _WITHOUT_HOST)
        elif "//" not in text and text.partition(":")[0] not in WEB:
            is_within = False  # what is wrong may depend on the rest of the path
        elif self._warns and not text.startswith(_WEB_URIS):
            is_within = reason.code in _OF_SCHEMES
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


@lru_cache(maxsize=32)
def _look(policy: Policy, *, collects: bool = False) -> _Look | None:
    """Return what looks at the rows of a policy; None if all are to be judged one by one.

    collects: whether all codes that refuse are wanted.
    """
    prepared = compiled(policy)
    known = prepared.known_rule
    rule = None if known is None else native_rule(*known, lambda _: None)
    own = native_rule(prepared.start, policy.grammar, lambda _: None)
    each = [one.refusing for one in prepared.by_scheme.values()]
    always, some = frozenset.intersection(*each), prepared.refusing_somewhere
    if known is None or rule is None or own is None or "syntax" not in always:
        return None
    of_base = {"misformed-relative-reference"} if prepared.base is not None else set()
    judges = always == some and some.isdisjoint(of_base | _LEFT)
    judges = judges and (policy.agreement is not None or prepared.allows_any_address)
    judges = judges and max(map(len, policy.hosts), default=0) < LONGEST_NAME
    judges = judges and max(map(len, policy.uris), default=0) < _LONGEST_URI
    if (policy.uris != "*" or collects) and not judges:
        return None
    other = "scheme-refused" if policy.agreement is None else "scheme-other"
    earlier = {"upper-case-scheme", "not-globally-accessible", *of_base}
    refusing = [code in _asked(prepared) & some for code in _HITS]
    refusing = [
        False,
        True,
        True,
        True,
        True,
        other in always and some.isdisjoint(earlier),
        *refusing,
    ]
    numbers = [0, SYNTAX, NULL, UNDECIDED, UNDECIDED, *map(_NUMBERS.__getitem__, (other, *_HITS))]
    kinds = bytes([0, 0, 0, 1, 2]).ljust(256, b"\0")
    flags = judges, prepared.is_plain, collects or not some.isdisjoint(_PORTS), collects
    conditions = _conditions(prepared, known[1], own, bytes(refusing), flags)
    return _Look(rule.sighted, conditions, bytes(numbers).ljust(256), kinds, _Prefixes(policy))


def _asked(prepared: CompiledPolicy) -> frozenset[str]:
    """Return the codes of checks that a policy runs on URIs of the web."""
    policy, layers = prepared.policy, {"scheme", "policy"}
    if policy.agreement is not None:
        layers.add("agreement")
    codes = {code for code, row in CATALOGUE.items() if row.layer in layers}
    if policy.agreement != "request":
        codes -= {code for code in codes if code.startswith("request-")}
    codes -= {"userinfo-refused"} if policy.userinfo else set()
    codes -= {"bad-port-refused"} if policy.bad_ports else set()
    return frozenset(codes - {"fragment-refused"} if policy.fragment else codes)


_LONGEST_URI = 1 << 10
_NO_FIELD = 0xFF
_FIELDS = "scheme", "userinfo", "host", "port", "path", "query", "fragment"


def _conditions(
    prepared: CompiledPolicy,
    grammar: str,
    own: _kernel.Rule,
    refusing: bytes,
    flags: tuple[bool, bool, bool, bool],
) -> _kernel.Conditions:
    """Return a policy's conditions on a text of its known rule, for `Rule.sighted` of the kernel.

    own: the rule of the policy. refusing: for each outcome whether it refuses.
    flags: whether that is known for URIs of the web; whether only destination and fragment are
        refused; whether an allowed port may be a reason; whether all codes are wanted.
    """
    judges, _, _, collects = flags
    policy, names = prepared.policy, prepared.names
    numbers = {field: number for number, field in enumerate(tagged(grammar).FIELDS)}
    # "domain" is a field of destinations: any host will do for a policy that lists schemes alone.
    fields = ["scheme", "", "domain", "IPv4address", "port", "fragment"]
    if prepared.known_rule == ORDINARY:
        fields[-1] = "ordinary-fragment"
    if "domain" not in numbers:
        fields = ["scheme", "userinfo", "", "", "", "fragment"]
    if policy.userinfo:
        fields[1] = ""
    if policy.fragment:
        fields[-1] = ""
    refused = {row.name for row in SPECIAL_NAMES if row.kind in names}
    sights = dict(zip(_HITS, refusing[-len(_HITS) :], strict=True))
    words: tuple[Collection[str] | None, ...] = (
        None if policy.schemes == "*" else policy.schemes,
        None if policy.hosts == "*" else policy.hosts,
        None if policy.ports == "*" else _origins(policy),
        BLOCKED,
        {*refused, *(f".{name}" for name in refused)} if refused else None,
        {LOOPBACK_NAME} if SINGLE_LABEL.kind in names else None,
        WEB,
        [f"{scheme}:{default_port(scheme)}" for scheme in WEB],
        None if policy.uris == "*" else policy.uris,
        None if policy.uris == "*" else prepared.loopback_uris,
        DEVICES,
        html5 if sights["escaped-html"] else None,
        BIDI_CONTROLS if sights["bidi-control"] else None,
    )
    # In the order in which the kernel searches them.
    searched = tuple(None if one is None else tuple(sorted(map(str.encode, one))) for one in words)
    told = tagged(policy.grammar)
    constant = told.KINDS["host"]
    kinds = told.CONSTANTS[constant]
    hosts = [kinds.index(kind) + 1 if kind in kinds else _NO_FIELD for kind in ("IPv4", "IPv6")]
    most = [getattr(policy, limit.setting) for limit in LIMITS]
    return (
        tuple(_MOST if one is None else min(one, _MOST) for one in most),
        (LONGEST_NAME, LONGEST_LABEL),
        tuple(numbers.get(field, _NO_FIELD) for field in fields),
        searched,
        (array("I", _flips(policy)).tobytes(), b"".join(_ranges(prepared)))
        if prepared.judges_addresses
        else (b"", _ALL_ALLOWED),
        (own, tuple(map(told.FIELDS.index, _FIELDS)), constant, *hosts),
        _local(prepared, grammar) if judges and not collects else -1,
        flags,
        (
            refusing,
            _octets(),
            _kept(prepared),
            _invisible() if policy.agreement == "request" else b"",
        ),
    )


def _local(prepared: CompiledPolicy, grammar: str) -> int:
    """Return where the rule starts that decides about references without a scheme; -1 for none."""
    base, policy = prepared.base, prepared.policy
    if not (policy.relative and base is not None and base.uri.path and prepared.is_plain):
        return -1
    told = [first_reason(text, policy).code for text in ("/a?b#c", "//a.com")]
    is_decided = told == [None, "nonlocal-reference"] and policy.uris == "*"
    return tagged(grammar).STARTS["local-reference"] if is_decided else -1


@cache
def _octets() -> bytes:
    """Return for each octet: not in names (1), begins a number (2), reserved (4), % or _ (8)."""
    in_name, in_number = name_chars()
    others = frozenset(map(chr, range(256))).difference(in_name)
    sets = others, in_number, charset("reserved"), "%_"
    return bytes(sum((chr(o) in one) << bit for bit, one in enumerate(sets)) for o in range(256))


def _kept(prepared: CompiledPolicy) -> bytes:
    """Return for triplets of ASCII, then in lower case: all keep it in a path (1), a query (2)."""
    kept = prepared.kept_triplets
    each = [f"%{octet:{form}}" for form in ("02X", "02x") for octet in range(128)]

    def is_kept(triplet: str, component: str, own: frozenset[str] | None) -> bool:
        return is_kept_by_all(triplet, component) if own is None else triplet in own

    return bytes(is_kept(t, "path", kept.path) | is_kept(t, "query", kept.query) << 1 for t in each)


@cache
def _invisible() -> bytes:
    """Return the characters from which on others are invisible, or visible again."""
    flips, was = array("I"), False
    for code in chain(range(1 << 17), range(0xE0000, 0xE1001)):  # none is in other planes
        if is_invisible(chr(code)) != was:
            flips.append(code)
            was = not was
    return flips.tobytes()


_MOST = (1 << 62) - 1


def _flips(policy: Policy) -> Iterator[int]:
    """Yield the IPv4 addresses from which on a policy refuses others, or allows them again."""
    is_refused = False
    for start in address_starts(*policy.refused_addresses, *policy.allowed_addresses):
        if bool(policy.refused_classes(IPv4Address(start))) != is_refused:
            is_refused = not is_refused
            yield start


_ALLOWED, _REFUSED, _EMBEDDING, _DEPENDS = b"\0", b"\1", b"\2", b"\3"  # as columns.h has them
_ALL_ALLOWED = bytes(16) + _ALLOWED


def _ranges(prepared: CompiledPolicy) -> Iterator[bytes]:
    """Yield the first IPv6 address of each range and what the policy says of it (columns.h)."""
    policy, rules = prepared.policy, prepared.address_rules
    for start in address_starts(*policy.refused_addresses, *policy.allowed_addresses, version=6):
        address = IPv6Address(start)
        ranges = parts_of(address)[0][1]
        kinds = {row.kind for row in ranges} & EMBEDDING
        said = (_EMBEDDING if kinds else _ALLOWED) if kinds <= AT_END else _DEPENDS
        yield address.packed + (_REFUSED if any(rules.own(address, ranges)) else said)


def _origins(policy: Policy) -> list[str]:
    """Return every "scheme:port" that a policy allows, and "scheme:" for its default port."""
    found = []
    for scheme in WEB:
        default = default_port(scheme)
        numbers = {port for port in policy.ports if isinstance(port, int)}
        if default in numbers or "default" in policy.ports:
            numbers.add(cast("int", default))
            found.append(f"{scheme}:")
        found += [f"{scheme}:{port}" for port in numbers]
    return found
