"""What the RFCs warn of in characters, raw and encoded (layer "scheme")."""

from __future__ import annotations

from typing import Final

from uriparse.validation.catalogue.code import SYNTAX, Code, caution, note
from uriparse.validation.findings import Severity

_IRI: Final = f'{SYNTAX}\ngrammar = "rfc3987"'

CHARACTERS: Final = (
    caution(
        "encoded-protocol-delimiter",
        "a triplet encodes what the scheme's protocol ends its commands with",
        "RFC 1738 section 6: it must not be decoded before it is sent",
        "telnet://a%0Db@h/",
        "telnet://a%20b@h/",
    ),
    caution(
        "encoded-dot-segment",
        "a dot segment is encoded: resolution keeps it, normalization decodes and removes it",
        "RFC 3986 sections 5.2.4, 6.2.2.2 and 6.2.2.3",
        "http://h/%2e%2e/x",
        "http://h/..x",
    ),
    caution(
        "encoded-traversal",
        'an encoded "/" beside ".." becomes a step upwards where it is decoded',
        "RFC 3986 section 7.3",
        "http://h/..%2fx",
        "http://h/..x%2fy",
    ),
    caution(
        "encoded-nul",
        "an encoded NUL ends strings early in many programs",
        "RFC 3986 section 7.3",
        "http://h/a%00b",
        "http://h/a%01b",
    ),
    caution(
        "encoded-line-break",
        "an encoded CR or LF begins a new line wherever it is decoded",
        "RFC 3986 section 7.3, RFC 1738 section 6",
        "http://h/a%0Ab",
        "http://h/a%0Bb",
    ),
    caution(
        "double-encoding",
        "a triplet encodes the beginning of another, so that decoding twice gives a third text",
        "RFC 3986 section 2.4",
        "http://h/%252e",
        "http://h/%25zz",
    ),
    caution(
        "overlong-utf8",
        "triplets encode a character in more octets than it has, which lax decoders accept",
        "RFC 3629 sections 3 and 10",
        "http://h/%C0%AF",
        "http://h/%C2%AF",
    ),
    caution(
        "bidi-control",
        "a directional control makes the text read in another order than it is written",
        "RFC 3987 section 4.1",
        "http://h/%E2%80%AEx",
        "http://h/%E2%80%A2x",
    ),
    caution(
        "mixed-scripts",
        "a label mixes scripts whose letters look alike",
        "UTS 39 section 5.2, RFC 3987 section 8",
        "http://p\u0430ypal.com/",
        "http://\u043f\u0440\u0438\u043c\u0435\u0440.com/",
        _IRI,
    ),
    caution(
        "backend-special-name",
        "a segment is the name of a device in some file systems",
        "RFC 3986 section 7.3",
        "http://h/aux.txt",
        "http://h/auxiliary.txt",
    ),
    caution(
        "mailto-suspicious-escape",
        'a raw "%" of the address happens to make a triplet',
        "RFC 1738 section 3.5",
        "mailto:user%abc@h",
        "mailto:a%25b@h",
    ),
    note(
        "not-globally-accessible",
        "the URI means something else, or nothing, on another machine",
        "RFC 1738 sections 3.7 and 3.10",
        "nntp://h/g",
        "news:g",
    ),
    caution(
        "gopher-selector-control-char",
        "the selector holds what ends or divides a gopher request",
        "RFC 1738 section 3.4",
        "gopher://h/0a%0Db",
        "gopher://h/0a%0Bb",
    ),
    Code(
        "unsafe-character",
        "scheme",
        Severity.OFF,
        "RFC 1738 has this character encoded; RFC 3986 allows it",
        "RFC 1738 section 2.2; RFC 3986 section 2.3 made it unreserved",
        "http://h/~u",
        "http://h/%7Eu",
        f'{SYNTAX}\nseverity = {{ unsafe-character = "info" }}',
    ),
    note(
        "lower-case-hex",
        "a triplet has lower-case digits",
        "RFC 3986 section 6.2.2.1",
        "http://h/%c3",
        "http://h/%C3",
    ),
    note(
        "upper-case-scheme",
        "the scheme has upper-case letters",
        "RFC 3986 section 6.2.2.1",
        "HTTP://h/",
        "http://h/",
    ),
)
"""Codes of what programs behind the parser, or people, take for something else."""
