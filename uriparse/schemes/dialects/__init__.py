"""How three generations of rules read one text: RFC 1738, RFC 2396 and RFC 3986.

`comparison` reads a text by each and tells where they part; `rfc2396_tree` has the components that
RFC 2396 sees.
"""

from uriparse.schemes.dialects.comparison import (
    COMPONENTS,
    Dialect,
    Dialects,
    Difference,
    Reading,
    dialects,
)

__all__ = ["COMPONENTS", "Dialect", "Dialects", "Difference", "Reading", "dialects"]
