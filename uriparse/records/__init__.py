"""The parts of a reference (RFC 3986 section 3): immutable records that compare as their text.

`references` has URI and RelativeRef, `authority` and `hosts` their parts. `_draft` is an unfinished
record; functions named `_unchecked…` make values of parts that need no check.
"""

from uriparse.records.authority import Authority, HasServer
from uriparse.records.hosts import Host, IPv4, IPv6, IPvFuture, RegName
from uriparse.records.references import URI, RelativeRef, URIReference

__all__ = [
    "URI", "Authority", "HasServer", "Host", "IPv4", "IPv6", "IPvFuture", "RegName", "RelativeRef",
    "URIReference",
]  # fmt: skip
