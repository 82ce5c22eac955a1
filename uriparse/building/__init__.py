"""From data to references, and from one reference to the next: nothing is left to be quoted.

`making` puts a reference together, `segments` changes its path and `queries` its pairs, where what
is not named stays as it was written; `redaction` hides what logs must not hold; `file_paths` writes
the paths of file systems as `file` URIs and reads them. `data` encodes, for all of them, by the
rule of the place.
"""

from uriparse.building.file_paths import from_path, to_path
from uriparse.building.making import child, make, parent, with_name, with_segments, with_suffix
from uriparse.building.queries import (
    add_query,
    query_string,
    set_query,
    with_query,
    without_query,
)
from uriparse.building.redaction import NAMES, SENSITIVE_NAMES, redacted

__all__ = [
    "NAMES",
    "SENSITIVE_NAMES",
    "add_query",
    "child",
    "from_path",
    "make",
    "parent",
    "query_string",
    "redacted",
    "set_query",
    "to_path",
    "with_name",
    "with_query",
    "with_segments",
    "with_suffix",
    "without_query",
]
