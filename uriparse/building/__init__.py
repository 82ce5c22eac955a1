"""From data to references: the caller encodes nothing.

`making` makes a reference and changes its path, `queries` changes its pairs; `redaction` hides
secrets from logs, by the names of `secret_names`; `file_paths` converts between paths of file
systems and `file` URIs. All of them encode by `component_data`, which knows what each component
allows.

The functions that change a record are methods of it: `record.child(...)`, `record.add_query(...)`.
"""

from uriparse.building.file_paths import from_path, to_path
from uriparse.building.making import make
from uriparse.building.queries import query_pairs, query_string
from uriparse.building.redaction import redacted
from uriparse.building.secret_names import (
    NAMES,
    PUBLIC_WORDS,
    SECRET_LAST_WORDS,
    SECRET_WORDS,
    SENSITIVE_NAMES,
)

__all__ = [
    "NAMES",
    "PUBLIC_WORDS",
    "SECRET_LAST_WORDS",
    "SECRET_WORDS",
    "SENSITIVE_NAMES",
    "from_path",
    "make",
    "query_pairs",
    "query_string",
    "redacted",
    "to_path",
]
