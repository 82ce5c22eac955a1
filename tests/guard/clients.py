"""Clients with a guard and without, a policy for loopback, and the names of a small Internet.

127.0.0.9 and 127.0.0.10 stand for the Internet, 127.0.0.1 for what must not be reached; at
127.0.0.11 nobody answers.
"""

import asyncio
import ssl

import pytest

from uriparse import guard
from uriparse.guard import Limits
from uriparse.validation import Policy

aiohttp = pytest.importorskip("aiohttp")
httpx = pytest.importorskip("httpx")
requests = pytest.importorskip("requests")
urllib3 = pytest.importorskip("urllib3")

OUTSIDE, OTHER, DEAD, INSIDE = "127.0.0.9", "127.0.0.10", "127.0.0.11", "127.0.0.1"


class Outside(Policy):
    """As `outbound`, but that some addresses of this machine count as global."""

    def refused_classes(self, address):
        kept = str(address) in (OUTSIDE, OTHER, DEAD)
        return () if kept else super().refused_classes(address)


POLICY = Outside(**vars(Policy.outbound()))
LIMITS = Limits(redirects=5, octets=10_000, seconds=20)
NAMES = {
    "good.site.com": [OUTSIDE], "other.site.com": [OTHER], "twin.site.com": [OUTSIDE],
    "internal.site.com": [INSIDE], "both.site.com": [INSIDE, OUTSIDE],
    "dead-first.site.com": [DEAD, OUTSIDE], "wrong.site.com": [OUTSIDE],
    "numeric.site.com": [OUTSIDE], "stranger.site.com": [OUTSIDE],
    "mixed.site.com": ["::1", OUTSIDE], "six.site.com": ["::1"],
    "mapped.site.com": ["::ffff:127.0.0.1"], "nat64.site.com": ["64:ff9b::7f00:1"],
    "scope.site.com": ["fe80::1%lo"], "unspecified.site.com": ["0.0.0.0"], "nowhere.site.com": [],
}  # fmt: skip
"""Addresses by name, in the order in which a look-up gives them."""


def by_requests(url, policy, limits, trusted, **given):
    session = (
        requests.Session()
        if policy is None
        else guard.requests_session(policy, limits=limits, **given)
    )
    with session:
        response = session.get(url, timeout=5, verify=True if trusted is None else trusted)
        return response.status_code, response.url, response.content


def by_urllib3(url, policy, limits, trusted, **given):
    if policy is None:
        manager = urllib3.PoolManager(retries=3)
    else:
        manager = guard.urllib3_manager(policy, limits=limits, **given)
    if trusted is not None:
        manager.connection_pool_kw["ca_certs"] = trusted
    with manager:
        response = manager.request("GET", url, timeout=5)
        return response.status, response.url, response.data


def context(trusted):
    return True if trusted is None else ssl.create_default_context(cafile=trusted)


def by_httpx(url, policy, limits, trusted, **given):
    if policy is None:
        client = httpx.Client(follow_redirects=True, verify=context(trusted))
    else:
        client = guard.httpx_client(policy, limits=limits, verify=context(trusted), **given)
    with client:
        response = client.get(url)
        return response.status_code, str(response.url), response.content


def by_httpx_async(url, policy, limits, trusted, **given):
    async def get():
        if policy is None:
            client = httpx.AsyncClient(follow_redirects=True, verify=context(trusted))
        else:
            client = guard.httpx_async_client(
                policy, limits=limits, verify=context(trusted), **given
            )
        async with client:
            response = await client.get(url)
            return response.status_code, str(response.url), response.content

    return asyncio.run(get())


def by_aiohttp(url, policy, limits, trusted, **given):
    async def get():
        if policy is None:
            connector = aiohttp.TCPConnector(ssl=context(trusted))
            session = aiohttp.ClientSession(trust_env=True, connector=connector)
        else:
            session = guard.aiohttp_session(policy, limits=limits, verify=context(trusted), **given)
        async with session, session.get(url) as response:
            return response.status, str(response.url), await response.read()

    return asyncio.run(get())


CLIENTS = {
    "requests": by_requests, "urllib3": by_urllib3, "httpx": by_httpx,
    "httpx async": by_httpx_async, "aiohttp": by_aiohttp,
}  # fmt: skip
MAKERS = [
    "requests_session", "urllib3_manager", "httpx_client", "httpx_async_client", "aiohttp_session",
]  # fmt: skip


def fetch(client, url, *, policy=POLICY, limits=LIMITS, trusted=None, **given):
    """Fetch a URL; return the status, the last URL and the body. Without a policy: unguarded.

    trusted: the file of an authority whose certificates are taken, in place of the machine's.
    """
    return CLIENTS[client](url, policy, limits, trusted, **given)
