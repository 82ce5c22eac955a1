"""What the eye takes for something else in an IRI: directional controls and mixed scripts."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from uriparse.records import RegName
from uriparse.validation.findings import sign
from uriparse.validation.octet_signs import BIDI_CONTROLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.validation.findings import Sign, Span
    from uriparse.validation.places import Places

_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Scripts that one label may hold together (UTS 39 section 5.2, "Highly Restrictive")."""

_COMMON = frozenset({"COMBINING", "DIGIT", "HYPHEN", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC"})
"""First words of the names of characters that belong to no single script."""


def script_signs(record: Record, at: Places) -> Iterator[Sign]:
    """Say what may deceive the reader of an IRI; nothing for a text in ASCII."""
    text = str(record)
    first = next((offset for offset, char in enumerate(text) if char in BIDI_CONTROLS), None)
    if first is not None:
        count = sum(map(text.count, BIDI_CONTROLS))
        yield sign("bidi-control", (first, first + 1), None, "", count)
    if isinstance(record.host, RegName) and at.host is not None:
        yield from _label_signs(str(record.host), at.host)


def _label_signs(name: str, span: Span) -> Iterator[Sign]:
    start = span[0]
    for label in name.split("."):
        scripts = scripts_of(label)
        if len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER):
            detail = ", ".join(sorted(script.capitalize() for script in scripts))
            yield sign("mixed-scripts", (start, start + len(label)), "host", detail)
            return
        start += len(label) + 1


def scripts_of(label: str) -> frozenset[str]:
    """Name the scripts of a label's letters, by the first word of each letter's Unicode name.

    >>> sorted(scripts_of("p\u0430ypal-1"))
    ['CYRILLIC', 'LATIN']
    """
    names = (unicodedata.name(char, "").split(" ")[0] for char in label if char.isalpha())
    return frozenset(name for name in names if name and name not in _COMMON)
