"""Guarded clients of httpx over HTTP/2: the server here speaks nothing else."""

import asyncio
import gzip
import socket
import ssl
import threading
from collections import Counter
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import pytest
from guard.clients import INSIDE, OUTSIDE, POLICY

from uriparse import guard
from uriparse.guard import GuardError, Limits

trustme = pytest.importorskip("trustme")
h2 = pytest.importorskip("h2.connection")

pytestmark = pytest.mark.usefixtures("look_up")

LIMITS = Limits(redirects=5, octets=10_000, seconds=2)
BOMB = gzip.compress(bytes(10_000_000))


class World:
    """Servers on one port of two addresses, and the authority whose certificates they show.

    Attributes:
        asked: the name in the handshake and the authority of each request.
        connections: how often each address was connected to.

    """

    def __init__(self, directory):
        authority = trustme.CA()
        self.trusted = str(directory / "authority.pem")
        authority.cert_pem.write_to_path(self.trusted)
        self.asked, self.connections = [], Counter()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.set_alpn_protocols(["h2"])
        names = ("good", "twin", "internal")
        authority.issue_cert(*(f"{name}.site.com" for name in names)).configure_cert(self.context)
        self.context.sni_callback = lambda layer, name, _: setattr(layer, "name_asked_for", name)
        self.listeners = [socket.create_server((OUTSIDE, 0))]
        self.port = self.listeners[0].getsockname()[1]
        self.listeners.append(socket.create_server((INSIDE, self.port)))
        for listener in self.listeners:
            threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def accept(self, listener):
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                self.connections[listener.getsockname()[0]] += 1
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with suppress(OSError), self.context.wrap_socket(connection, server_side=True) as layer:
            state = h2.H2Connection(h2.H2Configuration(client_side=False, header_encoding="utf-8"))
            state.initiate_connection()
            layer.sendall(state.data_to_send())
            while data := layer.recv(65536):
                for event in state.receive_data(data):
                    if isinstance(event, h2.RequestReceived):
                        self.answer(layer, state, event)
                layer.sendall(state.data_to_send())

    def answer(self, layer, state, event):
        asked = dict(event.headers)
        self.asked.append((layer.name_asked_for, asked[":authority"]))
        url = urlsplit(asked[":path"])
        headers, body = [(":status", "200")], b"ok"
        if url.path == "/to":
            headers = [(":status", "302"), ("location", parse_qs(url.query)["url"][0])]
        elif url.path == "/bomb":
            headers.append(("content-encoding", "gzip"))
            body = BOMB[:16384]  # one frame, of 10 MB
        elif url.path == "/silence":
            return
        state.send_headers(event.stream_id, headers)
        state.send_data(event.stream_id, body, end_stream=True)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    made = World(tmp_path_factory.mktemp("authority"))
    yield made
    for listener in made.listeners:
        listener.close()


def by_httpx(world, urls, limits):
    with guard.httpx_client(POLICY, limits=limits, verify=trusting(world), http2=True) as client:
        return [(found.status_code, found.http_version) for found in map(client.get, urls)]


def by_httpx_async(world, urls, limits):
    async def get():
        made = guard.httpx_async_client(POLICY, limits=limits, verify=trusting(world), http2=True)
        async with made as client:
            found = [await client.get(url) for url in urls]
            return [(one.status_code, one.http_version) for one in found]

    return asyncio.run(get())


def trusting(world):
    return ssl.create_default_context(cafile=world.trusted)


def get(by, world, *places, limits=LIMITS):
    return by(
        world, [f"https://{place.replace('/', f':{world.port}/', 1)}" for place in places], limits
    )


both = pytest.mark.parametrize("by", [by_httpx, by_httpx_async])


@both
def test_each_name_has_a_connection_of_its_own(by, world):
    """One address and one certificate that is for both would let HTTP/2 share one."""
    world.asked.clear()
    before = world.connections[OUTSIDE]
    names = ["good.site.com", "twin.site.com"] * 2
    assert get(by, world, *(f"{name}/" for name in names)) == [(200, "HTTP/2")] * 4
    assert world.asked == [(name, f"{name}:{world.port}") for name in names]
    assert world.connections[OUTSIDE] == before + 2


@both
@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("internal.site.com/", "address"),
        ("good.site.com/to?url=https://127.0.0.1/", "url"),
        ("good.site.com/to?url=https://internal.site.com/", "address"),
        ("good.site.com/bomb", "size"),
    ],
)
def test_it_is_guarded_as_http_1_is(by, place, cause, world):
    before = world.connections[INSIDE]
    with pytest.raises(GuardError) as caught:
        get(by, world, place)
    assert caught.value.cause == cause
    assert world.connections[INSIDE] == before


@both
def test_time_is_limited(by, world):
    with pytest.raises(GuardError) as caught:
        get(by, world, "good.site.com/silence", limits=Limits(seconds=0.3))
    assert caught.value.cause == "time"
