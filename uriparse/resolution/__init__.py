"""References against their base, there and back (RFC 3986 sections 4 and 5).

`base` finds the base URI from what is known, `base_sources` reads it out of documents (and is
imported by name, for it loads an HTML parser), `kinds` tells what a reference is by its form.
"""

from uriparse.resolution.base import BaseURI, base_uri
from uriparse.resolution.dot_segments import remove_dot_segments, trace_dot_segments
from uriparse.resolution.resolving import (
    ReferenceKind,
    complete_suffix_reference,
    is_absolute_uri,
    merge,
    reference_kind,
    relativize,
    resolve,
)

__all__ = [
    "BaseURI",
    "ReferenceKind",
    "base_uri",
    "complete_suffix_reference",
    "is_absolute_uri",
    "merge",
    "reference_kind",
    "relativize",
    "remove_dot_segments",
    "resolve",
    "trace_dot_segments",
]
