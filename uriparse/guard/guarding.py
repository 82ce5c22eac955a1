"""What every guarded client does: judge URLs, connect to permitted addresses, limit size and time.

A request is an `Exchange`. Its timeouts are numbers that know it (`Wait`), so that each client
hands it down to its sockets: `Guard.connect` opens none without that of a URL that was judged.
"""

from __future__ import annotations

import asyncio
import io
import select
import socket
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPException, HTTPResponse
from ipaddress import ip_address, ip_network
from math import inf
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from uriparse._base.coerce import as_instance
from uriparse.errors import URIError, URISyntaxError, excerpt
from uriparse.parsing import parse
from uriparse.percent import unquote_to_bytes
from uriparse.resolution import resolve
from uriparse.validation import Policy, PolicyError, Report, Target, validate
from uriparse.validation.special import ADDRESS_CLASSES, classes_of

if TYPE_CHECKING:
    import ssl

_T = TypeVar("_T")

Cause: TypeAlias = Literal["url", "address", "option", "redirects", "encoding", "size", "time"]
"""Why a guard stops a request; see `GuardError.cause`."""


class GuardError(URIError):
    """Raised where a guard stops a request; the text of its message has no password.

    cause: "url" if the policy refuses a URL, "address" if it permits no address of a name,
        "option" for a use of the client that would go around the guard, "encoding" for a compressed
        body, "redirects", "size" and "time" for a limit.
    url: the URL of the request or of the redirect, password included.
    report: why the policy refuses the URL; None for other causes.
    addresses: to which the name leads, none of which the policy permits; for "address" alone.
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
    """How much a guarded client takes for one request, redirects included.

    redirects: how many it follows; a request that is sent again with a password counts too.
    octets: received over the connection, header fields, framing and redirects included; None for
        any number.
    seconds: from the request to the last octet of the body, uploads included; None for any time.
        A look-up of a name ends by the time that the resolver of the system takes.

    ValueError for a negative limit.
    """

    redirects: int = 10
    octets: int | None = 10 * 2**20
    seconds: float | None = 30.0

    def __post_init__(self) -> None:
        """Check that no limit is negative."""
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"{name}: a limit is not negative, as {value!r} is")


class Exchange:
    """A request and its redirects: the URL that was judged last, and what is left of the limits."""

    def __init__(self, guard: Guard, url: str) -> None:
        self.guard = guard
        self.url = url
        self.target: Target | None = None
        self._hops = self._octets = 0
        seconds = guard.limits.seconds
        self._end = time.monotonic() + (inf if seconds is None else seconds)

    def judge(self, url: str) -> Target:
        """Return the target of the request or of a redirect; GuardError if it is refused."""
        self._hops += self.target is not None
        if self._hops > self.guard.limits.redirects:
            raise self.too_many_redirects()
        self.target = self.guard.judge(url)
        return self.target

    def wait(self, own: float | None = None) -> Wait:
        """Return a timeout to hand to a client; `own` is that of the program, if it has one."""
        made = Wait(max(0.001, min(self._end - time.monotonic(), LONGEST if own is None else own)))
        made.exchange, made.own = self, own
        return made

    @contextmanager
    def timed(self, own: float | None = None) -> Iterator[float | None]:
        """Yield the seconds to wait; GuardError if the request is not done in time."""
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
        """Count octets that have come; GuardError if there are more than the limit."""
        self._octets += octets
        limit = self.guard.limits.octets
        if limit is not None and self._octets > limit:
            raise GuardError("size", self.url, f"more than {limit} octets received")

    def late(self) -> GuardError:
        """Return the error for a request that is not done in time."""
        seconds = self.guard.limits.seconds
        return GuardError("time", self.url, f"not done within {seconds:g} seconds")

    def too_many_redirects(self) -> GuardError:
        """Return the error for one redirect too many."""
        why = f"more than {self.guard.limits.redirects} redirects"
        return GuardError("redirects", self.url, why)


class Wait(float):
    """A timeout that knows the request that it is of, and the program's own timeout."""

    exchange: Exchange
    own: float | None


LONGEST = 1e6
"""Seconds: what timers of all systems hold, where there is no limit."""

_TICK = 0.005
"""Seconds by which a wait of the system may end before the clock is there."""


def of_request(timeout: object, host: str = "") -> Wait:
    """Return a timeout that has a request; GuardError for any other."""
    if not isinstance(timeout, Wait):
        why = "not sent by a method of the guarded client, which judges the URL"
        raise GuardError("option", host, why)
    return timeout


class Guard:
    """A policy, the limits of a client, and all of its ways to a socket."""

    def __init__(
        self,
        policy: Policy,
        limits: Limits,
        *,
        proxy: str | None = None,
        decompress: bool = False,
    ) -> None:
        self.policy = as_instance(policy, Policy, "policy")
        self.limits = as_instance(limits, Limits, "limits")
        self.codings = ("gzip", "deflate") if decompress else ("identity",)
        self._proxy, self._proxy_fields = _read_proxy(proxy)

    @property
    def accepted_encodings(self) -> str:
        """What to send as Accept-Encoding."""
        return ", ".join(self.codings)

    def judge(self, url: str) -> Target:
        """Return the target of a URL; GuardError if the policy refuses it."""
        report = validate(url, self.policy)
        if not report.accepted:
            raise GuardError("url", url, str(PolicyError(report)), report=report)
        target = report.target
        if target is None:  # a policy without agreement may accept "http:"
            raise GuardError("url", url, "it has no host to connect to", report=report)
        return target

    def judge_redirect(self, url: str, location: str) -> Target:
        """Return a redirect's target; GuardError if Location is not a reference, or is refused."""
        try:
            return self.judge(str(resolve(url, location)))
        except URISyntaxError as error:
            raise GuardError("url", location, str(error)) from None

    def check_coding(self, url: str, coding: str | None) -> None:
        """Raise a GuardError for a response whose size after decompression is unknown."""
        if coding and coding.strip().lower() not in ("identity", *self.codings):
            why = f"the response is compressed as {excerpt.quoted(coding)}"
            raise GuardError("encoding", url, why)

    def connect(self, host: str, port: int, timeout: object) -> socket.socket:
        """Return a socket to a permitted address of the host of the URL that was judged last.

        The only way of every client to a socket. With a proxy, a tunnel to the host. OSError if no
        address answers; GuardError if none is permitted.
        """
        wait = of_request(timeout, host)
        judged = wait.exchange.target
        if judged is None or (_bare(judged.host), judged.port) != (_bare(host), port):
            raise GuardError("url", host, "the client reads another host or port in the URL")
        at, at_port = self._proxy or (_bare(host), port)
        found = [info[4] for info in socket.getaddrinfo(at, at_port, type=socket.SOCK_STREAM)]
        # Numbers are not names: nobody looks anything up between the check and the connection. An
        # IPv6 address keeps the scope that the look-up gave it.
        kept = found if self._proxy else self.permitted(host, found)
        failed = OSError(f"{host} has no address")
        for tried, address in enumerate(kept):
            family = socket.AF_INET6 if len(address) == 4 else socket.AF_INET
            made = socket.socket(family, socket.SOCK_STREAM)
            try:
                with wait.exchange.timed(wait.own) as seconds:
                    # One that is silent leaves time for the others.
                    made.settimeout(seconds and seconds / (len(kept) - tried))
                    made.connect(address)
                    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    if self._proxy:
                        self._open_tunnel(made, wait, f"{_bracketed(host)}:{port}")
                    made.settimeout(seconds)
            except OSError as error:
                made.close()
                failed = error
            except BaseException:
                made.close()
                raise
            else:
                return made
        raise failed

    async def connect_in_thread(self, host: str, port: int, timeout: object) -> socket.socket:
        """As `connect`, which blocks, in a thread; what comes too late is closed."""
        loop = asyncio.get_running_loop()
        opening = loop.run_in_executor(self._threads, self.connect, host, port, timeout)
        try:
            return await in_time(of_request(timeout, host), asyncio.shield(opening))
        except BaseException:
            opening.add_done_callback(_close_unused)
            raise

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(100, "uriparse-guard")  # as many as the clients keep connections

    def _open_tunnel(self, raw: socket.socket, wait: Wait, place: str) -> None:
        """Ask a proxy for a connection (RFC 9110 section 9.3.6)."""
        made = GuardedSocket(raw, wait)
        made.sendall(
            f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{self._proxy_fields}\r\n".encode()
        )
        with closing(HTTPResponse(made, method="CONNECT")) as answer:  # type: ignore[arg-type]  # has what it uses
            try:
                answer.begin()
            except HTTPException as error:
                raise ConnectionError(f"the proxy sends no valid response: {error!r}") from error
            if answer.status != 200:
                raise ConnectionError(f"the proxy answers {answer.status} to CONNECT {place}")

    def permitted(self, host: str, found: Sequence[_T]) -> list[_T]:
        """Return the socket addresses that the policy permits, in their order; GuardError if none.

        An address of an interface of this machine is refused as well, unless the policy lists it as
        allowed.
        """
        refused: dict[str, tuple[str, ...]] = {}
        kept = []
        for one in found:
            text = str(one[0])  # type: ignore[index]  # a socket address is a tuple
            reasons = self.policy.refused_classes(ip_address(text))
            if not reasons and _is_own(text) and not self._is_listed(text):
                reasons = ("of this machine",)
            if reasons:
                refused[text] = reasons
            else:
                kept.append(one)
        if kept:
            return kept
        why = f"the policy permits no address of it: {', '.join(refused) or 'it has none'}"
        if refused:
            why += f" ({', '.join(sorted({name for names in refused.values() for name in names}))})"
        raise GuardError("address", host, why, addresses=tuple(refused))

    def _is_listed(self, text: str) -> bool:
        listed, address = self.policy.allowed_addresses, ip_address(text)
        return listed == "*" or any(
            name in classes_of(address) if name in ADDRESS_CLASSES else address in ip_network(name)
            for name in listed
        )


def _is_own(text: str) -> bool:
    """Whether an address is one of this machine: the system would send to it from itself.

    A datagram socket is connected without a packet.
    """
    address = ip_address(text)
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((text, 9))
        return ip_address(probe.getsockname()[0]) == address
    return False


def _bare(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _bracketed(host: str) -> str:
    return f"[{_bare(host)}]" if ":" in host else host


def _read_proxy(proxy: str | None) -> tuple[tuple[str, int] | None, str]:
    """Return host and port of a proxy, and the header field with its user and password."""
    if proxy is None:
        return None, ""
    uri = parse(proxy, "URI")
    if uri.scheme != "http" or not uri.host:
        raise GuardError("option", proxy, "a proxy is an http URL with a host")
    if not uri.userinfo:
        field = ""
    else:
        words = b64encode(unquote_to_bytes(uri.userinfo)).decode()
        field = f"Proxy-Authorization: Basic {words}\r\n"
    return (_bare(str(uri.host)), int(uri.port or 80)), field


def _close_unused(opening: asyncio.Future[socket.socket]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


async def in_time(wait: Wait, awaited: Awaitable[_T]) -> _T:
    """Wait no longer than to the end of a request; GuardError or TimeoutError if that comes."""
    try:
        with wait.exchange.timed(wait.own) as seconds:
            async with asyncio.timeout(seconds):
                return await awaited
    finally:
        if isinstance(awaited, Coroutine):  # which has not begun if the time was over before
            awaited.close()


class GuardedSocket:
    """A connected socket, or one with TLS, that counts and times what it carries.

    What is not defined here is the socket's. `settimeout` is how a client says for which request
    the socket works from now on.
    """

    def __init__(self, inner: socket.socket, wait: Wait) -> None:
        self._inner = inner
        self._wait = wait

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def settimeout(self, timeout: float | None) -> None:
        """Work for the request of a timeout; GuardError for a timeout that has none."""
        self._wait = of_request(timeout)

    def _timed(self, call: Callable[..., _T], *args: object) -> _T:
        with self._wait.exchange.timed(self._wait.own) as seconds:
            self._inner.settimeout(seconds)
            return call(*args)

    def sendall(self, data: bytes, _flags: int = 0) -> None:
        """Send all; a receiver that takes a little now and then does not prolong it."""
        left = memoryview(data).cast("B")
        while left:
            left = left[self._timed(self._inner.send, left) :]

    def recv(self, octets: int) -> bytes:
        """Receive up to so many octets."""
        part = self._timed(self._inner.recv, octets)
        self._wait.exchange.count(len(part))
        return part

    def recv_into(self, buffer: memoryview) -> int:
        """Receive into a buffer."""
        octets = self._timed(self._inner.recv_into, buffer)
        self._wait.exchange.count(octets)
        return octets

    def makefile(self, *_: object, **__: object) -> io.BufferedReader:
        """Return a file to read from, as `http.client` asks for."""
        return io.BufferedReader(_File(self))

    def is_readable(self) -> bool:
        """Whether octets have come, or the end."""
        return bool(select.select([self._inner], [], [], 0)[0])

    def close(self) -> None:
        """Close the socket."""
        self._inner.close()

    def start_tls(self, context: ssl.SSLContext, name: str | None) -> GuardedSocket:
        """Return a socket over this one with TLS."""
        return GuardedSocket(
            self._timed(lambda: context.wrap_socket(self._inner, server_hostname=name)), self._wait
        )


class _File(io.RawIOBase):
    """A socket as a file; the file that is kept makes the socket count its users."""

    def __init__(self, made: GuardedSocket) -> None:
        super().__init__()
        self._made = made
        self._user = made._inner.makefile("rb", buffering=0)  # noqa: SLF001 - of this module

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # a buffer of io
        """Read what there is."""
        return self._made.recv_into(buffer)

    def close(self) -> None:
        """Let go of the socket."""
        self._user.close()
        super().close()
