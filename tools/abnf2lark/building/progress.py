"""Say on a terminal what is being done, on one line that goes again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


class Progress:
    """A line that tells grammar and stage; nothing at all where nobody looks at a terminal."""

    def __init__(self, overwrite: Callable[[str], object] | None) -> None:
        """Begin; overwrite: writes text over the line of the terminal, None where there is none."""
        self._overwrite = overwrite

    def __call__(self, grammar: str, stage: str) -> None:
        """Show what has begun."""
        self._write(f"{grammar}: {stage} …")

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
        self._write("")

    def _write(self, text: str) -> None:
        if self._overwrite is not None:
            self._overwrite(text)
