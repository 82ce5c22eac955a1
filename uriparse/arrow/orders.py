"""What the kernel is to make of columns, in octets, for engines that call it themselves.

An order holds the tables too, so that it can be carried out in any process and on any machine.
"""

from __future__ import annotations

from functools import cache
from struct import pack
from typing import TYPE_CHECKING

from uriparse._native import native_rule, tagged, tagged_octets
from uriparse.arrow.by_kernel import wanted
from uriparse.arrow.by_rows import COLUMNS
from uriparse.door import as_str
from uriparse.grammar import rule_name
from uriparse.parsing.readers import reader

if TYPE_CHECKING:
    from uriparse.arrow.by_kernel import Wanted

FORMAT = 1
"""Of orders, which `order.c` reads."""


def order(rule: str, grammar: str, columns: tuple[str, ...] = ()) -> bytes | None:
    """Write the order to judge texts by a rule, or to make columns of them; None without kernel.

    None as well for a rule that the kernel has no tables of. UnknownRuleError if there is no such
    rule, or none that yields references where columns are asked for.

    columns: of `COLUMNS`.
    """
    name = rule_name(as_str(rule, "rule"), as_str(grammar, "grammar"))
    if columns:
        reader(name, grammar)
    if native_rule(name, grammar, len) is None:
        return None
    start = tagged(grammar).STARTS[name]
    asked = dict(zip(COLUMNS, wanted(grammar), strict=True)) if columns else {}
    head = pack("<4sHHB", b"ASKS", FORMAT, start, len(columns))
    parts = [_counted(name.encode()) + _column(asked[name]) for name in columns]
    return b"".join([head, *parts, _tables(grammar)])


_tables = cache(tagged_octets)


def _column(asked: Wanted) -> bytes:
    if len(asked) == 1:
        return _counted(bytes(asked[0]))
    constant, names = asked
    return bytes([0, constant, len(names)]) + b"".join(map(_counted, names))


def _counted(octets: bytes) -> bytes:
    return bytes([len(octets)]) + octets
