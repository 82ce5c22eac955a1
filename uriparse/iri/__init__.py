"""IRIs to URIs and back (RFC 3987 section 3).

`mapping` does it by percent-encoding; `idna_hosts` maps host names by the package `idna`, where
that is asked for, and knows which of them clients would rewrite.
"""

from uriparse.iri.mapping import iri_to_uri, uri_to_iri

__all__ = ["iri_to_uri", "uri_to_iri"]
