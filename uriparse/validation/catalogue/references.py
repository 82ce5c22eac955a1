"""What the RFCs warn of in references, by where they stand (layer "scheme")."""

from __future__ import annotations

from typing import Final

from uriparse.validation.catalogue.code import SYNTAX, caution

_RELATIVE: Final = f"{SYNTAX}\nrelative = true"
_BASE: Final = f'{_RELATIVE}\nbase = "http://a/b/c/d;p?q"'
_DEFAULT_BASE: Final = f'{_RELATIVE}\nbase = {{uri = "http://a/b/c/d;p?q", source = "default"}}'

REFERENCES: Final = (
    caution(
        "misformed-relative-reference",
        "a scheme that is the base's, and no authority: older readers take it for a relative "
        "reference",
        "RFC 3986 section 5.2.2 and 5.4.2",
        "http:g",
        "g",
        _BASE,
    ),
    caution(
        "excess-dot-dot",
        'there are more ".." than levels to climb',
        "RFC 3986 section 5.4.2",
        "../../../g",
        "../../g",
        _BASE,
    ),
    caution(
        "dots-in-query",
        "a dot segment in a query is no dot segment, though some readers take it for one",
        "RFC 3986 section 5.4.2",
        "g?y/../x",
        "g?y",
        _BASE,
    ),
    caution(
        "escaped-html",
        "it holds a character reference of HTML, as &amp;, which only markup decodes",
        "HTML section 13.5; see find_uris(html=True)",
        "http://h/?a=1&amp;b=2",
        "http://h/?a=1&amp=2",
    ),
    caution(
        "no-base",
        "a relative reference means nothing without a base",
        "RFC 3986 section 5.1",
        "g",
        "http://a/g",
        _RELATIVE,
    ),
    caution(
        "default-base-used",
        "the base is the application's default, so that the reference means another thing in "
        "another application",
        "RFC 3986 section 5.1.4",
        "g",
        "http://a/g",
        _DEFAULT_BASE,
    ),
    caution(
        "suffix-reference-guess",
        "a host name without a scheme is a relative path, which people read as a URI",
        "RFC 3986 section 4.5",
        "www.example.com/a",
        "//www.example.com/a",
        _RELATIVE,
    ),
    caution(
        "hyphen-line-break",
        "a line was broken behind a hyphen, which may not have been part of the URI",
        "RFC 3986 appendix C",
        "<http://h/inter-\nnet>",
        "<http://h/inter\nnet>",
    ),
)
"""Codes of what a reference means, with a base and without."""
