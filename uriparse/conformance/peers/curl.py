"""The peers that are curl: libcurl's URL API, of the system and in pycurl, and the program.

The API is called with the options with which a transfer reads its URL (`lib/url.c`).
"""

import ctypes
import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from shutil import which
from subprocess import DEVNULL, run
from typing import Final

from uriparse.conformance.peers.tasks import PeerParser, PeerTask, RefusedError, UnfitError

_FILES: Final = ("libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.dll")
_URL: Final = 0
_PARTS: Final = {"scheme": 1, "host": 5, "port": 6, "path": 7, "query": 8, "fragment": 9}
_GOING: Final = ("scheme", "host", "port", "path", "query")
"""The parts of a destination."""
_DEFAULT_PORT: Final = 1 << 0
_GUESS_SCHEME: Final = 1 << 9
_NON_SUPPORT_SCHEME: Final = 1 << 3


def _refuse_nul(text: str) -> None:
    if "\0" in text:
        raise RefusedError("a NUL cannot be passed")


# The system's libcurl, by way of ctypes.


class SystemLibrary:
    """The libcurl of the system; ModuleNotFoundError where none has the API."""

    def __init__(self) -> None:
        library = _library()
        library.curl_url.restype = ctypes.c_void_p
        library.curl_url_cleanup.argtypes = [ctypes.c_void_p]
        library.curl_url_set.argtypes = [
            *(ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
        ]
        library.curl_url_get.argtypes = [
            *(ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint)
        ]
        library.curl_free.argtypes = [ctypes.c_void_p]
        library.curl_version.restype = ctypes.c_char_p
        self._library = library
        self.version = _number(library.curl_version().decode())

    @contextmanager
    def url(self, text: str, flags: int) -> Iterator[Callable[..., str | None]]:
        """Read a URL; yields what returns its parts, by number. RefusedError if it is refused."""
        _refuse_nul(text)
        handle = self._library.curl_url()
        try:
            data = text.encode("utf-8", "surrogateescape")
            code = self._library.curl_url_set(handle, _URL, data, flags)
            if code:
                raise RefusedError(f"CURLUcode {code}")
            yield partial(self._part, handle)
        finally:
            self._library.curl_url_cleanup(handle)

    def _part(self, handle: int, name: int, flags: int = 0) -> str | None:
        value = ctypes.c_void_p()
        failed = self._library.curl_url_get(handle, name, ctypes.byref(value), flags)
        if failed or not value.value:
            return None
        try:
            return ctypes.string_at(value.value).decode("utf-8", "surrogateescape")
        finally:
            self._library.curl_free(value)


def libcurl(task: PeerTask) -> PeerParser:
    """Parse with the libcurl of the system; it guesses a scheme for destinations alone."""
    library = SystemLibrary()

    def components(text: str) -> object:
        with library.url(text, _NON_SUPPORT_SCHEME) as part:
            return {name: part(number) for name, number in _PARTS.items()}

    def going(text: str) -> object:
        with library.url(text, _GUESS_SCHEME | _NON_SUPPORT_SCHEME) as part:
            found = {name: part(number) for name, number in _PARTS.items() if name in _GOING}
            return found | {"port": part(_PARTS["port"], _DEFAULT_PORT)}

    return PeerParser(going if task.kind == "destination" else components, library.version)


def _library() -> ctypes.CDLL:
    for file in _FILES:
        try:
            library = ctypes.CDLL(file)
        except OSError:
            continue
        if hasattr(library, "curl_url_get"):
            return library
    raise ModuleNotFoundError("no libcurl with a URL API")


def _number(versions: str) -> str:
    """Find libcurl's version among those that it names."""
    return versions.partition("libcurl/")[2].partition(" ")[0]


# The libcurl within pycurl.


def pycurl(task: PeerTask) -> PeerParser:  # noqa: ARG001 - it has destinations alone
    """Parse with pycurl's libcurl; ModuleNotFoundError where that has no URL API."""
    import pycurl as library  # noqa: PLC0415 - may be missing

    if not hasattr(library, "CurlUrl"):
        raise ModuleNotFoundError("pycurl has no CurlUrl")
    flags = library.U_GUESS_SCHEME | library.U_NON_SUPPORT_SCHEME

    def read(text: str) -> object:
        url = library.CurlUrl()
        try:
            url.setpart(library.UPART_URL, text.encode("utf-8", "surrogateescape"), flags)
        except library.error as error:
            raise RefusedError(f"CURLUcode {error.args[0]}") from None
        found = {name: getattr(url, name) for name in _GOING}
        return found | {"port": url.getpart(library.UPART_PORT, library.U_DEFAULT_PORT)}

    return PeerParser(read, _number(library.version))


# The program, which is asked what it would do and cannot do it.
#
# All its protocols are switched off, so that it reads a URL and then refuses it, before it looks up
# a name; were one on, it would have to connect to a socket that cannot exist. It reads no file of
# options. The URL goes to standard input, because others on the machine see a program's arguments
# and a URL may hold a password.

FIRST: Final = (8, 1, 0)
"""The first version that reports the parts of a URL (`--write-out`)."""

_OPTIONS: Final = (
    *("-q", "--silent", "--globoff", "--noproxy", "*", "--proto", "-all"),
    *("--unix-socket", "/dev/null/none", "--write-out", "%{json}\n", "--config", "-"),
)
_OFF: Final = 1
"""The exit code for a protocol that is switched off, and for one that is not known."""

_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


def curl(task: PeerTask) -> PeerParser:  # noqa: ARG001 - it has destinations alone
    """Ask the program on PATH; ModuleNotFoundError without one, UnfitError for an old one."""
    program = which("curl")
    if program is None:
        raise ModuleNotFoundError("no program curl")
    said = run([program, "-q", "--version"], capture_output=True, check=True, stdin=DEVNULL).stdout  # noqa: S603 - found on PATH
    version, protocols = facts(said.decode("ascii", "replace"))
    if tuple(int(number) for number in version.split(".") if number.isdigit()) < FIRST:
        raise UnfitError(f"needs curl {'.'.join(map(str, FIRST))} or later, found {version}")
    return PeerParser(partial(_asked, program, protocols), version)


def facts(said: str) -> tuple[str, frozenset[str]]:
    """Find the version of curl and its protocols in what `curl --version` prints."""
    first, *lines = said.splitlines() or [""]
    version = first.removeprefix("curl ").partition(" ")[0].partition("-")[0]
    protocols = (line.split()[1:] for line in lines if line.startswith("Protocols:"))
    return version, frozenset().union(*protocols)


def _asked(program: str, protocols: Collection[str], text: str) -> dict[str, object]:
    _refuse_nul(text)
    config = f'url = "{text.translate(_ESCAPES)}"\n'.encode("utf-8", "surrogateescape")
    done = run([program, *_OPTIONS], input=config, capture_output=True, check=False)  # noqa: S603 - found on PATH
    if done.returncode != _OFF or not done.stdout:
        raise RefusedError(f"exit code {done.returncode}")
    return answer(done.stdout.decode("utf-8", "surrogateescape"), protocols)


def answer(written: str, protocols: Collection[str]) -> dict[str, object]:
    """Read what curl prints of a URL that it would have fetched.

    RefusedError if that is of a protocol that it does not have.
    """
    parts = json.loads(written)
    if parts["url.scheme"] not in protocols:
        raise RefusedError(f"exit code {_OFF}")
    return {name: parts[f"url.{name}"] for name in _GOING}
