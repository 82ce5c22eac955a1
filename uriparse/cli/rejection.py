"""Say why a text has no answer: to people on standard error, to programs as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.errors import URIError, URISyntaxError

if TYPE_CHECKING:
    from uriparse.cli.console import Console

_NOT_UTF8 = re.compile("[\udc80-\udcff]")


class RefusedOptionError(Exception):
    """The value of an option cannot be used, and this has been reported."""


def report(error: URIError, text: str, console: Console) -> None:
    """Say what is wrong with a text: one JSON object if `--json` was given, or else a message.

    Nothing where only numbers, or nothing, is to be told of texts.
    """
    if console.told is not None:
        return
    if console.options.get("json"):
        console.json({**console.place, **described(error, text, console)})
    else:
        console.error("\n".join(_lines(error, text, console)))


def report_option(error: URIError, name: str, text: str, console: Console) -> RefusedOptionError:
    """Say what is wrong with the text that was given by an option."""
    console.where, console.place, console.told = f"{name}: ", {"option": name}, None
    report(error, text, console)
    return RefusedOptionError(name)


def described(error: URIError, text: str, console: Console) -> dict[str, object]:
    """Give the facts for JSON; `valid` is null where the text is not at fault.

    message: what is wrong, the cause first.
    cause: its name in `uriparse.diagnosis.CAUSES`; null if there is none.
    offset: in characters from 0, as for a caret; null where no character is at fault.
    found: the character there; "***" if it may be of a password, null at the end of the text.
    help: what to do about it, in the words of the command line.
    """
    facts: dict[str, object] = dict.fromkeys(
        ("message", "cause", "offset", "component", "rule", "expected", "found", "help")
    )
    facts["message"] = reason(error, console)
    if isinstance(error, URISyntaxError):
        hidden = not console.secrets and excerpt.is_masked(error.text, error.offset)
        facts |= {
            "cause": error.cause,
            "offset": error.offset,
            "component": error.component,
            "rule": error.rule,
            "expected": list(error.expected),
            "found": excerpt.MASK if hidden else error.found,
            "help": remedy(error, console),
        }
    valid = False if isinstance(error, URISyntaxError) else None
    return {"text": console.shown(text), "valid": valid, "error": facts}


def reason(error: URIError, console: Console) -> str:
    """Say what is wrong in one line: the cause, or the plain truth about what was no text."""
    if not isinstance(error, URISyntaxError):
        return console.shown(str(error))
    if error.found is not None and _NOT_UTF8.fullmatch(error.found):
        return f"byte 0x{ord(error.found) - 0xDC00:02X} at offset {error.offset} is not UTF-8"
    return error.reason


def remedy(error: URISyntaxError, console: Console) -> str | None:
    """Say what to do, in options of the command where there are such; None if nobody knows."""
    if error.found is not None and _NOT_UTF8.fullmatch(error.found):
        return "give the text in UTF-8"
    offers = [error.remedy]
    if error.argument is not None and error.argument.name in console.options:
        effect, name, value = error.argument
        option = f"--{name.replace('_', '-')}"
        offers.append(f"{effect}: {option if value is True else f'{option} {value}'}")
    if error.cause == "no-scheme" and console.options.get("base", "given") is None:
        offers.append("say what it is relative to: --base URI")
    return ", or ".join(filter(None, offers)) or None


def _lines(error: URIError, text: str, console: Console) -> list[str]:
    """Give the lines of a message: cause, excerpt with caret, what was expected, what to do."""
    lines = [f"error: {reason(error, console)}"]
    if not isinstance(error, URISyntaxError):
        return lines
    from uriparse.diagnosis import join_words

    pointer = excerpt.pointer(error.text, error.offset, secrets=console.secrets)
    lines += [f"  {line}" for line in pointer.split("\n")]
    if error.expected:
        lines.append(f"expected: {join_words(error.expected)}")
    helps = [remedy(error, console)]
    if not console.secrets and excerpt.is_masked(text, error.offset):
        helps.append("--show-passwords shows what is masked")
    if any(helps):
        lines.append(f"help: {'; '.join(filter(None, helps))}")
    return lines
