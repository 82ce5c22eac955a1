"""Finding URIs in text (RFC 3986 appendix C), leniently: the result is still valid by the grammar.

`find` scans the text, `candidates` determines where a URI begins and ends, `patterns` has the
expressions and the plausible schemes, `layers` decodes HTML and mail and maps offsets back.
"""

from uriparse.text.find import Flag, Found, How, Schemes, find_uris

__all__ = ["Flag", "Found", "How", "Schemes", "find_uris"]
