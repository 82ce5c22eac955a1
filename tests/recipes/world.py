"""Clients with a guard and without, a policy for loopback, and the names of a small Internet.

127.0.0.9 stands for the Internet, 127.0.0.1 for what must not be reached.
"""

import asyncio
import ssl

import pytest

from uriparse.validation import Policy

aiohttp = pytest.importorskip("aiohttp")
httpx = pytest.importorskip("httpx")
requests = pytest.importorskip("requests")

from recipes import aiohttp_guard, httpx_guard, requests_guard  # noqa: E402 - they import the clients

OUTSIDE, INSIDE = "127.0.0.9", "127.0.0.1"


class Outside(Policy):
    """As `outbound`, but that the one address counts as global."""

    def refused_classes(self, address):
        return () if str(address) == OUTSIDE else super().refused_classes(address)


POLICY = Outside(**vars(Policy.outbound()))
NAMES = {
    "good.site.com": [OUTSIDE],
    "internal.site.com": [INSIDE],
    "both.site.com": [INSIDE, OUTSIDE],
    "wrong.site.com": [OUTSIDE],
    "numeric.site.com": [OUTSIDE],
    "stranger.site.com": [OUTSIDE],
}
"""Addresses by name, in the order in which a look-up gives them."""


def by_requests(url, guarded, trusted=None, policy=POLICY):
    session = requests_guard.guarded_session(policy) if guarded else requests.Session()
    with session:
        response = session.get(url, timeout=5, verify=True if trusted is None else trusted)
        return response.status_code, response.url


def by_httpx(url, guarded, trusted=None, policy=POLICY):
    verify = True if trusted is None else ssl.create_default_context(cafile=trusted)
    if guarded:
        client = httpx_guard.guarded_client(policy, verify=verify)
    else:
        client = httpx.Client(follow_redirects=True, verify=verify)
    with client:
        response = client.get(url)
        return response.status_code, str(response.url)


def by_aiohttp(url, guarded, trusted=None, policy=POLICY):
    verify = True if trusted is None else ssl.create_default_context(cafile=trusted)

    async def get():
        make = aiohttp_guard.guarded_session
        session = make(policy) if guarded else aiohttp.ClientSession(trust_env=True)
        async with session, session.get(url, ssl=verify) as response:
            return response.status, str(response.url)

    return asyncio.run(get())


CLIENTS = {"requests": by_requests, "httpx": by_httpx, "aiohttp": by_aiohttp}
"""Each fetches a URL, with the recipe's guard or without, and gives the status and the last URL.

`trusted` is the file of an authority whose certificates it takes, in place of those of the machine.
"""
