"""Why a text is refused: where it stops, what was expected there, the likely cause, the remedy.

`CAUSES` lists every cause with its words, `signs` tells which one it is by what `situation` has
gathered, `wording` makes the message of it and `diagnosing` the error. Loaded for the first text
that is refused.
"""

from uriparse.diagnosis.causes import CAUSES, Cause, Example
from uriparse.diagnosis.diagnosing import diagnose, help_in_python, listed, worded

__all__ = ["CAUSES", "Cause", "Example", "diagnose", "help_in_python", "listed", "worded"]
