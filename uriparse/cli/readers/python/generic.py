"""Readers of RFC 3986 other than ours."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version

from uriparse.cli.readers.python.answers import Answer, PythonReader


def rfc3986() -> PythonReader:
    """Give `rfc3986.uri_reference`."""
    library = import_module("rfc3986")

    def read(text: str) -> Answer:
        url = library.uri_reference(text)
        if url.authority is not None:
            url.authority_info()  # raises; `url.host` is None where that cannot be read
        return {
            "scheme": url.scheme,
            "host": url.host,
            "port": url.port,
            "path": url.path,
            "query": url.query,
        }

    return PythonReader(version("rfc3986"), read)
