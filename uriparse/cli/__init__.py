"""The command line: the only part of uriparse that reads and writes.

Exit codes: 0 when everything was fine, 1 when some input was invalid (or not equal, for commands
that compare), 2 for wrong usage, 130 after Ctrl-C, 141 when the reader of the output went away.
"""

from uriparse.cli.main import main

__all__ = ["main"]
