"""Plans for ftp URLs, carried out against a server that is not ours (RFC 1738 section 3.2)."""

import ftplib
import threading
import warnings

import pytest
from cases import tables

from uriparse.errors import SchemeError
from uriparse.schemes import parse_url
from uriparse.schemes.plans import ftp_plan

TABLES = tables(__file__)

with warnings.catch_warnings():  # below Python 3.12 the server uses modules that are deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    pytest.importorskip("pyftpdlib.servers", reason="the server that plans are carried out against")
    from pyftpdlib.authorizers import DummyAuthorizer
    from pyftpdlib.handlers import FTPHandler
    from pyftpdlib.servers import FTPServer

PASSWORD = "p@ss/w:d"
HOME = "/home/myname"
LISTED = {"a.txt", "b.zip"}
FILES = {
    "etc/motd": b"of the host\n", "home/myname/etc/motd": b"of the user\n",
    "pub/a.txt": b"one\ntwo\n", "pub/b.zip": b"\0\n\xff", "pub/a;b c": b"odd",
}  # fmt: skip
ANONYMOUS = ["USER anonymous", "PASS me@x.y"]
USER = ["USER myname", "PASS"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server on the loopback, whose `received` are the lines that it was sent."""
    root = tmp_path_factory.mktemp("ftp")
    for name, octets in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)
    users = DummyAuthorizer()
    users.add_anonymous(str(root))
    users.add_user("myname", PASSWORD, str(root), perm="elrw")
    received = []

    class Handler(FTPHandler):
        authorizer = users

        def on_login(self, username):
            self.fs.cwd = HOME if username == "myname" else "/"

        def pre_process_command(self, line, cmd, arg):
            received.append("PASS" if cmd == "PASS" and self.username != "anonymous" else line)
            super().pre_process_command(line, cmd, arg)

    serving = FTPServer(("127.0.0.1", 0), Handler)
    serving.received, serving.root, serving.stops = received, root, False

    def serve():
        while not serving.stops:
            serving.serve_forever(timeout=0.01, blocking=False)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield serving
    serving.stops = True
    thread.join(10)
    serving.close_all()


def carry_out(plan, given=b""):
    """Do what a plan says, by a client that adds nothing but how data is to be transferred."""
    octets = []
    with ftplib.FTP(timeout=10, encoding="latin-1") as client:
        client.connect(plan.host, plan.port)
        for command in plan.commands:
            if command.prompt == "password":
                client.sendcmd(f"{command.verb} {PASSWORD}")
                continue
            line = command.octets.decode("latin-1").removesuffix("\r\n")
            if command is not plan.commands[-1]:
                client.sendcmd(line)
                continue
            with client.transfercmd(line) as data:
                if command.verb == "STOR":
                    data.sendall(given)
                while command.verb != "STOR" and (piece := data.recv(4096)):
                    octets.append(piece)
            client.voidresp()
    return b"".join(octets)


def place(server, url):
    """Put the server's address in the place of a host."""
    return parse_url(url.replace("H.D", f"127.0.0.1:{server.address[1]}"))


RETRIEVED = TABLES["retrieved"]
"""What a null argument means is the server's business: this one goes to the root."""


@pytest.mark.parametrize("url", RETRIEVED)
def test_what_a_url_stands_for_is_retrieved(server, url):
    """E-027, E-029 to E-033, L-020, L-022 to L-027: and each plan begins with the login, L-029."""
    lines, octets = RETRIEVED[url]
    server.received.clear()
    assert carry_out(ftp_plan(place(server, url), email="me@x.y")) == octets
    ways = {"EPSV", "PASV", "QUIT"}
    assert [line for line in server.received if line not in ways] == lines


@pytest.mark.parametrize("url", ["ftp://H.D/pub;type=d", "ftp://H.D/pub/;type=d", "ftp://H.D/pub/"])
def test_a_directory_is_listed(server, url):
    """E-029, L-022: by name, or where the path ends in it."""
    names = carry_out(ftp_plan(place(server, url), email="me@x.y")).decode().split("\r\n")
    assert {name.rpartition("/")[2] for name in names} >= LISTED


def test_a_file_is_stored(server):
    """E-034."""
    url = place(server, "ftp://myname@H.D/%2Fpub/new;type=i")
    carry_out(ftp_plan(url, operation="store"), b"new\n\xff")
    assert (server.root / "pub" / "new").read_bytes() == b"new\n\xff"
    (server.root / "pub" / "new").unlink()


@pytest.mark.parametrize("part", ["a%0D%0ADELE%20a.txt", "a%0A", "%00", "x%0D/a"])
def test_nothing_is_sent_of_what_would_be_two_commands(server, part):
    """L-061."""
    server.received.clear()
    with pytest.raises(SchemeError, match="is not sent"):
        carry_out(ftp_plan(place(server, f"ftp://H.D/pub/{part}"), email="e"))
    assert server.received == []
    assert (server.root / "pub" / "a.txt").exists()
