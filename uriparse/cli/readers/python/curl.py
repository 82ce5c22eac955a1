"""libcurl's URL API, with the options with which a transfer reads its URL (`lib/url.c`).

The system's libcurl by way of ctypes, and the one that pycurl brings.
"""

from __future__ import annotations

import ctypes
from importlib import import_module

from uriparse.cli.readers.python.answers import Answer, PythonReader, RefusedError

_FILES = ("libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.dll")
_URL, _SCHEME, _HOST, _PORT, _PATH, _QUERY = 0, 1, 5, 6, 7, 8
_DEFAULT_PORT = 1 << 0
_NON_SUPPORT_SCHEME = 1 << 3
_GUESS_SCHEME = 1 << 9


def libcurl() -> PythonReader:
    """Give the libcurl of the system; ModuleNotFoundError where there is none with the API."""
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

    def part(handle: int, name: int, flags: int = 0) -> str | None:
        value = ctypes.c_void_p()
        if library.curl_url_get(handle, name, ctypes.byref(value), flags) or not value.value:
            return None
        try:
            return ctypes.string_at(value.value).decode("utf-8", "surrogateescape")
        finally:
            library.curl_free(value)

    def read(text: str) -> Answer:
        if "\0" in text:
            raise RefusedError("a NUL cannot be passed")
        handle = library.curl_url()
        try:
            data = text.encode("utf-8", "surrogateescape")
            code = library.curl_url_set(handle, _URL, data, _GUESS_SCHEME | _NON_SUPPORT_SCHEME)
            if code:
                raise RefusedError(f"CURLUcode {code}")
            query = part(handle, _QUERY)
            return {
                "scheme": part(handle, _SCHEME),
                "host": part(handle, _HOST),
                "port": part(handle, _PORT, _DEFAULT_PORT),
                "target": (part(handle, _PATH) or "") + ("" if query is None else f"?{query}"),
            }
        finally:
            library.curl_url_cleanup(handle)

    return PythonReader(_number(library.curl_version().decode()), read)


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
