"""Streams that may be closed, full, or broken off by whoever reads them."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO


def forget(stream: TextIO | None) -> None:
    """Send what is left in a stream nowhere, since what it leads to takes no more.

    Otherwise Python tries once more at exit, complains, and exits with a code of its own.
    """
    if stream is None:
        return
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def tell(stream: TextIO | None, text: str) -> None:
    """Write a message; one that cannot be told is lost, and what it is about goes on."""
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):
        forget(stream)
