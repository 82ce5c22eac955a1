"""The command line: the only part of uriparse that reads and writes.

Exit codes: 0 when everything was fine, 1 when some input was invalid (or not equal, for commands
that compare), 2 for wrong usage, 70 for a bug in uriparse, 130 after Ctrl-C, 141 when
the reader of the output went away.
"""

import sys


def main(argv: list[str] | tuple[str, ...] | None = None) -> int:
    r"""Run one command line and return its exit code; without one, that of the process.

    >>> main(["parse", "urn:example:animal:ferret:nose"])
    urn:example:animal:ferret:nose
    \_/ \________________________/
     |              |
    scheme        path
    <BLANKLINE>
    0
    """
    try:  # nothing slow is imported before, here and in `uriparse` itself
        if argv is None:
            from uriparse.cli.interrupts import end_at_once

            end_at_once()
        from uriparse.cli.command_line import run

        return run(sys.argv[1:] if argv is None else argv)
    except BaseException as error:
        from uriparse.cli.interrupts import INTERRUPTED, is_behind

        if not is_behind(error):
            raise
        return INTERRUPTED
