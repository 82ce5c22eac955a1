"""`registered_domain` for columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from struct import Struct, pack
from typing import TYPE_CHECKING, TypeAlias

from uriparse._base.coerce import as_choice, as_str
from uriparse._native import kernel
from uriparse.arrow.column import Column, text_type, values_of
from uriparse.arrow.distinct import of_texts
from uriparse.arrow.importing import Rows, asked, import_column
from uriparse.arrow.judging import given, host, patched, unset
from uriparse.errors import MissingExtraError
from uriparse.grammar import matcher
from uriparse.parsing import try_parse
from uriparse.records import RegName
from uriparse.records.references import REFERENCE_RULES

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

    from uriparse._compiled.names import RecordGrammar
    from uriparse.arrow.column import ChunkedColumn, Values
    from uriparse.arrow.importing import ArrowColumn

DomainOf: TypeAlias = Callable[[str], str | None]
"""Returns the registered domain of a name in lower case, None if it has none."""


def registered_domain(
    column: ArrowColumn,
    domain_of: DomainOf | None = None,
    *,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Return the registered domain of each row's host: its public suffix and the label before it.

    domain_of: returns that of a name in lower case without a final dot, None if it has none; for
        example `PublicSuffixList(lines).privatesuffix` of the package publicsuffixlist. It is
        called once for a name. By default it is that of the list within this package.

    Null where `host` is null, and for names with triplets and addresses: also in the forms that
    clients read as such, as "1.2" and "0x7f.1". Errors as for `split`;
    MissingExtraError for the default without its package.

    >>> import pyarrow
    >>> column = pyarrow.array(["https://a.b.example.co.uk/", "http://[::1]/"])
    >>> two = lambda name: ".".join(name.split(".")[-3:])
    >>> pyarrow.array(registered_domain(column, two)).to_pylist()
    ['example.co.uk', None]
    """
    known = as_choice(as_str(grammar, "grammar"), "grammar", tuple(REFERENCE_RULES))
    domain = domain_finder(domain_of, known)
    hosts = host(column, REFERENCE_RULES[known], grammar=known)
    suffixes = _packed() if domain_of is None else None
    if suffixes is None or kernel is None:
        return of_texts(hosts, domain)
    native = kernel.domains
    imported = import_column(hosts)
    width = imported.place_width

    def values(rows: Rows) -> Values:
        found, kept = asked(native, rows.facts, suffixes, width)
        (made,) = import_column(Column(text_type(width), (values_of(len(rows), found),))).chunks
        others = [*map(made.octets, unset(bytes(kept), len(rows)))]
        if not others:
            return values_of(len(rows), found)
        asked_again = [None if one is None else domain(one.decode()) for one in others]
        texts = tuple(None if one is None else one.encode() for one in asked_again)
        return values_of(len(rows), patched(made, bytes(kept), texts, width))

    return given(imported, text_type(width), values)


def domain_finder(domain_of: DomainOf | None, grammar: str) -> Callable[[str], str | None]:
    """Return what finds the registered domain of a host; see `registered_domain`."""
    return _finder(_packaged().privatesuffix if domain_of is None else domain_of, grammar)


@lru_cache(16)
def _finder(domain_of: DomainOf, grammar: str) -> Callable[[str], str | None]:
    """Return it; it remembers domains from batch to batch."""
    is_number = matcher("ends-in-number", "whatwg").fullmatch  # clients read such as addresses
    rule = REFERENCE_RULES[grammar]

    @lru_cache(1 << 16)
    def domain(host: str) -> str | None:
        record = try_parse(f"//{host}", rule, grammar=grammar)
        name = None if record is None else record.host
        if not isinstance(name, RegName) or not str(name) or "%" in str(name):
            return None
        lowered = str(name).lower()
        if is_number(lowered) is not None:
            return None
        return domain_of(lowered.removesuffix(".")) or None

    return domain


@lru_cache(1)
def _packaged() -> PublicSuffixList:
    """Return the list of the package publicsuffixlist."""
    try:
        from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("publicsuffix", "registered_domain without `domain_of`") from None
    return PublicSuffixList()


# The same list for the kernel (domains.c): a head, slots of a hash table, and the texts of rules.

_KINDS = {"*.": 2, "!": 4, "": 1}
_SLOT = Struct("=IIHH")


@lru_cache(1)
def _packed() -> bytes | None:
    """Return the list of the package as the kernel reads it; None if it does not show its rules."""
    rules: frozenset[str] | None = getattr(_packaged(), "_publicsuffix", None)
    if rules is None:
        return None
    kinds: dict[bytes, int] = {}
    for rule in rules:
        mark = next(mark for mark in _KINDS if rule.startswith(mark))
        text = rule.removeprefix(mark).encode()
        kinds[text] = kinds.get(text, 0) | _KINDS[mark]
    bits = (2 * len(kinds)).bit_length()
    slots, texts = [b""] * (1 << bits), bytearray()
    for text, kind in kinds.items():
        number = at = _hashed(text)
        while slots[at % len(slots)]:
            at += 1
        slots[at % len(slots)] = _SLOT.pack(number, len(texts), len(text), kind)
        texts += text
    table = b"".join(slot or bytes(_SLOT.size) for slot in slots)
    return pack("=II", bits, len(texts)) + table + texts


def _hashed(text: bytes) -> int:
    """Return the hash of a text by FNV-1a, from its end on."""
    number = 2166136261
    for octet in reversed(text):
        number = (number ^ octet) * 16777619 & 0xFFFFFFFF
    return number
