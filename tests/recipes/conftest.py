"""The recipes are collected where the clients are that they guard; a look-up of names for them."""

import socket
from collections import Counter
from importlib.util import find_spec

import pytest

collect_ignore = [
    f"{client}_guard.py" for client in ("aiohttp", "httpx", "requests") if find_spec(client) is None
]


@pytest.fixture
def look_up(monkeypatch):
    """Names from the table; `rebind.site.com` is outside once, and inside from then on."""
    from recipes.world import INSIDE, NAMES, OUTSIDE

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
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return getaddrinfo
