"""What a reference is made of (RFC 3986 section 3): immutable records that are their own text.

`references` holds URI and RelativeRef, `authority` and `hosts` their parts, `components` the check
that any part given by hand has to pass; `_draft` is the record in the making, and `_unchecked`
makes records of parts that need no check.
"""

from uriparse.records.authority import Authority
from uriparse.records.hosts import Host, IPv4, IPv6, IPvFuture, RegName
from uriparse.records.references import URI, RelativeRef, URIReference

__all__ = [
    "URI",
    "Authority",
    "Host",
    "IPv4",
    "IPv6",
    "IPvFuture",
    "RegName",
    "RelativeRef",
    "URIReference",
]
