"""`uriparse help`: what a command does, and how it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.parsers import MisuseError, parser_for, parsers_within

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console

NAME = "help"
HELP = "say what a command does and which options it takes"
GROUP = "the command"
EXAMPLES = ("uriparse help find", "uriparse help --man | man -l -")
EXITS = {0: "told"}

USAGE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="without one, all are listed")
    parser.add_argument("--man", action="store_true", help="write the manual page, for `man -l -`")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the help of a command, or of a part of it; without one, that of all."""
    if args.man:
        from uriparse.cli.completion import page

        console.output.write(page())
        return 0
    try:
        found = parser_for(args.words)
    except MisuseError as error:
        console.error(console.shown(f"error: {error}\nhelp: {error.remedy}"))
        return USAGE
    for word in args.words:
        within = dict(parsers_within(found))
        found = within.get(word, found)
    console.output.write(found.format_help())
    return 0
