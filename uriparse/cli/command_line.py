"""`uriparse COMMAND ...`: find the command, read its arguments, run it, turn failures into codes.

Each command is a module `uriparse.cli.<name>_command`, imported when it is asked for, so that
`uriparse parse` does not pay for the others.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from uriparse import excerpt
from uriparse.cli import interrupts
from uriparse.cli.console import Console, printable
from uriparse.cli.rejection import RefusedOptionError
from uriparse.cli.streams import forget, tell
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
    "validate",
    "explain",
    "diff",
    "match",
    "conformance",
)
"""In the order of the help text. A new command adds its name here and its module beside this."""

ALIASES = {"check": "validate"}
"""Other names of commands."""

USAGE = 2
FAULT = 70
BROKEN_PIPE = 141

_EPILOG = """\
Exit codes: 0 all valid, 1 some invalid, 2 wrong usage, or input or output that fails, 70 a fault of
the command itself, 130 after Ctrl-C, 141 when the reader of the output went away.

Passwords: wherever a command shows its input again, in messages, drawings, tables, trees, plans
and the "text" of JSON objects, *** stands for them: in a valid text for what its grammar calls a
password, in any other for all that may be one. The references and keys that a command makes are
data and stay whole, and so are the texts that `validate` sorts. --show-passwords shows passwords
everywhere, --no-show-passwords masks the texts that `validate` sorts, too."""


class Command(Protocol):
    """What a command module holds."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace, console: Console) -> int:
        """Do the work and return the exit code."""


class _MisuseError(Exception):
    """Arguments that the parser of a command refuses, and why."""

    def __init__(self, parser: argparse.ArgumentParser, message: str) -> None:
        super().__init__(message)
        self.parser = parser


class _Parser(argparse.ArgumentParser):
    """Raises where the ordinary one writes, so that it can be seen to what is written."""

    def error(self, message: str) -> NoReturn:
        raise _MisuseError(self, message)

    def print_help(self, file: object = None) -> None:  # noqa: ARG002 - as argparse calls it
        sys.stdout.write(self.format_help())


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    if sys.stdout is None:  # closed before we began: nobody will read
        return BROKEN_PIPE
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        forget(sys.stdout)
        return BROKEN_PIPE
    except OSError as error:
        forget(sys.stdout)  # it may be what failed
        return _fail(f"{error.filename or 'input or output'}: {error.strerror}", USAGE)
    except Exception as error:  # noqa: BLE001 - the last resort: a traceback shows the input
        if interrupts.is_behind(error):
            return interrupts.INTERRUPTED
        return _fail(f"a fault of the command itself: {_place(error)}", FAULT)
    return code


def _run(arguments: Sequence[str]) -> int:
    try:
        options = _parser(arguments).parse_args(arguments)
    except _MisuseError:
        return _refuse(arguments)
    except SystemExit as stop:  # after --help and --version
        return stop.code if isinstance(stop.code, int) else USAGE
    secrets = getattr(options, "show_passwords", None)
    console = Console(secrets=bool(secrets), options=vars(options))
    try:
        code: int = options.run(options, console)
    except RefusedOptionError:  # which has been reported
        return USAGE
    except URIError as error:  # those about one input are the command's to report
        return _fail(str(error), USAGE)
    return code


def _refuse(arguments: Sequence[str]) -> int:
    """Say why the arguments are refused, to which end they are read again with masked passwords.

    What refuses them quotes them, in words of its own.
    """
    masked = [excerpt.masked(argument) for argument in arguments]
    try:
        _parser(masked).parse_args(masked)
    except _MisuseError as error:
        usage = error.parser.format_usage()
        tell(sys.stderr, f"{usage}{error.parser.prog}: {printable(str(error))}\n")
    return USAGE


def _fail(message: str, code: int) -> int:
    tell(sys.stderr, f"uriparse: {printable(excerpt.masked(message))}\n")
    return code


def _place(error: BaseException) -> str:
    """Name an exception and the line that raised it; its message may hold anything."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    name = PurePath(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} in {name}, line {trace.tb_lineno}"


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser; where the command is plain to see, with that one command in it."""
    parser = _Parser(
        prog="uriparse",
        description="Exact URI parsing in which the RFCs' own ABNF is the program.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    first = arguments[0] if arguments else ""
    first = ALIASES.get(first, first)
    for name in (first,) if first in COMMANDS else COMMANDS:
        command = _command(name)
        own = commands.add_parser(
            name,
            aliases=[alias for alias, meant in ALIASES.items() if meant == name],
            help=command.HELP,
            description=command.HELP,
        )
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
