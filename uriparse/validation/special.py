"""Addresses and names that are not the public's: tables of a day, and what they say of one.

`special_ranges` and `special_names` hold the tables, `special_addresses` reads addresses by them.
"""

from __future__ import annotations

from typing import Final

from uriparse.validation.special_addresses import classes_of, embedded, ranges_of
from uriparse.validation.special_names import (
    NAME_CLASSES,
    NOT_PUBLIC,
    NameClass,
    SpecialName,
    name_classes,
    names_of,
)
from uriparse.validation.special_ranges import (
    ADDRESS_CLASSES,
    NOT_GLOBAL,
    AddressClass,
    SpecialRange,
)

__all__ = [
    "ADDRESS_CLASSES",
    "NAME_CLASSES",
    "NOT_GLOBAL",
    "NOT_PUBLIC",
    "REGISTRY_DATE",
    "AddressClass",
    "NameClass",
    "SpecialName",
    "SpecialRange",
    "classes_of",
    "embedded",
    "name_classes",
    "names_of",
    "ranges_of",
]

REGISTRY_DATE: Final = "2026-05-22"
"""The day on which IANA's registries were as the tables are."""
