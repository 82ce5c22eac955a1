"""Guarded clients connect to an address that is permitted, and hold the server to its name.

The same server, on the address that stands for the Internet, shows a certificate by the name that
a client asks for (SNI): that of the name, of another, of the address, or one that nobody trusts.
"""

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from recipes.world import CLIENTS, INSIDE, OUTSIDE

trustme = pytest.importorskip("trustme")


class Handler(BaseHTTPRequestHandler):
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


def fetch(client, name, world, *, guarded=True):
    url = f"https://{name}:{world.outside.server_port}/"
    return CLIENTS[client](url, guarded, world.trusted)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.usefixtures("look_up")
def test_the_name_is_asked_for_held_to_and_sent(client, world):
    """In the handshake, by the certificate, in the Host header: though the address was chosen."""
    world.outside.asked.clear()
    at = f"good.site.com:{world.outside.server_port}"
    assert fetch(client, "good.site.com", world) == (200, f"https://{at}/")
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
    with pytest.raises(Exception, match="certificate verify failed") as caught:
        fetch(client, name, world)
    assert UNTRUSTED[name] in str(caught.value)
    assert world.outside.connections > before
    assert not world.outside.asked


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.usefixtures("look_up")
def test_a_valid_certificate_opens_no_forbidden_address(client, world):
    before = world.inside.connections
    with pytest.raises(Exception, match=r"internal\.site\.com"):
        fetch(client, "internal.site.com", world)
    assert world.inside.connections == before
    assert fetch(client, "internal.site.com", world, guarded=False)[0] == 200
    assert world.inside.connections > before
