"""The C engine, which reads texts by the tables of a grammar and makes trees, if it has been built.

`kernel` is its module, and `native` the class that reads; or both are None, and everything is done
in Python, with the same results.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from abnf2lark._native._engine import Engine

__all__ = ["kernel", "native"]

FORMAT = 3
"""The format of what is asked. An engine for another one, left by an old build, is not used."""


def _found() -> ModuleType | None:
    if os.environ.get("URIPARSE_PURE", "0") not in ("", "0"):
        return None
    try:
        from abnf2lark._native import _engine  # noqa: PLC0415 - it may not have been built
    except ImportError:
        return None
    return _engine if _engine.FORMAT == FORMAT else None


kernel = _found()
native: type[Engine] | None = None if kernel is None else kernel.Engine
