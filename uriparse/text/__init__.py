"""URIs found in text (RFC 3986 appendix C): the one lenient door of the library.

`find` is the door and `scan` walks the text; `reach` and `trim` say how far a URI goes, `unwrap`
takes delimiters off, `schemes` tells which names are plausible. Each thing found is a `Found`.
"""

from uriparse.text.find import Flag, Found, How, Schemes, find_uris

__all__ = ["Flag", "Found", "How", "Schemes", "find_uris"]
