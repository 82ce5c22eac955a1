"""Print what is in a packed file, GRAMMAR.packed: automata, tables of parsers, and
witnesses, which `abnf2lark build` writes for programs. The comments say what
each part means.

examples:
  abnf2lark show uriparse/_compiled/rfc3986.packed
  abnf2lark show uriparse/_compiled/rfc3986.packed --section diagnosis
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from abnf2lark.config import read_octets
from abnf2lark.problems import InputError, meant
from abnf2lark.process import put, say
from abnf2lark.tables.packed import TablesError, contents


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a packed file")
    parser.add_argument("--section", metavar="NAME", help="print only this section")


def run(options: Namespace) -> int:
    """Print the sections of a packed file; return 1 if it is damaged."""
    from abnf2lark.building.printing import printed  # noqa: PLC0415 - loads lark

    data = read_octets(Path(options.file))
    try:
        known = contents(data, options.file)
        if options.section not in {None, *known}:
            hint = meant(options.section, known)
            raise InputError(f"{options.file} has no section {options.section}{hint}")
        text = "\n".join(printed(data, options.file, options.section))
    except TablesError as error:
        say(f"abnf2lark: {error}")
        return 1
    put(f"{text}\n")
    return 0
