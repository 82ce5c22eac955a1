"""What the servers of the tests answer, by path."""

import contextlib
import gzip
import time
import zlib
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

BOMB = {
    "gzip": gzip.compress(bytes(50_000_000)), "deflate": zlib.compress(bytes(50_000_000)),
    "raw-deflate": zlib.compress(bytes(50_000_000))[2:-4],
    "mixed-deflate": zlib.compress(b"ok" * 1000) + zlib.compress(bytes(50_000_000))[2:-4],
    "trailed-gzip": gzip.compress(b"ok") + bytes(50_000), "identity": bytes(50_000),
}  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle(self):
        with contextlib.suppress(ConnectionError):  # the client has gone
            super().handle()

    def do_GET(self):
        world = self.server.world
        world.hits[self.server.server_address[0]] += 1
        world.seen.append((self.headers["Host"], dict(self.headers), self.path))
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        getattr(self, f"answer_{url.path.strip('/') or 'plain'}")(query)

    def do_CONNECT(self):
        """Be a proxy whose every tunnel leads back here."""
        self.server.world.seen.append((self.headers["Host"], dict(self.headers), self.path))
        self.send_response(200)
        self.end_headers()

    def do_POST(self):
        """Take a bit of the body now and then."""
        for _ in range(100):
            self.rfile.read(1)
            time.sleep(0.1)
        self.close_connection = True

    def answer_plain(self, _):
        self.send(200, b"ok")

    def answer_to(self, query):
        """Redirect to what the query says."""
        where = query["url"].replace("PORT", str(self.server.server_port))
        self.send(int(query.get("status", "302")), b"", Location=where)

    def answer_loop(self, _):
        self.send(302, b"", Location="/loop")

    def answer_cookie(self, query):
        where = query["url"].replace("PORT", str(self.server.server_port))
        self.send(302, b"", Location=where, **{"Set-Cookie": "secret=1"})

    def answer_body(self, query):
        """Send as many octets as asked for, in one piece or in one chunk."""
        body = bytes(int(query["octets"]))
        if "chunked" not in query:
            self.send(200, body)
            return
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")

    def answer_bomb(self, query):
        kind = query["kind"]
        self.send(200, BOMB[kind], **{"Content-Encoding": kind.rpartition("-")[2]})

    def answer_small(self, query):
        kind = query["kind"]
        body = {"gzip": gzip.compress, "deflate": zlib.compress}[kind](b"ok" * 1000)
        self.send(200, body, **{"Content-Encoding": kind})

    def answer_coded(self, query):
        self.send(200, b"ok", **{"Content-Encoding": query["as"]})

    def answer_silence(self, _):
        time.sleep(1)
        self.close_connection = True

    def answer_drip(self, query):
        """Send a bit now and then, for ever: of the headers, or of the body."""
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        if query["part"] == "body":
            self.wfile.write(b"Content-Length: 1000\r\n\r\n")
        else:
            self.wfile.write(b"X: ")
        for _ in range(100):
            self.wfile.write(b"a")
            self.wfile.flush()
            time.sleep(0.1)

    def send(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
