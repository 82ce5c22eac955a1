"""Parsing text to records, verdicts and trees, without repairing anything.

`parser` has `parse`, `try_parse` and `is_valid`; records are made by the readers of `records`.
"""

from uriparse.parsing.parser import is_valid, parse, try_parse
from uriparse.records.references import Record, Reference, as_reference, common_grammar

__all__ = [
    "Record", "Reference", "as_reference", "common_grammar", "is_valid", "parse",
    "try_parse",
]  # fmt: skip
