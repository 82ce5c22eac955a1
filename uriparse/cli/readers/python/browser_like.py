"""Readers of the WHATWG URL standard, as browsers are: ada and pydantic's Rust url."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version

from uriparse.cli.readers.python.answers import Answer, PythonReader


def ada_url() -> PythonReader:
    """Give `ada_url.URL`."""
    library = import_module("ada_url")

    def read(text: str) -> Answer:
        url = library.URL(text)
        return {
            "scheme": url.protocol.removesuffix(":"),
            "host": url.hostname,
            "port": url.port,
            "target": f"{url.pathname}{url.search}",
        }

    return PythonReader(version("ada-url"), read)


def pydantic() -> PythonReader:
    """Give `pydantic.AnyUrl`."""
    library = import_module("pydantic")

    def read(text: str) -> Answer:
        url = library.AnyUrl(text)
        return {
            "scheme": url.scheme,
            "host": url.host,
            "port": url.port,
            "path": url.path,
            "query": url.query,
        }

    return PythonReader(version("pydantic"), read)
