"""`uriparse COMMAND ...`: read the arguments, run the command, turn failures into codes."""

import argparse
from collections.abc import Sequence
from pathlib import PurePath

from abnf2lark.process import BROKEN_PIPE
from uriparse import _load
from uriparse.cli import console as streams
from uriparse.cli import help_text, interrupts
from uriparse.cli.arguments import MisuseError, parser_for
from uriparse.cli.commands import ALIASES, COMMANDS, near_word
from uriparse.cli.console import Console, standard_error, standard_output
from uriparse.errors import URIError, excerpt

_load()  # what the front leaves to the command

_OWN = ("-h", "--help", "-V", "--version")


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    output = standard_output()
    if not output.is_open:  # closed before we began: nobody will read
        return BROKEN_PIPE
    try:
        code = _run(arguments)
        output.flush()
    except BrokenPipeError:
        output.abandon()
        return BROKEN_PIPE
    except OSError as error:
        output.abandon()  # it may be what failed
        return _fail(f"{error.filename or 'input or output'}: {error.strerror}", streams.USAGE)
    except Exception as error:  # noqa: BLE001 - the last resort: a traceback shows the input
        if interrupts.is_behind(error):
            return interrupts.INTERRUPTED
        from uriparse._compiled._packed import TablesError

        if isinstance(error, TablesError):  # of the installation, and its message says which
            return _fail(str(error), streams.FAULT)
        return _fail(f"this is a bug: {_place(error)}", streams.FAULT)
    return code


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        standard_output().write(help_text.short())
        return 0
    try:
        options = _read(arguments)
    except MisuseError:
        return _refuse(arguments)
    except SystemExit as stop:  # after --help and --version
        return stop.code if isinstance(stop.code, int) else streams.USAGE
    console = Console(secrets=getattr(options, "show_passwords", None), options=vars(options))
    try:
        code: int = options.run(options, console)
    except streams.RefusedOptionError:  # which has been reported
        return streams.USAGE
    except streams.UsageError as error:
        standard_error().tell(f"uriparse {options.command}: {error}")
        return streams.USAGE
    except (URIError, streams.UnreadableFileError) as error:  # commands report those about one text
        console.release()
        return _fail(str(error), streams.USAGE)
    finally:
        console.release()
    return code


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    """Read arguments; without a command they are those of `parse`.

    There, relative references such as "example.com" are errors.
    """
    first = arguments[0]
    is_word = first.isalnum() or near_word(first) is not None
    is_command = is_word or first in (*COMMANDS, *ALIASES, *_OWN)
    words = arguments if is_command else ["parse", *arguments]
    options = parser_for(words).parse_args(words)
    options.needs_scheme = not is_command
    return options


def _refuse(arguments: Sequence[str]) -> int:
    """Report why arguments are refused; read again masked, since the report quotes them."""
    masked = [excerpt.masked(argument) for argument in arguments]
    try:
        _read(masked)
    except MisuseError as error:
        lines = [f"error: {error}", f"help: {error.remedy}"]
        said = "\n".join(lines if error.remedy else lines[:1])
        standard_error().tell(said, usage=error.usage)
    return streams.USAGE


def _fail(message: str, code: int) -> int:
    standard_error().tell(f"uriparse: {excerpt.masked(message)}")
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
