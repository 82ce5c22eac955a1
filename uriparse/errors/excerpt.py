"""Show untrusted text in one line: nothing invisible, nothing reordered, no password.

Error messages and the pointer under them quote text that an attacker may have written. Control
characters could rewrite a terminal, right-to-left text would put the caret under the wrong
character, and a URI that fails to parse often fails because of the password inside it.

In text that is not valid nobody can say where a password ends, or whether there is one: in
`http://u:12/pw@h` the grammar sees a port, and its author wrote a password. So the rule is one for
texts of all kinds, and errs towards hiding: a password may begin after any ":" and end before any
"@", raw or as triplets, whatever is between them. Everything from the first such ":" to the last
such "@" is hidden. A ":" that comes first is a scheme's if "//" follows it, or if the word before
it is a scheme without "//" that people know.
"""

import re

from uriparse._scheme_facts import schemes_with

WINDOW = 64
"""Characters of the text that an excerpt shows at most, half of them on each side."""

LONGEST_NAME = 64
"""Characters of an invalid name that a message shows at most."""

MARK = "..."
"""Stands for text that the excerpt leaves out."""

MASK = "***"
"""Stands for a password, however long it is."""

_QUOTED = 32
"""Characters that a quotation shows at most."""

# Triplets of triplets as well: a URL in the query of a URL is encoded once for each.
_COLON = re.compile(r":|%(?:25)*3[Aa]")

_SLASHES = ("//", "\\\\", "/\\", "\\/")
"""Two slashes of either kind, since browsers take both."""

# Where a URL begins inside of a URI whose scheme has no password.
_NESTED = re.compile(r"//|\\\\|/\\|\\/|%(?:25)*(?:2[Ff]|5[Cc])%(?:25)*(?:2[Ff]|5[Cc])")

OPAQUE_LOGIN = schemes_with("opaque-login")
_NO_PASSWORD = schemes_with("no-password")
_NO_USER = schemes_with("no-user")
_LONGEST = max(map(len, OPAQUE_LOGIN | _NO_PASSWORD | _NO_USER))
"""Characters of the longest of these names."""

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def secret_span(text: str) -> tuple[int, int] | None:
    """Where a password may be in `text`, as a half-open range of character offsets, or None.

    Linear in time, for text of any kind.

    >>> secret_span("ftp://u:secret@host/"), secret_span("http://host:80/a@b")
    ((8, 14), (12, 16))
    >>> secret_span("http://user@host:80/") is None
    True
    >>> secret_span("sip:u:secret@host"), secret_span("mailto:a@b;c@d")
    ((6, 12), None)
    """
    if "@" not in text and "40" not in text:  # as in most texts: no "@", nor "%40"
        return None
    head, colon, _ = text[: _LONGEST + 1].partition(":")
    name, after = head.lower(), len(head) + len(colon)
    if name in OPAQUE_LOGIN or name in _NO_PASSWORD:
        return _between(text, after)
    if name in _NO_USER and text.startswith("//", after):
        server, slash, _ = text[after + 2 :].partition("/")
        port = server.rpartition(":")[2]
        # A user who should not be there, or what is in the place of a port, is hidden all the same.
        if "@" not in server and (port == server or not port.strip("0123456789") or "]" in port):
            return _nested(text, after + 2 + len(server) + len(slash))
    return _between(text, 0)


def _nested(text: str, start: int) -> tuple[int, int] | None:
    """Where a URL inside of a URI may hold a password."""
    nested = _NESTED.search(text, start)
    return None if nested is None else _between(text, nested.end())


def _between(text: str, start: int) -> tuple[int, int] | None:
    """Return the span between the first ":" and the last "@", each raw or encoded."""
    end = max(text.rfind("@", start), text.rfind("%40", start))
    if "%25" in text:
        end = max(end, text.rfind("2540", start))
    colon = _COLON.search(text, start, max(end, 0))
    if colon is not None and text.startswith(_SLASHES, colon.end()):
        colon = _COLON.search(text, colon.end(), end)
    return None if colon is None or colon.end() == end else (colon.end(), end)


def is_masked(text: str, offset: int) -> bool:
    """Return whether the character at an offset is one that is not to be shown."""
    start, end = secret_span(text) or (0, 0)
    return start <= offset < end


def masked(text: str) -> str:
    """`text` with its password as `***`, however long it is."""
    return _visible(text, 0, len(text))


def secret_in_path(scheme: str | None, path: str) -> tuple[int, int] | None:
    """Where a password may be in the path of a valid URI, as `secret_span`.

    scheme: of a URI without authority, whose path may begin with a login; None for others, in
        which only a URL within the path has one.

    >>> secret_in_path("sip", "u:secret@h"), secret_in_path(None, "/http://u:secret@i/")
    ((2, 8), (10, 16))
    >>> secret_in_path("mailto", "a:b@c"), secret_in_path(None, "/a:b@c")
    (None, None)
    """
    if scheme is None or scheme.lower() in _NO_PASSWORD:
        return _nested(path, 0)
    return _between(path, 0)


def masked_path(uri: str) -> str:
    """Return a valid URI without authority, with what may be a password in its path as `***`."""
    scheme, _, path = uri.partition(":")
    first, last = secret_in_path(scheme, path) or (len(path), len(path))
    if first == last:
        return uri
    return f"{scheme}:{path[:first]}{MASK}{path[last:]}"


def invalid_name(text: str) -> str:
    """Quote an invalid name that the caller gave, up to 64 characters of it."""
    return repr(masked(text)[:LONGEST_NAME])


def _visible(text: str, start: int, end: int) -> str:
    """Return the text between two offsets, with its secret masked."""
    first, last = secret_span(text) or (end, end)
    if first >= end or last <= start:
        return text[start:end]
    return f"{text[start:first]}{MASK}{text[last:end]}"


def quoted(text: str, start: int = 0, end: int | None = None) -> str:
    """Quote a text, or the part between two offsets, so that it is safe to print.

    Masked with all of the text in sight, escaped as by `shown`, and cut where it is long.
    """
    part = _visible(text, start, len(text) if end is None else end)
    cut = part if len(part) <= _QUOTED else part[:_QUOTED] + MARK
    return f'"{cut if cut.isascii() and cut.isprintable() else "".join(map(shown, cut))}"'


def shown(character: str) -> str:
    """One character as it may be printed: itself, or an escape in the manner of Python.

    Escaped are controls, lone surrogates, right-to-left letters, formatting and combining
    characters, and the backslash stays single, since the escapes are for readers.
    """
    if character.isascii() and character.isprintable():
        return character
    import unicodedata  # noqa: PLC0415 - only texts that need it pay for it

    if (
        character.isprintable()
        and not unicodedata.combining(character)
        and unicodedata.bidirectional(character) not in _RIGHT_TO_LEFT
    ):
        return character
    if not character.isprintable():
        return repr(character)[1:-1]
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def named(character: str) -> str:
    """One character as a message names it: quoted, with its code point when that helps."""
    if character == '"':
        return "'\"'"
    text = shown(character)
    code = f"U+{ord(character):04X}"
    if text != character:
        return code
    return f'"{text}"' if character.isascii() else f'"{text}" ({code})'


def found_at(text: str, offset: int) -> str:
    """Name the character at an offset, or the end, for a message."""
    if offset >= len(text):
        return "the end"
    return "a masked character" if is_masked(text, offset) else named(text[offset])


def pointer(text: str, offset: int, *, secrets: bool = False) -> str:
    """Two lines: the surroundings of `offset` in `text`, and a caret under that character.

    secrets: whether passwords are shown. Otherwise they are masked, and where the character is in
        one, the caret is under the first character of the mask.

    >>> print(pointer("http://user:secret@host:8x/", 25))
    http://user:***@host:8x/
                          ^
    """
    line = text if secrets else masked(text)
    start, end = (None if secrets else secret_span(text)) or (0, 0)
    if offset >= end:
        offset += len(line) - len(text)
    else:
        offset = min(offset, start)
    first = max(0, min(offset - WINDOW // 2, len(line) - WINDOW))
    last = min(len(line), first + WINDOW)
    before = (MARK if first else "") + "".join(map(shown, line[first:offset]))
    after = "".join(map(shown, line[offset:last])) + (MARK if last < len(line) else "")
    return f"{before}{after}\n{' ' * _columns(before)}^"


def _columns(text: str) -> int:
    """Return how many columns of a terminal `text` takes: two for wide East Asian characters."""
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415 - only texts that need it pay for it

    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
