"""Parsing text to records, verdicts and trees, without repairing anything.

`parser` has `parse`, `try_parse` and `is_valid`; `readers` makes records from matches.
"""

from uriparse.parsing.parser import (
    Record,
    Reference,
    as_reference,
    common_grammar,
    is_valid,
    parse,
    try_parse,
)

__all__ = [
    "Record", "Reference", "as_reference", "common_grammar", "is_valid", "parse",
    "try_parse",
]  # fmt: skip
