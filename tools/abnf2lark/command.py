"""The command ``abnf2lark``: reads its arguments, runs a sub-command, and shows errors.

Exit codes: 0 done; 1 a grammar has errors, is too large or is refused, or generated files are not
what they should be; 2 the command was not given what it needs, or its output cannot be written; 130
after Ctrl-C; 141 when the reader of the output went away.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import NoReturn

from abnf2lark.commands import COMMANDS
from abnf2lark.commands.shared import shown
from abnf2lark.config import hint_at_imports
from abnf2lark.problems import AbnfError, GrammarError, InputError, meant
from abnf2lark.process import CHOICES, CommandParser, end_at_once, finished, put, say, wanted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    if arguments is None:
        end_at_once()
    return finished("abnf2lark", partial(_run, arguments))


def _run(arguments: Sequence[str] | None) -> int:
    colour = "auto"
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = _parser().parse_args(words or ["--help"])
        colour = options.color
        code: int = options.run(options)
    except SystemExit as stop:  # after --help, and after a message about the arguments
        return stop.code if isinstance(stop.code, int) else 2
    except GrammarError as error:
        for problem in error.problems:
            say(shown(problem, colours=wanted(colour, "stderr")))
        if hint := hint_at_imports(error.problems):
            say(hint)
        return 1
    except InputError as error:
        for line in str(error).splitlines():
            say(f"abnf2lark: {line}")
        return 2
    except AbnfError as error:
        say(f"abnf2lark: {error}")
        return 1
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package != "lark":
            raise
        say(f"abnf2lark: {package} is not installed, which is needed here: pip install {package}")
        return 2
    return code


class _Parser(CommandParser):
    """Adds near misses to messages, and says what is an argument and not an option."""

    def refuse(self, rest: Sequence[str]) -> NoReturn:
        name = rest[0].partition("=")[0]
        if not name.startswith("-"):
            super().refuse(rest)
        words = [one for one in self._actions if not one.option_strings]
        named = next((one.metavar for one in words if f"--{one.dest}" == name), None)
        near = meant(name, self._option_string_actions)
        told = f"; {named} is an argument: leave the option out" if named else near
        if not name.startswith("--"):
            told += '; a text that begins with "-" comes after "--"'
        self.error(f"there is no option {name}{told}")

    def error(self, message: str) -> NoReturn:
        choice = _CHOICE.search(message)
        hint = meant(choice[1], re.findall(r"[\w-]+", choice[2])) if choice else ""
        say(f"{self.format_usage()}{self.prog}: error: {message}{hint}")
        self.exit(2)


class _Command(_Parser):
    """The parser of a sub-command, whose module is loaded when its arguments are read."""

    def parse_known_args(  # type: ignore[override]  # as that of `Parser`
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        if self._mixes:
            return super().parse_known_args(args, namespace)
        module = import_module(f"abnf2lark.commands.{self.prog.split()[-1]}_command")
        about, title, examples = (module.__doc__ or "").partition("examples:")
        if title:
            self.description, self.epilog = about.rstrip(), f"{title}{examples.rstrip()}"
            self.formatter_class = argparse.RawDescriptionHelpFormatter
        module.add_arguments(self)
        text = "whether messages have colours (default: on a terminal)"
        self.add_argument("--color", choices=CHOICES, default="auto", help=text)
        self.set_defaults(run=module.run)
        return super().parse_known_args(args, namespace)


_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


class _Version(argparse.Action):
    """Prints the release of the distribution that the command comes with."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow to load

        try:
            release = version("uriparse")
        except PackageNotFoundError:  # a source tree on the path
            release = "(not installed)"
        put(f"abnf2lark {release}\n")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="abnf2lark",
        description="Compile ABNF grammars (RFC 5234, RFC 7405) to Lark grammars and patterns.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the release and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Command)
    for name, text in COMMANDS.items():
        commands.add_parser(name, help=text)
    return parser
