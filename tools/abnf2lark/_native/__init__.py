"""The C engine, which reads texts by the tables of a grammar, if it has been built.

`native` is its class, or None; then everything is done in Python, with the same results.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abnf2lark._native._engine import Engine

__all__ = ["native"]

FORMAT = 2
"""The format of what is asked. An engine for another one, left by an old build, is not used."""


def _found() -> type[Engine] | None:
    if os.environ.get("URIPARSE_PURE", "0") not in ("", "0"):
        return None
    try:
        from abnf2lark._native import _engine  # noqa: PLC0415 - it may not have been built
    except ImportError:
        return None
    return _engine.Engine if _engine.FORMAT == FORMAT else None


native = _found()
