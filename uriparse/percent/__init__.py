"""Percent-encoding (RFC 3986 section 2): data to text and back, and triplets in their normal form.

`coding` is for people, with errors that tell where; `triplets` and `utf8_triplets` rewrite what is
valid already, for normal forms and IRIs.
"""

from uriparse.percent.coding import query_pairs, quote, unquote, unquote_to_bytes

__all__ = ["query_pairs", "quote", "unquote", "unquote_to_bytes"]
