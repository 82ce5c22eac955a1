"""A look-up of names that the tests give, and servers that count who comes."""

import socket
import threading
from collections import Counter
from http.server import ThreadingHTTPServer

import pytest


@pytest.fixture
def look_up(monkeypatch):
    """Names from the table; `rebind.site.com` is outside once, and inside from then on."""
    from guard.clients import INSIDE, NAMES, OUTSIDE

    real = socket.getaddrinfo
    asked = Counter()

    def getaddrinfo(host, port, *args, **options):
        name = host.decode() if isinstance(host, bytes) else host
        asked[name] += 1
        if name == "rebind.site.com":
            addresses = [OUTSIDE if asked[name] == 1 else INSIDE]
        else:
            addresses = NAMES.get(name)
        if addresses is None:
            return real(host, port, *args, **options)
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [answer(address, port) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    getaddrinfo.asked = asked
    return getaddrinfo


def answer(address, port):
    if ":" in address:
        scope = 1 if "%" in address else 0
        return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, scope))
    return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))


@pytest.fixture(scope="module")
def world():
    """Servers on one port of three addresses; `hits` counts by address how often each was reached.

    `seen` has the host, the headers and the target of each request.
    """
    from guard.clients import INSIDE, OTHER, OUTSIDE
    from guard.servers import Handler

    servers = [ThreadingHTTPServer((OUTSIDE, 0), Handler)]
    port = servers[0].server_port
    servers += [ThreadingHTTPServer((address, port), Handler) for address in (OTHER, INSIDE)]
    made = World(port)
    for server in servers:
        server.world = made
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    yield made
    for server in servers:
        server.shutdown()
        server.server_close()


class World:
    def __init__(self, port):
        self.port = port
        self.hits = Counter()
        self.seen = []

    def url(self, name, path="/"):
        return f"http://{name}:{self.port}{path}"
