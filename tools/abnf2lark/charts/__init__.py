"""Read texts by the rules of any grammar, recursive or not, large or small, without compiling it.

`network` spreads rules out into positions and groups those that are open at a time; `chart` reads a
text with these groups and finds the rules by which it is derived.
"""

from abnf2lark.charts.chart import Derivation, Event, Expected, Reading, read
from abnf2lark.charts.network import LimitError, States

__all__ = [
    "Derivation",
    "Event",
    "Expected",
    "LimitError",
    "Reading",
    "States",
    "read",
]
