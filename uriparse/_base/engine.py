"""Which engine reads texts: the C kernel, expressions in Python, or Lark's grammars.

The environment variable URIPARSE_ENGINE chooses among "native", "python" and "lark"; without it,
texts are read by the kernel if it has been built, otherwise in Python. URIPARSE_PURE=1 means
"python". The results are the same.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in `typing`, which the command loads after its guard
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, Literal, Protocol, TypeAlias

    Engine: TypeAlias = Literal["native", "python", "lark"]

    class EngineReading(Protocol):
        """How an engine above `parsing` reads texts: `uriparse.trees.engine` is one."""

        def matches(self, rule: str, grammar: str) -> Callable[[str], object | None]:
            """Return what returns None for a text that the rule does not match."""

        def components(self, rule: str, grammar: str) -> Callable[[str], dict[str, object] | None]:
            """Return what returns the components of a text; None if the rule does not match."""


def _chosen() -> Engine | None:
    """Return the engine that the environment names; None if it names none."""
    is_pure = os.environ.get("URIPARSE_PURE", "0") not in {"", "0"}
    match os.environ.get("URIPARSE_ENGINE", ""):
        case "lark":
            return "lark"
        case "python":
            return "python"
        case "native" if not is_pure:
            return "native"
        case "":
            return "python" if is_pure else None
        case "native":
            raise ValueError("URIPARSE_ENGINE is native and URIPARSE_PURE excludes it: unset one")
        case wrong:
            raise ValueError(f"URIPARSE_ENGINE is {wrong!r}: use native, python or lark")


CHOSEN: Final = _chosen()
"""The engine that the environment names, or None."""

by_lark: EngineReading | None = None
"""The engine of Lark, once `uriparse.trees.engine` has installed itself; None for the others."""
