"""Scripts by which shells complete command lines, made of what the commands declare."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from uriparse.cli.commands import ALIASES
from uriparse.cli.parsers import parser_for, parsers_within

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


class Option(NamedTuple):
    """An option of a command.

    Attributes:
        names: its spellings.
        about: what help says of it.
        choices: the values that it takes; empty if it takes none, or any.
        takes: whether it takes a value.

    """

    names: tuple[str, ...]
    about: str
    choices: tuple[str, ...]
    takes: bool


class Line(NamedTuple):
    """A command, or a part of one.

    Attributes:
        path: the words that name it; of the whole, none.
        about: what help says of it.
        words: the commands, or parts, that may follow.
        options: in the order of its help.

    """

    path: tuple[str, ...]
    about: str
    words: tuple[str, ...]
    options: tuple[Option, ...]


def lines() -> Iterator[Line]:
    """Give the whole, then each command and each part of one."""
    waiting: list[tuple[tuple[str, ...], argparse.ArgumentParser]] = [((), parser_for([]))]
    while waiting:
        path, parser = waiting.pop(0)
        within = dict(parsers_within(parser))
        yield Line(path, _first_line(parser), tuple(within), tuple(_options(parser)))
        waiting += [((*path, name), found) for name, found in within.items()]


def _first_line(parser: argparse.ArgumentParser) -> str:
    return " ".join((parser.description or "").split())


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way in
        if action.option_strings:
            about = (action.help or "") % {**vars(action), "prog": parser.prog}
            choices = tuple(map(str, action.choices or ()))
            yield Option(tuple(action.option_strings), about, choices, action.nargs != 0)


def bash() -> str:
    """Give the script for bash: words by the command line so far, else names of files."""
    cases = "\n".join(
        f"    {shlex.quote(' '.join(line.path))})"
        f" words={shlex.quote(' '.join([*line.words, *_names(line)]))} ;;"
        for line in lines()
    )
    values = "\n".join(
        f"    {shlex.quote(' '.join([*line.path, name]))})"
        f" words={shlex.quote(' '.join(option.choices))} ;;"
        for line in lines()
        for option in line.options
        if option.choices
        for name in option.names
    )
    return _BASH.format(cases=cases, values=values, paths=_paths(), parents=_parents())


def zsh() -> str:
    """Give the script for zsh, to be sourced: it reads that for bash."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """Give the script for fish: a line for each word and option, with what it is for."""
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
        words.append(f"-x -a {_fish(' '.join(option.choices))}")
    elif option.takes:
        words.append("-r")
    return f"{' '.join(words)} -d {_fish(option.about)}"


def _fish(text: str) -> str:
    """Quote for fish, in which a backslash escapes within quotes too."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _names(line: Line) -> list[str]:
    return [name for option in line.options for name in option.names]


def _parents() -> str:
    """Give the paths after which a word is to come, not an argument."""
    return "|".join(shlex.quote(" ".join(line.path)) for line in lines() if line.words)


def _paths() -> str:
    return "|".join(shlex.quote(" ".join(line.path)) for line in lines() if line.path)


_BASH = """\
# bash completion for uriparse
_uriparse() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local path= word words=
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
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
