"""Host names beyond ASCII as DNS names and back, through the `idna` package (an extra)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.errors import EncodingError, MissingExtraError
from uriparse.percent import unquote

if TYPE_CHECKING:
    from types import ModuleType

_LONGEST_NAME = 254
"""Characters of a DNS name with its final dot. Longer ones are kept from the package, some of whose
work takes quadratic time."""

_PREFIX = "xn--"


def to_ascii(name: str) -> str:
    """Write a registered name as a DNS name: its labels beyond ASCII encoded, the others as is.

    The name may hold triplets, of UTF-8. Letters are mapped as in UTS 46, so that upper case and
    full-width dots are understood. EncodingError if a label is none of the DNS's.
    """
    decoded = unquote(name) if "%" in name else name
    if decoded.isascii():
        return name
    if len(decoded) > _LONGEST_NAME:
        raise EncodingError(f"the host is longer than a DNS name: {len(decoded)}", text=name)
    idna = _idna()
    try:
        mapped: str = idna.uts46_remap(decoded, std3_rules=True, transitional=False)
        # A label that comes out of a triplet or of the mapping may hold any character, "/" too:
        # the package refuses it. Only those that stand in the valid name itself are kept.
        as_written = {label for label in name.lower().split(".") if label.isascii()}
        labels = [
            label if label in as_written else idna.alabel(label).decode()
            for label in mapped.split(".")
        ]
    except idna.IDNAError as error:
        raise EncodingError(f"the host is no DNS name: {error}", text=name) from None
    return ".".join(labels)


def to_unicode(name: str) -> str:
    """Decode the labels of a DNS name that stand for others; what does not decode stays."""
    if len(name) > _LONGEST_NAME:
        return name
    return ".".join(map(_label_to_unicode, name.split(".")))


def _label_to_unicode(label: str) -> str:
    if label[: len(_PREFIX)].lower() != _PREFIX:
        return label
    idna = _idna()
    try:
        decoded: str = idna.ulabel(label)
        encoded: str = idna.alabel(decoded).decode()
    except idna.IDNAError:
        return label
    return decoded if encoded == label.lower() else label


def _idna() -> ModuleType:
    try:
        import idna  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("idna", "mapping host names") from None
    return idna
