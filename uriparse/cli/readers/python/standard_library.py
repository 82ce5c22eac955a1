"""`urllib.parse`, and what `urllib.request` would connect to."""

from __future__ import annotations

import platform
import ssl
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit
from urllib.request import Request

from uriparse.cli.readers.python.answers import Answer, PythonReader, RefusedError


def urllib_parse() -> PythonReader:
    """Give `urllib.parse.urlsplit` and the properties of its result."""

    def read(text: str) -> Answer:
        parts = urlsplit(text)
        return {
            "scheme": parts.scheme,
            "host": parts.hostname,
            "port": parts.port,
            "path": parts.path,
            "query": parts.query or None,  # it does not tell "" from none
        }

    return PythonReader(platform.python_version(), read)


def urllib_request() -> PythonReader:
    """Give what `urllib.request.urlopen` passes to the connection that it opens."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # else each connection reads certificates

    def read(text: str) -> Answer:
        request = Request(text)  # noqa: S310 - is never opened
        host: str | None = request.host
        port = None
        if request.type in {"http", "https"}:
            if not host:
                raise RefusedError("no host given")
            connection = (
                HTTPSConnection(host, context=context)
                if request.type == "https"
                else HTTPConnection(host)
            )
            host, port = connection.host, connection.port
        return {
            "scheme": request.type,
            "host": host,
            "port": port,
            "target": request.selector or "/",
        }

    return PythonReader(platform.python_version(), read)
