"""The argument parsers, and the options that commands share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NoReturn

from abnf2lark import process
from uriparse import __version__
from uriparse._base.migration_hints import foreign_names
from uriparse.cli import console as streams
from uriparse.cli import help_text
from uriparse.cli.commands import ALIASES, COMMANDS, CommandModule, aliases, load, near_word
from uriparse.cli.console import Console, FileSource, RefusedOptionError, UsageError
from uriparse.cli.help_text import did_you_mean
from uriparse.grammar import grammars, start_rule
from uriparse.percent import SEPARATORS
from uriparse.records.references import REFERENCE_RULES

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
        message = message.replace("ignored explicit argument", "it takes no value such as")
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

        streams.standard_output().write(f"uriparse {__version__} ({implementation})\n")
        parser.exit()


# The options of commands, in tables.


def declare(parser: argparse._ActionsContainer, table: str, **told: Mapping[str, object]) -> None:
    """Declare the options of a table: each begins a line, with its help after two spaces.

    "--to {a,b}" takes one of these, "--base URI" any value, "--query NAME..." comes as often as
    wanted, and "--[no-]full" can be undone. Of those after "| " only one can be given. A line that
    ends with ":" is the heading of a group. Names alone are options that commands share.

    told: what else argparse is told of an option, by its long name.
    """
    group = place = parser
    for spec, about in _entries(table):
        found = _LONG.findall(spec)
        if spec.endswith(":"):
            group = place = parser.add_argument_group(spec[:-1])
        elif not about and spec == " ".join(f"--{name}" for name in found):
            for name in found:
                declare(group, _SHARED[name], **_TOLD | told)
        else:
            if not spec.startswith("| "):
                place = group
            elif place is group:
                place = group.add_mutually_exclusive_group()
            words = spec.removeprefix("| ").split()
            value = "" if words[-1].startswith("-") else words.pop()
            names = [word.rstrip(",").replace("[no-]", "") for word in words]
            how: dict[str, Any] = {"help": about or None}
            if "[no-]" in spec:
                how["action"] = argparse.BooleanOptionalAction
            elif value.endswith("..."):
                how |= {"action": "append", "default": []}
            elif not value:
                how["action"] = "store_true"
            value = value.removesuffix("...")
            if value.startswith("{"):
                how["choices"] = tuple(value[1:-1].split(","))
            elif value:
                how["metavar"] = value
            how.update(told.get(found[0].replace("-", "_"), {}))
            place.add_argument(*names, **how)


def _entries(table: str) -> Iterator[tuple[str, str]]:
    """Yield what is before and after the first two spaces; a line that begins with some goes on."""
    for entry in re.split(r"\n(?=\S)", table.strip()):
        spec, _, about = entry.partition("  ")
        yield spec.strip(), " ".join(about.split())


_LONG = re.compile(r"--(?:\[no-\])?([a-z-]+)")
_COMMON = f"""
--file FILE...  read texts from a file, one per line, plain or gzipped; repeatable
-0, --null  read and write NUL instead of line ends (JSON keeps line ends)
--json  write one JSON object per line
--[no-]show-passwords  show passwords, or *** instead (default: not shown)
--invalid {{drop,keep,fail}}  besides the report on standard error, an invalid text is left out of
    the output (drop, the default; an object with --json), written there as it came (keep), or ends
    the run (fail)
--grammar {{{",".join(REFERENCE_RULES)}}}  rfc3987 accepts IRIs
--separator {{{",".join(SEPARATORS)}}}  what separates the pairs of a query; '&;': both (default:
    '&')
--whatwg  read texts as browsers do, by the URL Standard
--suffix SCHEME  read a text that begins with a host, such as "example.com/a", as
    SCHEME://example.com/a (suffix references, RFC 3986 section 4.5)
--jobs N  processes (default: 1)
--force  replace a file that is there already
"""
_SHARED = {_LONG.findall(spec)[0]: f"{spec}  {about}" for spec, about in _entries(_COMMON)}
"""The options that commands share: `for_each` obeys --invalid and --jobs."""

_TOLD: dict[str, Mapping[str, object]] = {
    "file": {"dest": "files"},
    "null": {"dest": "nul_ends"},
    "grammar": {"default": "rfc3986"},
    "separator": {"default": "&"},
    "jobs": {"type": process.number_of_processes, "default": 1},
}


def passwords(default: str) -> dict[str, object]:
    """Return what is told of `--show-passwords`, whose value is None for this default."""
    return {"help": f"show passwords, or *** instead (default: {default})"}


IN_RESULTS = passwords("shown in results, and nowhere else")


def add_texts(
    parser: argparse.ArgumentParser, name: str, metavar: str, unless: tuple[str, ...] = ()
) -> None:
    """Declare the texts that a command answers; without one or `unless`, it reads a pipe."""
    text = 'a text; "-" or nothing reads standard input, one per line of at most 1 MiB'
    parser.add_argument(name, nargs="*", metavar=metavar, help=text)
    parser.set_defaults(sources=name, unless=unless)


# The rule that a command is about: of a shipped grammar, or of a file of ABNF.

_RULE = "default: URI, for another grammar its widest rule"


def add_grammar(parser: argparse.ArgumentParser, rule: str = _RULE) -> None:
    """Declare `--rule` and `--grammar`; rule: what help says of the first."""
    known = grammars()
    table = f"--rule RULE  {rule}\n--grammar NAME  one of {', '.join(known)} (default: rfc3986)"
    declare(parser, table, grammar={"choices": known, "default": "rfc3986"})


def add_any_grammar(parser: argparse.ArgumentParser) -> None:
    """Declare these, also for a grammar of the user, and `--import` for that."""
    known = grammars()
    table = f"""
--rule RULE  {_RULE}, for a file its first
--grammar NAME|FILE  one of {", ".join(known)}, or a file of ABNF (default: rfc3986)
--import NAME...  for a file: take rules that are not defined from this grammar
"""
    more = {"import": {"dest": "imports", "choices": known}}
    declare(parser, table, grammar={"default": "rfc3986"}, **more)


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
        source = read_abnf(streams.whole_text(name), name, args.imports)
    except GrammarTextError as error:
        console.error(console.shown(str(error)))  # each line names file, line and column
        raise RefusedOptionError("--grammar") from None
    except (OSError, ValueError) as error:  # not UTF-8, or a null in the name
        reason = getattr(error, "strerror", None) or "not UTF-8"
        near = did_you_mean(name, grammars())
        raise UsageError(f"{console.shown(name)}: {near or reason}") from None
    return source.rules[0] if args.rule is None else args.rule, source
