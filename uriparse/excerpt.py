"""Show untrusted text in one line: nothing invisible, nothing reordered, no password.

Error messages and the pointer under them quote text that an attacker may have written. Control
characters could rewrite a terminal, right-to-left text would put the caret under the wrong
character, and a URI that fails to parse often fails because of the password inside it.
"""

from __future__ import annotations

import re

WINDOW = 64
"""Characters of the text that an excerpt shows at most, half of them on each side."""

MARK = "..."
"""Stands for text that the excerpt leaves out."""

_DELIMITERS = "/?#"
_PLAIN = re.compile(r"[ -~]*")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def secret_span(text: str) -> tuple[int, int] | None:
    """Where a password lies in `text`, as a half-open range of character offsets, or None.

    Works on invalid text too, so it errs towards hiding: what follows the first ":" of the
    authority up to its last "@", and, when the text after that ":" is no port and an "@" comes
    later (`http://u:a/b@host`), everything up to that "@".

    >>> secret_span("ftp://u:secret@host/")
    (8, 14)
    >>> secret_span("http://host:80/a@b") is None
    True
    """
    start = _authority_start(text)
    if start is None:
        return None
    colon = text.find(":", start)
    if colon < 0:
        return None
    end = min((at for mark in _DELIMITERS if (at := text.find(mark, start)) >= 0), default=-1)
    if end < 0:
        end = len(text)
    at = text.rfind("@", start, end)
    if colon < at:
        return colon + 1, at
    if text.startswith("[", start) and (bracket := text.find("]", start, end)) >= 0:
        colon = bracket + 1 if text.startswith(":", bracket + 1) else end
    port = text[colon + 1 : end]
    if at < 0 and colon < end and port and not (port.isascii() and port.isdigit()):
        at = text.rfind("@", end)
        if at >= 0:
            return colon + 1, at
    if text.startswith("?", end):  # RFC 1738 allows it in users and passwords, and goes on to "/"
        slash = text.find("/", end)
        at = text.rfind("@", end, slash if slash >= 0 else len(text))
        if colon < at:
            return colon + 1, at
    return None


def _authority_start(text: str) -> int | None:
    """Find the offset after the first two slashes (either kind: browsers take both)."""
    starts = [at for pair in ("//", "\\\\", "/\\", "\\/") if (at := text.find(pair)) >= 0]
    if not starts:
        return None
    start = min(starts) + 2
    while start < len(text) and text[start] in "/\\":
        start += 1
    return start


def masked(text: str) -> str:
    """`text` with its password as `***`, however long it is.

    >>> masked("ftp://u:secret@host/")
    'ftp://u:***@host/'
    """
    span = secret_span(text)
    return text if span is None else f"{text[: span[0]]}***{text[span[1] :]}"


def shown(character: str) -> str:
    r"""One character as it may be printed: itself, or an escape in the manner of Python.

    Escaped are controls, lone surrogates, right-to-left letters, formatting and combining
    characters, and the backslash stays single, since the escapes are for readers.

    >>> shown("x"), shown("\n"), shown("\u202e")
    ('x', '\\n', '\\u202e')
    """
    if _PLAIN.fullmatch(character):
        return character
    import unicodedata  # noqa: PLC0415 - only texts that need it pay for it

    if (
        character.isprintable()
        and not unicodedata.combining(character)
        and unicodedata.bidirectional(character) not in _RIGHT_TO_LEFT
    ):
        return character
    return repr(character)[1:-1] if not character.isprintable() else _escape(character)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def named(character: str) -> str:
    r"""One character as a message names it: quoted, with its code point when that helps.

    >>> named("x"), named('"'), named("é"), named("\t")
    ('"x"', '\'"\'', '"é" (U+00E9)', 'U+0009')
    """
    if character == '"':
        return "'\"'"
    text = shown(character)
    code = f"U+{ord(character):04X}"
    if text != character:
        return code
    return f'"{text}"' if character.isascii() else f'"{text}" ({code})'


def pointer(text: str, offset: int) -> str:
    """Two lines: the surroundings of `offset` in `text`, and a caret under that character.

    A password is shown as as many asterisks as it has characters.

    >>> print(pointer("http://user:pw@host:8x/", 20))
    http://user:**@host:8x/
                        ^
    """
    first = max(0, min(offset - WINDOW // 2, len(text) - WINDOW))
    last = min(len(text), first + WINDOW)
    secret = secret_span(text) or (0, 0)
    cells = ["*" if secret[0] <= at < secret[1] else shown(text[at]) for at in range(first, last)]
    before = (MARK if first else "") + "".join(cells[: offset - first])
    after = "".join(cells[offset - first :]) + (MARK if last < len(text) else "")
    return f"{before}{after}\n{' ' * _columns(before)}^"


def _columns(text: str) -> int:
    """Columns a terminal gives to `text`: two for wide East Asian characters."""
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415 - only texts that need it pay for it

    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
