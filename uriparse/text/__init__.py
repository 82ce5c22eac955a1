"""Finding URIs in text (RFC 3986 appendix C), leniently: the result is still valid by the grammar.

`find` scans the text, `candidates` determines where a URI begins and ends, `patterns` has the
expressions and the plausible schemes, `layers` decodes HTML and mail and maps offsets back, and
`log_lines` redacts the URLs in a text of any kind.
"""

from uriparse.text.find import Flag, Found, How, Schemes, find_uris
from uriparse.text.log_lines import redact_text

__all__ = ["Flag", "Found", "How", "Schemes", "find_uris", "redact_text"]
