"""Requests of gopher URLs, sent to a small server that reads them as RFC 1436 and Gopher+ say."""

import socket
import socketserver
import threading

import pytest
from cases import each_case

from uriparse.schemes import GopherPlus, GopherURL, parse_url
from uriparse.schemes.plans import gopher_plan

MENU = "0About\tabout\tlocalhost\t70\r\n.\r\n"
TEXTS = {"": MENU, "about": "text\r\n.\r\n", "0copy": "of the type too\r\n.\r\n", "s x": "blank"}


class Server(socketserver.BaseRequestHandler):
    """One request, answered by what was understood of it."""

    def handle(self):
        """Read a line, and the block of a form behind it; answer, and close."""
        with self.request.makefile("rb") as stream:
            selector, *fields = stream.readline().removesuffix(b"\r\n").split(b"\t")
            if len(fields) > 1 and fields[-1] == b"1" and stream.readline() == b"+-1\r\n":
                answers = []
                while (line := stream.readline()) not in {b".\r\n", b""}:
                    answers.append(line.removesuffix(b"\r\n").decode())
                fields[-1] = "|".join(answers).encode()
            self.server.rest.append(bytes(self.pending()))
        self.request.sendall(self.answer(selector.decode("latin-1"), *map(bytes.decode, fields)))

    def pending(self):
        """What has been sent and was not read."""
        self.request.setblocking(False)
        try:
            return self.request.recv(100)
        except BlockingIOError:
            return b""
        finally:
            self.request.setblocking(True)

    def answer(self, selector, search=None, plus=None):
        """Say what was asked for."""
        if search is None:
            return TEXTS.get(selector, "3no such thing\r\n.\r\n").encode()
        if search.startswith("+") and plus is not None:
            return f"{selector} answered {plus} as {search}".encode()
        if plus is None and search[:1] not in set("+!$?"):
            return f"0{selector} has {search}\r\n.\r\n".encode()
        return f"{selector} {search!r} {plus!r}".encode()


@pytest.fixture(scope="module")
def server():
    with socketserver.TCPServer(("127.0.0.1", 0), Server) as serving:
        serving.rest = []
        thread = threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield serving
        serving.shutdown()
        thread.join(10)


def fetch(server, path, **options):
    """Do what a plan says."""
    url = parse_url(f"gopher://127.0.0.1:{server.server_address[1]}{path}")
    plan = gopher_plan(url, **options)
    with socket.create_connection((plan.host, plan.port), timeout=10) as line:
        line.sendall(plan.request)
        octets = b"".join(iter(lambda: line.recv(4096), b""))
    assert server.rest.pop() == b""  # the server has read all that was sent
    return octets.decode()


FORM = "+%091%0D%0A+-1%0D%0Ax%20y%0D%0Az%0D%0A.%0D%0A"
ANSWERS = {
    "": MENU,  # L-035: an empty selector is the top-level menu
    "/": MENU, "/1": MENU, "/0about": "text\r\n.\r\n",
    "/00copy": "of the type too\r\n.\r\n",  # L-034
    "/0s%20x": "blank", "/0none": "3no such thing\r\n.\r\n",
    "/7engine%09two%20words": "0engine has two words\r\n.\r\n",  # L-036, E-043
    "/0s%09%09+": "s '' '+'",  # L-037
    "/0s%09%09!+ABSTRACT%20+SMELL": "s '' '!+ABSTRACT +SMELL'",  # L-040
    "/0s%09q%09$": "s 'q' '$'",
    "/0s%09%09+application/postscript%20Es_ES": "s '' '+application/postscript Es_ES'",  # L-041
    f"/0s%09%09{FORM}": "s answered x y|z as +",  # L-042
}  # fmt: skip


@each_case("path", ANSWERS)
def test_a_server_understands_the_request(server, path):
    assert fetch(server, path) == ANSWERS[path]


def test_an_empty_search_may_be_left_out(server):
    """L-043."""
    assert fetch(server, "/0s%09%09+", empty_search="omit") == "s '+' None"


def test_a_form_is_asked_for_and_brought_back(server):
    """L-038: the attribute +ASK is the form; the answers go back with the selector."""
    url = parse_url(f"gopher://127.0.0.1:{server.server_address[1]}/0s%09%09?")
    plan = gopher_plan(url, empty_search="omit")
    assert plan.form == b"s\t!+ASK\r\n"
    assert gopher_plan(url).form == b"s\t\t!+ASK\r\n"
    answered = GopherURL.from_parts(
        host=str(url.host), port=str(url.port), gtype="0", selector=url.selector, search="",
        gopher_plus=GopherPlus.filled(["Ann", "7"]).octets,
    )  # fmt: skip
    plan = gopher_plan(answered)
    assert plan.form is None
    assert fetch(server, f"/{answered.path}") == "s answered Ann|7 as +"


def test_a_form_that_was_filled_in_by_parts(server):
    """L-038, L-042: what a client sends once the questions of an item are answered."""
    filled = GopherPlus.filled(["a", "", "c d"], view="text/plain")
    path = "/0s%09%09" + "".join(f"%{octet:02X}" for octet in filled.octets)
    assert fetch(server, path) == "s answered a||c d as +text/plain"
