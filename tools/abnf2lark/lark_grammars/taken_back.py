"""Prove that Lark reads the expressions of an emitted grammar as they were proved.

Lark evaluates the escapes of an expression once more before Python's ``re`` sees it. So the text is
loaded, the expressions of its terminals are taken back, and each must be to ``re`` what the proved
one is.
"""

from __future__ import annotations

from re import _parser
from typing import TYPE_CHECKING

from abnf2lark.patterns.proof import ProofError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def prove_expressions(text: str, starts: Iterable[str], proved: Mapping[str, str]) -> None:
    """Raise :class:`ProofError` for a terminal that Lark makes something else of."""
    from abnf2lark.lark_grammars.metered import loaded  # noqa: PLC0415 - needs lark

    for terminal in loaded(text, starts).terminals:
        found = terminal.pattern.to_regexp()
        if _operations(found) != _operations(proved[terminal.name]):
            raise ProofError(f"Lark reads {found} for {terminal.name}, not {proved[terminal.name]}")


def _operations(expression: str) -> str:
    return repr(_parser.parse(expression))
