"""The arguments that commands share."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from uriparse.percent import SEPARATORS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from uriparse.percent import Separator

_SOURCES = 'a text; "-", or none, reads standard input, one a line'

NOT_SHOWN = "not shown"
RESULTS_WHOLE = "shown in results, and nowhere else"


def add_texts(
    parser: argparse.ArgumentParser,
    name: str,
    metavar: str,
    about: str = _SOURCES,
    passwords: str = NOT_SHOWN,
) -> None:
    """Declare the texts that a command answers, and how its answers look."""
    add_sources(parser, name, metavar, about)
    add_form(parser, passwords)


def add_sources(
    parser: argparse.ArgumentParser, name: str, metavar: str, about: str = _SOURCES
) -> None:
    """Declare the texts that a command answers; without one, it reads standard input."""
    parser.add_argument(name, nargs="*", metavar=metavar, help=about)
    parser.set_defaults(sources=name)
    add_nul(parser)


def add_nul(parser: argparse._ActionsContainer) -> None:
    """Declare `-0`; `Console` reads and writes accordingly."""
    parser.add_argument(
        *("-0", "--null"),
        action="store_true",
        dest="nul_ends",
        help="texts of standard input, and answers other than JSON, end with NUL, not lines",
    )


def add_form(parser: argparse.ArgumentParser, passwords: str = NOT_SHOWN) -> None:
    """Declare `--json`, `--count`, `--quiet` and `--show-passwords`."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    told = parser.add_mutually_exclusive_group()
    for short, name, const, about in (
        ("-c", "--count", "count", "tell the numbers alone"),
        ("-q", "--quiet", "nothing", "tell by the exit code alone"),
    ):
        told.add_argument(short, name, action="store_const", dest="told", const=const, help=about)
    add_passwords(parser, passwords)


def add_query_reading(parser: argparse._ActionsContainer) -> None:
    """Declare how queries of pairs are read; see `query_reading`."""
    parser.add_argument(
        "--separator",
        choices=SEPARATORS,
        default="&",
        help="what ends a pair of a query; '&;': either one (default: '&')",
    )
    parser.add_argument(
        "--literal-plus", action="store_true", help='read "+" in a query as itself, not as a space'
    )


def query_reading(args: argparse.Namespace) -> tuple[bool, Separator]:
    """Return what the functions of `uriparse.building` call `plus` and `separator`."""
    return not args.literal_plus, args.separator


def whole_number(what: str) -> Callable[[str], int]:
    """Give the type of an argument that is a number of something: ASCII digits, nine at most."""

    def read(given: str) -> int:
        if not (given.isascii() and given.isdigit() and len(given) < len("1000000000")):
            raise ArgumentTypeError(f"a number of {what}, not {given!r}")
        return int(given)

    return read


def add_force(parser: argparse._ActionsContainer) -> None:
    """Declare `--force`, beside options that name a file to write."""
    parser.add_argument("--force", action="store_true", help="replace a file that is there already")


def add_passwords(parser: argparse._ActionsContainer, default: str = NOT_SHOWN) -> None:
    """Declare `--show-passwords`: True, False, or None where nothing is said of it.

    default: what that means for the texts of the command.
    """
    from argparse import BooleanOptionalAction

    parser.add_argument(
        "--show-passwords",
        action=BooleanOptionalAction,
        help=f"whether passwords are shown, or *** for them (default: {default})",
    )
