"""The sub-command ``show``: what a packed file of tables holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from abnf2lark.process import put, say
from abnf2lark.reading.problems import InputError

if TYPE_CHECKING:
    import argparse

NAME = "show"
HELP = "print a packed file of tables for people"
DESCRIPTION = """\
Print what is in a packed file, GRAMMAR.packed: automata, tables of parsers, and
witnesses, which `abnf2lark build` writes for programs. The comments say what
each part means."""
EXAMPLES = """\
  abnf2lark show uriparse/_compiled/rfc3986.packed
  abnf2lark show uriparse/_compiled/rfc3986.packed --section diagnosis"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="a packed file")
    parser.add_argument("--section", metavar="NAME", help="print only this section")


def run(options: argparse.Namespace) -> int:
    """Print the sections; return 1 if the file is damaged."""
    from abnf2lark.building.runtime import shown  # noqa: PLC0415 - with the others
    from abnf2lark.reading.problems import meant  # noqa: PLC0415 - with the others
    from abnf2lark.tables.packed import TablesError, contents  # noqa: PLC0415 - with the others

    try:
        data = Path(options.file).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{options.file}: {reason}") from None
    try:
        known = contents(data, options.file)
        if options.section not in {None, *known}:
            hint = meant(options.section, known)
            raise InputError(f"{options.file} has no section {options.section}{hint}")
        text = "\n".join(shown(data, options.file, options.section))
    except TablesError as error:
        say(f"abnf2lark: {error}")
        return 1
    put(f"{text}\n")
    return 0
