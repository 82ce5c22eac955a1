"""Normal forms, and the ladder of comparison that is built of them (RFC 3986 section 6).

`normalizing` is made of passes, `characters` is one that no level contains; `equivalence` compares
by them. What schemes leave out is data of the records'.
"""

from uriparse.normalization.equivalence import equivalent, is_same_document, lowest_rung
from uriparse.normalization.normalizing import compose_characters, normalize
from uriparse.records.servers import SCHEME_DEFAULTS, SchemeDefaults

__all__ = [
    "SCHEME_DEFAULTS",
    "SchemeDefaults",
    "compose_characters",
    "equivalent",
    "is_same_document",
    "lowest_rung",
    "normalize",
]
