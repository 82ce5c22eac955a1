"""Normal forms and comparison of references (RFC 3986 section 6).

`normalizing` makes normal forms by passes, `equivalence` compares them.
"""

from uriparse.components.servers import SCHEME_DEFAULTS, SchemeDefaults
from uriparse.normalization.equivalence import equivalent, is_same_document, lowest_rung
from uriparse.normalization.normalizing import compose_characters, normalize

__all__ = [
    "SCHEME_DEFAULTS", "SchemeDefaults", "compose_characters", "equivalent",
    "is_same_document", "lowest_rung", "normalize",
]  # fmt: skip
