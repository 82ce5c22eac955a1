"""Where the parts write: to standard output, or to a file that is named."""

from __future__ import annotations

import argparse
from contextlib import contextmanager
from typing import TYPE_CHECKING

from uriparse.cli.arguments import add_force
from uriparse.cli.console import Gate, standard_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare `--out` and `--force`."""
    parser.add_argument(
        *("-o", "--out"),
        type=_named,
        metavar="FILE",
        help="write here, not to standard output",
    )
    add_force(parser)


@contextmanager
def output(args: argparse.Namespace, *read: str | None) -> Iterator[Callable[[], Gate]]:
    """Find out whether there is somewhere to write to, before work begins that takes minutes.

    args: with `out`, the name of the file, "-" or None for standard output; and `force`.
    read: names of files, "-" for standard input.

    Gives what begins to write. The file is in its place when the block ends, if anything was
    begun. OSError if it cannot be written, is one of those that are read, or is there already.
    """
    if args.out in {None, "-"}:
        yield standard_output
        return
    from abnf2lark.outputs import Outputs

    is_begun = False

    def begin() -> Gate:
        nonlocal is_begun
        is_begun = True
        return Gate(file)

    with Outputs(force=args.force, read=read) as files:
        file = files.text(args.out)
        yield begin
        if not is_begun:
            files.discard()


def _named(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("there is no name of a file")
    return text
