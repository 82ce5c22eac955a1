"""Help: short, whole, and by command."""

import shutil
import textwrap
from collections.abc import Iterable

from uriparse.cli.commands import CommandModule, aliases, examples, exits, grouped

# Text in columns: what it is about in front, and its lines one below the other.

_LEAST = 20
"""Columns that the text has at least; where there are fewer, it begins on a line of its own."""

_INDENT = 4


def hung(front: str, text: str, width: int | None) -> str:
    """Return a text after what is in front of it, broken into lines that fit.

    width: columns; None to break nothing.

    >>> print(hung("  a  ", "one two three four five six", 25))
      a  one two three four
         five six
    >>> print(hung("  a long name in front  ", "one two three four five six", 25))
      a long name in front
        one two three four
        five six
    """
    if width is None:
        return front + text
    indent = " " * len(front)
    if width - len(front) < _LEAST:
        indent = " " * _INDENT
        return f"{front.rstrip()}\n{_filled(text, max(width, _INDENT + _LEAST), indent, indent)}"
    return _filled(text, width, front, indent)


def _filled(text: str, width: int, first: str, others: str) -> str:
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False
    )


# What may have been meant by a word that nobody knows.


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Ask for the known word that is nearest to one, or return None if none is near.

    >>> did_you_mean("--jsno", ["--json", "--rule"])
    'did you mean --json?'
    """
    from difflib import get_close_matches

    bare = {one.lstrip("-"): one for one in known}  # or two hyphens would make all options alike
    near = get_close_matches(word.lstrip("-"), list(bare), 1, cutoff)
    return f"did you mean {bare[near[0]]}?" if near else None


# What help says: the short help, the whole, and the end of each command's help.

ABOUT = "Validate and parse URIs, exactly by the RFCs' own grammars."

EXITS = {
    2: "wrong usage, or an error while reading or writing",
    70: "a bug in uriparse",
    130: "after Ctrl-C",
    141: "when the reader of the output has closed the pipe",
}
"""What exit codes mean in all commands."""

PASSWORDS = """\
Passwords: messages, drawings, tables, trees, plans and the "text" of JSON objects show *** for a
password; in an invalid text, for everything that may be one. Results stay whole: the references
and keys that `set`, `resolve`, `normalize` and `legacy` make, the parts that `get` prints, the
texts that `validate` sorts, and those that --invalid keep leaves in place.
--show-passwords shows passwords everywhere, --no-show-passwords masks them everywhere."""

TERMINALS = """\
Terminals: on a terminal, control characters of the input are escaped in all output. Files and
pipes get every byte unchanged."""

LINES = """\
Lines: a line of more than 1 MiB is an error of this line, and the next ones are answered. A file of
--policy or --grammar that is larger is an error as well."""

_HELP = """\
`uriparse help COMMAND` describes a command, `uriparse help --man` writes the manual page, and
`uriparse help --completion SHELL` a script for completion."""

WIDEST = 120
"""Columns of help at most: longer lines are hard to read."""

_EXAMPLES = (
    "uriparse 'http://example.com:80/a?q#f'",
    "cat urls | uriparse normalize",
    "uriparse validate --policy web --file urls.txt",
)

_SHORT = """\
{about}

usage: uriparse URI ...             draw the components of URIs
       uriparse COMMAND [...]       commands read a pipe line by line

{groups}

examples:
{examples}

`uriparse help COMMAND` describes one, `uriparse --help` lists all.
"""

_WHOLE = """\
usage: uriparse URI ...
       uriparse COMMAND [ARGUMENTS]

{about}

{groups}

options:
{options}"""


def width() -> int:
    """Columns that help may take."""
    return min(shutil.get_terminal_size().columns, WIDEST)


def short() -> str:
    """Return what fits a screen of 24 lines and 80 columns: the commands, each by its name."""
    groups = {
        title: "  ".join(command.NAME for command in commands)
        for title, commands in grouped().items()
    }
    return _SHORT.format(
        about=ABOUT, groups=_table(groups), examples=textwrap.indent("\n".join(_EXAMPLES), "  ")
    )


def whole() -> str:
    """Return the commands by their groups, a line for each, and what holds for all."""
    names = {
        title: {_names(command): command.HELP for command in commands}
        for title, commands in grouped().items()
    }
    size = max(len(name) for rows in names.values() for name in rows)
    groups = [f"{title}:\n{_table(rows, size)}" for title, rows in names.items()]
    options = {
        "-h, --help": "show this help and exit; after a command, that of the command",
        "--version": "show the version and exit",
    }
    exits = _exits({0: "all valid", 1: "some invalid"})
    parts = map(filled, (_HELP, exits, PASSWORDS, TERMINALS, LINES))
    head = [_WHOLE.format(about=ABOUT, groups="\n\n".join(groups), options=_table(options, size))]
    return "\n\n".join([*head, *parts, ""]).removesuffix("\n")


def below(command: CommandModule) -> str:
    """Return the end of a command's help: examples and exit codes."""
    shown = textwrap.indent("\n".join(examples(command)), "  ")
    parts = [f"examples:\n{shown}"] if shown else []
    return "\n\n".join([*parts, filled(_exits({**exits(command)}))])


def _names(command: CommandModule) -> str:
    others = aliases(command.NAME)
    return f"{command.NAME} ({', '.join(others)})" if others else command.NAME


def _exits(own: dict[int, str]) -> str:
    said = ", ".join(f"{code} {meaning}" for code, meaning in {**own, **EXITS}.items())
    return f"Exit codes: {said}."


def filled(text: str) -> str:
    """Break text into lines that fit."""
    return textwrap.fill(text, width(), break_on_hyphens=False, break_long_words=False)


def _table(rows: dict[str, str], size: int = 0) -> str:
    """Return a line for each row, its name and what it says in columns."""
    size = max(size, *map(len, rows))
    return "\n".join(hung(f"  {name:{size}}  ", text, width()) for name, text in rows.items())
