"""HTTP clients that connect only where a policy permits.

>>> from uriparse import guard
>>> with guard.requests_session() as session:  # doctest: +SKIP
...     session.get("https://example.com/")

Each function returns an ordinary client of a library, with a guard that

- checks a URL, and each redirect, against the policy before anything is sent;
- looks up a name once, and connects only to those of its addresses that the policy permits;
- uses the name for TLS (SNI and certificate), Host and cookies, and shares no connection between
  names;
- takes no proxy and no password from the environment;
- limits redirects, received octets and time, uploads included;
- asks for no compression, and refuses a compressed response unless `decompress` is true;
- speaks HTTP/1.1 only, where a connection serves one request at a time.

A guard that stops a request raises `GuardError`. With a proxy, the guard checks URLs only: the
proxy looks up names and connects. A permitted address can be a proxy itself, or be translated (NAT)
to another machine of yours: refuse such addresses in the policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse._base import migration_hints as hints
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

if not TYPE_CHECKING:
    __getattr__ = hints.answers(__name__)

_OUTBOUND = Policy.outbound()
_LIMITS = Limits()


def requests_session(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
) -> requests.Session:
    """Return a session of requests with a guard.

    policy: by default what a server may fetch on behalf of others.
    limits: of each request.
    proxy: the http URL of a proxy, which opens a tunnel (CONNECT) for every connection.
    decompress: accept gzip and deflate. A body can then be 1,032 times as long as `limits.octets`.

    Its methods raise GuardError if the guard stops a request, otherwise the errors of requests.
    """
    from uriparse.guard.requests import GuardedRequestsSession  # noqa: PLC0415 - optional package

    return GuardedRequestsSession(Guard(policy, limits, proxy=proxy, decompress=decompress))


def urllib3_manager(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
) -> urllib3.PoolManager:
    """Return a pool manager of urllib3 with a guard; its pools send nothing by themselves.

    Parameters and errors are as for `requests_session`.
    """
    from uriparse.guard.urllib3 import GuardedManager  # noqa: PLC0415 - optional package

    return GuardedManager(Guard(policy, limits, proxy=proxy, decompress=decompress))


def httpx_client(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
    verify: ssl.SSLContext | bool = True,
) -> httpx.Client:
    """Return a client of httpx with a guard, which follows redirects.

    policy, limits, proxy, decompress, errors: as for `requests_session`.
    verify: as for `httpx.Client`.
    """
    from uriparse.guard.httpx import GuardedClient  # noqa: PLC0415 - optional package

    return GuardedClient(Guard(policy, limits, proxy=proxy, decompress=decompress), verify)


def httpx_async_client(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    decompress: bool = False,
    verify: ssl.SSLContext | bool = True,
) -> httpx.AsyncClient:
    """Return a client of httpx for asyncio with a guard; parameters are as for `httpx_client`."""
    from uriparse.guard.httpx import GuardedAsyncClient  # noqa: PLC0415 - optional package

    return GuardedAsyncClient(Guard(policy, limits, proxy=proxy, decompress=decompress), verify)


def aiohttp_session(
    policy: Policy = _OUTBOUND,
    *,
    limits: Limits = _LIMITS,
    proxy: str | None = None,
    verify: ssl.SSLContext | bool = True,
) -> aiohttp.ClientSession:
    """Return a session of aiohttp with a guard; call this in a coroutine.

    policy, limits, proxy, errors: as for `requests_session`.
    verify: as the parameter `ssl` of aiohttp.
    """
    from uriparse.guard.aiohttp import GuardedAiohttpSession  # noqa: PLC0415 - optional package

    return GuardedAiohttpSession(Guard(policy, limits, proxy=proxy), verify)
