"""Guarded clients of httpx, for blocking and for asynchronous programs."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from uriparse.errors import MissingPackageError
from uriparse.guard.guarding import (
    ACCEPTED_ENCODINGS,
    DEADLINE,
    Deadline,
    EncodedMeter,
    Guard,
    GuardError,
)

try:
    import anyio
    import httpcore
    import httpx
except ImportError:
    raise MissingPackageError("httpx", __name__) from None

if TYPE_CHECKING:
    import ssl

    from uriparse.guard.guarding import SocketAddress

    SocketOption = (
        tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
    )


class _Stream(httpcore.NetworkStream):
    """A connection that is waited for no longer than to the deadline of the request that reads."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _waiting(timeout) as seconds:
            return self._inner.read(max_bytes, seconds)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with _waiting(timeout) as seconds:
            self._inner.write(buffer, seconds)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        with _waiting(timeout) as seconds:
            return _Stream(self._inner.start_tls(ssl_context, server_hostname, seconds))

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


def _waiting(timeout: float | None) -> AbstractContextManager[float | None]:
    """Yield the seconds to wait; GuardError if it is the deadline that ends the wait."""
    deadline = DEADLINE.get()
    if deadline is None:
        return nullcontext(timeout)
    return deadline.waiting(timeout, httpcore.TimeoutException)


class _Backend(httpcore.NetworkBackend):
    """Opens connections to permitted addresses only, whatever the pool asks for.

    The pool keeps connections by scheme, name and port, and httpcore asks for TLS by the name.
    Without a guard it connects to a proxy that was given, whose address is not judged.
    """

    def __init__(self, guard: Guard | None) -> None:
        self._guard = guard
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.NetworkStream:
        failed: Exception | None = None
        try:
            found = [(host, port)] if self._guard is None else self._guard.resolve(host, port)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        for address in found:
            try:
                with _waiting(timeout) as seconds:
                    # A numeric address: nobody looks anything up between check and connection.
                    return _Stream(
                        self._inner.connect_tcp(
                            address[0], port, seconds, local_address, socket_options
                        )
                    )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed or httpcore.ConnectError(f"{host} has no address")


class _AsyncBackend(httpcore.AsyncNetworkBackend):
    """As `_Backend`, over anyio, which httpx needs anyway."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        failed: Exception | None = None
        try:
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        for address in self._guard.permitted(
            host, [cast("SocketAddress", info[4]) for info in found]
        ):
            try:
                return await self._inner.connect_tcp(
                    address[0], port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed or httpcore.ConnectError(f"{host} has no address")

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


@contextmanager
def _own_errors() -> Iterator[None]:
    """Raise errors of httpcore as those of httpx, which have the same names."""
    try:
        yield
    except _ERRORS as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error


_ERRORS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)


@contextmanager
def _until(deadline: Deadline) -> Iterator[None]:
    """Cancel what is awaited at the deadline, with a GuardError."""
    try:
        with anyio.fail_after(deadline.remaining()):
            yield
    except TimeoutError as error:  # httpcore's own are no such errors
        raise deadline.error() from error


@dataclass(eq=False)
class _Body(httpx.SyncByteStream):
    """The body of a response, within the limits."""

    _parts: Iterable[bytes]
    _meter: EncodedMeter
    _deadline: Deadline

    def __iter__(self) -> Iterator[bytes]:
        parts = iter(self._parts)
        while True:
            with self._deadline.current(), _own_errors():  # it is read after the request
                part = next(parts, None)
            if part is None:
                return
            self._meter.feed(part)
            yield part

    def close(self) -> None:
        if hasattr(self._parts, "close"):
            self._parts.close()


@dataclass(eq=False)
class _AsyncBody(httpx.AsyncByteStream):
    """As `_Body`."""

    _parts: AsyncIterable[bytes]
    _meter: EncodedMeter
    _deadline: Deadline

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts = aiter(self._parts)
        while True:
            with _own_errors(), _until(self._deadline):
                part = await anext(parts, None)
            if part is None:
                return
            self._meter.feed(part)
            yield part

    async def aclose(self) -> None:
        if hasattr(self._parts, "aclose"):
            await self._parts.aclose()


def _request(request: httpx.Request) -> httpcore.Request:
    url = request.url
    target = httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )
    return httpcore.Request(
        request.method,
        target,
        headers=request.headers.raw,
        content=request.stream,
        extensions=request.extensions,
    )


def _check_proxied(request: httpx.Request, *, has_proxy: bool) -> None:
    """Refuse to ask a proxy for an IPv6 address, which httpx would write without its brackets."""
    if has_proxy and ":" in request.url.host:
        why = "httpx asks a proxy for an IPv6 address without its brackets, which is another host"
        raise GuardError("proxy", str(request.url), why)


def _meter(guard: Guard, url: str, response: httpcore.Response) -> EncodedMeter:
    codings = [value for name, value in response.headers if name.lower() == b"content-encoding"]
    return EncodedMeter(url, guard.limits.octets, b", ".join(codings).decode("latin-1"))


class Transport(httpx.BaseTransport):
    """Sends each hop of a client, and judges it before."""

    def __init__(
        self, guard: Guard, *, verify: ssl.SSLContext | bool, http2: bool, proxy: str | None
    ) -> None:
        self._guard = guard
        self._has_proxy = proxy is not None
        context = httpx.create_ssl_context(verify=verify, trust_env=False)
        self._pool: httpcore.ConnectionPool
        if proxy is None:
            backend = _Backend(guard)
            self._pool = httpcore.ConnectionPool(context, http2=http2, network_backend=backend)
        else:
            self._pool = httpcore.HTTPProxy(
                proxy, ssl_context=context, http2=http2, network_backend=_Backend(None)
            )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request whose URL the policy accepts."""
        url = str(request.url)
        self._guard.judge(url)
        _check_proxied(request, has_proxy=self._has_proxy)
        deadline = self._guard.deadline(url)
        with deadline.current(), _own_errors():
            found = self._pool.handle_request(_request(request))
        parts = cast("Iterable[bytes]", found.stream)
        body = _Body(parts, _meter(self._guard, url, found), deadline)
        return httpx.Response(
            found.status, headers=found.headers, stream=body, extensions=found.extensions
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class AsyncTransport(httpx.AsyncBaseTransport):
    """As `Transport`."""

    def __init__(
        self, guard: Guard, *, verify: ssl.SSLContext | bool, http2: bool, proxy: str | None
    ) -> None:
        self._guard = guard
        self._has_proxy = proxy is not None
        context = httpx.create_ssl_context(verify=verify, trust_env=False)
        self._pool: httpcore.AsyncConnectionPool
        if proxy is None:
            backend = _AsyncBackend(guard)
            self._pool = httpcore.AsyncConnectionPool(context, http2=http2, network_backend=backend)
        else:
            self._pool = httpcore.AsyncHTTPProxy(proxy, ssl_context=context, http2=http2)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request whose URL the policy accepts."""
        url = str(request.url)
        self._guard.judge(url)
        _check_proxied(request, has_proxy=self._has_proxy)
        deadline = self._guard.deadline(url)
        with _own_errors(), _until(deadline):
            found = await self._pool.handle_async_request(_request(request))
        parts = cast("AsyncIterable[bytes]", found.stream)
        body = _AsyncBody(parts, _meter(self._guard, url, found), deadline)
        return httpx.Response(
            found.status, headers=found.headers, stream=body, extensions=found.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Judging:
    """What both clients have: a guard that judges texts before httpx rewrites any of them."""

    def __init__(self, guard: Guard, transport: httpx.BaseTransport | AsyncTransport) -> None:
        # No proxy and no password that the environment names.
        options: dict[str, Any] = {"trust_env": False, "follow_redirects": True}
        options["max_redirects"] = guard.limits.redirects
        options["headers"] = {"accept-encoding": ACCEPTED_ENCODINGS}
        super().__init__(transport=transport, **options)  # type: ignore[call-arg]  # of a client
        self._guard = guard

    def build_request(self, method: str, url: httpx.URL | str, **options: Any) -> httpx.Request:
        """Judge a text that is not to be joined to a base; what is sent is judged once more."""
        if isinstance(url, str) and not str(self.base_url):  # type: ignore[attr-defined]  # a client
            self._guard.judge(url)
        made: httpx.Request = super().build_request(method, url, **options)  # type: ignore[misc]  # same
        return made


class GuardedClient(_Judging, httpx.Client):
    """A client whose requests and redirects a guard judges; see `uriparse.guard`."""

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request and its redirects by one deadline."""
        with self._guard.running(str(request.url), httpx.TooManyRedirects):
            return super().send(request, **options)


class GuardedAsyncClient(_Judging, httpx.AsyncClient):
    """As `GuardedClient`."""

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request and its redirects by one deadline."""
        with self._guard.running(str(request.url), httpx.TooManyRedirects):
            return await super().send(request, **options)
