"""HTTP clients that go only where a policy lets them.

>>> from uriparse import guard
>>> with guard.requests_session() as session:  # doctest: +SKIP
...     session.get("https://example.com/")

Each function makes a client of a library, which is used as ever. Its guard

- judges the text of a URL, and that of every redirect, by the policy before an octet is sent;
- looks a name up once, asks the policy about each address, and connects to those that it permits,
  one after the other until one answers; no other address is ever connected to;
- keeps the name of the URL for TLS (SNI and certificate), for the Host header and for cookies, and
  uses no connection for two names;
- takes no proxy and no password from the environment;
- limits redirects, the octets received, and the time of the whole, uploads included;
- asks for no compression, and refuses a compressed response unless `decompress` allows it;
- speaks HTTP/1.1 alone, so that a connection serves one request at a time.

What it stops raises one error, `GuardError`. A client that is given a proxy judges URLs all the
same, but the proxy looks names up and connects, so that addresses are the proxy's to check.

What remains open: the server at a permitted address can be a proxy itself, and a name can lead to
another machine of yours, or to this one by the address of a translator (NAT): refuse these
addresses in the policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.guard.guarding import Cause, Guard, GuardError, Limits
from uriparse.validation import Policy

if TYPE_CHECKING:
    import ssl

    import aiohttp
    import httpx
    import requests
    import urllib3

__all__ = [
    "Cause", "GuardError", "Limits", "aiohttp_session", "httpx_async_client",
    "httpx_client", "requests_session", "urllib3_manager",
]  # fmt: skip

_OUTBOUND = Policy.outbound()
_LIMITS = Limits()


def requests_session(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
) -> requests.Session:
    """Return a session of requests that goes only where a policy lets it.

    policy: by default what a server may fetch on behalf of others.
    limits: of each request.
    proxy: the http URL of a proxy, which opens a tunnel (CONNECT) for every connection.
    decompress: whether to ask for gzip and deflate and take them. A body may then be 1,032 times as
        long as what `limits` lets in.

    GuardError for what the guard stops; all else raises the errors of requests.
    """
    from uriparse.guard.requests import GuardedSession  # noqa: PLC0415 - of an optional package

    return GuardedSession(Guard(policy, limits, proxy=proxy, decompress=decompress))


def urllib3_manager(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
) -> urllib3.PoolManager:
    """Return a pool manager of urllib3 that goes only where a policy lets it.

    Parameters are those of `requests_session`. Send with `request` and `urlopen` of the manager:
    its pools send nothing on their own.

    GuardError for what the guard stops; all else raises the errors of urllib3.
    """
    from uriparse.guard.urllib3 import GuardedManager  # noqa: PLC0415 - of an optional package

    return GuardedManager(Guard(policy, limits, proxy=proxy, decompress=decompress))


def httpx_client(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
    verify: ssl.SSLContext | bool = True,
) -> httpx.Client:
    """Return a client of httpx that goes only where a policy lets it, and follows redirects.

    policy, limits, proxy, decompress: as for `requests_session`.
    verify: whose certificates are taken, as for `httpx.Client`.

    GuardError for what the guard stops; all else raises the errors of httpx.
    """
    from uriparse.guard.httpx import GuardedClient  # noqa: PLC0415 - of an optional package

    return GuardedClient(Guard(policy, limits, proxy=proxy, decompress=decompress), verify)


def httpx_async_client(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
    verify: ssl.SSLContext | bool = True,
) -> httpx.AsyncClient:
    """Return a client of httpx for asyncio; parameters and errors are those of `httpx_client`."""
    from uriparse.guard.httpx import GuardedAsyncClient  # noqa: PLC0415 - of an optional package

    return GuardedAsyncClient(Guard(policy, limits, proxy=proxy, decompress=decompress), verify)


def aiohttp_session(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    verify: ssl.SSLContext | bool = True,
) -> aiohttp.ClientSession:
    """Return a session of aiohttp that goes only where a policy lets it; call it in a coroutine.

    policy, limits, proxy: as for `requests_session`.
    verify: whose certificates are taken, as the parameter `ssl` of aiohttp.

    GuardError for what the guard stops; all else raises the errors of aiohttp.
    """
    from uriparse.guard.aiohttp import GuardedSession  # noqa: PLC0415 - of an optional package

    return GuardedSession(Guard(policy, limits, proxy=proxy), verify)
