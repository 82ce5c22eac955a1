"""What commands do for each text: answer it, or say why there is no answer, and go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli import rejection
from uriparse.cli.arguments import add_form
from uriparse.errors import MissingExtraError, UnknownRuleError, URIError, URISyntaxError
from uriparse.parsing import parse
from uriparse.parsing.inputs import REFERENCE_RULES
from uriparse.records.authority import mask

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from uriparse.cli.console import Console
    from uriparse.parsing import Record

URI_RULES = {"rfc3986": "URI", "rfc3987": "IRI"}
"""The rule of each grammar for references with a scheme."""


def for_each(sources: Sequence[str], console: Console, answer: Callable[[str], None]) -> int:
    """Answer each text, and report those that have no answer; 1 if there were such.

    answer: writes the answer for a text; a URIError says why there is none.

    UnknownRuleError and MissingExtraError are not about the text, and end the run.
    """
    code = 0
    for text in console.lines(sources):
        try:
            answer(text)
        except (UnknownRuleError, MissingExtraError):
            raise
        except URIError as error:
            rejection.report(error, text, console)
            code = 1
    return code


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare `--json`, `--show-passwords` and `--grammar`."""
    add_form(parser)
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


def masked(reference: Record) -> Record:
    """Give a reference with *** for its password."""
    if reference.userinfo is None:
        return reference
    return reference.replace(userinfo=mask(reference.userinfo))


def answer_each(
    sources: Sequence[str],
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
    rule = (URI_RULES if absolute else REFERENCE_RULES)[args.grammar]

    def tell(text: str) -> None:
        reference = parse(text, rule, grammar=args.grammar)
        line, facts = answer(reference)
        if args.json:
            again = str(shown(reference, console))
            console.json({**console.place, "text": again, "valid": True, **facts})
        else:
            console.out(line)

    return for_each(sources, console, tell)
