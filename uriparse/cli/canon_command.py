"""`uriparse canon`: cache keys, and the steps that make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.console import on_one_line
from uriparse.cli.parsers import RESULTS_WHOLE, add_texts
from uriparse.cli.per_line import for_each, marker, shown
from uriparse.parsing import parse

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from uriparse.cli.console import Console
    from uriparse.legacy.cache_key import Shown

NAME = "canon"
HELP = "give the cache key of each URL: one key for all texts that mean the same"
GROUP = "write"
EXAMPLES = (
    "uriparse canon HTTP://example.com:80/%7Eu",
    "uriparse canon --profile wwwoffle --steps < urls.txt",
)
EXITS = {0: "all have a key", 1: "some have none"}

_USAGE = 2
_FOR_WWWOFFLE = {"localhost": None, "params": None, "preserve_encoded_slash": False}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "url", "URL", passwords=RESULTS_WHOLE)
    parser.add_argument(
        "--profile",
        choices=("rfc3986", "wwwoffle"),
        default="rfc3986",
        help="rfc3986 takes URIs, wwwoffle any text",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--file-name", action="store_true", help="a file name made of the key")
    form.add_argument("--steps", action="store_true", help="the key after each step as well")
    options = parser.add_argument_group("with --profile wwwoffle")
    options.add_argument("--localhost", metavar="HOST:PORT", help='where "/path" lies')
    options.add_argument(
        "--params", choices=("split", "path"), help='whether ";" ends the path (default: split)'
    )
    options.add_argument(
        "--preserve-encoded-slash", action="store_true", help='keep "%%2F" apart from "/"'
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the key of each input; 1 if some have none."""
    if args.profile != "wwwoffle":
        for name, default in _FOR_WWWOFFLE.items():
            if getattr(args, name) != default:
                option = name.replace("_", "-")
                console.error(f"uriparse canon: --{option} needs --profile wwwoffle")
                return _USAGE
    explain = _explainer(args)

    def answer(text: str) -> None:
        steps = list(explain(text))  # which refuses texts as they came
        if console.hides:
            steps = list(explain(_echo(text, args, console)))
            if args.profile == "wwwoffle":  # which reads any text, and puts --localhost before some
                steps = [step._replace(key=console.made(step.key)) for step in steps]
        _show(text, steps, args, console)

    refused = None if args.steps else marker(console)
    return for_each(args.url, console, answer, refused=refused)


def _explainer(args: argparse.Namespace) -> Callable[[str], Iterator[Shown]]:
    from uriparse.legacy.cache_key import RFC3986, wwwoffle_profile
    from uriparse.legacy.wwwoffle import LOCALHOST

    if args.profile == "rfc3986":
        return RFC3986.explain
    return wwwoffle_profile(
        localhost=args.localhost or LOCALHOST,
        params=args.params or "split",
        preserve_encoded_slash=args.preserve_encoded_slash,
    ).explain


def _echo(text: str, args: argparse.Namespace, console: Console) -> str:
    """Give a text as it may be shown again; WWWOFFLE has passwords where RFC 3986 has none."""
    return str(shown(parse(text), console)) if args.profile == "rfc3986" else console.shown(text)


def _show(text: str, steps: list[Shown], args: argparse.Namespace, console: Console) -> None:
    from uriparse.legacy.cache_key import file_name

    key = steps[-1].key
    if args.json:
        again = _echo(text, args, console)
        answer: dict[str, object] = {"text": again, "valid": True, "key": key}
        if args.file_name:
            answer["file_name"] = file_name(key)
        if args.steps:
            answer["steps"] = [{"name": step.name, "key": step.key} for step in steps]
        console.json({**console.place, **answer})
    elif args.file_name:
        console.out(file_name(key))
    elif args.steps:
        width = max(len(step.name) for step in steps)
        for step in steps:
            console.styled([(f"{step.name:{width}}  ", "faint"), (step.key, "")])
    else:
        console.out(on_one_line(key))
