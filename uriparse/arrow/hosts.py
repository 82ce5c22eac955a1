"""`registered_domain` for columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from uriparse._base.coerce import as_choice, as_str
from uriparse.arrow.distinct import of_texts
from uriparse.arrow.judging import host
from uriparse.errors import MissingExtraError
from uriparse.grammar import matcher
from uriparse.parsing import try_parse
from uriparse.records import RegName
from uriparse.records.references import REFERENCE_RULES

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.arrow.column import ChunkedColumn
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
    domain = _finder(_packaged() if domain_of is None else domain_of, known)
    return of_texts(host(column, REFERENCE_RULES[known], grammar=known), domain)


@lru_cache(16)
def _finder(domain_of: DomainOf, grammar: str) -> Callable[[str], str | None]:
    """Return what finds the registered domain of a host, and remembers it from batch to batch."""
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
def _packaged() -> DomainOf:
    """Return what asks the list of the package publicsuffixlist."""
    try:
        from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("publicsuffix", "registered_domain without `domain_of`") from None
    return cast("DomainOf", PublicSuffixList().privatesuffix)
