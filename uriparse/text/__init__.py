"""URIs found in text (RFC 3986 appendix C): the one lenient door of the library.

`find` is the door and `scan` walks the text; `reach`, `trim` and `cut` say how far a URI goes,
`unwrap` takes delimiters off, `schemes` tells which names are plausible. Each thing found is a
`Found`. What is written in HTML or in mail is decoded by a `layer` over the walk, by `references`
and `quoted_printable`, which places what is found in the text as it stands.
"""

from uriparse.text.find import Flag, Found, How, Schemes, find_uris

__all__ = ["Flag", "Found", "How", "Schemes", "find_uris"]
