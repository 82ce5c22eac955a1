"""`uriparse database`: database URLs as SQLAlchemy has them, and how it quotes what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.console import on_one_line
from uriparse.cli.parsers import add_texts
from uriparse.cli.per_line import for_each
from uriparse.excerpt import MASK

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from uriparse.cli.console import Console, Span
    from uriparse.legacy.sqlalchemy import EngineURL

NAME = "database"
HELP = "read database URLs as SQLAlchemy does, and quote user names and passwords for them"
GROUP = "read"
EXAMPLES = (
    "uriparse database --version 1.3 'postgresql://user:p@ss@example.com/db'",
    "uriparse database --quote 'user@example.com'",
)

_USAGE = 2
_WIDTH = 12
_ABSENT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from uriparse.legacy.sqlalchemy import VERSIONS

    add_texts(parser, "url", "URL")
    way = parser.add_mutually_exclusive_group()
    for name, about in (
        ("quote", "encode each text, a user name or a password (by default as 1.4 does)"),
        ("unquote", "decode each text, a user name or a password as it stands in a URL"),
    ):
        way.add_argument(f"--{name}", action="store_const", dest="way", const=name, help=about)
    parser.add_argument(
        "--version",
        choices=VERSIONS,
        help="of SQLAlchemy; 2.0 is from 2.0.24 on (default: the newest, and where another one"
        " would connect to another host, the URL is refused)",
    )
    parser.add_argument(
        "--lossless", action="store_true", help='with --quote: encode "%%" too, to be undone'
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Show the parts of each URL, or quote each text; 1 if some were no database URLs."""
    if args.lossless and args.way != "quote":
        console.error("uriparse database: --lossless needs --quote")
        return _USAGE
    answer = _quoter(args, console) if args.way else _reader(args, console)
    return for_each(args.url, console, answer)


def _quoter(args: argparse.Namespace, console: Console) -> Callable[[str], None]:
    from uriparse.legacy.sqlalchemy import quote, unquote

    def answer(text: str) -> None:
        if args.way == "unquote":
            result = unquote(text)
        elif args.version is None:
            result = quote(text, lossless=args.lossless)
        else:
            result = quote(text, lossless=args.lossless, version=args.version)
        if args.json:
            again = text if console.secrets else MASK
            console.json({**console.place, "text": again, "valid": True, "result": result})
        else:
            console.out(on_one_line(result))

    return answer


def _reader(args: argparse.Namespace, console: Console) -> Callable[[str], None]:
    from uriparse.legacy.sqlalchemy import split_engine_url

    def answer(text: str) -> None:
        url = split_engine_url(text, version=args.version)
        if args.json:
            again = url.render(hide_password=not console.secrets)
            parts = url.parts(hide_password=not console.secrets)
            console.json({**console.place, "text": again, "valid": True, "parts": parts})
        else:
            _table(url, console)

    return answer


def _table(url: EngineURL, console: Console) -> None:
    spans: list[Span] = [(url.render(hide_password=not console.secrets), ""), ("\n", "")]
    for name, value in url.parts(hide_password=not console.secrets).items():
        shown = _ABSENT if value is None else value or '""'
        spans += [(f"  {name:<{_WIDTH}}", "faint"), (shown, "path"), ("\n", "")]
    console.styled(spans)
