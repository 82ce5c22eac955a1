"""Many texts at once by the kernel: split and rewritten, from a list to a list.

None in a list stands for a text that the rule refuses. Without the kernel, each function returns
None instead of a list: then texts are read one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, TypeAlias

from uriparse._native import kernel, native_rule, tagged
from uriparse.records._draft import NAMES
from uriparse.records.references import REFERENCE_RULES
from uriparse.records.rewriting import rewriter

if TYPE_CHECKING:
    from uriparse._native import _kernel
    from uriparse._native._kernel import Block

Wanted: TypeAlias = "tuple[tuple[int, ...]] | tuple[int, tuple[bytes, ...]]"
"""A column that is made of texts: the fields that it goes over; or a constant and its names."""

_WIDTH = 8
"""Octets of an offset: with 4, a chunk could have too many."""


def rows_of(texts: Sequence[str]) -> _kernel.Rows | None:
    """Return texts as rows for the kernel, which refuses those with lone surrogates."""
    if kernel is None or not texts:
        return None
    octets, lengths = "".join(texts).encode("utf-8", "surrogatepass"), [*map(len, texts)]
    if len(octets) != sum(lengths):
        each = (text if text.isascii() else text.encode("utf-8", "surrogatepass") for text in texts)
        lengths = [*map(len, each)]
    places, count = array("q", accumulate(lengths, initial=0)).tobytes(), len(texts)
    column = kernel.array((count, 0, (None, places, octets), ()))
    (rows,) = kernel.imported(kernel.schema(("U", "", ())), column)[2]
    return rows  # type: ignore[no-any-return]  # what the kernel makes


def normal_texts(texts: Sequence[str], *, by_scheme: bool) -> list[str | None] | None:
    """Return the normal forms of URI references, as `normalize` makes them."""
    own, rows = rewriter(), rows_of(texts)
    if own is None or rows is None:
        return None
    return _texts_of(own.normals(rows, by_scheme, _WIDTH), len(texts), None)


def target_texts(base: str, texts: Sequence[str], *, strict: bool) -> list[str | None] | None:
    """Return the targets of URI references, as `resolve` makes them."""
    own, rows = rewriter(), rows_of(texts)
    if own is None or rows is None:
        return None
    return _texts_of(own.targets(rows, base, strict, _WIDTH), len(texts), None)


def component_texts(
    texts: Sequence[str], names: Sequence[str], missing: Sequence[str], grammar: str
) -> tuple[list[bool], list[list[str | None]]] | None:
    """Return which texts are references, and a list of each component, as written.

    names: of `Record`; missing: for each, what stands for an absent one.

    >>> found = component_texts(["//h?", "a b"], ["host", "port"], ["", "-"], "rfc3986")
    >>> found in (None, ([True, False], [["h", ""], ["-", "-"]]))
    True
    """
    rule, rows = _rule(grammar), rows_of(texts)
    if rule is None or rows is None:
        return None
    known = dict(zip(NAMES, selections(grammar), strict=False))
    wanted = {name: known[name] for name in names}  # each once: the kernel makes a few at a time
    (_, valid, *_), *columns = rule.split(rows, tuple(wanted.values()), _WIDTH)
    by_name = dict(zip(wanted, columns, strict=True))
    lists = [
        _texts_of(by_name[name], len(texts), other)
        for name, other in zip(names, missing, strict=True)
    ]
    return [bit == "1" for bit in _bits(valid, len(texts))], lists


@cache
def _rule(grammar: str) -> _kernel.Rule | None:
    return native_rule(REFERENCE_RULES[grammar], grammar, len)


@cache
def selections(grammar: str) -> tuple[Wanted, ...]:
    """Return what the kernel makes for `NAMES`, the fields that each spans, and for host kinds."""
    told = tagged(grammar)
    spans = {field: [field] for field in told.FIELDS}
    spans["authority"] = ["userinfo", "host", "port"]
    kinds = told.KINDS["host"]
    names = tuple(name.encode() for name in told.CONSTANTS[kinds])
    fields = [tuple(map(told.FIELDS.index, spans[name])) for name in NAMES]
    return *((numbers,) for numbers in fields), (kinds, names)


def _texts_of(
    column: tuple[int, Block | None, Block, Block | None], count: int, missing: str | None
) -> list[str | None]:
    """Return the texts of a column of the kernel, and what is missing for null."""
    _, validity, places, data = column
    octets = b"" if data is None else bytes(data)
    found: list[str | None]
    if octets.isascii():
        whole = octets.decode("ascii")
        found = [whole[begin:end] for begin, end in pairwise(memoryview(places).cast("q"))]
    else:
        found = [
            octets[begin:end].decode() for begin, end in pairwise(memoryview(places).cast("q"))
        ]
    if validity is None:
        return found
    bits = _bits(validity, count)
    return [text if bit == "1" else missing for text, bit in zip(found, bits, strict=True)]


def _bits(validity: Block | None, count: int) -> str:
    """Return a digit for each row: 1 if it is not null."""
    if validity is None:
        return "1" * count
    return f"{int.from_bytes(bytes(validity), 'little'):0{count}b}"[::-1][:count]
