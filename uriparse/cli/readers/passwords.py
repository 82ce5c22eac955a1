"""The password of a text, in the forms in which a reader might give it back."""

from __future__ import annotations

from typing import TypeAlias

from uriparse import excerpt
from uriparse.errors import EncodingError
from uriparse.grammar import charset
from uriparse.parsing import try_parse
from uriparse.percent import unquote_to_bytes

Value: TypeAlias = str | int | None

HIDDEN = "***"


class Passwords:
    """What must not be shown of what readers say about one text."""

    def __init__(self, text: str) -> None:
        span = excerpt.secret_span(text)
        secret = "" if span is None else text[span[0] : span[1]]
        self._forms = set().union(*map(_forms, _pieces(secret))) - {""}
        record = try_parse(text, "URI")
        self._stands_apart = record is not None and record.userinfo is not None

    def hidden(self, value: Value, ours: object = None) -> Value:
        """Give a reader's value with the password as "***", or nothing else where it is mixed in.

        ours: our own value, which is none of the password where that stands in the userinfo; a
            password of one letter would else be seen by what it blots out.

        >>> Passwords("http://u:p%77@h/").hidden("u:pw@h", "h")
        'u:***@h'
        """
        if value is None or (self._stands_apart and value == ours) or not self._shows(str(value)):
            return value
        masked = excerpt.masked(f"//{value}")[2:]
        return HIDDEN if self._shows(masked) else masked

    def _shows(self, value: str) -> bool:
        return any(secret in form for form in _forms(value) for secret in self._forms)


def _pieces(secret: str) -> list[str]:
    """Split what was taken for a password where another reader may see its end."""
    ends = charset("gen-delims") | {"\\"}
    return "".join(" " if char in ends else char for char in secret).split(" ")


def _forms(text: str) -> set[str]:
    """Give a text as it is and decoded, without regard to case, which readers change."""
    forms = {text.casefold()}
    try:
        decoded = unquote_to_bytes(text)
    except EncodingError:
        return forms
    return forms | {decoded.decode("utf-8", "replace").casefold()}
