r"""For `logging` and structlog: take secrets out of the URLs of messages.

>>> import logging, sys
>>> from uriparse.extra.logs import RedactingFilter
>>> handler = logging.StreamHandler(sys.stdout)
>>> handler.addFilter(RedactingFilter())
>>> logger = logging.getLogger("uriparse.example")
>>> logger.addHandler(handler)
>>> logger.warning("slow: %s", "https://u:secret@h/?sig=x")
slow: https://REDACTED:REDACTED@h/?sig=REDACTED
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, cast

from uriparse.components.redaction import MARK, Redaction
from uriparse.records import URI, RelativeRef
from uriparse.records.references import redacted_by
from uriparse.text.log_lines import redacted_lines

if TYPE_CHECKING:
    from uriparse.components.redaction import Names
    from uriparse.components.secret_names import Profile

__all__ = ["RedactingFilter", "RedactingProcessor"]


class RedactingFilter(logging.Filter):
    """A filter for handlers or loggers that redacts the URLs of each record and drops none.

    name: as for `logging.Filter`: records of other loggers pass unchanged.
    profile, names: as for `redact`.

    The message, its arguments, what `extra` adds, the traceback and the stack are redacted, in
    dictionaries, lists, tuples and sets too. Whatever is in them, the filter raises nothing: what
    cannot be redacted is replaced by REDACTED.
    """

    def __init__(
        self, name: str = "", *, profile: Profile = "default", names: Names | None = None
    ) -> None:
        super().__init__(name)
        self._redaction = Redaction(profile, names)

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact a record."""
        if not super().filter(record):
            return True
        try:
            self._redact(record)
        except Exception:  # noqa: BLE001 - a log line must not end the program that writes it
            record.msg, record.args = MARK, ()
            record.exc_info = record.exc_text = record.stack_info = None
            for name in record.__dict__.keys() - _ATTRIBUTES:
                record.__dict__[name] = MARK
        return True

    def _redact(self, record: logging.LogRecord) -> None:
        redaction = self._redaction
        if record.args:
            arguments = _redacted_value(record.args, redaction)
            record.args = cast("tuple[object, ...] | Mapping[str, object]", arguments)
        if isinstance(record.msg, Mapping) and not record.args:
            record.msg = _redacted_value(record.msg, redaction)  # formatters may write its pairs
        else:
            # A URL may be put together by the message: what is written counts, not the pieces.
            message = record.getMessage()
            made = redacted_lines(message, redaction)
            if made != message:
                record.msg, record.args = made, ()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        for name in (record.__dict__.keys() - _ATTRIBUTES) | {"exc_text", "stack_info"}:
            record.__dict__[name] = _redacted_value(record.__dict__[name], redaction)


_ATTRIBUTES = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}
"""What every log record has; all else was given as `extra`."""

_NESTED = 16
"""Levels of dictionaries and lists that are looked into; below, REDACTED is written."""


def _redacted_value(value: object, redaction: Redaction, depth: int = _NESTED) -> object:
    """Redact what is logged: texts, records, and those in dictionaries and sequences."""
    if isinstance(value, str):
        return redacted_lines(value, redaction)
    if isinstance(value, URI | RelativeRef):
        return redacted_by(redaction, value)
    if not depth and isinstance(value, dict | list | tuple | set | frozenset):
        return MARK
    if isinstance(value, dict):
        return {key: _redacted_value(item, redaction, depth - 1) for key, item in value.items()}
    if isinstance(value, list) or type(value) in {tuple, set, frozenset}:
        kind = list if isinstance(value, list) else type(value)
        make = cast("Callable[[Iterable[object]], object]", kind)
        return make(_redacted_value(i, redaction, depth - 1) for i in cast("list[object]", value))
    return value


class RedactingProcessor:
    """A processor of structlog that redacts the URLs of each event, before a renderer.

    profile, names: as for `redact`.

    Texts and records are redacted, and those in dictionaries, lists, tuples and sets. Put it after
    `structlog.processors.format_exc_info`, so that tracebacks are texts. It raises nothing: what
    cannot be redacted is replaced by REDACTED.

    >>> from uriparse import parse
    >>> RedactingProcessor()(None, "info", {"event": "slow", "url": parse("http://u:p@h/")})
    {'event': 'slow', 'url': <URI 'http://REDACTED:***@h/'>}
    """

    def __init__(self, *, profile: Profile = "default", names: Names | None = None) -> None:
        self._redaction = Redaction(profile, names)

    def __call__(
        self, _logger: object, _method: str, event: MutableMapping[str, object]
    ) -> MutableMapping[str, object]:
        """Redact an event."""
        for key, value in event.items():
            try:
                event[key] = _redacted_value(value, self._redaction)
            except Exception:  # noqa: BLE001 - a log line must not end the program that writes it
                event[key] = MARK
        return event
