"""libcurl's URL API, with the options with which a transfer reads its URL (`lib/url.c`).

The system's libcurl by way of ctypes, and the one that pycurl brings.
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from uriparse.cli.readers.python.answers import Answer, PythonReader, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FILES = ("libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.dll")
_URL, SCHEME, HOST, PORT, PATH, QUERY, FRAGMENT = 0, 1, 5, 6, 7, 8, 9
_DEFAULT_PORT = 1 << 0
_GUESS_SCHEME = 1 << 9
NON_SUPPORT_SCHEME = 1 << 3


class SystemLibrary:
    """The libcurl of the system by way of ctypes; ModuleNotFoundError where none has the API.

    Attributes:
        version: its version.

    """

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
        """Read a URL and give what tells its parts, by number; RefusedError where it will not."""
        if "\0" in text:
            raise RefusedError("a NUL cannot be passed")
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


def libcurl() -> PythonReader:
    """Give the libcurl of the system; ModuleNotFoundError where there is none with the API."""
    library = SystemLibrary()

    def read(text: str) -> Answer:
        with library.url(text, _GUESS_SCHEME | NON_SUPPORT_SCHEME) as part:
            query = part(QUERY)
            return {
                "scheme": part(SCHEME),
                "host": part(HOST),
                "port": part(PORT, _DEFAULT_PORT),
                "target": (part(PATH) or "") + ("" if query is None else f"?{query}"),
            }

    return PythonReader(library.version, read)


def pycurl() -> PythonReader:
    """Give the libcurl within pycurl; ModuleNotFoundError where that has no URL API."""
    library = import_module("pycurl")
    if not hasattr(library, "CurlUrl"):
        raise ModuleNotFoundError("pycurl has no CurlUrl")
    flags = library.U_GUESS_SCHEME | library.U_NON_SUPPORT_SCHEME

    def read(text: str) -> Answer:
        url = library.CurlUrl()
        try:
            url.setpart(library.UPART_URL, text.encode("utf-8", "surrogateescape"), flags)
        except library.error as error:
            raise RefusedError(f"CURLUcode {error.args[0]}") from None
        query = url.query
        return {
            "scheme": url.scheme,
            "host": url.host,
            "port": url.getpart(library.UPART_PORT, library.U_DEFAULT_PORT),
            "target": (url.path or "") + ("" if query is None else f"?{query}"),
        }

    return PythonReader(_number(library.version), read)


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
    """Find libcurl's version among those that it names.

    >>> _number("PycURL/7.45 libcurl/8.23.0 zlib/1.2.13")
    '8.23.0'
    """
    return versions.partition("libcurl/")[2].partition(" ")[0]
