"""What commands do for each text: answer it, or say why there is no answer, and go on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.cli import rejection
from uriparse.cli.console import on_one_line
from uriparse.cli.parsers import NOT_SHOWN, add_form
from uriparse.errors import MissingExtraError, UnknownRuleError, URIError, URISyntaxError
from uriparse.parsing import parse, try_parse
from uriparse.parsing.parser import REFERENCE_RULES
from uriparse.records.authority import mask

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from uriparse.cli.console import Console
    from uriparse.parsing import Record

MARK = "invalid: "
"""Stands before an invalid line where there would be an answer."""

URI_RULES = {"rfc3986": "URI", "rfc3987": "IRI"}
"""The rule of each grammar for references with a scheme."""


def for_each(
    sources: Sequence[str],
    console: Console,
    answer: Callable[[str], str | None],
    *,
    refused: Callable[[str], None] | None = None,
) -> int:
    """Answer each text, and report those that have no answer; 1 if there were such.

    answer: writes the answer for a text; a URIError says why there is none. It gives the kind of
        the answer, or None, which is "valid", for `--count`.
    refused: what is done, besides, about a text that has no answer.

    UnknownRuleError and MissingExtraError are not about the text, and end the run.
    """
    counts = {"valid": 0, "invalid": 0}
    for text in console.lines(sources):
        try:
            kind = answer(text) or "valid"
        except (UnknownRuleError, MissingExtraError):
            raise
        except URIError as error:
            rejection.report(error, text, console)
            if refused is not None:
                refused(text)
            kind = "invalid"
        counts[kind] = counts.get(kind, 0) + 1
        _tell_of_a_file(text, console)
    console.count(counts)
    return 1 if counts["invalid"] else 0


def _tell_of_a_file(text: str, console: Console) -> None:
    """Say that an argument that is read as a reference is the name of a file, too."""
    if "argument" not in console.place or console.told or console.options.get("json"):
        return
    if os.path.isfile(text):  # noqa: PTH113 - a text that may be no path at all
        name = console.options["command"]
        console.error(f"help: this is a file, too; its lines are read by: uriparse {name} < FILE")


def add_options(parser: argparse.ArgumentParser, passwords: str = NOT_SHOWN) -> None:
    """Declare `--json`, `--show-passwords` and `--grammar`.

    passwords: what becomes of them where nothing is said.
    """
    add_form(parser, passwords)
    parser.add_argument(
        "--grammar", choices=REFERENCE_RULES, default="rfc3986", help="rfc3987 takes IRIs"
    )


def read_option(
    name: str, text: str, args: argparse.Namespace, console: Console, *, absolute: bool = True
) -> Record:
    """Parse what stands for the whole run, such as a base.

    absolute: whether it must have a scheme.

    RefusedOptionError, with the message told, if it cannot be used.
    """
    rule = (URI_RULES if absolute else REFERENCE_RULES)[args.grammar]
    try:
        return parse(text, rule, grammar=args.grammar)
    except URISyntaxError as error:
        raise rejection.report_option(error, name, text, console) from None


def shown(reference: Record, console: Console) -> Record:
    """Give a reference as it may be shown again: with *** for its password."""
    return reference if console.secrets else masked(reference)


def made(reference: Record, console: Console) -> Record:
    """Give a reference that the command has made: whole, or with *** by `--no-show-passwords`."""
    return masked(reference) if console.hides else reference


def made_text(text: str, console: Console) -> str:
    """Give a reference as `made` does, by its text; or any text without what may be a password."""
    if not console.hides:
        return text
    reference = try_parse(text)
    return console.made(text) if reference is None else str(masked(reference))


def masked(reference: Record) -> Record:
    """Give a reference with *** for its password."""
    if reference.userinfo is None:
        return reference
    return reference.replace(userinfo=mask(reference.userinfo))


def masked_beginning(text: str) -> str:
    """Give what was kept of a text without what may be a password, whose end may have been cut off.

    >>> masked_beginning("http://u:secr")
    'http://u:***'
    """
    return excerpt.masked(f"{text}@").removesuffix("@")


def marker(console: Console) -> Callable[[str], None]:
    """Give what answers an invalid line by MARK and the line, which together are no reference.

    So that answers stand beside their questions.
    """

    def mark(text: str) -> None:
        if "line" in console.place and not console.options.get("json"):
            console.line(f"{MARK}{on_one_line(console.shown(text))}")

    return mark


def answer_each(
    sources: Sequence[str],
    args: argparse.Namespace,
    console: Console,
    answer: Callable[[Record], tuple[str, dict[str, object]]],
    *,
    absolute: bool = False,
) -> int:
    """Answer each text by a line of its own, or, with `--json`, by facts; 1 if some were invalid.

    A line of input that is invalid has one as well (see `marker`).

    answer: gives both for a reference; "kind" among the facts is for `--count`, and not told.
    absolute: whether a text must have a scheme.
    """
    rule = (URI_RULES if absolute else REFERENCE_RULES)[args.grammar]

    def tell(text: str) -> str | None:
        reference = parse(text, rule, grammar=args.grammar)
        line, facts = answer(reference)
        kind = facts.pop("kind", None)
        if args.json:
            again = str(shown(reference, console))
            console.json({**console.place, "text": again, "valid": True, **facts})
        else:
            console.out(line)
        return None if kind is None else str(kind)

    return for_each(sources, console, tell, refused=marker(console))
