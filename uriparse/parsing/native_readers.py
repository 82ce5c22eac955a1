"""The readers of `readers` as the kernel has them: told which slots to fill, and by what."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from uriparse._native import kernel, native_rule, tagged
from uriparse.records import URI, Host, RelativeRef
from uriparse.records._draft import Slots
from uriparse.records.hosts import KINDS

Reader: TypeAlias = Callable[[str], URI | RelativeRef | None]
"""Gives the record of a text, or None where the rule does not derive the text."""

CLASSES: dict[str, type[URI | RelativeRef]] = {"URI": URI, "RelativeRef": RelativeRef}
"""The classes of records by the names that the generated tables know them by."""


def native_reader(rule: str, grammar: str, otherwise: Callable[[], Reader]) -> Reader | None:
    """Give the reader of a rule that yields references; None where the kernel has none.

    otherwise: makes the reader of the texts with lone surrogates.
    """

    def unspelled(text: str) -> URI | RelativeRef | None:
        return otherwise()(text)

    own = native_rule(rule, grammar, unspelled)
    if own is None or kernel is None:
        return None
    tables = tagged(grammar)
    slots = vars(Slots)
    kinds = tuple(
        (
            tables.FIELDS.index(field),
            number,
            tuple(KINDS[kind] for kind in tables.CONSTANTS[number]),
            vars(Host)["_text"],
        )
        for field, number in tables.KINDS.items()
    )
    made = kernel.Reader(
        own,
        tuple(CLASSES[name] for name in tables.CONSTANTS[0]),
        slots["_text"],
        tuple(slots[field] for field in tables.FIELDS),
        ((slots["_authority"], None), (slots["grammar"], grammar)),
        kinds,
        (),
        unspelled,
    )
    return cast("Reader", made.read)
