r"""For `logging`: a filter that takes secrets out of the URLs of messages.

>>> import logging, sys
>>> from uriparse.logs import RedactingFilter
>>> handler = logging.StreamHandler(sys.stdout)
>>> handler.addFilter(RedactingFilter())
>>> logger = logging.getLogger("uriparse.example")
>>> logger.addHandler(handler)
>>> logger.warning("slow: %s", "https://u:secret@h/?sig=x")
slow: https://REDACTED:REDACTED@h/?sig=REDACTED
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from uriparse.building.redaction import Profile, Redaction
from uriparse.coerce import as_str
from uriparse.records import URI, RelativeRef
from uriparse.text import find_uris

if TYPE_CHECKING:
    from uriparse.coerce import Data

__all__ = ["RedactingFilter", "redacted_text"]

_HIDDEN = "REDACTED"

_BETWEEN = re.compile(r'(\s+|(?<![^\s,:;=({[])\\*"|(?<!\\)\\*"(?![^\s,:;\\)}\]]))')
"""What is between words: white space, and the quotes of JSON and of `name="value"`.

A quote within a word does not end it, because it may be part of a password.
"""


def redacted_text(
    text: str, *, profile: Profile = "default", query: Iterable[Data] | None = None
) -> str:
    """Return a text of any kind with the URLs in it redacted, as `redacted` does.

    profile, query: as for `redacted`.

    In a word that is not a valid URL, pairs with secret names after "?" or "#" are redacted too,
    and everything that may be a password is hidden. Linear in time.

    >>> redacted_text("GET <https://h/?token=x>, then http://u:p[w@h/, /cb?code=y")
    'GET <https://h/?token=REDACTED>, then http://u:***@h/, /cb?code=REDACTED'
    """
    return _text(as_str(text, "text"), Redaction(profile, query))


def _text(text: str, redaction: Redaction) -> str:
    if not redaction.concerns(text):
        return text
    words = _BETWEEN.split(text)
    # Every second piece is of characters that no URL holds.
    words[::2] = [_word(word, redaction) for word in words[::2]]
    return "".join(words)


def _word(word: str, redaction: Redaction) -> str:
    if not redaction.concerns(word):
        return word
    pieces, rest, at = [], "", 0
    for found in find_uris(word):
        start, end = found.span
        before = word[at:start]
        pieces += [before, str(redaction.of(found.uri))]
        # In `url=https://h/` it is no pair of a query.
        rest += before if at or "?" in before or "#" in before else before.removesuffix("=")
        at = end
    rest += word[at:]
    # A character that no URL holds ends what was found too early: what follows belongs to it.
    if "@" in rest or "=" in rest:
        return redaction.loosely(word)
    return "".join(pieces) + word[at:]


class RedactingFilter(logging.Filter):
    """A filter for handlers or loggers that redacts the URLs of each record and drops none.

    name: as for `logging.Filter`: records of other loggers pass unchanged.
    profile, query: as for `redacted`.

    The message, its arguments, the traceback and the stack are redacted. Whatever is in them, the
    filter raises nothing: what cannot be redacted is replaced by REDACTED.
    """

    def __init__(
        self, name: str = "", *, profile: Profile = "default", query: Iterable[Data] | None = None
    ) -> None:
        super().__init__(name)
        self._redaction = Redaction(profile, query)

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact a record."""
        if not super().filter(record):
            return True
        try:
            self._redact(record)
        except Exception:  # noqa: BLE001 - a log line must not end the program that writes it
            record.msg, record.args = _HIDDEN, ()
            record.exc_info = record.exc_text = record.stack_info = None
        return True

    def _redact(self, record: logging.LogRecord) -> None:
        if isinstance(record.args, tuple):
            record.args = tuple(self._argument(argument) for argument in record.args)
        elif record.args:
            record.args = {key: self._argument(value) for key, value in record.args.items()}
        # A URL may be put together by the message: what is written counts, not the pieces.
        message = record.getMessage()
        made = self._text(message)
        if made != message:
            record.msg, record.args = made, ()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = self._text(record.exc_text)
        if record.stack_info:
            record.stack_info = self._text(record.stack_info)

    def _argument(self, value: object) -> object:
        if isinstance(value, URI | RelativeRef):
            return self._redaction.of(value)
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        return _text(text, self._redaction)
