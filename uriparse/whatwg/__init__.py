r"""What browsers make of a text: the URL Standard (WHATWG), with every change named.

RFC 3986 has no answer for spaces, backslashes, tabs or `http:/a`, which people type and pages
hold. This is the standard's basic URL parser; how it takes a text apart is a grammar of its own,
`grammar/whatwg.abnf`.

>>> from uriparse import whatwg
>>> url = whatwg.parse("http:\\\\Example.com/a b")
>>> url
<BrowserURL 'http://example.com/a%20b'>
>>> for change in url.changes:
...     print(change)
5-7: '//' (invalid-reverse-solidus)
7-18: 'example.com' (domain to ASCII)
20-21: '%20' (invalid-URL-unit)
>>> url.to_uri().host
RegName('example.com')
"""

from typing import TYPE_CHECKING

from uriparse._base import migration_hints as hints
from uriparse.errors import URLError
from uriparse.whatwg.browser_url import BrowserURL, can_parse, join, parse
from uriparse.whatwg.changes import Change
from uriparse.whatwg.percent_encode_sets import form_pairs, form_urlencoded

__all__ = [
    "BrowserURL", "Change", "URLError", "can_parse", "form_pairs", "form_urlencoded", "join",
    "parse",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = hints.answers(__name__)
