"""Why a text is invalid: where it stops matching, what was expected, the likely cause, the remedy.

`failure_context` examines the place where the text stops and finds the cause, `causes` lists every
cause with its message, `diagnosing` makes the error and finds the edit that makes the text valid.
Loaded for the first invalid text.
"""

from uriparse.diagnosis.causes import CAUSES, Cause, Example
from uriparse.diagnosis.diagnosing import (
    Remedy,
    diagnose,
    find_remedy,
    format_help,
    format_message,
    join_words,
)

__all__ = [
    "CAUSES", "Cause", "Example", "Remedy", "diagnose", "find_remedy", "format_help",
    "format_message", "join_words",
]  # fmt: skip
