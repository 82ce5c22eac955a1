"""Why a text is refused: where it stops, what was expected there, and the likely cause.

`situation` walks the automaton and gathers facts, `causes` names the special ones by the `signs`
they leave, `diagnosing` writes the message. Loaded for the first text that is refused.
"""

from uriparse.diagnosis.diagnosing import diagnose

__all__ = ["diagnose"]
