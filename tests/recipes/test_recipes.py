"""Guarded clients never reach a forbidden address; the same clients unguarded do.

On loopback, and names are looked up in a table (`world`).
"""

import ast
import contextlib
import re
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cases import each_case
from documentation.pages import PAGES
from paths import ROOT
from recipes.world import CLIENTS, INSIDE, OUTSIDE, Outside

from uriparse.validation import Policy


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.hits[self.server.server_address[0]] += 1
        where = {
            "/to-relative": "/",
            "/to-literal": f"http://{INSIDE}:{self.server.server_port}/",
            "/to-hexadecimal": f"http://0x7f.1:{self.server.server_port}/",
            "/to-name": f"http://internal.site.com:{self.server.server_port}/",
        }.get(self.path)
        self.send_response(302 if where else 200)
        if where:
            self.send_header("Location", where)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def world():
    """Two servers on one port; counts by address how often each was reached."""
    hits = Counter()
    outside = ThreadingHTTPServer((OUTSIDE, 0), Handler)
    inside = ThreadingHTTPServer((INSIDE, outside.server_port), Handler)
    for server in (outside, inside):
        server.hits = hits
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield outside.server_port, hits
    for server in (outside, inside):
        server.shutdown()
        server.server_close()


CASES = {
    "literal": f"http://{INSIDE}:PORT/",
    "octal": "http://0177.0.0.1:PORT/",
    "hexadecimal": "http://0x7f.1:PORT/",
    "internal name": "http://internal.site.com:PORT/",
    "redirect to literal": "http://good.site.com:PORT/to-literal",
    "redirect to hexadecimal": "http://good.site.com:PORT/to-hexadecimal",
    "redirect to name": "http://good.site.com:PORT/to-name",
    "rebinding": "http://rebind.site.com:PORT/",
    "proxy": "http://good.site.com:PORT/",
}


def fetch(client, case, guarded, world, look_up, monkeypatch, **more):
    """Fetch; say how often the forbidden address was reached."""
    port, hits = world
    before = hits[INSIDE]
    for name in ("http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    if case == "proxy":
        monkeypatch.setenv("http_proxy", f"http://{INSIDE}:{port}")
    if case == "rebinding":  # whoever checks first and connects later has looked it up by now
        assert look_up("rebind.site.com", port)[0][4][0] == OUTSIDE
    with contextlib.suppress(Exception):  # of each client's own; what counts is who was reached
        CLIENTS[client](CASES[case].replace("PORT", str(port)), guarded, **more)
    return hits[INSIDE] - before


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", CASES)
def test_a_guarded_client_never_gets_there(client, case, world, look_up, monkeypatch):
    assert fetch(client, case, True, world, look_up, monkeypatch) == 0


OWN_LISTS = re.compile(r"(?<!\w)Policy\([^()]*\)")


def policies_of_pages():
    """Give the arguments of every policy that a page or a docstring makes of its own lists."""
    texts = [page.read_text(encoding="utf-8") for page in (*PAGES, ROOT / "README.md")]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "uriparse").rglob("*.py")]
    for call in sorted({found for text in texts for found in OWN_LISTS.findall(text)}):
        with contextlib.suppress(SyntaxError, ValueError):  # prose, or arguments that are names
            arguments = ast.parse(call, mode="eval").body.keywords
            yield {one.arg: ast.literal_eval(one.value) for one in arguments}


OWN = [made for made in policies_of_pages() if "schemes" in made]
assert {"schemes": ["https"], "hosts": [".example.com"]} in OWN
OPEN = {"schemes": ["http"], "hosts": "*", "ports": "*"}
OPENED = {str({**made, **OPEN}): {**made, **OPEN} for made in OWN}
"""The same, whose lists are opened for the names and ports here: what is not named protects."""


@each_case("made", OWN)
def test_nor_do_the_policies_of_pages_permit_it(made):
    assert not Policy(**made).permits(INSIDE)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", [Policy, Outside])
@pytest.mark.parametrize("made", OPENED)
def test_nor_does_a_client_guarded_by_one(client, case, kind, made, world, look_up, monkeypatch):
    policy = kind(**OPENED[made])
    assert fetch(client, case, True, world, look_up, monkeypatch, policy=policy) == 0


# httpx and aiohttp refuse octal addresses themselves.
BITES = [(client, case) for client in CLIENTS for case in CASES if case != "octal"]


@pytest.mark.parametrize(("client", "case"), [*BITES, ("requests", "octal")])
def test_an_unguarded_client_does(client, case, world, look_up, monkeypatch):
    assert fetch(client, case, False, world, look_up, monkeypatch) > 0


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("host", ["good.site.com", "both.site.com"])
@pytest.mark.usefixtures("look_up")
def test_a_guarded_client_gets_where_it_may(client, host, world):
    port, hits = world
    before = hits[OUTSIDE]
    assert CLIENTS[client](f"http://{host}:{port}/", True) == (200, f"http://{host}:{port}/")
    assert hits[OUTSIDE] == before + 1


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.usefixtures("look_up")
def test_a_relative_redirect_is_read_against_the_name(client, world):
    """Not against the address that was connected to: TLS, cookies and virtual hosts need names."""
    at = f"http://good.site.com:{world[0]}/"
    assert CLIENTS[client](f"{at}to-relative", True) == (200, at)
