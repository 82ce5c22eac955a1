"""Guarded clients connect to an address that is permitted, and hold the server to its name.

The same server, on the address that stands for the Internet, shows a certificate by the name that
a client asks for (SNI): that of the name, of another, of the address, or one that nobody trusts.
"""

import asyncio
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from guard.clients import CLIENTS, INSIDE, LIMITS, OUTSIDE, POLICY, fetch

from uriparse import guard
from uriparse.guard import GuardError

pytestmark = [pytest.mark.parametrize("client", CLIENTS), pytest.mark.usefixtures("look_up")]

trustme = pytest.importorskip("trustme")
TWO = ("good.site.com", "twin.site.com") * 2


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append((self.connection.server_hostname_asked, self.headers["Host"]))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """A server with TLS that counts who connects, and notes names and Host headers of requests."""

    def __init__(self, address, context):
        super().__init__(address, Handler)
        self.context = context
        self.asked = []
        self.connections = 0

    def get_request(self):
        connection, address = super().get_request()
        self.connections += 1
        made = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return made, address

    def finish_request(self, request, client_address):
        try:
            request.do_handshake()
        except (ssl.SSLError, OSError):
            return  # the client does not trust us, and says so
        super().finish_request(request, client_address)


class World:
    """Two servers on one port, and the authority that clients trust."""

    def __init__(self, directory):
        authority, stranger = trustme.CA(), trustme.CA()
        self.trusted = str(directory / "authority.pem")
        authority.cert_pem.write_to_path(self.trusted)
        contexts = {
            "good.site.com": context(authority, "good.site.com"),
            "twin.site.com": context(authority, "twin.site.com"),
            "internal.site.com": context(authority, "internal.site.com"),
            "wrong.site.com": context(authority, "other.site.com"),
            "numeric.site.com": context(authority, OUTSIDE),
            "stranger.site.com": context(stranger, "stranger.site.com"),
        }
        unnamed = context(authority, OUTSIDE)

        def choose(connection, name, _):
            connection.server_hostname_asked = name
            connection.context = contexts.get(name, unnamed)

        unnamed.sni_callback = choose
        self.outside = Server((OUTSIDE, 0), unnamed)
        self.inside = Server((INSIDE, self.outside.server_port), unnamed)


def context(authority, name):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(made)
    return made


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    made = World(tmp_path_factory.mktemp("authority"))
    for server in (made.outside, made.inside):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield made
    for server in (made.outside, made.inside):
        server.shutdown()
        server.server_close()


def ask(client, name, world, **options):
    url = f"https://{name}:{world.outside.server_port}/"
    return fetch(client, url, trusted=world.trusted, **options)


def test_the_name_is_asked_for_held_to_and_sent(client, world):
    """In the handshake, by the certificate, in the Host header: though the address was chosen."""
    world.outside.asked.clear()
    at = f"good.site.com:{world.outside.server_port}"
    assert ask(client, "good.site.com", world)[0] == 200
    assert world.outside.asked == [("good.site.com", at)]


UNTRUSTED = {
    "wrong.site.com": "mismatch",
    "numeric.site.com": "mismatch",
    "stranger.site.com": "unable to get local issuer certificate",
}
"""What is wrong with the certificate that is shown for a name."""


@pytest.mark.parametrize("name", UNTRUSTED)
def test_a_certificate_of_another_is_refused_though_the_address_is_right(client, name, world):
    """That of the address is one of another, too: whoever checks what it dials would take it."""
    world.outside.asked.clear()
    before = world.outside.connections
    with pytest.raises(Exception, match=r"(?i)certificate.verify.failed") as caught:
        ask(client, name, world)
    assert UNTRUSTED[name] in str(caught.value)
    assert world.outside.connections > before
    assert not world.outside.asked


def test_a_valid_certificate_opens_no_forbidden_address(client, world):
    before = world.inside.connections
    with pytest.raises(GuardError, match=r"internal\.site\.com"):
        ask(client, "internal.site.com", world)
    assert world.inside.connections == before
    assert ask(client, "internal.site.com", world, policy=None)[0] == 200
    assert world.inside.connections > before


def of_requests(world, urls):
    with guard.requests_session(POLICY, limits=LIMITS) as session:
        session.verify = world.trusted
        return [session.get(url).status_code for url in urls]


def of_urllib3(world, urls):
    with guard.urllib3_manager(POLICY, limits=LIMITS) as manager:
        manager.connection_pool_kw["ca_certs"] = world.trusted
        return [manager.request("GET", url).status for url in urls]


def of_httpx(world, urls):
    with guard.httpx_client(POLICY, limits=LIMITS, verify=trusting(world)) as client:
        return [client.get(url).status_code for url in urls]


def of_httpx_async(world, urls):
    async def get():
        made = guard.httpx_async_client(POLICY, limits=LIMITS, verify=trusting(world))
        async with made as client:
            return [(await client.get(url)).status_code for url in urls]

    return asyncio.run(get())


def of_aiohttp(world, urls):
    async def get():
        found = []
        made = guard.aiohttp_session(POLICY, limits=LIMITS, verify=trusting(world))
        async with made as session:
            for url in urls:
                async with session.get(url) as response:
                    await response.read()
                    found.append(response.status)
        return found

    return asyncio.run(get())


def trusting(world):
    return ssl.create_default_context(cafile=world.trusted)


SESSIONS = {
    "requests": of_requests, "urllib3": of_urllib3, "httpx": of_httpx,
    "httpx async": of_httpx_async, "aiohttp": of_aiohttp,
}  # fmt: skip
"""By client, what fetches URLs one after the other by one client, and returns their statuses."""
assert SESSIONS.keys() == CLIENTS.keys()


def names_asked_for(client, world):
    """Fetch from two names at one address by one client; return SNI and Host of each request."""
    world.outside.asked.clear()
    urls = [f"https://{name}:{world.outside.server_port}/" for name in TWO]
    assert SESSIONS[client](world, urls) == [200] * len(TWO)
    return [(asked, host.partition(":")[0]) for asked, host in world.outside.asked]


def test_no_connection_serves_two_names(client, world):
    """Else the answer to one name comes over a connection that has proved to be the other."""
    before = world.outside.connections
    assert names_asked_for(client, world) == [(name, name) for name in TWO]
    assert world.outside.connections == before + 2  # each is used again for its name


def share_by_address(client, monkeypatch):
    """Keep connections by address, as whoever puts the address into the URL does."""
    if client in ("requests", "urllib3"):
        from urllib3 import PoolManager

        by_name = PoolManager.connection_from_pool_key

        def by_address(manager, key, **options):
            return by_name(manager, key._replace(key_host=OUTSIDE), **options)

        monkeypatch.setattr(PoolManager, "connection_from_pool_key", by_address)
    elif client == "aiohttp":
        from aiohttp.client_reqrep import ClientRequest

        key = ClientRequest.connection_key.fget
        shared = property(lambda request: key(request)._replace(host=OUTSIDE))
        monkeypatch.setattr(ClientRequest, "connection_key", shared)
    else:
        from uriparse.guard import httpx

        made = httpx._Transport._request

        def to_address(sending, request):
            found = made(sending, request)
            found.extensions = {**found.extensions, "sni_hostname": request.url.host}
            found.url.host = OUTSIDE.encode()
            return found

        monkeypatch.setattr(httpx._Transport, "_request", to_address)


def test_a_pool_by_address_is_found(client, world, monkeypatch):
    share_by_address(client, monkeypatch)
    if client.startswith("httpx"):  # the address is not the host that was judged
        with pytest.raises(GuardError, match="reads another host"):
            names_asked_for(client, world)
        return
    assert names_asked_for(client, world) != [(name, name) for name in TWO]
