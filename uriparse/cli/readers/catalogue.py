"""The readers that can be asked: what each is called, what it needs, how it is started."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader that may be on this machine.

    Attributes:
        name: as in the output.
        needs: a module for a reader in Python, else a program on PATH.
        arguments: what follows the interpreter's name.
        is_python: whether it runs in our own interpreter.

    """

    name: str
    needs: str
    arguments: tuple[str, ...]
    is_python: bool = False

    def command(self) -> list[str] | None:
        """Give the command that starts it, None where what it needs is not there."""
        if self.is_python:
            return [sys.executable, *self.arguments] if find_spec(self.needs) else None
        program = which(self.needs)
        return None if program is None else [program, *self.arguments]


def _python(name: str, needs: str) -> Reader:
    module = "uriparse.cli.readers.python.serving"
    return Reader(name, needs, ("-P", "-X", "utf8", "-m", module, name), is_python=True)


def _program(name: str, needs: str, *arguments: str) -> Reader:
    """Make a reader in another language; an argument with a file's suffix is one of `programs`."""
    found = tuple(
        str(PROGRAMS / argument) if (PROGRAMS / argument).is_file() else argument
        for argument in arguments
    )
    return Reader(name, needs, found)


_JAVA = ("-XX:TieredStopAtLevel=1", "-Xmx256m", "read.java")

READERS = (
    _python("urllib.parse", "urllib.parse"),
    _python("urllib.request", "urllib.request"),
    _python("urllib3", "urllib3"),
    _python("requests", "requests"),
    _python("httpx", "httpx"),
    _python("yarl (aiohttp)", "yarl"),
    _python("tornado", "tornado"),
    _python("twisted", "twisted"),
    _python("ada-url", "ada_url"),
    _python("pydantic", "pydantic"),
    _python("rfc3986", "rfc3986"),
    _python("libcurl", "ctypes"),
    _python("pycurl", "pycurl"),
    _python("curl", "subprocess"),
    _program("node URL", "node", "read.js", "URL"),
    _program("node url.parse", "node", "read.js", "url.parse"),
    _program("java.net.URI", "java", *_JAVA, "URI"),
    _program("java.net.URL", "java", *_JAVA, "URL"),
    _program("go net/url", "go", "run", "read.go"),
    _program("php parse_url", "php", "read.php"),
    _program("ruby URI", "ruby", "read.rb"),
    _program("perl URI", "perl", "read.pl"),
)
"""In the order of the output."""


def environment() -> dict[str, str]:
    """Give the environment of all readers: ours, our module path, and no way to fetch anything."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONWARNINGS": "ignore",
        "GO111MODULE": "off",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }
