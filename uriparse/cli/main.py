"""`uriparse COMMAND ...`: find the command, read its arguments, run it, turn failures into codes.

Each command is a module `uriparse.cli.<name>_command`, imported when it is asked for, so that
`uriparse parse` does not pay for the others.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from uriparse.cli.console import Console, printable
from uriparse.errors import URIError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    "parse",
    "tree",
    "rules",
    "resolve",
    "relativize",
    "normalize",
    "compare",
    "url",
    "plan",
    "canon",
    "find",
)
"""In the order of the help text. A new command adds its name here and its module beside this."""

USAGE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


class Command(Protocol):
    """What a command module holds."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace, console: Console) -> int:
        """Do the work and return the exit code."""


class _Parser(argparse.ArgumentParser):
    """Repeats nothing of the arguments that a terminal would obey."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {printable(message)}\n")


def main(argv: Sequence[str] | None = None) -> int:
    r"""Run one command line and return its exit code.

    >>> main(["parse", "urn:example:animal:ferret:nose"])
    urn:example:animal:ferret:nose
    \_/ \________________________/
     |              |
    scheme        path
    <BLANKLINE>
    0
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    if sys.stdout is None:  # closed before we began: nobody will read
        return BROKEN_PIPE
    try:
        options = _parser(arguments).parse_args(arguments)
    except SystemExit as stop:  # argparse has said what there is to say
        return stop.code if isinstance(stop.code, int) else USAGE
    console = Console()
    try:
        code: int = options.run(options, console)
        console.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return BROKEN_PIPE
    except OSError as error:
        _forget_output()  # it may be what failed
        _complain(f"{error.filename or 'input or output'}: {error.strerror}")
        return USAGE
    except URIError as error:  # those about one input are the command's to report
        _complain(str(error))
        return USAGE
    return code


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser; where the command is plain to see, with that one command in it."""
    parser = _Parser(
        prog="uriparse",
        description="Exact URI parsing in which the RFCs' own ABNF is the program.",
        epilog="Exit codes: 0 all valid, 1 some invalid, 2 wrong usage.",
    )
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    first = arguments[0] if arguments else ""
    for name in (first,) if first in COMMANDS else COMMANDS:
        command = _command(name)
        own = commands.add_parser(name, help=command.HELP, description=command.HELP)
        command.add_arguments(own)
        own.set_defaults(run=command.run)
    return parser


def _command(name: str) -> Command:
    return cast("Command", import_module(f"uriparse.cli.{name.replace('-', '_')}_command"))


class _Version(argparse.Action):
    """`--version`, which looks it up only when asked: the look-up takes longer than a parse."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        sys.stdout.write(f"uriparse {version('uriparse')}\n")
        parser.exit()


def _complain(message: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"uriparse: {printable(message)}\n")


def _forget_output() -> None:
    """Keep Python from complaining at exit that it cannot flush what nobody can take."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
