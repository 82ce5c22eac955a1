"""Guarded clients of httpx, for blocking and for asynchronous programs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ssl import SSLContext
from typing import Any, TypeAlias, cast

from uriparse._base import needed
from uriparse.guard.guarding import Exchange, Guard, GuardedSocket, in_time, of_request

with needed("httpx", __name__):
    import httpcore
    import httpx

_EXCHANGE = "uriparse.guard"
"""The extension with the exchange of a request; redirects inherit extensions."""


@contextmanager
def _as(late: type[Exception], broken: type[Exception]) -> Iterator[None]:
    """Convert errors of the system to those of httpcore."""
    try:
        yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error


_Seconds: TypeAlias = float | None
_CONNECTING = httpcore.ConnectTimeout, httpcore.ConnectError
_READING = httpcore.ReadTimeout, httpcore.ReadError
_WRITING = httpcore.WriteTimeout, httpcore.WriteError


@dataclass(eq=False)
class _BlockingStream(httpcore.NetworkStream):
    """A guarded socket, assigned to the next request by the timeouts of httpcore."""

    _sock: GuardedSocket

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _as(*_READING):
            self._sock.settimeout(timeout)
            return self._sock.recv(max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with _as(*_WRITING):
            self._sock.settimeout(timeout)
            self._sock.sendall(buffer)

    def close(self) -> None:
        self._sock.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: _Seconds = None
    ) -> httpcore.NetworkStream:
        try:
            with _as(*_CONNECTING):
                self._sock.settimeout(timeout)
                return _BlockingStream(self._sock.start_tls(ssl_context, server_hostname))
        except BaseException:
            self.close()
            raise

    def get_extra_info(self, info: str) -> object:
        # httpcore drops an idle connection on which something arrives.
        return self._sock.is_readable() if info == "is_readable" else None


@dataclass(eq=False)
class _AsyncStream(httpcore.AsyncNetworkStream):
    """The same over the streams of asyncio."""

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        wait = of_request(timeout)
        with _as(*_READING):
            part = await in_time(wait, self._reader.read(max_bytes))
        wait.exchange.count(len(part))
        return part

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with _as(*_WRITING):
            self._writer.write(buffer)
            await in_time(of_request(timeout), self._writer.drain())

    async def aclose(self) -> None:
        self._writer.transport.abort()  # does not wait for a server that reads nothing

    async def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: _Seconds = None
    ) -> httpcore.AsyncNetworkStream:
        made = self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        try:
            with _as(*_CONNECTING):
                await in_time(of_request(timeout), made)
        except BaseException:
            await self.aclose()
            raise
        return self

    def get_extra_info(self, info: str) -> object:
        return self._reader.at_eof() if info == "is_readable" else None


@dataclass(eq=False)
class _BlockingBackend(httpcore.NetworkBackend):
    """Opens the connections of a pool, which reuses them by scheme, name and port."""

    _guard: Guard

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore.NetworkStream:
        with _as(*_CONNECTING):
            made = self._guard.connect(host, port, timeout)
        return _BlockingStream(GuardedSocket(made, of_request(timeout)))


@dataclass(eq=False)
class _AsyncBackend(httpcore.AsyncNetworkBackend):
    """The same for asyncio."""

    _guard: Guard

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore.AsyncNetworkStream:
        with _as(*_CONNECTING):
            made = await self._guard.connect_in_thread(host, port, timeout)
            return _AsyncStream(*await asyncio.open_connection(sock=made))


_ERRORS = httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError


@contextmanager
def _own_errors() -> Iterator[None]:
    """Convert errors of httpcore to those of httpx, which have the same names."""
    try:
        yield
    except (*_ERRORS, httpcore.UnsupportedProtocol) as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error


@dataclass(eq=False)
class _Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The body of a response; it raises errors of httpx."""

    _parts: Any

    def __iter__(self) -> Iterator[bytes]:
        with _own_errors():
            yield from self._parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _own_errors():
            async for part in self._parts:
                yield part

    def close(self) -> None:
        self._parts.close()

    async def aclose(self) -> None:
        await self._parts.aclose()


class _Transport:
    """What both transports do: judge a request, and check the encoding of its response."""

    _pools: Callable[..., Any]
    _backends: Callable[[Guard], object]

    def __init__(self, guard: Guard, context: SSLContext) -> None:
        self._guard, most = guard, {"max_connections": 100, "max_keepalive_connections": 20}
        self._pool = self._pools(context, network_backend=self._backends(guard), **most)

    def _request(self, request: httpx.Request) -> httpcore.Request:
        """Return a request whose timeouts refer to its exchange; GuardError if it is refused."""
        url = str(request.url)
        exchange = request.extensions.get(_EXCHANGE)
        if not isinstance(exchange, Exchange) or exchange.guard is not self._guard:
            exchange = Exchange(self._guard, url)
        exchange.judge(url)
        own: Mapping[str, float | None] = request.extensions.get("timeout") or {}
        at, kinds = request.url, ("connect", "read", "write", "pool")
        waits = {kind: exchange.wait(own.get(kind)) for kind in kinds}
        return httpcore.Request(
            request.method,
            httpcore.URL(scheme=at.raw_scheme, host=at.raw_host, port=at.port, target=at.raw_path),
            headers=request.headers.raw,
            content=cast("Iterable[bytes]", request.stream),
            extensions={**request.extensions, "timeout": waits},
        )

    def _response(self, request: httpx.Request, found: httpcore.Response) -> httpx.Response:
        body, fields, more = _Body(found.stream), found.headers, found.extensions
        made = httpx.Response(found.status, headers=fields, stream=body, extensions=more)
        self._guard.check_coding(str(request.url), made.headers.get("content-encoding"))
        return made


class _BlockingTransport(_Transport, httpx.BaseTransport):
    _pools, _backends = httpcore.ConnectionPool, _BlockingBackend

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with _own_errors():
            found = self._pool.handle_request(self._request(request))
        try:
            return self._response(request, found)
        except BaseException:
            found.close()
            raise

    def close(self) -> None:
        self._pool.close()


class _AsyncTransport(_Transport, httpx.AsyncBaseTransport):
    _pools, _backends = httpcore.AsyncConnectionPool, _AsyncBackend

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with _own_errors():
            found = await self._pool.handle_async_request(self._request(request))
        try:
            return self._response(request, found)
        except BaseException:
            await found.aclose()
            raise

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Client:
    """What both clients do: judge a URL before httpx rewrites it."""

    _transports: Callable[[Guard, SSLContext], object]

    def __init__(self, guard: Guard, verify: SSLContext | bool) -> None:
        context = httpx.create_ssl_context(verify=verify, trust_env=False)
        super().__init__(  # type: ignore[call-arg]  # of a client
            transport=self._transports(guard, context),
            trust_env=False,  # no proxy and no password from the environment
            follow_redirects=True,
            max_redirects=guard.limits.redirects + 1,  # the guard counts them
            headers={"accept-encoding": guard.accept_encoding},
        )
        self._guard = guard

    def build_request(self, method: str, url: httpx.URL | str, **options: Any) -> httpx.Request:
        """Judge a URL that has no base; the URL that is sent is judged again."""
        if isinstance(url, str) and not str(self.base_url):  # type: ignore[attr-defined]  # a client
            self._guard.judge(url)
        made: httpx.Request = super().build_request(method, url, **options)  # type: ignore[misc]  # same
        return made

    def send(self, request: httpx.Request, **options: Any) -> Any:
        """Send a request, and its redirects, with one exchange."""
        made = Exchange(self._guard, str(request.url))
        request.extensions = {**request.extensions, _EXCHANGE: made}
        return super().send(request, **options)  # type: ignore[misc]  # of a client


class GuardedClient(_Client, httpx.Client):
    """A client with a guard; see `uriparse.guard`."""

    _transports = _BlockingTransport


class GuardedAsyncClient(_Client, httpx.AsyncClient):
    """A client for asyncio with a guard; see `uriparse.guard`."""

    _transports = _AsyncTransport
