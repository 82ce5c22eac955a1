"""What a reference is made of (RFC 3986 section 3): immutable records that are their own text.

`references` holds URI and RelativeRef, on the base of what is `derived` from their components and
of the methods that make others by `changing` them; `authority` and `hosts` are their parts;
`components` is the check that any part given by hand has to pass, `parts` what may be given for
one; `servers` and `scheme_defaults` know the ports that go without saying. `_draft` is the record
in the making, `_unchecked` makes records of parts that need no check.
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
