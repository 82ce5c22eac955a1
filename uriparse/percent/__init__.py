"""Percent-encoding (RFC 3986 section 2): data to text and back, and triplets in their normal form.

`coding` is for people, with errors that tell where, and so is `pairs`; `triplets` and
`utf8_triplets` rewrite what is valid already, for normal forms and IRIs.
"""

from uriparse.percent.coding import quote, unquote, unquote_to_bytes
from uriparse.percent.pairs import query_pairs

__all__ = ["query_pairs", "quote", "unquote", "unquote_to_bytes"]
