"""urllib3 and requests: the connection pool that they would take, and what they would ask it."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import Any

from uriparse.cli.readers.python.answers import Answer, PythonReader


def urllib3() -> PythonReader:
    """Give what `urllib3.PoolManager.request` does before it connects."""
    manager = import_module("urllib3").PoolManager()
    parse_url = import_module("urllib3.util").parse_url

    def read(text: str) -> Answer:
        url = parse_url(text)
        pool = manager.connection_from_host(url.host, port=url.port, scheme=url.scheme)
        return _answer(pool, url.request_uri)

    return PythonReader(version("urllib3"), read)


def requests() -> PythonReader:
    """Give what `requests.get` does before it connects."""
    library = import_module("requests")
    session = library.Session()

    def read(text: str) -> Answer:
        request = library.Request("GET", text).prepare()
        adapter = session.get_adapter(request.url)
        pool = adapter.get_connection_with_tls_context(request, verify=True)
        return _answer(pool, adapter.request_url(request, None))

    return PythonReader(version("requests"), read)


def _answer(pool: Any, target: str) -> Answer:
    """Give the pool's scheme, and the host and port of a connection that it would make."""
    connection = pool.ConnectionCls(host=pool.host, port=pool.port)
    return {
        "scheme": pool.scheme,
        "host": connection.host,
        "port": connection.port,
        "target": target,
    }
