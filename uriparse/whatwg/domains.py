"""Domains beyond ASCII: Unicode ToASCII (UTS 46, section 4) by the tables of the package `idna`.

The functions of the package for whole domains check labels by IDNA 2008, which refuses emoji and
symbols that UTS 46, and so every browser, accepts: only its parts are used here.
"""

from __future__ import annotations

import unicodedata

import idna

PREFIX = "xn--"

LONGEST_LABEL = 1000
"""Characters of a label that is decoded from Punycode or encoded in it: a longer one is refused.

Both take quadratic time, and a label of the DNS has 63 octets."""

_BIDI = {"R", "AL", "AN"}
_JOINERS = "\u200c\u200d"


def to_ascii(domain: str) -> str | None:
    """Return a domain in ASCII; None for one that is refused.

    CheckHyphens is false, CheckBidi and CheckJoiners are true, UseSTD3ASCIIRules is false,
    Transitional_Processing, VerifyDnsLength and IgnoreInvalidPunycode are false.
    """
    try:
        mapped = idna.uts46_remap(domain, std3_rules=False)
        labels = [_decoded(label) for label in mapped.split(".")]
        if any(unicodedata.bidirectional(char) in _BIDI for label in labels for char in label):
            for label in filter(None, labels):
                idna.check_bidi(label, check_ltr=True)
    except (idna.IDNAError, UnicodeError):
        return None
    return ".".join(map(_encoded, labels))


def _decoded(label: str) -> str:
    """Return a label in Unicode; IDNAError or UnicodeError for one that is not valid."""
    if label.isascii() and not label.startswith(PREFIX):
        return label
    if len(label) > LONGEST_LABEL:
        raise idna.IDNAError("the label is too long")
    if label.startswith(PREFIX):
        written = label
        label = label.encode("ascii")[len(PREFIX) :].decode("punycode")
        # Nothing that needs Punycode, or written as Punycode would not have written it.
        if label.isascii() or _encoded(label) != written:
            raise idna.IDNAError("the label is not one that Punycode has written")
        if idna.uts46_remap(label, std3_rules=False) != label:
            raise idna.IDNAError("the label is not in normal form")
    _check(label)
    return label


def _check(label: str) -> None:
    """Check the validity criteria of a label in normal form (section 4.1)."""
    if label.startswith(PREFIX) or unicodedata.category(label[0]).startswith("M") or "." in label:
        raise idna.IDNAError("the label begins with a mark or with xn--, or has a dot")
    for position, char in enumerate(label):
        if char in _JOINERS:
            try:
                joins = idna.valid_contextj(label, position)
            except ValueError:  # a character newer than Python's tables
                joins = False
            if not joins:
                raise idna.IDNAError("a joiner joins nothing")


def _encoded(label: str) -> str:
    return label if label.isascii() else PREFIX + label.encode("punycode").decode("ascii")
