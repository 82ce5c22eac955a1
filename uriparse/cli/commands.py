"""The commands: a module `uriparse.cli.<name>_command` for each, imported when it is asked for."""

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Protocol, cast

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

NEAR_WORDS: Mapping[str, str] = {
    word: command
    for command, words in {
        "get -f '{WORD}' URI": "scheme authority userinfo user host port origin path query"
        " fragment password",
        "get -f '{host}' URI": "hostname domain netloc tld",
        "get -f '{path:decoded}' URI": "decode unquote unescape urldecode percentdecode",
        "get -f '{query_pairs}' URI": "params queryparams args",
        "parse --json URI": "json split urlsplit urlparse components dump info show inspect print",
        "parse URI": "why diagnose read",
        "tree URI": "ast derivation",
        "set --host HOST URI": "edit change replace make build create modify new update compose",
        "set --set-query 'q=a b' URI": "encode quote escape urlencode percentencode",
        "resolve --base BASE REF": "join urljoin absolute absolutize",
        "normalize URI": "canonicalize canonicalise canonical clean sort norm",
        "normalize --to uri --grammar rfc3987 URI": "idna idn punycode toascii touri iri2uri",
        "normalize --to iri URI": "iri toiri tounicode",
        "normalize --key scheme URI": "key dedupe dedup uniq unique deduplicate fingerprint",
        "normalize --key surt URI": "surt",
        "compare URI URI": "same equal equals equivalent cmp eq",
        "find FILE": "extract grep links urls scan search",
        "redact FILE": "mask sanitize sanitise hide scrub anonymize",
        "validate URI": "valid isvalid lint safe verify test assert ssrf",
        "url --plan URI": "plan fetch curl open request",
        "match --rule host TEXT": "pattern regex fullmatch",
        "explain": "codes findings",
        "help --man": "man manual",
        "help --completion bash": "completion completions complete",
        "--version": "version",
    }.items()
    for word in words.split()
}
"""What to write for a word that names no command, in lower case and without "-" and "_"."""


def near_word(word: str) -> str | None:
    """Return what to write for a word that names no command, in any spelling; None if unknown."""
    plain = word[:1].lower() + word[1:].lower().replace("-", "").replace("_", "")
    return NEAR_WORDS[plain].replace("WORD", plain) if plain in NEAR_WORDS else None


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
