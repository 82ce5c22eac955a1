"""Operations on the text of components, which methods of records and functions of texts share.

A module is loaded when it is first asked for (PEP 562): parsing needs few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uriparse.components import normal_form as normal_form
    from uriparse.components import path_edits as path_edits
    from uriparse.components import query_edits as query_edits
    from uriparse.components import redaction as redaction
    from uriparse.components import servers as servers
    from uriparse.components import target as target
else:

    def __getattr__(name: str) -> object:
        """Load a module."""
        from importlib import import_module  # noqa: PLC0415 - seldom needed

        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            return import_module(f"{__name__}.{name}")
        except ModuleNotFoundError:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
