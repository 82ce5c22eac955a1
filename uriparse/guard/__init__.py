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
- limits redirects, the octets of a body after decompression, and the time of the whole.

What it stops raises one error, `GuardError`. A client that is given a proxy judges URLs all the
same, but the proxy looks names up and connects, so that addresses are the proxy's to check.

What remains open: the server at a permitted address can be a proxy itself, and a name can lead to
a machine of yours that has a global address.
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
    policy: Policy = _OUTBOUND, *, limits: Limits = _LIMITS, proxy: str | None = None
) -> requests.Session:
    """Return a session of requests that goes only where a policy lets it.

    policy: by default what a server may fetch on behalf of others.
    limits: of each request.
    proxy: the URL of a proxy for all requests; it looks names up and connects.

    GuardError for what the guard stops; all else raises the errors of requests. A session's
    `mount` takes the guard away from the URLs that it is for.
    """
    from uriparse.guard.requests import GuardedSession  # noqa: PLC0415 - of an optional package

    return GuardedSession(Guard(policy, limits), proxy)


def urllib3_manager(policy: Policy = _OUTBOUND, *, limits: Limits = _LIMITS) -> urllib3.PoolManager:
    """Return a pool manager of urllib3 that goes only where a policy lets it.

    policy, limits: as for `requests_session`.

    GuardError for what the guard stops; all else raises the errors of urllib3.
    """
    from uriparse.guard.urllib3 import GuardedManager  # noqa: PLC0415 - of an optional package

    return GuardedManager(Guard(policy, limits))


def httpx_client(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    verify: ssl.SSLContext | bool = True,
    http2: bool = False,
) -> httpx.Client:
    """Return a client of httpx that goes only where a policy lets it, and follows redirects.

    policy, limits, proxy: as for `requests_session`.
    verify: whose certificates are taken, as for `httpx.Client`.
    http2: whether to offer HTTP/2, which takes the package h2.

    GuardError for what the guard stops; all else raises the errors of httpx.
    """
    from uriparse.guard.httpx import GuardedClient, Transport  # noqa: PLC0415 - optional

    made = Guard(policy, limits)
    return GuardedClient(made, Transport(made, verify=verify, http2=http2, proxy=proxy))


def httpx_async_client(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    verify: ssl.SSLContext | bool = True,
    http2: bool = False,
) -> httpx.AsyncClient:
    """Return an asynchronous client of httpx; parameters and errors are those of `httpx_client`."""
    from uriparse.guard.httpx import AsyncTransport, GuardedAsyncClient  # noqa: PLC0415 - optional

    made = Guard(policy, limits)
    return GuardedAsyncClient(made, AsyncTransport(made, verify=verify, http2=http2, proxy=proxy))


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
    from uriparse.guard.aiohttp import make_session  # noqa: PLC0415 - of an optional package

    return make_session(Guard(policy, limits), proxy, verify)
