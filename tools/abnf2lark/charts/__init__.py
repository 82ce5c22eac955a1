"""Parse texts by the rules of any grammar, recursive or not, large or small, without compiling it.

`network` unfolds rules into positions and groups them into states; `chart` parses a text with these
states and finds its derivation.
"""

from abnf2lark.charts.chart import Derivation, Expected, Reading, read
from abnf2lark.charts.network import LimitError, States

__all__ = ["Derivation", "Expected", "LimitError", "Reading", "States", "read"]
