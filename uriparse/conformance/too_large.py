"""The refusal of a rule for its size, with the part of it that makes it large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.conformance.own_grammars import OwnGrammar
from uriparse.conformance.unfolding import RuleTooLargeError

if TYPE_CHECKING:
    from uriparse.conformance.sources import Source


def too_large(why: str, rule: str, source: Source) -> RuleTooLargeError:
    """Make the error; of a shipped grammar, none of whose rules is so large, it says why alone."""
    part = source.large_part(rule) if isinstance(source, OwnGrammar) else ""
    return RuleTooLargeError(f"{why}: {part}" if part else why)
