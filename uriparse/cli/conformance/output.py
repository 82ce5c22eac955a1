"""Where the parts write: to standard output, or to a file that is named."""

from __future__ import annotations

import argparse
import errno
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from uriparse.cli import interrupts
from uriparse.cli.console import Gate, standard_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeGuard


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare `--out`."""
    parser.add_argument(
        *("-o", "--out"),
        type=_named,
        metavar="FILE",
        help="write here, not to standard output; a file that is there is replaced",
    )


@contextmanager
def output(name: str | None, *read: str | None) -> Iterator[Callable[[], Gate]]:
    """Find out whether there is somewhere to write to, before work begins that takes minutes.

    name: of the file; "-" or None for standard output.

    Gives what begins to write. A file is emptied only then; one that nothing came of goes again.
    OSError if it cannot be written, or is one of those that are read.
    """
    if name in {None, "-"}:
        yield standard_output
        return
    path = Path(name)
    if path.is_file() and any(Path(other).samefile(path) for other in read if _is_file(other)):
        raise OSError(errno.EEXIST, "it is what is read; give another name", name)
    is_new = not path.exists()

    def begin() -> Gate:
        nonlocal is_new
        is_new = False
        if path.is_file():  # neither a pipe nor a device
            file.truncate(0)
        return Gate(file)

    def clean() -> None:
        if is_new:
            path.unlink(missing_ok=True)

    with path.open("a", encoding="utf-8", newline="\n") as file:
        interrupts.do_first(clean)
        try:
            yield begin
        finally:
            interrupts.leave(clean)
            clean()


def _is_file(name: str | None) -> TypeGuard[str]:
    return name is not None and Path(name).is_file()


def _named(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("there is no name of a file")
    return text
