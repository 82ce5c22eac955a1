"""The manual page, in the words of the help texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli import help_text
from uriparse.cli.commands import aliases, examples, exits, grouped
from uriparse.cli.completion import lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.cli.commands import Command
    from uriparse.cli.completion import Line, Option


def page() -> str:
    """Give the page in the language of man(7)."""
    return "\n".join(_rows()) + "\n"


def _rows() -> Iterator[str]:
    known = {line.path: line for line in lines()}
    yield '.TH URIPARSE 1 "" "" "User Commands"'
    yield ".SH NAME"
    yield f"uriparse \\- {_roff(help_text.ABOUT)}"
    yield ".SH SYNOPSIS"
    yield ".B uriparse\n.I URI ...\n.br\n.B uriparse\n.I COMMAND\n[ARGUMENTS]"
    for title, commands in grouped().items():
        yield f".SH {_roff(title.upper())}"
        for command in commands:
            yield from _command(command, known)
    yield ".SH EXIT STATUS"
    for code, meaning in {0: "all valid", 1: "some invalid", **help_text.EXITS}.items():
        yield f".TP\n{code}\n{_roff(meaning)}"
    yield ".SH PASSWORDS"
    yield _roff(" ".join(help_text.PASSWORDS.removeprefix("Passwords: ").split()))


def _command(command: Command, known: dict[tuple[str, ...], Line]) -> Iterator[str]:
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
    r"""Write text so that it is no request: `man` reads a "." or a "'" that begins a line as one.

    >>> print(_roff(".a-b\\"))
    \&.a\-b\e
    """
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
