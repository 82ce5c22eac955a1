"""The catalogue of peers: what each is called, what it needs, what it is asked for, how it starts.

To add a peer, add a line to `PEERS` and what answers for it: a function of `python_parsers` or
`curl`, or a program of `programs`.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Final

from uriparse._base.coerce import is_unicode
from uriparse.conformance.peers.operation_parsers import FUNCTIONS
from uriparse.errors import URIError

if TYPE_CHECKING:
    from uriparse.conformance.peers.tasks import PeerTask

PROGRAMS: Final = Path(__file__).parent / "programs"

_SERVING: Final = ("-P", "-X", "utf8", "-m", "uriparse.conformance.peers.serving")


class UnknownPeerError(URIError):
    """A name that is not a peer's. The message says what would be one."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A parser that may be on this machine.

    name: as in the output.
    needs: a module for a parser in Python, else a program on PATH.
    arguments: the arguments of the interpreter, before the task.
    accepts_when: what it accepts a text by, in one line; `""` if it is not asked for verdicts.
    has_destinations: whether it is asked for destinations.
    is_python: whether it runs in our own interpreter, and is given the rule and its grammar.
    greets: whether it writes its version first.
    takes_surrogates: whether it can be given texts that are not Unicode: lone surrogates.
    is_hex: whether it reads texts as hexadecimal digits of their UTF-8, not as JSON.
    stride: of the texts for a verdict it is asked about each one of that number; 1 for all
        but slow peers.
    operations: of RFC 3986, those that it is asked for.
    """

    name: str
    needs: str
    arguments: tuple[str, ...]
    accepts_when: str = ""
    has_destinations: bool = True
    is_python: bool = False
    greets: bool = True
    takes_surrogates: bool = False
    is_hex: bool = False
    stride: int = 1
    operations: tuple[str, ...] = ()

    def command(self, task: PeerTask) -> list[str] | None:
        """Return the command that starts it, None if what it needs is not installed."""
        if self.is_python:
            found = find_spec(self.needs.partition(".")[0])
            return [sys.executable, *self.arguments, *task] if found else None
        program = which(self.needs)
        if program is None:
            return None
        return [program, *self.arguments, *([task.kind] if self.greets else ())]

    def request(self, text: str) -> bytes:
        """Write a text as a request line, in ASCII and without its end.

        A JSON string; for a program, which cannot hold lone surrogates, an array of octets instead
        if the text has some. Octets that are not UTF-8 on the command line are passed as they were.
        """
        if self.is_hex:
            return text.encode("utf-8").hex().encode("ascii")
        if self.takes_surrogates or is_unicode(text):
            return json.dumps(text).encode("ascii")
        try:
            octets = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            octets = text.encode("utf-8", "surrogatepass")
        return json.dumps([*octets]).encode("ascii")


def _python(
    name: str, needs: str, accepts_when: str = "", *, goes: bool = False, stride: int = 1
) -> Peer:
    return Peer(
        name, needs, (*_SERVING, name), accepts_when, goes,
        is_python=True, takes_surrogates=True, stride=stride,
        operations=tuple(FUNCTIONS.get(name, ())),
    )  # fmt: skip


def _program(
    name: str,
    needs: str,
    *arguments: str,
    accepts_when: str = "",
    goes: bool = True,
    does: str = "",
) -> Peer:
    """Make a peer in another language; an argument that names a file of `programs` is its path."""
    found = (PROGRAMS / each for each in arguments)
    paths = (str(path) if path.is_file() else path.name for path in found)
    return Peer(name, needs, tuple(paths), accepts_when, goes, operations=tuple(does.split()))


_JAVA: Final = ("-XX:TieredStopAtLevel=1", "-Xmx256m", "peer.java")
_ALL: Final = "resolution normalization equivalence relativization"

PEERS: Final = (
    _python("uriparse", "uriparse", "uriparse.is_valid"),
    _python("urllib", "urllib.parse", "urlsplit returns, with a scheme; its port can be read"),
    _python("urllib.parse", "urllib.parse", goes=True),
    _python("urllib.request", "urllib.request", goes=True),
    _python("urllib3", "urllib3", "util.parse_url returns, with a scheme", goes=True),
    _python("requests", "requests", goes=True),
    _python("uritools", "uritools", "urisplit(...).isuri(), gethost() and getport() return"),
    _python("rfc3986", "rfc3986", "Validator finds all components valid, and a scheme",
            goes=True),
    _python("rfc3986-validator", "rfc3986_validator", "validate_rfc3986 matches"),
    _python("rfc3987", "rfc3987", "match for the rule matches"),
    _python("rfc3987-syntax", "rfc3987_syntax", "is_valid_syntax for iri: it has no URIs",
            stride=12),
    _python("yarl", "yarl", "URL returns, with a scheme; it encodes what it may"),
    _python("yarl (aiohttp)", "yarl", goes=True),
    _python("httpx", "httpx", "URL returns, with a scheme; it encodes what it may", goes=True),
    _python("hyperlink", "hyperlink", "URL.from_text returns, with a scheme"),
    _python("tornado", "tornado", goes=True),
    _python("twisted", "twisted", goes=True),
    _python("whatwg (this library)", "uriparse",
            "whatwg.parse returns: the URL standard of browsers", goes=True),
    _python("ada-url", "ada_url", "URL returns: the URL standard of browsers", goes=True),
    _python("pydantic", "pydantic", "AnyUrl returns: the URL standard of browsers", goes=True),
    _python("abnf", "abnf", "Rule(...).parse_all of its own grammar module returns", stride=4),
    _python("libcurl", "ctypes", "curl_url_set returns 0: any scheme, none guessed",
            goes=True),
    _python("pycurl", "pycurl", goes=True),
    _python("curl", "subprocess", goes=True),
    _program("node URL", "node", "peer.js", "URL",
             accepts_when="new URL returns: the URL standard of browsers",
             does="resolution normalization"),
    _program("node url.parse", "node", "peer.js", "url.parse"),
    _program("java.net.URI", "java", *_JAVA, "URI",
             accepts_when="new URI returns, with a scheme", does=_ALL),
    _program("java.net.URL", "java", *_JAVA, "URL"),
    _program("go net/url", "go", "run", "peer.go",
             accepts_when="url.Parse returns, with a scheme", does="resolution"),
    _program("php parse_url", "php", "peer.php", accepts_when="parse_url returns, with a scheme"),
    _program("ruby URI", "ruby", "peer.rb", "URI",
             accepts_when="URI.parse returns, with a scheme", does=_ALL),
    _program("Addressable", "ruby", "peer.rb", "Addressable",
             accepts_when="Addressable::URI.parse returns, with a scheme", goes=False,
             does=_ALL),
    _program("perl URI", "perl", "peer.pl", does=_ALL),
)  # fmt: skip
"""In the order of the output."""

VERDICT_PEERS: Final = tuple(each for each in PEERS if each.accepts_when)
"""Those that `uriparse conformance trial` asks."""

DESTINATION_PEERS: Final = tuple(each for each in PEERS if each.has_destinations)
"""Those that `uriparse diff` asks."""


def peers_of(operation: str) -> tuple[Peer, ...]:
    """Return the built-in peers that are asked for an operation; for verdicts if it is `""`."""
    if not operation:
        return VERDICT_PEERS
    return tuple(each for each in PEERS if operation in each.operations)


def peer(text: str, *, is_hex: bool = False, operation: str = "") -> Peer:
    """Find a peer: a built-in one, `module:function` or a command; UnknownPeerError for others."""
    known = {each.name: each for each in peers_of(operation)}
    if text in known:
        return known[text]
    module, colon, function = text.partition(":")
    if colon and all(part.isidentifier() for part in f"{module}.{function}".split(".")):
        means = "returns what is true"
        return Peer(
            text, "uriparse", (*_SERVING, text), means, is_python=True, takes_surrogates=True
        )
    try:
        first, *rest = shlex.split(text)
    except ValueError as error:
        raise UnknownPeerError(f'unknown parser "{text}": not a command: {error}') from None
    if which(first) is None:
        raise UnknownPeerError(
            f'unknown parser "{text}": neither built in ({", ".join(known)}), nor '
            "module:function, nor a program that is found"
        )
    return Peer(text, first, tuple(rest), "answers what is true", greets=False, is_hex=is_hex)


def environment() -> dict[str, str]:
    """Return the environment of all peers: ours, our module path, and no way to fetch anything."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONWARNINGS": "ignore",
        "GO111MODULE": "off",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }
