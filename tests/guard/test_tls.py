"""Guarded clients connect to an address that is permitted, and hold the server to its name.

The same server, on the address that stands for the Internet, shows a certificate by the name that
a client asks for (SNI): that of the name, of another, of the address, or one that nobody trusts.
"""

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from guard.clients import CLIENTS, INSIDE, LIMITS, OUTSIDE, POLICY, fetch

from uriparse import guard
from uriparse.guard import GuardError

trustme = pytest.importorskip("trustme")


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


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.usefixtures("look_up")
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


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("name", UNTRUSTED)
@pytest.mark.usefixtures("look_up")
def test_a_certificate_of_another_is_refused_though_the_address_is_right(client, name, world):
    """That of the address is one of another, too: whoever checks what it dials would take it."""
    world.outside.asked.clear()
    before = world.outside.connections
    with pytest.raises(Exception, match=r"(?i)certificate.verify.failed") as caught:
        ask(client, name, world)
    assert UNTRUSTED[name] in str(caught.value)
    assert world.outside.connections > before
    assert not world.outside.asked


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.usefixtures("look_up")
def test_a_valid_certificate_opens_no_forbidden_address(client, world):
    before = world.inside.connections
    with pytest.raises(GuardError, match=r"internal\.site\.com"):
        ask(client, "internal.site.com", world)
    assert world.inside.connections == before
    assert ask(client, "internal.site.com", world, policy=None)[0] == 200
    assert world.inside.connections > before


def of_requests(world):
    session = guard.requests_session(POLICY, limits=LIMITS)
    session.verify = world.trusted
    return session, lambda url: session.get(url).status_code


def of_urllib3(world):
    manager = guard.urllib3_manager(POLICY, limits=LIMITS)
    manager.connection_pool_kw["ca_certs"] = world.trusted
    return manager, lambda url: manager.request("GET", url).status


def of_httpx(world):
    trusted = ssl.create_default_context(cafile=world.trusted)
    client = guard.httpx_client(POLICY, limits=LIMITS, verify=trusted)
    return client, lambda url: client.get(url).status_code


SESSIONS = {"requests": of_requests, "urllib3": of_urllib3, "httpx": of_httpx}


def names_asked_for(make, world):
    """Fetch from two names at one address by one client; return SNI and Host of each request."""
    world.outside.asked.clear()
    client, get = make(world)
    with client:
        for name in ("good.site.com", "twin.site.com", "good.site.com", "twin.site.com"):
            assert get(f"https://{name}:{world.outside.server_port}/") == 200
    return [(asked, host.partition(":")[0]) for asked, host in world.outside.asked]


TWO = [(name, name) for name in ("good.site.com", "twin.site.com")] * 2


@pytest.mark.parametrize("make", SESSIONS.values(), ids=SESSIONS)
@pytest.mark.usefixtures("look_up")
def test_no_connection_serves_two_names(make, world):
    """Else the answer to one name comes over a connection that has proved to be the other."""
    before = world.outside.connections
    assert names_asked_for(make, world) == TWO
    assert world.outside.connections == before + 2  # each is used again for its name


@pytest.mark.usefixtures("look_up")
def test_a_pool_by_address_is_found(world, monkeypatch):
    """Whoever puts the address into the URL has one connection for all names that lead there."""
    import uriparse.guard.httpx

    def by_address(request):
        made = _request(request)
        made.extensions = {**made.extensions, "sni_hostname": request.url.host}
        made.url.host = OUTSIDE.encode()
        return made

    _request = uriparse.guard.httpx._request
    monkeypatch.setattr("uriparse.guard.httpx._request", by_address)
    assert names_asked_for(of_httpx, world) != TWO


@pytest.mark.usefixtures("look_up")
def test_http_2_is_guarded_alike(world):
    pytest.importorskip("h2")
    trusted = ssl.create_default_context(cafile=world.trusted)
    with guard.httpx_client(POLICY, limits=LIMITS, verify=trusted, http2=True) as client:
        assert client.get(f"https://good.site.com:{world.outside.server_port}/").status_code == 200
        with pytest.raises(GuardError):
            client.get(f"https://internal.site.com:{world.outside.server_port}/")
