"""The clients that wait for many answers at once: httpx, aiohttp's URLs, tornado, twisted."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import version
from urllib.parse import urlsplit

from uriparse.cli.readers.python.answers import Answer, PythonReader, RefusedError


def httpx() -> PythonReader:
    """Give what an `httpx.Request` hands to the transport."""
    library = import_module("httpx")

    def read(text: str) -> Answer:
        url = library.Request("GET", text).url
        return {
            "scheme": url.scheme,
            "host": url.raw_host.decode("ascii"),
            "port": url.port,
            "target": url.raw_path.decode("ascii"),
        }

    return PythonReader(version("httpx"), read)


def yarl() -> PythonReader:
    """Give the parts of a `yarl.URL` that aiohttp's client connects with."""
    library = import_module("yarl")

    def read(text: str) -> Answer:
        url = library.URL(text)
        return {
            "scheme": url.scheme,
            "host": url.raw_host,
            "port": url.port,
            "target": url.raw_path_qs,
        }

    return PythonReader(version("yarl"), read)


def tornado() -> PythonReader:
    """Give what tornado's `simple_httpclient` makes of a request's URL before it connects."""
    requested = import_module("tornado.httpclient").HTTPRequest
    split = import_module("tornado.httputil").split_host_and_port

    def read(text: str) -> Answer:
        parts = urlsplit(requested(text).url)
        if parts.scheme not in {"http", "https"}:
            raise RefusedError("unsupported url scheme")
        host, port = split(parts.netloc.rpartition("@")[2])
        if port is None:
            port = 443 if parts.scheme == "https" else 80
        query = f"?{parts.query}" if parts.query else ""
        return {
            "scheme": parts.scheme,
            "host": re.sub(r"\A\[(.*)\]\Z", r"\1", host),
            "port": port,
            "target": f"{parts.path or '/'}{query}",
        }

    return PythonReader(version("tornado"), read)


def twisted() -> PythonReader:
    """Give `twisted.web.client.URI.fromBytes`, with which `Agent` connects."""
    library = import_module("twisted.web.client")

    def read(text: str) -> Answer:
        url = library.URI.fromBytes(text.encode("ascii"))
        return {
            "scheme": url.scheme.decode("ascii"),
            "host": url.host.decode("ascii"),
            "port": url.port,
            "target": url.originForm.decode("ascii"),
        }

    return PythonReader(version("twisted"), read)
