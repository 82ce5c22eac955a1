"""`uriparse help`: what a command does; the manual page, and scripts that complete commands."""

import argparse
import re
import shlex
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from uriparse.cli import help_text
from uriparse.cli.arguments import MisuseError, declare, parser_for, parsers_within
from uriparse.cli.commands import ALIASES, CommandModule, aliases, examples, exits, grouped, load
from uriparse.cli.console import USAGE, Console

NAME = "help"
HELP = "describe a command; write the manual page or completion"
EXAMPLES = (
    "uriparse help find",
    "uriparse help --completion fish > ~/.config/fish/completions/uriparse.fish",
)
EXITS = {0: "written"}
OPTIONS = """
| --man  write the manual page, for `man -l -`
| --completion bash|zsh|fish  write the completion script for a shell
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    text = "a command; without one, list all"
    parser.add_argument("words", nargs="*", metavar="COMMAND", help=text)
    shells = {"choices": tuple(SHELLS)}
    declare(parser, OPTIONS, completion=shells)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the help of a command, or of a part of it; without one, that of all."""
    if args.man:
        console.output.write(page())
        return 0
    if args.completion is not None:
        console.output.write(SHELLS[args.completion]())
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


# Scripts with which shells complete command lines, made from what the commands declare.


class Option(NamedTuple):
    """An option: its spellings, what help says of it, its choices, and if it takes a value."""

    names: tuple[str, ...]
    about: str
    choices: tuple[str, ...]
    takes: bool


class Line(NamedTuple):
    """A command, or a part of one: the words that name it, its help, its parts and its options."""

    path: tuple[str, ...]
    about: str
    words: tuple[str, ...]
    options: tuple[Option, ...]


def lines() -> Iterator[Line]:
    """Return the whole, then each command and each part of one."""
    waiting: list[tuple[tuple[str, ...], argparse.ArgumentParser]] = [((), parser_for([]))]
    while waiting:
        path, parser = waiting.pop(0)
        within = dict(parsers_within(parser))
        about = " ".join((parser.description or "").split())
        yield Line(path, about, tuple(within), tuple(_options(parser)))
        waiting += [((*path, name), found) for name, found in within.items()]


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way in
        if action.option_strings:
            about = (action.help or "") % {**vars(action), "prog": parser.prog}
            choices = tuple(map(str, action.choices or ()))
            yield Option(tuple(action.option_strings), about, choices, action.nargs != 0)


def bash() -> str:
    """Return the script for bash: words by the command line so far, else names of files."""
    known = [*lines()]
    names = {line: [name for option in line.options for name in option.names] for line in known}
    cases = "\n".join(_case(line.path, [*line.words, *names[line]]) for line in known)
    values = "\n".join(
        _case([*line.path, name], option.choices)
        for line in known
        for option in line.options
        if option.choices
        for name in option.names
    )
    paths = "|".join(_quoted(line.path) for line in known if line.path)
    parents = "|".join(_quoted(line.path) for line in known if line.words)  # of other commands
    return _BASH.format(cases=cases, values=values, paths=paths, parents=parents)


def _case(path: Iterable[str], words: Iterable[str]) -> str:
    return f"    {_quoted(path)}) words={_quoted(words)} ;;"


def _quoted(words: Iterable[str]) -> str:
    return shlex.quote(" ".join(words))


def zsh() -> str:
    """Return the script for zsh, to be sourced: it reads that for bash."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """Return the script for fish: a line for each word and option, with what it is for."""
    rows = []
    abouts = {line.path: line.about for line in lines()}
    for line in lines():
        if line.path and line.path[0] in ALIASES:
            continue
        seen = [f"__fish_seen_subcommand_from {word}" for word in line.path]
        condition = "; and ".join(seen) or "__fish_use_subcommand"
        head = f"complete -c uriparse -n {_fish(condition)}"
        rows += [f"{head} -f -a {word} -d {_fish(abouts[*line.path, word])}" for word in line.words]
        rows += [f"{head} {_fish_option(option)}" for option in line.options]
    return "\n".join(["# fish completion for uriparse", *rows, ""])


def _fish_option(option: Option) -> str:
    words = [f"-{'l' if n.startswith('--') else 's'} {n.lstrip('-')}" for n in option.names]
    if option.choices:
        # What fish makes of the argument of -a is read as words of a command line once more.
        choices = [re.sub(r"([^\w/.,=+-])", r"\\\1", choice) for choice in option.choices]
        words.append(f"-x -a {_fish(' '.join(choices))}")
    elif option.takes:
        words.append("-r")
    return f"{' '.join(words)} -d {_fish(option.about)}"


def _fish(text: str) -> str:  # in which a backslash escapes within quotes too
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_BASH = """\
# bash completion for uriparse
_uriparse() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local path= word words=
  for word in "${{COMP_WORDS[@]:1:$((COMP_CWORD-1))}}"; do
    case "${{path:+$path }}$word" in
    {paths}) path="${{path:+$path }}$word" ;;
    esac
  done
  case "${{path:+$path }}$before" in
{values}
  esac
  if [[ -z $words && ( $current == -* || $path == @({parents}) ) ]]; then
    case "$path" in
{cases}
    esac
  fi
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _uriparse uriparse
"""

SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


# The manual page, in the words of the help texts.


def page() -> str:
    """Return the page in the language of man(7)."""
    return "\n".join(_rows()) + "\n"


def _rows() -> Iterator[str]:
    known = {line.path: line for line in lines()}
    yield '.TH URIPARSE 1 "" "" "User Commands"'
    yield ".SH NAME"
    yield f"uriparse \\- {_roff(help_text.ABOUT)}"
    yield ".SH SYNOPSIS"
    yield ".B uriparse\n.I URI ...\n.br\n.B uriparse\n.I COMMAND\n[ARGUMENTS]"
    for title, commands in {**grouped(), "help": [load(NAME)]}.items():
        yield f".SH {_roff(title.upper())}"
        for command in commands:
            yield from _command(command, known)
    yield ".SH EXIT STATUS"
    for code, meaning in {0: "all valid", 1: "some invalid", **help_text.EXITS}.items():
        yield f".TP\n{code}\n{_roff(meaning)}"
    yield ".SH PASSWORDS"
    yield _roff(" ".join(help_text.PASSWORDS.removeprefix("Passwords: ").split()))
    yield ".SH LIMITS"
    yield _roff(" ".join(help_text.LINES.removeprefix("Lines: ").split()))


def _command(command: CommandModule, known: dict[tuple[str, ...], Line]) -> Iterator[str]:
    also = "".join(f", {alias}" for alias in aliases(command.NAME))
    yield f".SS {_roff(command.NAME)}{_roff(also)}"
    for path, line in known.items():
        if path[:1] == (command.NAME,):
            if path[1:]:
                yield f".PP\n.B {_roff(' '.join(path))}"
            yield _roff(line.about)
            yield from map(_option, line.options)
    if shown := examples(command):
        yield ".PP\nExamples:\n.nf"
        yield from (f"    {_roff(text)}" for text in shown)
        yield ".fi"
    said = ", ".join(f"{code} {meaning}" for code, meaning in exits(command).items())
    yield f".PP\nExit status: {_roff(said)}."


def _option(option: Option) -> str:
    names = ", ".join(f"\\fB{_roff(name)}\\fR" for name in option.names)
    values = f" {{{', '.join(option.choices)}}}" if option.choices else ""
    return f".TP\n{names}{_roff(values)}\n{_roff(option.about)}"


def _roff(text: str) -> str:
    r"""Write text that is not a request: `man` reads a "." or a "'" that begins a line as one."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
