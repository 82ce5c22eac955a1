"""From data to references: the caller encodes nothing.

`making` makes references and queries; `redacting` hides secrets from logs; `file_paths` converts
between paths of file systems and `file` URIs.

The functions that change a record are methods of it: `record.child(...)`, `record.add_query(...)`.
"""

from uriparse.building.file_paths import from_path, to_path
from uriparse.building.making import make, query_pairs, query_string
from uriparse.building.redacting import redact
from uriparse.components.secret_names import (
    NAMES,
    PUBLIC_WORDS,
    SECRET_LAST_WORDS,
    SECRET_WORDS,
    SENSITIVE_NAMES,
)

__all__ = [
    "NAMES", "PUBLIC_WORDS", "SECRET_LAST_WORDS", "SECRET_WORDS", "SENSITIVE_NAMES", "from_path",
    "make", "query_pairs", "query_string", "redact", "to_path",
]  # fmt: skip
