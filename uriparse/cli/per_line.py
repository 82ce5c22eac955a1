"""What the commands share that answer each text with one line: their options and their loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli import rejection
from uriparse.errors import URISyntaxError
from uriparse.parsing import parse
from uriparse.parsing.inputs import REFERENCE_RULES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from uriparse.cli.console import Console
    from uriparse.parsing import Record

URI_RULES = {"rfc3986": "URI", "rfc3987": "IRI"}
"""The rule of each grammar for references with a scheme."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare `--json` and `--grammar`."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--grammar", choices=REFERENCE_RULES, default="rfc3986", help="rfc3987 takes IRIs"
    )


def read(text: str, args: argparse.Namespace, *, absolute: bool = False) -> Record:
    """Parse a text in the grammar that was asked for; URISyntaxError if it is none."""
    rules = URI_RULES if absolute else REFERENCE_RULES
    return parse(text, rules[args.grammar], grammar=args.grammar)


def answer_each(
    sources: list[str],
    args: argparse.Namespace,
    console: Console,
    answer: Callable[[Record], tuple[str, dict[str, object]]],
    *,
    absolute: bool = False,
) -> int:
    """Answer each text by a line of its own, or, with `--json`, by facts; 1 if some were invalid.

    answer: gives both for a reference.
    absolute: whether a text must have a scheme.
    """
    code = 0
    for text in console.lines(sources):
        try:
            reference = read(text, args, absolute=absolute)
        except URISyntaxError as error:
            (rejection.as_object if args.json else rejection.as_text)(error, console)
            code = 1
            continue
        line, facts = answer(reference)
        if args.json:
            console.json({**console.place, "text": text, "valid": True, **facts})
        else:
            console.out(line)
    return code
