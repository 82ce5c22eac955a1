"""What every check looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar
    from abnf2lark.reading.outline import Outline
    from abnf2lark.reading.problems import Source


@dataclass(frozen=True, slots=True)
class Subject:
    """A file to look into."""

    source: Source
    grammar: Grammar
    outline: Outline
    core: Grammar
