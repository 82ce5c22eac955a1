"""From ABNF text to the intermediate form, with every problem named at its line and column.

`scan` cuts the text into tokens, `reader` reads one file into rules, `binding` puts imported rules
beside them.
"""

from abnf2lark.reading.binding import load

__all__ = ["load"]
