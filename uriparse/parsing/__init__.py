"""From text to records and verdicts, nothing repaired.

`parser` judges by the matchers, `readers` and `transform` make records of a match or of a Lark
tree, `trees` gives that tree, `inputs` takes what callers may give where a reference is wanted.
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
    "Record",
    "Reference",
    "as_reference",
    "common_grammar",
    "is_valid",
    "parse",
    "try_parse",
]
