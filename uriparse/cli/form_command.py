"""`uriparse form`: form arguments as WWWOFFLE has them, taken apart or put into one encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.console import on_one_line
from uriparse.cli.parsers import RESULTS_WHOLE, add_texts
from uriparse.cli.per_line import for_each

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from uriparse.cli.console import Console, Span

NAME = "form"
HELP = "read form arguments and bodies of forms as WWWOFFLE does: any text has some"
GROUP = "read"
EXAMPLES = (
    "uriparse form 'q=a%20b&u=http%3A%2F%2Fexample.com%2F'",
    "uriparse form --encode 'http://example.com/?a=b&c=d e'",
)
EXITS = {0: "always, of a text"}

_ABSENT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "arguments", "ARGUMENTS", passwords=RESULTS_WHOLE)
    form = parser.add_mutually_exclusive_group()
    for name, about in (
        ("recode", "write the arguments in the one encoding that WWWOFFLE gives them"),
        ("encode", "encode each text as one name or value, as a URL that is an argument"),
        ("decode", "decode each text as one name or value"),
    ):
        form.add_argument(f"--{name}", action="store_const", dest="way", const=name, help=about)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write names and values, decoded, a pair a line; or the text in another encoding."""
    from uriparse.legacy.wwwoffle import decode_form, encode_form, recode_form_args

    ways: dict[str, Callable[[str], str]] = {
        "recode": recode_form_args,
        "encode": encode_form,
        "decode": decode_form,
    }

    def answer(text: str) -> None:
        if args.way is None:
            _pairs(text, args, console)
            return
        result = console.made(ways[args.way](console.made(text)))
        if args.json:
            again = console.shown(text)
            console.json({**console.place, "text": again, "valid": True, "result": result})
        else:
            console.out(on_one_line(result))  # one line for each text

    return for_each(args.arguments, console, answer)


def _pairs(text: str, args: argparse.Namespace, console: Console) -> None:
    from uriparse.legacy.wwwoffle import parse_form_args, recode_form_args

    data = console.made(text)  # before it is split, since a password may hold what splits pairs
    pairs = [
        (console.made(name), None if value is None else console.made(value))
        for name, value in parse_form_args(data)
    ]
    if args.json:
        facts = {"text": console.shown(text), "valid": True, "pairs": pairs}
        console.json({**console.place, **facts, "recoded": recode_form_args(data)})
        return
    spans: list[Span] = []
    for name, value in pairs:
        shown = _ABSENT if value is None else value
        spans += [(name or '""', ""), ("  ", ""), (shown or '""', "good"), ("\n", "")]
    console.styled(spans)
