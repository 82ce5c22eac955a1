"""The adapters: those that are built in, and what users name."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Final

from uriparse.errors import URIError

if TYPE_CHECKING:
    from uriparse.cli.adapters.python.judges import Wanted

PROGRAMS: Final = Path(__file__).parent / "programs"

_SERVED: Final = ("-P", "-X", "utf8", "-m", "uriparse.cli.adapters.serving")


class UnknownAdapterError(URIError):
    """What was named is no adapter. The message says what would be one."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A parser that may be on this machine.

    Attributes:
        name: as in the output.
        means: what it accepts a text by, in one line.
        needs: a module for a parser in Python, else a program on PATH.
        arguments: what follows the interpreter's name, before the rule.
        is_python: whether it runs in our own interpreter, and is told the rule and its grammar.
        greets: whether it says its version first.
        takes_surrogates: whether it can be given texts that are no Unicode: lone surrogates.
        stride: it is asked about each text of that number; 1 for all but the slow ones.

    """

    name: str
    means: str
    needs: str
    arguments: tuple[str, ...]
    is_python: bool = False
    greets: bool = True
    takes_surrogates: bool = False
    stride: int = 1

    def command(self, wanted: Wanted) -> list[str] | None:
        """Give the command that starts it, None where what it needs is not there."""
        if self.is_python:
            found = find_spec(self.needs.partition(".")[0])
            return [sys.executable, *self.arguments, *wanted] if found else None
        program = which(self.needs)
        if program is None:
            return None
        kind = ("absolute" if wanted.has_scheme else "any",) if self.greets else ()
        return [program, *self.arguments, *kind]


def _python(name: str, needs: str, means: str, stride: int = 1) -> Adapter:
    arguments = (*_SERVED, name)
    return Adapter(
        name, means, needs, arguments, is_python=True, takes_surrogates=True, stride=stride
    )


def _program(name: str, needs: str, means: str, *arguments: str) -> Adapter:
    """Make an adapter in another language; an argument with a file's suffix is of `programs`."""
    found = tuple(str(PROGRAMS / each) if "." in each else each for each in arguments)
    return Adapter(name, means, needs, found)


_JAVA = ("-XX:TieredStopAtLevel=1", "-Xmx256m")

ADAPTERS: Final = (
    _python("uriparse", "uriparse", "uriparse.is_valid"),
    _python("urllib", "urllib.parse", "urlsplit returns, with a scheme, and its port can be read"),
    _python("urllib3", "urllib3", "util.parse_url returns, with a scheme"),
    _python("uritools", "uritools", "urisplit(...).isuri(), gethost() and getport() return"),
    _python("rfc3986", "rfc3986", "Validator finds all components valid and a scheme present"),
    _python("rfc3986-validator", "rfc3986_validator", "validate_rfc3986 matches"),
    _python("rfc3987", "rfc3987", "match for the rule matches"),
    _python("rfc3987-syntax", "rfc3987_syntax", "is_valid_syntax for iri: it has no URIs", 12),
    _python("yarl", "yarl", "URL returns, with a scheme; it encodes what it may"),
    _python("httpx", "httpx", "URL returns, with a scheme; it encodes what it may"),
    _python("hyperlink", "hyperlink", "URL.from_text returns, with a scheme"),
    _python("ada-url", "ada_url", "URL returns: the URL standard of browsers"),
    _python("pydantic", "pydantic", "AnyUrl returns: the URL standard of browsers"),
    _python("abnf", "abnf", "Rule(...).parse_all of its own grammar module returns", 4),
    _python("libcurl", "ctypes", "curl_url_set returns 0, any scheme allowed, none guessed"),
    _program("node URL", "node", "new URL returns: the URL standard of browsers", "judge.js"),
    _program(
        "java.net.URI", "java", "new URI returns, with a scheme", *_JAVA, "judge.java"
    ),
    _program("go net/url", "go", "url.Parse returns, with a scheme", "run", "judge.go"),
    _program("ruby URI", "ruby", "URI.parse returns, with a scheme", "judge.rb", "URI"),
    _program(
        "Addressable", "ruby", "Addressable::URI.parse returns, with a scheme", "judge.rb",
        "Addressable",
    ),
    _program("php parse_url", "php", "parse_url returns, with a scheme", "judge.php"),
)  # fmt: skip
"""In the order of the output."""

_BY_NAME: Final = {each.name: each for each in ADAPTERS}


def adapter(text: str) -> Adapter:
    """Give the adapter that a user names: a built-in one, `module:function`, or a command.

    UnknownAdapterError if it is none of these.
    """
    if text in _BY_NAME:
        return _BY_NAME[text]
    module, colon, function = text.partition(":")
    if colon and all(part.isidentifier() for part in f"{module}.{function}".split(".")):
        means = "returns what is true"
        return Adapter(text, means, "uriparse", (*_SERVED, text), True, True, True)
    try:
        first, *rest = shlex.split(text)
    except ValueError as error:
        raise UnknownAdapterError(f'unknown adapter "{text}": no command: {error}') from None
    if which(first) is None:
        raise UnknownAdapterError(
            f'unknown adapter "{text}": neither built in ({", ".join(_BY_NAME)}), nor '
            "module:function, nor a program that is found"
        )
    return Adapter(text, "answers what is true", first, tuple(rest), greets=False)
