"""Reference resolution and base URIs (RFC 3986 sections 4 and 5).

`resolving` resolves and relativizes, `dot_segments` removes dot segments, `base` determines the
base URI, also from HTML and MIME documents, `links` finds the links of HTML and Markdown.
"""

from uriparse.components.dot_segments import remove_dot_segments, trace_dot_segments
from uriparse.resolution.base import BaseURI, base_uri
from uriparse.resolution.links import Link, find_links
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
    "BaseURI", "Link", "ReferenceKind", "base_uri", "complete_suffix_reference", "find_links",
    "is_absolute_uri", "merge", "reference_kind", "relativize", "remove_dot_segments", "resolve",
    "trace_dot_segments",
]  # fmt: skip
