"""The program curl, which is asked what it would do and never lets it happen.

All its protocols are switched off, so that it reads a URL and then refuses it, before it looks up a
name; were one on, it would have to connect to a socket that cannot be. No file of options is read.
The URL comes on standard input: others on the machine see arguments, and a URL may hold a password.
"""

from __future__ import annotations

import json
from functools import partial
from shutil import which
from subprocess import DEVNULL, run
from typing import TYPE_CHECKING

from uriparse.cli.readers.python.answers import Answer, PythonReader, RefusedError, UnfitError

if TYPE_CHECKING:
    from collections.abc import Collection

FIRST = (8, 1, 0)
"""The first version that tells the parts of a URL (`--write-out`)."""

_OPTIONS = (
    *("-q", "--silent", "--globoff", "--noproxy", "*", "--proto", "-all"),
    *("--unix-socket", "/dev/null/none", "--write-out", "%{json}\n", "--config", "-"),
)
_OFF = 1
"""The exit code for a protocol that is switched off, and for one that is not known."""

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


def curl() -> PythonReader:
    """Give the program on PATH; ModuleNotFoundError without one, UnfitError for an old one."""
    program = which("curl")
    if program is None:
        raise ModuleNotFoundError("no program curl")
    said = run([program, "-q", "--version"], capture_output=True, check=True, stdin=DEVNULL).stdout  # noqa: S603 - found on PATH
    version, protocols = facts(said.decode("ascii", "replace"))
    if tuple(int(number) for number in version.split(".") if number.isdigit()) < FIRST:
        raise UnfitError(f"needs curl {'.'.join(map(str, FIRST))} or later, found {version}")
    return PythonReader(version, partial(read, program, protocols))


def facts(said: str) -> tuple[str, frozenset[str]]:
    r"""Find the version of curl and its protocols in what `curl --version` says.

    >>> version, protocols = facts("curl 8.1.2 (x86_64) libcurl/8.1.2\nProtocols: ftp http\n")
    >>> version, sorted(protocols)
    ('8.1.2', ['ftp', 'http'])
    """
    first, *lines = said.splitlines() or [""]
    version = first.removeprefix("curl ").partition(" ")[0].partition("-")[0]
    protocols = (line.split()[1:] for line in lines if line.startswith("Protocols:"))
    return version, frozenset().union(*protocols)


def read(program: str, protocols: Collection[str], text: str) -> Answer:
    """Ask curl about a text."""
    if "\0" in text:
        raise RefusedError("a NUL cannot be passed")
    config = f'url = "{text.translate(_ESCAPES)}"\n'.encode("utf-8", "surrogateescape")
    done = run([program, *_OPTIONS], input=config, capture_output=True, check=False)  # noqa: S603 - found on PATH
    if done.returncode != _OFF or not done.stdout:
        raise RefusedError(f"exit code {done.returncode}")
    return answer(done.stdout.decode("utf-8", "surrogateescape"), protocols)


def answer(written: str, protocols: Collection[str]) -> Answer:
    """Read what curl writes of a URL that it would have fetched.

    RefusedError where that is of a protocol that it does not have.
    """
    parts = json.loads(written)
    if parts["url.scheme"] not in protocols:
        raise RefusedError(f"exit code {_OFF}")
    path, query = parts["url.path"] or "", parts["url.query"]
    return {
        "scheme": parts["url.scheme"],
        "host": parts["url.host"],
        "port": parts["url.port"],
        "target": path if query is None else f"{path}?{query}",
    }
