"""The argument parsers, and the options that commands share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, NoReturn

from abnf2lark import process
from uriparse import __version__
from uriparse._base.migration_hints import foreign_names
from uriparse.cli import help_text
from uriparse.cli.commands import ALIASES, COMMANDS, CommandModule, aliases, load, near_word
from uriparse.cli.console import (
    Console,
    FileSource,
    RefusedOptionError,
    UsageError,
    standard_output,
    whole_text,
)
from uriparse.cli.help_text import did_you_mean
from uriparse.grammar import grammars, start_rule
from uriparse.percent import SEPARATORS

if TYPE_CHECKING:
    from uriparse.grammar.rule_sources import Source


# The argument parsers, and their error messages.


class MisuseError(Exception):
    """Arguments that are refused: how they are written, and what may have been meant."""

    def __init__(self, message: str, usage: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.usage = usage
        self.remedy = remedy


class ArgumentsParser(process.CommandParser):
    """Raises `MisuseError`."""

    _shown: Sequence[argparse.Action] = ()

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        remedy = _see(self)
        for words, told in self._own_hints().items():
            remedy = told if words in message and "; " not in message else remedy
        if (parts := [name for name, _ in parsers_within(self)]) and "required" in message:
            remedy = f"give one of: {', '.join(parts)}"
        raise MisuseError(message, self.short_usage(), remedy)

    def short_usage(self) -> str:
        """Return the usage in a line: of the options only those that are required."""
        formatter = self._get_formatter()
        formatter.add_usage(None, self._shown or self._in_usage(), ())
        return formatter.format_help().replace(self.prog, f"{self.prog} [OPTIONS]", 1)

    def _in_usage(self) -> list[argparse.Action]:
        return [copy(one) for one in self._actions if one.required or not one.option_strings]

    def parse_known_args(  # type: ignore[override]  # argparse has overloads for other namespaces
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Read standard input where texts are wanted and none is given."""
        if self._mixes or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._shown = self._in_usage()  # copies, as argparse hides arguments while it mixes them
        found, rest = super().parse_known_args(args, namespace)
        sources: str | None = self.get_default("sources")
        if sources is not None:
            setattr(found, sources, self._sources(found, sources))
        return found, rest

    def _sources(self, found: argparse.Namespace, name: str) -> list[str]:
        """Return the texts that were given and the files; "-" for standard input if none was."""
        files: list[str] = getattr(found, "files", [])
        given: list[str] = [*getattr(found, name), *map(FileSource, files)]
        unless: tuple[str, ...] = self.get_default("unless")
        if given or any(getattr(found, option) for option in unless):
            return given
        if sys.stdin is not None and sys.stdin.isatty():
            self.error("there is nothing to read: no argument and no pipe")
        return ["-"]

    def _parse_optional(self, arg_string: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - what it gives differs between versions of Python
        """Refuse what begins with "-": argparse takes "-1" and "-a b" for texts."""
        found = super()._parse_optional(arg_string)
        if found is None and self._mixes and arg_string.startswith("-") and arg_string != "-":
            self.refuse([arg_string])
        return found

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            name = "/".join(action.option_strings) or action.metavar
            remedy = did_you_mean(str(value), known) or f"give one of: {', '.join(known)}"
            remedy += "".join(f"; or {one}" for one in self._instead_of(action))
            raise MisuseError(f"{name}: there is no {value}", self.short_usage(), remedy)

    def refuse(self, rest: Sequence[str]) -> NoReturn:
        """Refuse words that mean nothing, with what may have been meant."""
        first = next((word for word in rest if word.startswith("-")), rest[0])
        name = first.partition("=")[0]
        choice = self._choosing(name.lstrip("-"))
        if not first.startswith("-"):
            remedy = choice or _see(self)
            raise MisuseError(f"unexpected argument: {first}", self.short_usage(), remedy)
        told = self._instead().get(name)
        about = told or self._about(name)
        if choice:
            remedy = f"{choice} Or {about}" if about else choice
        else:
            near = did_you_mean(name, self._option_string_actions)
            remedy = told or near or about or _see(self)
            if self.get_default("sources") is not None and not first.startswith("--"):
                remedy += '; a text that begins with "-" comes after "--"'
        raise MisuseError(f"there is no option {name}", self.short_usage(), remedy)

    def _choosing(self, word: str) -> str | None:
        """Return a hint if a word is a choice of exactly one option."""
        found = [one for one in self._actions if one.option_strings and word in (one.choices or ())]
        return f"did you mean {found[0].option_strings[-1]} {word}?" if len(found) == 1 else None

    def _instead(self) -> dict[str, str]:
        """Return options of other programs, and their equivalents; also for one that is missing."""
        known = (f"option {one}" for one in self._option_string_actions)
        return foreign_names("option", *known) | self._own_hints()

    def _own_hints(self) -> dict[str, str]:
        own = foreign_names(f"option of {self.prog.partition(' ')[2]}")
        return own | (self.get_default("instead") or {})

    def check_options(self, words: Sequence[str]) -> None:
        """Refuse also those of other programs: "--set" would be a beginning of --set-query."""
        for word in words[: words.index("--") if "--" in words else None]:
            if word in self._instead() and word not in self._option_string_actions:
                self.refuse([word])
        super().check_options(words)

    def _about(self, name: str) -> str | None:
        """Return a hint to an option whose help has the word of an unknown option."""
        bare = name.strip("-")
        word = re.compile(rf"\b{re.escape(bare)}\b", re.IGNORECASE)
        for action in self._actions:
            is_choice = bare in (action.choices or ())
            if action.option_strings and not is_choice and word.search(action.help or ""):
                shown = f"{action.option_strings[-1]} {action.metavar or ''}".rstrip()
                return f"see {shown} in `uriparse help {self.prog.partition(' ')[2]}`"
        return None

    def _instead_of(self, action: argparse.Action) -> Iterator[str]:
        """Return the options with a value that exclude an option."""
        for group in self._mutually_exclusive_groups:
            if action in group._group_actions:  # noqa: SLF001 - argparse has no other way in
                for other in group._group_actions:  # noqa: SLF001 - the same
                    if other is not action and other.nargs != 0:
                        yield f"{other.option_strings[-1]} {other.metavar}"


class _Whole(ArgumentsParser):
    """The parser of the whole command, with its own help."""

    def format_help(self) -> str:
        """Return the commands by their groups."""
        return help_text.whole()

    def format_usage(self) -> str:
        """Return both ways to call the command."""
        return "usage: uriparse URI ...\n       uriparse COMMAND [ARGUMENTS]\n"


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=help_text.width())


def parser_for(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser, with the command that is named alone; MisuseError for an unknown one."""
    whole = _Whole(prog="uriparse")
    whole.add_argument(*_Version.NAMES, action=_Version)
    commands = whole.add_subparsers(metavar="COMMAND", required=True, parser_class=ArgumentsParser)
    first = arguments[0] if arguments else ""
    if first and not first.startswith("-") and first not in (*COMMANDS, *ALIASES):
        if line := near_word(first):
            remedy = f"write `uriparse {line}`"
        else:
            remedy = did_you_mean(first.lower(), (*COMMANDS, *ALIASES), 0.7) or (
                f"`uriparse parse {first}` reads it as a reference; `uriparse` lists commands"
            )
        raise MisuseError(f"there is no command {first}", whole.format_usage(), remedy)
    first = ALIASES.get(first, first)
    if first in _Version.NAMES:  # which needs none of the commands: to load all takes 0.3 s
        return whole
    for name in (first,) if first in COMMANDS else COMMANDS:
        command = load(name)
        own = commands.add_parser(name, aliases=aliases(name), help=command.HELP)
        command.add_arguments(own)
        _finish(own, command)
        own.set_defaults(run=command.run, command=command.NAME)
    return whole


def parsers_within(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Return the parsers of the commands in one, or of the parts of a command, by their names."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way in
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - nor a name for it
            yield from action.choices.items()


def _finish(parser: argparse.ArgumentParser, command: CommandModule) -> None:
    """Add description, examples and exit codes to a command or to its parts."""
    parser.formatter_class = _Formatter
    parser.description = help_text.filled(f"{command.HELP[0].upper()}{command.HELP[1:]}.")
    own = [parser.epilog] if parser.epilog else []
    parser.epilog = "\n\n".join([*own, help_text.below(command)])
    for _, part in parsers_within(parser):
        _finish(part, part.get_default("part") or command)


def _see(parser: argparse.ArgumentParser) -> str:
    """Name the help with the details."""
    return f"`uriparse help {parser.prog.partition(' ')[2]}` says more"


class _Version(argparse.Action):
    """`--version`, of the code that runs, be it installed or not."""

    NAMES = ("-V", "--version")

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from uriparse._native import implementation

        standard_output().write(f"uriparse {__version__} ({implementation})\n")
        parser.exit()


# The arguments that commands share.

flag, repeated = process.flag, process.repeated

NOT_SHOWN = "not shown"
RESULTS_WHOLE = "shown in results, and nowhere else"


def add_texts(
    parser: argparse.ArgumentParser, name: str, metavar: str, unless: tuple[str, ...] = ()
) -> None:
    """Declare the texts that a command answers; without one or `unless`, it reads a pipe."""
    text = 'a text; "-" or nothing reads standard input, one per line of at most 1 MiB'
    parser.add_argument(name, nargs="*", metavar=metavar, help=text)
    parser.set_defaults(sources=name, unless=unless)


def add_sources(
    parser: argparse.ArgumentParser, name: str, metavar: str, unless: tuple[str, ...] = ()
) -> None:
    """Declare texts that may also be in files or end with NUL."""
    add_texts(parser, name, metavar, unless)
    add_files(parser)
    text = "read and write NUL instead of line ends (JSON keeps line ends)"
    flag(parser, "-0", "--null", dest="nul_ends", help=text)


def add_files(parser: argparse._ActionsContainer) -> None:
    """Declare `--file`."""
    text = "read texts from a file, one per line, plain or gzipped; repeatable"
    repeated(parser, "--file", dest="files", metavar="FILE", help=text)


def add_form(parser: argparse.ArgumentParser, passwords: str = NOT_SHOWN) -> None:
    """Declare `--json` and `--show-passwords`."""
    flag(parser, "--json", help="write one JSON object per line")
    add_passwords(parser, passwords)


def add_invalid(parser: argparse.ArgumentParser) -> None:
    """Declare `--invalid`, which `for_each` obeys."""
    text = (
        "besides the report on standard error, an invalid text is left out of the output (drop, the"
        " default; an object with --json), written there as it came (keep), or ends the run (fail)"
    )
    parser.add_argument("--invalid", choices=("drop", "keep", "fail"), help=text)


def add_separator(parser: argparse._ActionsContainer) -> None:
    """Declare `--separator`."""
    text = "what separates the pairs of a query; '&;': both (default: '&')"
    parser.add_argument("--separator", choices=SEPARATORS, default="&", help=text)


def add_passwords(parser: argparse._ActionsContainer, default: str = NOT_SHOWN) -> None:
    """Declare `--show-passwords`: True, False, or None for the default of the command."""
    from argparse import BooleanOptionalAction

    text = f"show passwords, or *** instead (default: {default})"
    parser.add_argument("--show-passwords", action=BooleanOptionalAction, help=text)


# The rule that a command is about: of a shipped grammar, or of a file of ABNF.

_RULE = "default: URI, for another grammar its widest rule"


def add_grammar(parser: argparse.ArgumentParser, rule: str = _RULE) -> None:
    """Declare `--rule` and `--grammar`; rule: what help says of the first."""
    parser.add_argument("--rule", metavar="RULE", help=rule)
    known = grammars()
    text = f"one of {', '.join(known)} (default: rfc3986)"
    parser.add_argument("--grammar", choices=known, default="rfc3986", metavar="NAME", help=text)


def add_any_grammar(parser: argparse.ArgumentParser) -> None:
    """Declare these, also for a grammar of the user, and `--import` for that."""
    parser.add_argument("--rule", metavar="RULE", help=f"{_RULE}, for a file its first")
    known = grammars()
    text = f"one of {', '.join(known)}, or a file of ABNF (default: rfc3986)"
    parser.add_argument("--grammar", default="rfc3986", metavar="NAME|FILE", help=text)
    text = "for a file: take rules that are not defined from this grammar"
    repeated(parser, "--import", dest="imports", choices=known, metavar="NAME", help=text)


def named_rule(args: argparse.Namespace) -> str:
    """Return the rule of `--rule` and `--grammar`."""
    first = "URI" if args.grammar == "rfc3986" else start_rule(args.grammar)
    return first if args.rule is None else args.rule


def grammar_file(args: argparse.Namespace) -> str | None:
    """Return the file of ABNF that `--grammar` names; None for a shipped grammar."""
    return None if args.grammar in grammars() else args.grammar


def read_rule(args: argparse.Namespace, console: Console) -> tuple[str, str | Source]:
    """Return the rule of `add_any_grammar`, and its grammar; UsageError if it cannot be used."""
    from uriparse.grammar.rule_sources import GrammarTextError, read_abnf

    if (name := grammar_file(args)) is None:
        if args.imports:
            raise UsageError("--import goes with --grammar FILE: it is for rules not in there")
        return named_rule(args), args.grammar
    try:
        source = read_abnf(whole_text(name), name, args.imports)
    except GrammarTextError as error:
        console.error(console.shown(str(error)))  # each line names file, line and column
        raise RefusedOptionError("--grammar") from None
    except (OSError, ValueError) as error:  # not UTF-8, or a null in the name
        reason = getattr(error, "strerror", None) or "not UTF-8"
        near = did_you_mean(name, grammars())
        raise UsageError(f"{console.shown(name)}: {near or reason}") from None
    return source.rules[0] if args.rule is None else args.rule, source
