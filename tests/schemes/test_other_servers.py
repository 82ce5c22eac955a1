"""Plans for telnet, WAIS and Prospero, carried out against small servers on the loopback.

The servers are written from the protocols: a login of the network virtual terminal (RFC 854), the
search of Z39.50 in BER (ISO 23950, tags 22 and 23), and the lines of a Prospero request in a
datagram. They share nothing with the plans.
"""

import socket
import threading
from contextlib import contextmanager

import pytest
from cases import each_case

from uriparse.schemes import parse_url
from uriparse.schemes.plans import prospero_plan, telnet_advice, wais_plan

LOOPBACK = "127.0.0.1"
SECONDS = 10
DOCUMENTS = {b"db": {b"\x00id": b"of two words", b"7": b"of none"}, b"my db": {}}
LINKS = {("/pros/a name", ()): "FTP h.d /pub/a", ("x", (("v", "2"), ("w", ""))): "WAIS h.d db"}


@contextmanager
def served(handle, kind=socket.SOCK_STREAM):
    """Serve once by a function of a socket; yield the port."""
    with socket.socket(socket.AF_INET, kind) as listening:
        listening.bind((LOOPBACK, 0))
        listening.settimeout(SECONDS)

        def serve():
            if kind == socket.SOCK_DGRAM:
                handle(listening)
                return
            with listening.accept()[0] as peer:
                peer.settimeout(SECONDS)
                handle(peer)

        if kind == socket.SOCK_STREAM:
            listening.listen()
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(SECONDS)
        assert not thread.is_alive()


def until(peer, end):
    """Receive until what came ends with some octets."""
    octets = b""
    while not octets.endswith(end):
        more = peer.recv(4096)
        assert more, octets
        octets += more
    return octets


# A terminal: the server asks, negotiates an option (IAC WILL ECHO), and refuses strangers.


def log_in(peer):
    peer.sendall(b"\xff\xfb\x01login: ")
    user = until(peer, b"\r\n")[:-2]
    peer.sendall(b"Password: ")
    password = until(peer, b"\r\n")[:-2]
    peer.sendall(b"Welcome\r\n" if (user, password) == (b"guest one", b"p@ss") else b"Bye\r\n")


@each_case(
    ("login", "answer"),
    [("guest%20one:p%40ss@", b"Welcome"), ("guest%20one:pass@", b"Bye"), ("guest:p%40ss@", b"Bye")],
)
def test_a_person_logs_in_as_the_advice_says(login, answer):
    with served(log_in) as port:
        advice = telnet_advice(parse_url(f"telnet://{login}{LOOPBACK}:{port}/"))
        with socket.create_connection((advice.host, advice.port), SECONDS) as client:
            until(client, b"login: ")
            client.sendall(advice.user.encode() + b"\r\n")
            until(client, b"Password: ")
            client.sendall(advice.password.encode() + b"\r\n")
            assert until(client, b"\r\n") == answer + b"\r\n"


# Z39.50: a search names a database and a query, and the answer tells how many documents it found.


def ber(tag, *contents):
    """Encode an element of BER with a context tag up to 30, or one above in two octets."""
    body = b"".join(contents)
    head = bytes((0xA0 | tag,)) if tag < 31 else bytes((0xBF, tag))
    assert len(body) < 128
    return head + bytes((len(body),)) + body


def parts(octets):
    """Decode elements of BER one after the other, into pairs of tag and content."""
    found = []
    while octets:
        start = 2 if octets[0] & 0x1F == 0x1F else 1
        tag = octets[1] if start == 2 else octets[0] & 0x1F
        size = octets[start]
        found.append((tag, octets[start + 1 : start + 1 + size]))
        octets = octets[start + 1 + size :]
    return found


def search(peer):
    length = peer.recv(2, socket.MSG_PEEK | socket.MSG_WAITALL)[1] + 2
    ((tag, body),) = parts(peer.recv(length, socket.MSG_WAITALL))
    assert tag == 22
    fields = dict(parts(body))
    ((_, database),) = parts(fields[18])
    query = fields.get(21)
    documents = DOCUMENTS.get(database)
    if documents is None:
        peer.sendall(ber(23, ber(22, b"\0")))
        return
    found = [text for name, text in documents.items() if query in {None, name} or query in text]
    peer.sendall(
        ber(23, ber(22, b"\1"), ber(23, bytes((len(found),))), *(ber(28, f) for f in found))
    )


@each_case(("path", "found"), [
    ("db", [b"of two words", b"of none"]), ("db?two%20words", [b"of two words"]), ("db?three", []),
    ("db/TEXT/%00id", [b"of two words"]), ("my%20db?two", []), ("other?two", None),
])  # fmt: skip
def test_a_wais_client_asks_for_what_the_plan_says(path, found):
    with served(search) as port:
        plan = wais_plan(parse_url(f"wais://{LOOPBACK}:{port}/{path}"))
        asked = {"database": None, "search": plan.search, "document": plan.wpath}[plan.kind]
        request = [ber(18, ber(105, plan.database))]
        request += [] if asked is None else [ber(21, asked)]
        with socket.create_connection((plan.host, plan.port), SECONDS) as client:
            client.sendall(ber(22, *request))
            ((tag, body),) = parts(client.recv(4096))
    assert tag == 23
    answer = parts(body)
    assert answer[0] == (22, b"\0" if found is None else b"\1")
    assert [text for tag, text in answer if tag == 28] == (found or [])


# Prospero: one datagram of lines asks a directory server for a link, which says how to get at it.


def link(listening):
    octets, peer = listening.recvfrom(4096)
    version, directory, *wanted = octets.decode("ascii").split("\n")
    assert version == "VERSION 1"
    name = directory.removeprefix("DIRECTORY ASCII ")
    fields = tuple(tuple(line.removeprefix("ATTRIBUTE ").split("=")) for line in wanted)
    access = LINKS.get((name, fields))
    answer = "FAILURE NOT-FOUND" if access is None else f"LINK ACCESS-METHOD {access}"
    listening.sendto(answer.encode("ascii"), peer)


@each_case(("path", "answer"), [
    ("/pros/a%20name", b"LINK ACCESS-METHOD FTP h.d /pub/a"),
    ("x;v=2;w=", b"LINK ACCESS-METHOD WAIS h.d db"), ("x;w=;v=2", b"FAILURE NOT-FOUND"),
    ("pros/a%20name", b"FAILURE NOT-FOUND"),
])  # fmt: skip
def test_a_prospero_client_asks_for_what_the_plan_says(path, answer):
    with served(link, socket.SOCK_DGRAM) as port:
        plan = prospero_plan(parse_url(f"prospero://{LOOPBACK}:{port}/{path}"))
        lines = [b"VERSION 1", b"DIRECTORY ASCII " + plan.hsoname]
        lines += [b"ATTRIBUTE " + name + b"=" + value for name, value in plan.fields]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(SECONDS)
            client.sendto(b"\n".join(lines), (plan.host, plan.port))
            assert client.recv(4096) == answer


@pytest.mark.parametrize("text", ["telnet://h.d", "wais://h.d/db", "prospero://h.d/x"])
def test_ports_are_those_of_the_documents(text):
    url = parse_url(text)
    plan = {"telnet": telnet_advice, "wais": wais_plan, "prospero": prospero_plan}[url.scheme](url)
    assert plan.port == {"telnet": 23, "wais": 210, "prospero": 1525}[url.scheme]
