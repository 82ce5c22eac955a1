"""What commands share: the argument parser, colours, writing, broken streams and interrupts.

`abnf2lark` and `uriparse` both use it, so it imports nothing of the compiler.
"""

import argparse
import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NoReturn, TextIO, TypeAlias

UNWRITTEN = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

# Arguments.

MAX_JOBS = 1000


class _Plain(str):
    """An argument after "--", which argparse forgets if options are between arguments."""

    __slots__ = ()


def _plain(words: Sequence[str]) -> list[str]:
    """Mark the words after the first "--", and remove it."""
    if "--" not in words:
        return list(words)
    end = words.index("--")
    return [*words[:end], *(_Plain(f"\0{w}") if w.startswith("-") else w for w in words[end + 1 :])]


def _unmarked(value: object) -> object:
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    return value[1:] if isinstance(value, _Plain) else value


class CommandParser(argparse.ArgumentParser):
    """Refuses an unknown long option before it asks for a missing argument; writes help by `put`.

    argparse does it the other way round, and ignores what it cannot write. Options may be between
    arguments.
    """

    _mixes = False

    def print_help(self, file: object = None) -> None:  # noqa: ARG002 - as argparse calls it
        """Write the help."""
        put(self.format_help())

    def parse_known_args(  # type: ignore[override]  # argparse has overloads for other namespaces
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse what is unknown; a parser with commands leaves that to theirs."""
        if self._mixes or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self.check_options(args or ())
        self._mixes = True
        kept, usage = self.usage, self.format_usage().removeprefix("usage: ")
        self.usage = usage.replace("%", "%%")  # argparse would format it again, for messages
        try:
            found, rest = self.parse_known_intermixed_args(_plain(args or ()), namespace)
        finally:
            self._mixes, self.usage = False, kept
        for name, value in vars(found).items():
            setattr(found, name, _unmarked(value))
        if rest:
            self.refuse(rest)
        return found, rest

    def check_options(self, words: Sequence[str]) -> None:
        """Refuse the first long option that is unknown; a beginning of one is known."""
        known = self._option_string_actions
        for word in words:
            if word == "--":
                return
            name = word.partition("=")[0]
            if name.startswith("--") and not any(one.startswith(name) for one in known):
                self.refuse([word])

    def refuse(self, rest: Sequence[str]) -> NoReturn:
        """Report the first of words that mean nothing, and end."""
        self.error(f"unexpected argument: {rest[0]}")


def flag(
    parser: argparse._ActionsContainer,
    *names: str,
    help: str,  # noqa: A002 - as argparse has it
    dest: str | None = None,
) -> None:
    """Declare an option without a value."""
    parser.add_argument(*names, action="store_true", help=help, dest=dest)


def repeated(
    parser: argparse._ActionsContainer,
    *names: str,
    help: str,  # noqa: A002 - as argparse has it
    **others: object,
) -> None:
    """Declare an option that may come more than once; its value is a list."""
    parser.add_argument(*names, action="append", default=[], help=help, **others)  # type: ignore[arg-type]  # as argparse has them


def add_force(parser: argparse._ActionsContainer) -> None:
    """Declare `--force`, beside options that name a file to write."""
    flag(parser, "--force", help="replace a file that is there already")


def number_of_processes(text: str) -> int:
    """Read the argument of `--jobs`; ArgumentTypeError for what is not a number within bounds."""
    digits = text.isascii() and text.isdigit() and len(text) < len("10000")
    if not (digits and 0 < int(text) <= MAX_JOBS):
        message = f"a number of processes, from 1 to {MAX_JOBS}, not {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def whole_number(text: str) -> int:
    """Read a number of up to nine digits; ArgumentTypeError for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"a number from 0 to 999999999, not {text!r}")
    return int(text)


def share(text: str) -> float:
    """Read a percentage such as "20%"; ArgumentTypeError for what is not within 0% and 100%."""
    digits = text.removesuffix("%")
    parts = digits.split(".")
    plain = len(parts) <= 2 and all(part.isascii() and part.isdigit() for part in parts)
    if not (plain and text.endswith("%") and float(digits) <= 100):
        raise argparse.ArgumentTypeError(f"a percentage from 0% to 100%, such as 20%, not {text!r}")
    return float(digits) / 100


# Colours.

CHOICES = ("auto", "always", "never")
"""The values of `--color`."""

STYLES: Mapping[str, str] = {
    "scheme": "36",
    "authority": "32",
    "userinfo": "31",
    "host": "1;32",
    "port": "94",
    "path": "1",
    "query": "35",
    "fragment": "94",
    "rule": "36",
    "faint": "2",
    "place": "1",
    "error": "1;31",
    "warning": "35",
    "good": "32",
    "caret": "1;32",
    "help": "1;36",
}
"""The numbers of ECMA-48's SGR for each name; each is legible on black and on white."""


def wanted(choice: str, stream: TextIO | Literal["stdout", "stderr"] | None) -> bool:
    """Return whether a stream gets colours: as asked, by the environment, or by the terminal."""
    if choice != "auto" or stream is None:
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    is_shown = is_terminal(stream) if isinstance(stream, str) else stream.isatty()
    return os.environ.get("TERM") != "dumb" and is_shown


def painted(text: str, style: str) -> str:
    """Return text in a style; with an empty style, the text itself."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style and text else text


# Writing.

_MOVES = re.compile(
    # C0 without tab and line feed, DEL, C1; what turns the direction of writing; line separators;
    # bytes that are not UTF-8, which a terminal of eight bits may take for C1.
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff]|\r(?!\n)"
)
"""What a terminal would obey rather than show. CSV ends its rows with CR LF, so that pair stays."""


class Painted(str):
    """Text with our own colours, of which each part was escaped `for_terminals`."""

    __slots__ = ()


def for_terminals(text: str) -> str:
    """Escape what a terminal would obey: controls but tab and line feed, and turns of direction."""
    return _MOVES.sub(lambda found: repr(found[0])[1:-1], text)


def end_at_once() -> None:
    """Let an interrupt end the process without a traceback, unless interrupts are ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Pass over interrupts while something short is done that must be done whole."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def finished(name: str, work: Callable[[], int]) -> int:
    """Do the work of a command and see that its output is written; return the exit code."""
    if sys.stdout is None:  # closed before we began
        return BROKEN_PIPE
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # absent where a test put a stream of its own
            reconfigure(errors="backslashreplace")
    try:
        code = work()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        abandon(sys.stdout)
        return BROKEN_PIPE
    except OSError as error:
        abandon(sys.stdout)  # it may be what failed
        say(f"{name}: {error.filename or 'input or output'}: {error.strerror}")
        return UNWRITTEN
    except KeyboardInterrupt:  # in a process that is not ours
        return INTERRUPTED
    return code


def put(text: str) -> None:
    """Write to standard output; what a terminal would obey is escaped where that is one."""
    sys.stdout.write(_fit(text, sys.stdout))


def is_terminal(to: Literal["stdout", "stderr"]) -> bool:
    """Return whether standard output, or standard error, is a terminal."""
    stream: TextIO | None = sys.stdout if to == "stdout" else sys.stderr
    return stream is not None and stream.isatty()


def overwrite(text: str) -> None:
    """Write over the line of the terminal that standard error is."""
    sys.stderr.write(f"\r\x1b[K{for_terminals(text)}")  # to the first column, and clear the line
    sys.stderr.flush()


def _fit(text: str, stream: TextIO) -> str:
    return for_terminals(text) if stream.isatty() and not isinstance(text, Painted) else text


def say(line: str) -> None:
    """Write a line to standard error; one that cannot be written is lost, without an error."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{_fit(line, sys.stderr)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Discard what cannot be written of a stream, which Python would try again at exit.

    A stream that can be written stays as it is: what failed was something else, and the process
    may be that of a program that goes on.
    """
    with contextlib.suppress(OSError, ValueError):
        try:
            stream.flush()
        except OSError:
            number, nowhere = stream.fileno(), os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)


# Findings as code hosts take them.

Row: TypeAlias = tuple[str, str, str, int, int]
"""A finding: its code, a message, the name of a file, the line and the column there, from 1."""


def sarif(tool: str, rows: Sequence[Row], levels: Sequence[str] = ()) -> dict[str, object]:
    """Return a log of SARIF 2.1.0: a rule for each code, and a result for each finding.

    levels: of the findings, "error" or "warning"; without them all are errors.
    """
    from pathlib import PurePath  # noqa: PLC0415 - both load what few commands need
    from urllib.parse import quote  # noqa: PLC0415 - same

    codes = sorted({row[0] for row in rows})
    results, levels = [], levels or ["error"] * len(rows)
    for (code, message, name, line, column), level in zip(rows, levels, strict=True):
        place = {
            "artifactLocation": {"uri": quote(PurePath(name).as_posix())},
            "region": {"startLine": line, "startColumn": column},
        }
        results.append(
            {
                "ruleId": code,
                "ruleIndex": codes.index(code),
                "level": level,
                "message": {"text": message},
                "locations": [{"physicalLocation": place}],
            }
        )
    run = {
        "tool": {"driver": {"name": tool, "rules": [{"id": code} for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [run]}
