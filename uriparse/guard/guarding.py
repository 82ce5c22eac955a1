"""The guard of every client: it judges URLs, opens connections, and limits size and time.

A request is an `Exchange`. Its timeouts are floats with a reference to it (`Wait`), because a
timeout is what every client passes down to its sockets. `Guard.connect` needs such a timeout.
"""

from __future__ import annotations

import asyncio
import io
import socket
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException, HTTPResponse
from ipaddress import ip_address, ip_network
from math import inf
from selectors import EVENT_READ, DefaultSelector
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from uriparse._base.coerce import as_instance
from uriparse.errors import URIError, excerpt
from uriparse.parsing import parse
from uriparse.percent import unquote_to_bytes
from uriparse.validation import Policy, PolicyError, Report, Target, validate
from uriparse.validation.policy import as_policy
from uriparse.validation.special import ADDRESS_CLASSES, classes_of

if TYPE_CHECKING:
    import ssl

_T = TypeVar("_T")

Cause: TypeAlias = Literal["url", "address", "option", "redirects", "encoding", "size", "time"]
"""Why a guard stops a request; see `GuardError.cause`."""


class GuardError(URIError):
    """Raised when a guard stops a request; the message contains no password.

    cause: "url" if the policy refuses a URL, "address" if it permits no address of a name,
        "option" for a use of the client that would bypass the guard, "encoding" for a compressed
        body, "redirects", "size" and "time" for a limit.
    url: the URL of the request or of the redirect, password included.
    report: why the policy refuses the URL; None for other causes.
    addresses: the addresses of the name if the cause is "address", else empty.
    """

    def __init__(
        self,
        cause: Cause,
        url: str,
        why: str,
        *,
        report: Report | None = None,
        addresses: tuple[str, ...] = (),
    ) -> None:
        super().__init__(f"{excerpt.quoted(url)}: {why}")
        self.cause = cause
        self.url = url
        self.report = report
        self.addresses = addresses


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one request, redirects included; None for no limit.

    redirects: the most that are followed; a request repeated with a password counts as one.
    octets: received on the connection, header fields and framing included.
    seconds: from the request to the last octet of the body, uploads included. The look-up of a name
        is not interrupted: it ends when the system's resolver does.

    ValueError for a negative limit.
    """

    redirects: int = 10
    octets: int | None = 10 * 2**20
    seconds: float | None = 30.0

    def __post_init__(self) -> None:
        """Raise ValueError for a negative limit."""
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"{name}: a limit is not negative, as {value!r} is")


class Exchange:
    """A request with its redirects: the URL judged last, and what remains of the limits."""

    def __init__(self, guard: Guard, url: str) -> None:
        self.guard, self.url = guard, url
        self.target: Target | None = None
        self._hops = self._octets = 0
        seconds = guard.limits.seconds
        self._end = time.monotonic() + (inf if seconds is None else seconds)

    def judge(self, url: str) -> Target:
        """Return the target of the request or a redirect; GuardError if it is refused."""
        self._hops += self.target is not None
        if self._hops > self.guard.limits.redirects:
            raise self.too_many_redirects()
        self.target = self.guard.judge(url)
        return self.target

    def wait(self, own: float | None = None) -> Wait:
        """Return a timeout to pass to a client; `own` is the timeout that its user set, if any."""
        made = Wait(max(0.001, min(self._end - time.monotonic(), LONGEST if own is None else own)))
        made.exchange, made.own = self, own
        return made

    @contextmanager
    def timed(self, own: float | None = None) -> Iterator[float | None]:
        """Yield how many seconds to wait; GuardError after the deadline of the request."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.late()
        try:
            yield min(left, inf if own is None else own) if left < inf else own
        except Exception as error:
            if not isinstance(error, GuardError) and time.monotonic() > self._end - _TICK:
                raise self.late() from error
            raise

    def count(self, octets: int) -> None:
        """Count received octets; GuardError above the limit."""
        self._octets += octets
        limit = self.guard.limits.octets
        if limit is not None and self._octets > limit:
            raise GuardError("size", self.url, f"more than {limit} octets received")

    def late(self) -> GuardError:
        """Return the error for a request that misses its deadline."""
        seconds = self.guard.limits.seconds
        return GuardError("time", self.url, f"not done within {seconds:g} seconds")

    def too_many_redirects(self) -> GuardError:
        """Return the error for one redirect too many."""
        limit = self.guard.limits.redirects
        return GuardError("redirects", self.url, f"more than {limit} redirects")


class Wait(float):
    """A timeout with its request, and with the timeout that the client's user set."""

    exchange: Exchange
    own: float | None


LONGEST = 1e6
"""Seconds in place of no limit: as many as the timers of all systems can hold."""

_TICK = 0.005
"""Seconds by which a wait may end early, because system timers are coarser than the clock."""


def of_request(timeout: object, host: str = "") -> Wait:
    """Return a timeout that was made for a request; GuardError for any other."""
    if isinstance(timeout, Wait):
        return timeout
    why = "not sent by a method of the guarded client, which judges the URL"
    raise GuardError("option", host, why)


class Guard:
    """The policy and limits of a client, and the only function that connects for it."""

    def __init__(
        self, policy: Policy, limits: Limits, proxy: str | None = None, *, decompress: bool = False
    ) -> None:
        self.policy = as_policy(policy)
        self.limits = as_instance(limits, Limits, "limits")
        self._codings = ("gzip", "deflate") if decompress else ("identity",)
        self.accept_encoding = ", ".join(self._codings)
        self._proxy, self._proxy_fields = _read_proxy(proxy)
        self._threads = ThreadPoolExecutor(100, "uriparse-guard")  # as many as connections

    def judge(self, url: str) -> Target:
        """Return the target of a URL; GuardError if the policy refuses it."""
        report = validate(url, self.policy)
        if report.accepted and report.target:
            return report.target
        # A policy with agreement=None accepts "http:".
        why = "it has no host to connect to" if report.accepted else str(PolicyError(report))
        raise GuardError("url", url, why, report=report)

    def check_coding(self, url: str, coding: str | None) -> None:
        """Raise a GuardError for a Content-Encoding that was not asked for."""
        if coding and coding.strip().lower() not in ("identity", *self._codings):
            why = f"the response is compressed as {excerpt.quoted(coding)}"
            raise GuardError("encoding", url, why)

    def connect(self, host: str, port: int, timeout: object) -> socket.socket:
        """Return a socket to a permitted address of the host that was judged last.

        With a proxy, the socket is a tunnel to the host. OSError if no address answers; GuardError
        if none is permitted.
        """
        wait = of_request(timeout, host)
        judged = wait.exchange.target
        if judged is None or (_bare(judged.host), judged.port) != (_bare(host), port):
            raise GuardError("url", host, "the client reads another host or port in the URL")
        at, at_port = self._proxy or (_bare(host), port)
        found = [info[4] for info in socket.getaddrinfo(at, at_port, type=socket.SOCK_STREAM)]
        # To connect to a numeric address needs no second look-up, which could answer otherwise.
        # A link-local IPv6 address keeps the scope from the look-up.
        kept = found if self._proxy else self.permitted(host, found)
        failed = OSError(f"{host} has no address")
        for tried, address in enumerate(kept):
            family = socket.AF_INET6 if len(address) == 4 else socket.AF_INET
            made = socket.socket(family, socket.SOCK_STREAM)
            try:
                with wait.exchange.timed(wait.own) as seconds:
                    # An address that does not answer leaves time for the next ones.
                    made.settimeout(seconds and seconds / (len(kept) - tried))
                    made.connect(address)
                    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    if self._proxy:
                        self._open_tunnel(made, wait, _bare(host), port)
                    made.settimeout(seconds)
            except BaseException as error:
                made.close()
                if not isinstance(error, OSError):
                    raise
                failed = error
            else:
                return made
        raise failed

    async def connect_in_thread(self, host: str, port: int, timeout: object) -> socket.socket:
        """Run `connect` in a thread; a socket that arrives after the deadline is closed."""
        loop = asyncio.get_running_loop()
        opening = loop.run_in_executor(self._threads, self.connect, host, port, timeout)
        try:
            return await in_time(of_request(timeout, host), asyncio.shield(opening))
        except BaseException:
            opening.add_done_callback(_close_unused)
            raise

    def _open_tunnel(self, raw: socket.socket, wait: Wait, host: str, port: int) -> None:
        """Ask the proxy for a tunnel (RFC 9110 section 9.3.6)."""
        made, place = GuardedSocket(raw, wait), f"{f'[{host}]' if ':' in host else host}:{port}"
        fields = f"Host: {place}\r\n{self._proxy_fields}"
        made.sendall(f"CONNECT {place} HTTP/1.1\r\n{fields}\r\n".encode())
        with closing(HTTPResponse(made, method="CONNECT")) as answer:  # type: ignore[arg-type]  # calls makefile alone
            try:
                answer.begin()
            except HTTPException as error:
                raise ConnectionError(f"the proxy sends no valid response: {error!r}") from error
            if answer.status != 200:
                raise ConnectionError(f"the proxy answers {answer.status} to CONNECT {place}")

    def permitted(self, host: str, found: Sequence[_T]) -> list[_T]:
        """Return the socket addresses that the policy permits, in order; GuardError if none.

        Addresses of this machine are permitted only if the policy lists them as allowed.
        """
        refused: dict[str, tuple[str, ...]] = {}
        for one in found:
            text = str(one[0])  # type: ignore[index]  # a socket address is a tuple
            refused[text] = self.policy.refused_classes(ip_address(text))
            if not refused[text] and _is_own(text) and not self._is_listed(text):
                refused[text] = ("of this machine",)
        if kept := [one for one in found if not refused[str(one[0])]]:  # type: ignore[index]  # same
            return kept
        classes = ", ".join(sorted({name for names in refused.values() for name in names}))
        why = f"the policy permits no address of it: {', '.join(refused)} ({classes})"
        raise GuardError("address", host, why, addresses=tuple(refused))

    def _is_listed(self, text: str) -> bool:
        listed, address = frozenset(self.policy.allowed_addresses), ip_address(text)
        return not listed.isdisjoint(("*", *classes_of(address))) or any(
            address in ip_network(name) for name in listed - ADDRESS_CLASSES
        )


def _is_own(text: str) -> bool:
    """Whether an address belongs to this machine: then it is also the source of what is sent there.

    Connecting a datagram socket sends no packet.
    """
    address = ip_address(text)
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((text, 9))
        return ip_address(probe.getsockname()[0]) == address
    return False


def _bare(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _read_proxy(proxy: str | None) -> tuple[tuple[str, int] | None, str]:
    """Return the host and port of a proxy, and the header field with its user and password."""
    if proxy is None:
        return None, ""
    uri = parse(proxy, "URI")
    if uri.scheme != "http" or not uri.host:
        raise GuardError("option", proxy, "a proxy is an http URL with a host")
    words = b64encode(unquote_to_bytes(uri.userinfo or "")).decode()
    field = f"Proxy-Authorization: Basic {words}\r\n" if words else ""
    return (_bare(str(uri.host)), int(uri.port or 80)), field


def _close_unused(opening: asyncio.Future[socket.socket]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


async def in_time(wait: Wait, awaited: Awaitable[_T]) -> _T:
    """Await until the deadline; GuardError after it, TimeoutError after the user's own timeout."""
    try:
        with wait.exchange.timed(wait.own) as seconds:
            async with asyncio.timeout(seconds):
                return await awaited
    finally:
        if isinstance(awaited, Coroutine):  # not started if the deadline had passed
            awaited.close()


class GuardedSocket:
    """A connected socket, with or without TLS, that counts octets and keeps the deadline.

    All other attributes are those of the socket. With `settimeout`, a client assigns the socket to
    its next request.
    """

    def __init__(self, inner: socket.socket, wait: Wait) -> None:
        self._inner, self._wait = inner, wait

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def settimeout(self, timeout: float | None) -> None:
        """Work for the request of this timeout; GuardError if it has none."""
        self._wait = of_request(timeout)

    def _timed(self, call: Callable[..., _T], *args: object) -> _T:
        with self._wait.exchange.timed(self._wait.own) as seconds:
            self._inner.settimeout(seconds)
            return call(*args)

    def sendall(self, data: bytes, _flags: int = 0) -> None:
        """Send all by the deadline, even if the receiver reads slowly."""
        left = memoryview(data).cast("B")
        while left:
            left = left[self._timed(self._inner.send, left) :]

    def recv(self, octets: int) -> bytes:
        """Receive at most so many octets."""
        part = self._timed(self._inner.recv, octets)
        self._wait.exchange.count(len(part))
        return part

    def recv_into(self, buffer: memoryview) -> int:
        """Receive into a buffer."""
        octets = self._timed(self._inner.recv_into, buffer)
        self._wait.exchange.count(octets)
        return octets

    def makefile(self, *_: object, **__: object) -> io.BufferedReader:
        """Return a file for `http.client` to read from."""
        return io.BufferedReader(_File(self))

    def is_readable(self) -> bool:
        """Whether there is something to read, or the end of the stream."""
        with DefaultSelector() as waiting:  # select() takes no large file numbers
            waiting.register(self._inner, EVENT_READ)
            return bool(waiting.select(0))

    def start_tls(self, context: ssl.SSLContext, name: str | None) -> GuardedSocket:
        """Return this socket with TLS."""
        wrap = partial(context.wrap_socket, self._inner, server_hostname=name)
        return GuardedSocket(self._timed(wrap), self._wait)


class _File(io.RawIOBase):
    """A guarded socket as a file.

    It holds a file of the inner socket, because a socket that is closed stays open for its files.
    """

    def __init__(self, made: GuardedSocket) -> None:
        super().__init__()
        self._made, self._file = made, made._inner.makefile("rb", buffering=0)  # noqa: SLF001 - of this module

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # a buffer of io
        """Read what has arrived."""
        return self._made.recv_into(buffer)

    def close(self) -> None:
        """Close the file of the socket."""
        self._file.close()
        super().close()
