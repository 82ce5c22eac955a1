"""Answers every name and every connection of a namespace, and notes what was asked for.

One address is that of a proxy. A connection to it is noted as one to where the proxy is asked to
connect, by CONNECT or by a request target in absolute form (RFC 9112 sections 3.2.2 and 3.2.3).
"""

import hashlib
import socket
import ssl
import struct
import threading
from contextlib import suppress
from ipaddress import ip_address

SO_ORIGINAL_DST = 80
"""Linux: where a connection was to go before it was redirected."""

PROXY = "198.51.100.1", 3128
"""Where the proxy is, for clients that are told to take one."""

ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 2\r\nConnection: close\r\n\r\nok"
)


def address_of(name):
    """Return the address of a name: another one for each, so that connections show the name."""
    digest = hashlib.sha256(name.lower().encode()).digest()
    return f"10.{digest[0]}.{digest[1]}.{digest[2] % 254 + 1}"


class Recorder:
    """Listens in this process's network.

    names: that were looked up, in order; also those that the proxy was to look up.
    connections: as dicts with address, port, tls, sni, line and host, and whether `proxied`.
    """

    def __init__(self, port, authority):
        self.names, self.connections, self.threads = [], [], []
        self.port = port
        self.authority = authority
        self.contexts = {}
        self.reached = threading.Event()
        self.names_socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.names_socket.bind(("127.0.0.1", 53))
        self.listener = socket.create_server(
            ("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=512
        )
        for target in (self.answer_names, self.accept):
            threading.Thread(target=target, daemon=True).start()

    def clear(self):
        self.names, self.connections, self.threads = [], [], []

    def settle(self):
        """Wait until all that came before has been noted."""
        self.reached.clear()
        with socket.create_connection(("127.0.0.1", self.port), timeout=5):
            self.reached.wait(5)
        for thread in self.threads:
            thread.join(3)

    def answer_names(self):
        while True:
            packet, sender = self.names_socket.recvfrom(4096)
            with suppress(Exception):
                self.names_socket.sendto(self.answer(packet), sender)

    def answer(self, packet):
        labels, at = [], 12
        while packet[at]:
            labels.append(packet[at + 1 : at + 1 + packet[at]].decode("latin-1"))
            at += packet[at] + 1
        name = ".".join(labels)
        (kind,) = struct.unpack(">H", packet[at + 1 : at + 3])
        question = packet[12 : at + 5]
        is_address = kind == 1
        self.names.append(name)
        head = packet[:2] + b"\x85\x80\0\1" + struct.pack(">H", is_address) + bytes(4)
        found = b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(address_of(name))
        return head + question + (found if is_address else b"")

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            address, port = destination(connection)
            if (address, port) == ("127.0.0.1", self.port):
                connection.close()
                self.reached.set()
                continue
            noted = {"address": address, "port": port, "tls": False, "sni": None, "line": None}
            self.connections.append(noted)
            thread = threading.Thread(target=self.serve, args=(connection, noted), daemon=True)
            thread.start()
            self.threads.append(thread)

    def serve(self, connection, noted):
        connection.settimeout(1)  # a client of another protocol waits for us to begin
        with suppress(OSError, ValueError), connection:
            received = None
            if (noted["address"], noted["port"]) == PROXY:
                received = self.forwarded(connection, noted)
            if received is None and connection.recv(1, socket.MSG_PEEK) == b"\x16":
                noted["tls"] = True  # a handshake begins with that octet
                connection = self.secured(connection, noted)
            line, _, rest = (received or head_of(connection)).partition(b"\r\n")
            noted["line"] = line.decode("latin-1")
            hosts = [one for one in rest.split(b"\r\n") if one.lower().startswith(b"host:")]
            noted["host"] = hosts[0][5:].strip().decode("latin-1") if hosts else None
            connection.sendall(ANSWER)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass

    def forwarded(self, connection, noted):
        """Do what a proxy does; return the request in origin form, or None within a tunnel."""
        noted["proxied"] = True
        request = head_of(connection)
        method, target, rest = request.split(b" ", 2)
        if method == b"CONNECT":
            noted["address"], noted["port"] = self.place(target, 443)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            return None
        scheme, _, after = target.partition(b"://")
        authority, slash, path = after.partition(b"/")
        noted["tls"] = scheme == b"https"
        noted["address"], noted["port"] = self.place(authority, 443 if noted["tls"] else 80)
        return b" ".join((method, slash + path, rest))

    def place(self, authority, default):
        """Return the address and the port that a proxy connects to."""
        host, colon, port = authority.decode("latin-1").rpartition(":")
        if not colon or port.endswith("]"):
            host, port = authority.decode("latin-1"), default
        host = host.removeprefix("[").removesuffix("]").rstrip(".")
        try:
            address = ip_address(host)
        except ValueError:
            self.names.append(host)
            return address_of(host), int(port)
        return str(getattr(address, "ipv4_mapped", None) or address), int(port)

    def secured(self, connection, noted):
        context = self.context(noted["address"])

        def choose(layer, name, _):
            noted["sni"] = name
            if name is not None:
                layer.context = self.context(name)

        context.sni_callback = choose
        return context.wrap_socket(connection, server_side=True)

    def context(self, name):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if name not in self.contexts:
            try:
                self.contexts[name] = self.authority.issue_cert(name)
            except ValueError:  # not a name that certificates can have
                self.contexts[name] = self.authority.issue_cert("other.example")
        self.contexts[name].configure_cert(context)
        return context


def head_of(connection):
    """Receive a request up to the end of its header section."""
    received = b""
    while b"\r\n\r\n" not in received and (part := connection.recv(65536)):
        received += part
    return received


def destination(connection):
    """Return the address and the port that a redirected connection was for."""
    at = connection.getsockname()[0]
    if at.startswith("::ffff:") or at == "::":
        raw = connection.getsockopt(socket.SOL_IP, SO_ORIGINAL_DST, 16)
        return socket.inet_ntoa(raw[4:8]), struct.unpack(">H", raw[2:4])[0]
    raw = connection.getsockopt(socket.IPPROTO_IPV6, SO_ORIGINAL_DST, 28)
    address = socket.inet_ntop(socket.AF_INET6, raw[8:24])
    return address, struct.unpack(">H", raw[2:4])[0]
