"""Sends the client that is named to hostile URLs, and prints as JSON what it reached.

Runs where only loopback exists. Names are looked up in a table, and every TCP connection ends at a
server in this process. No URL leads anywhere but to `OUTSIDE`, to `DEAD`, which refuses, and to
what a guard must refuse. One client fetches every URL three times: a name can lead elsewhere then.
"""

import asyncio
import json
import socket
import subprocess
import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from urllib.parse import unquote

OUTSIDE, DEAD, OWN = "93.184.215.14", "93.184.215.15", "2.125.160.216"
"""Global addresses: of a server, of nobody, and of an interface of this machine."""

LED_TO = f"""
127.0.0.1 10.0.0.5 192.168.1.1,{OUTSIDE} {DEAD},172.16.0.1 169.254.169.254 0.0.0.0 100.64.0.1
198.18.0.1 224.0.0.1 255.255.255.255 {OWN} ::1 fe80::1 fd00:ec2::254 ::ffff:10.0.0.5
64:ff9b::a9fe:a9fe 64:ff9b:1::a00:5 2002:7f00:1:: 2001:0:7f00:1::80ff:fffe ::127.0.0.1
::ffff:0:10.0.0.5""".split()
FORBIDDEN = {f"name{at}.site.com": one.split(",") for at, one in enumerate(LED_TO)}
FORBIDDEN |= {"localhost": ["127.0.0.1"], "metadata.google.internal": ["169.254.169.254"]}
NAMES = {**FORBIDDEN, "good.site.com": [OUTSIDE]}
REBINDING = {"rebind.site.com": 1, "rebind-later.site.com": 2}
"""Names that lead to `OUTSIDE` for so many look-ups, and to 127.0.0.1 from then on."""

# 168.63.129.16, 100.100.100.200 and 192.0.0.192 are metadata services of clouds.
LITERALS = f"""
127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 10.0.0.5 172.16.0.1 192.168.1.1
100.64.0.1 0.0.0.0 0 169.254.169.254 0xa9fea9fe 100.100.100.200 168.63.129.16 192.0.0.192 {OWN}
[::1] [::] [::ffff:127.0.0.1] [::ffff:a00:5] [::ffff:169.254.169.254] [64:ff9b::127.0.0.1]
[64:ff9b:1::a9fe:a9fe] [2002:a00:5::] [fd00:ec2::254] [fec0::1] [ff02::1] good.site.com@127.0.0.1
LOCALHOST.""".split()
REDIRECTS = [
    *(f"http://{host}/" for host in ("127.0.0.1", "0x7f.1", "[::ffff:10.0.0.5]", "name1.site.com")),
    *("//name0.site.com/", "http://good.site.com/to?http://10.0.0.5/", "http://a@127.0.0.1/"),
]
HOSTILE = [f"http://{host}/" for host in (*LITERALS, *FORBIDDEN, *REBINDING)]
HOSTILE += [f"http://good.site.com/to?{where}" for where in REDIRECTS]
GOOD = [f"http://{OUTSIDE}/", *(f"http://good.site.com/{to}" for to in ("a?b", "to?/a"))]


NOW, CONNECTIONS, REQUESTS = [], {}, {}
"""The URLs so far; what went to forbidden addresses, by URL."""


class Handler(BaseHTTPRequestHandler):
    """Redirects where the query of "/to" says; a connection serves one request."""

    def do_GET(self):
        if self.connection.getsockname()[0].endswith("127.0.0.1"):
            REQUESTS[NOW[-1]] = self.path
        path, _, where = self.path.partition("?")
        self.send_response(302 if path == "/to" else 200)
        self.send_header("Location", unquote(where))
        self.end_headers()


def replace_the_network():
    """Replace look-ups and connections."""
    server = ThreadingHTTPServer(("", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    look_up, plain = socket.getaddrinfo, socket.socket
    connect, peername = plain.connect, plain.getpeername
    asked, peers = dict.fromkeys(REBINDING, 0), {}

    def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):  # noqa: A002 - the real one's
        name = (host.decode() if isinstance(host, bytes) else host).rstrip(".").lower()
        found = NAMES.get(name, [name])
        if name in REBINDING:
            asked[name] += 1
            found = [OUTSIDE if asked[name] <= REBINDING[name] else "127.0.0.1"]
        options = family, type, proto, flags | socket.AI_NUMERICHOST
        return [info for one in found for info in look_up(one, port, *options)]

    def patched(self, address):
        if self.type == socket.SOCK_DGRAM:
            return connect(self, address)
        if address[0] == DEAD:
            raise ConnectionRefusedError(111, "Connection refused")
        if address[0] != OUTSIDE:
            CONNECTIONS[NOW[-1]] = address[0]
        peers[self.fileno()] = address
        loopback = "127.0.0.2" if address[0] == OUTSIDE else "127.0.0.1"
        mapped = "::ffff:" * (self.family == socket.AF_INET6) + loopback
        return connect(self, (mapped, server.server_port))

    socket.getaddrinfo = getaddrinfo
    plain.connect = plain.connect_ex = patched
    plain.getpeername = lambda self: peername(self) and peers[self.fileno()]


def made(name):
    """Return what fetches a URL; each guard is set up as its documentation says."""
    if name in ("requests", "advocate", "drawbridge"):
        library = import_module(name)
        return (library.SyncClient if name == "drawbridge" else library.Session)().get
    if name == "requests-hardened":
        from requests_hardened import Config, Manager

        config = Config(True, False, never_redirect=False, default_timeout=(2, 10))
        return Manager(config).get_session().get
    if name == "httpx-secure":
        plain = import_module("httpx").AsyncClient(trust_env=False, follow_redirects=True)
        return import_module("httpx_secure").httpx_ssrf_protection(plain).get
    if name == "microsoft-antissrf":
        from AntiSSRF import AntiSSRFPolicy, PolicyConfigOptions

        policy = AntiSSRFPolicy(PolicyConfigOptions.EXTERNAL_ONLY_LATEST)
        policy.allow_plain_text_http = True
        return policy.get_antissrf_session().get
    return partial(getattr(import_module("uriparse.guard"), name)().request, "GET")


async def main(name):
    replace_the_network()
    get, fetched, errors = made(name), dict.fromkeys(HOSTILE + GOOD, 0), {}
    for url in fetched:
        NOW.append(url)
        for _ in range(3):
            try:
                answer = get(url)
                if hasattr(answer, "__await__"):
                    await answer
                fetched[url] += 1
            except Exception as error:  # noqa: BLE001 - of many kinds
                errors[url] = repr(error)
    good = [url for url in GOOD if fetched[url] == 3]
    return {"connections": CONNECTIONS, "requests": REQUESTS, "good": good, "errors": errors}


if __name__ == "__main__":
    subprocess.run(f"ip link set lo up; ip addr add {OWN}/32 dev lo", shell=True, check=True)
    json.dump(asyncio.run(main(sys.argv[1])), sys.stdout)
