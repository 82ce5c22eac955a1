"""The commands: a module `uriparse.cli.<name>_command` for each, imported when it is asked for."""

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Protocol, cast

from uriparse._base.migration_hints import foreign_names
from uriparse.cli.console import Console

COMMANDS = (
    *("parse", "get", "tree", "set", "resolve", "normalize", "redact", "compare", "url", "find"),
    *("validate", "explain", "diff", "match", "conformance", "legacy", "help"),
)
"""In the order of the help text. A new command adds its name here and its module beside this one.

At most 16 besides `help`, which the front page names below its list: what few people need is an
option, or a part of `legacy` or `conformance`.
"""

ALIASES = {"check": "validate"}
"""Other names of commands."""


def near_word(word: str) -> str | None:
    """Return what to write for a word that names no command, in any spelling; None if unknown."""
    plain = word[:1].lower() + word[1:].lower().replace("-", "").replace("_", "")
    line = foreign_names("command").get(plain)
    return None if line is None else line.replace("WORD", plain)


PACKAGES = dict.fromkeys(("diff", "conformance"), "uriparse.conformance.commands")
"""The packages of commands that are not in `uriparse.cli`; nothing here imports these otherwise."""

GROUPS = ("read", "write", "check", "grammars")
"""In the order of the help text; commands of other groups come after."""

_EXITS = {0: "all valid", 1: "some invalid"}


class CommandModule(Protocol):
    """What a command module holds.

    Besides, if it likes: GROUP, a heading of help; EXAMPLES, two command lines; EXITS, what the
    exit codes 0 and 1 mean.
    """

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace, console: Console) -> int:
        """Do the work and return the exit code."""


def load(name: str) -> CommandModule:
    """Import a command."""
    package = PACKAGES.get(name, "uriparse.cli")
    return cast("CommandModule", import_module(f"{package}.{name.replace('-', '_')}_command"))


def aliases(name: str) -> list[str]:
    """Return the other names of a command."""
    return [alias for alias, meant in ALIASES.items() if meant == name]


def grouped() -> dict[str, list[CommandModule]]:
    """Return the commands by their groups, both in the order of the help text; without `help`."""
    groups: dict[str, list[CommandModule]] = {name: [] for name in GROUPS}
    for name in COMMANDS[:-1]:
        command = load(name)
        groups.setdefault(getattr(command, "GROUP", "more"), []).append(command)
    return {name: commands for name, commands in groups.items() if commands}


def examples(command: CommandModule) -> Sequence[str]:
    """Return the example command lines of a command."""
    return cast("Sequence[str]", getattr(command, "EXAMPLES", ()))


def exits(command: CommandModule) -> Mapping[int, str]:
    """Return what the exit codes 0 and 1 of a command mean."""
    return cast("Mapping[int, str]", getattr(command, "EXITS", _EXITS))
