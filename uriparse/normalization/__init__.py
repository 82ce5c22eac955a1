"""Normal forms of references (RFC 3986 section 6.2), made by passes.

`uriparse.schemes.equivalence` compares them.
"""

from uriparse.components.servers import SCHEME_DEFAULTS, SchemeDefaults
from uriparse.normalization.normalizing import compose_characters, normalize

__all__ = [
    "SCHEME_DEFAULTS", "SchemeDefaults", "compose_characters", "normalize",
]  # fmt: skip
