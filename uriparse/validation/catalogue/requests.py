"""What makes clients ask for different things at one place (layer "agreement")."""

from __future__ import annotations

from functools import partial
from typing import Final

from uriparse.validation.catalogue.code import OUTBOUND, agreement

_request = partial(agreement, under=f'{OUTBOUND}\nagreement = "request"')

REQUESTS: Final = (
    _request(
        "request-empty-segment",
        "an empty segment, which some clients drop at the beginning of the path, and servers and "
        "proxies anywhere",
        "requests up to 2.33 asks for /a instead of //a; further in, no reader parts from RFC 3986 "
        "section 3.3",
        "http://h//a",
        "http://h/a/",
    ),
    _request(
        "request-dot-segment",
        "some clients remove dot segments, raw or encoded, before they ask, others do not",
        "urllib3 2.8, requests 2.34, httpx 0.28, yarl 1.25, ada-url 4.0, pydantic 2.14, "
        "libcurl 7.88 and 8.23, Node 20 remove them; the others keep them",
        "http://h/a/%2E%2E/b",
        "http://h/a/..b",
    ),
    _request(
        "request-triplet",
        "some clients write this triplet in another way",
        "urllib3 2.8, requests 2.34, yarl 1.25 (RFC 3986 section 6.2.2)",
        "http://h/%7Eu",
        "http://h/~u",
    ),
    _request(
        "request-apostrophe",
        "some clients encode an apostrophe",
        "Node 20, ada-url 4.0, pydantic 2.14, Ruby 3.1",
        "http://h/it's",
        "http://h/its",
    ),
    _request(
        "request-empty-query",
        'some clients drop a "?" that nothing follows',
        "urllib.parse of Python 3.11, requests 2.34, yarl 1.25, tornado 6.6, twisted 26.10, "
        "ada-url 4.0, libcurl 8.23, Node 20",
        "http://h/a?",
        "http://h/a",
    ),
    _request(
        "request-empty-parameter",
        "some clients drop a parameter without a name",
        "Spring 4.3, UriComponentsBuilder",
        "http://h/?a&",
        "http://h/?a",
    ),
    _request(
        "request-invisible",
        "some clients drop characters that show nothing by themselves, and a reader misses them",
        "Mono 6.8 drops bidirectional controls; Unicode's Default_Ignorable_Code_Point, and "
        "categories Cc, Cf, Zl, Zp",
        "http://h/%E2%80%AE",
        "http://h/%E2%82%AC",
    ),
    _request(
        "request-not-utf8",
        "some clients decode octets that are not UTF-8 in another encoding, or replace them",
        "uri-js 4.4 decodes %26 beside them; RFC 3629 section 4",
        "http://h/%E9",
        "http://h/%C3%A9",
    ),
    _request(
        "request-final-semicolon",
        'some clients drop a ";" that ends the path',
        "twisted 26.10: parameters of the last segment (RFC 1808 section 2.4.5)",
        "http://h/a;",
        "http://h/a;b",
    ),
)
"""Codes of the rule `request-URI` of the grammar of agreement."""
