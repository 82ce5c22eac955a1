"""Say on a terminal what is being done, on one line that goes again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType
    from typing import TextIO

_BEGIN = "\r\x1b[K"  # to the first column, and clear the line


class Progress:
    """A line that tells grammar and stage; nothing at all where nobody looks at a terminal."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None

    def __call__(self, grammar: str, stage: str) -> None:
        """Show what has begun."""
        self._write(f"{_BEGIN}{grammar}: {stage} …")

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave the line empty for what is said next."""
        self._write(_BEGIN)

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()
