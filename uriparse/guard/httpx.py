"""Guarded clients of httpx, for blocking and for asynchronous programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from uriparse.errors import MissingPackageError
from uriparse.guard.guarding import Exchange, Guard, GuardedSocket, in_time, of_request

try:
    import httpcore
    import httpx
except ImportError:
    raise MissingPackageError("httpx", __name__) from None

if TYPE_CHECKING:
    import ssl

_EXCHANGE = "uriparse.guard"
"""The extension of a request that has its exchange; redirects keep extensions."""


@contextmanager
def _as(late: type[Exception], broken: type[Exception]) -> Iterator[None]:
    """Raise errors of the system as those of httpcore."""
    try:
        yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error


_CONNECTING = httpcore.ConnectTimeout, httpcore.ConnectError
_READING = httpcore.ReadTimeout, httpcore.ReadError
_WRITING = httpcore.WriteTimeout, httpcore.WriteError


@dataclass(eq=False)
class _Stream(httpcore.NetworkStream):
    """A guarded socket; the timeouts of httpcore say for which request it works."""

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
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        try:
            with _as(*_CONNECTING):
                self._sock.settimeout(timeout)
                return _Stream(self._sock.start_tls(ssl_context, server_hostname))
        except BaseException:
            self.close()
            raise

    def get_extra_info(self, info: str) -> object:
        # What comes on a connection that nobody uses makes it useless.
        return self._sock.is_readable() if info == "is_readable" else None


@dataclass(eq=False)
class _AsyncStream(httpcore.AsyncNetworkStream):
    """As `_Stream`, over the streams of asyncio."""

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
        self._writer.transport.abort()  # a server that reads nothing does not hold us

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
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
class _Backend(httpcore.NetworkBackend):
    """Opens the connections of a pool, which keeps them by scheme, name and port."""

    _guard: Guard

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore.NetworkStream:
        with _as(*_CONNECTING):
            made = self._guard.connect(host, port, timeout)
        return _Stream(GuardedSocket(made, of_request(timeout)))


@dataclass(eq=False)
class _AsyncBackend(httpcore.AsyncNetworkBackend):
    """As `_Backend`."""

    _guard: Guard

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore.AsyncNetworkStream:
        with _as(*_CONNECTING):
            made = await self._guard.connect_in_thread(host, port, timeout)
            return _AsyncStream(*await asyncio.open_connection(sock=made))


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
    httpcore.UnsupportedProtocol,
)


@dataclass(eq=False)
class _Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The body of a response, with errors of httpx."""

    _parts: Any

    def __iter__(self) -> Iterator[bytes]:
        with _own_errors():
            yield from cast("Iterable[bytes]", self._parts)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _own_errors():
            async for part in cast("AsyncIterable[bytes]", self._parts):
                yield part

    def close(self) -> None:
        if hasattr(self._parts, "close"):
            self._parts.close()

    async def aclose(self) -> None:
        if hasattr(self._parts, "aclose"):
            await self._parts.aclose()


class _Sending:
    """What both transports do: judge a request, and look at its response."""

    def __init__(
        self, guard: Guard, pool: Callable[..., Any], backend: object, context: Any
    ) -> None:
        self._guard = guard
        self._pool = pool(
            context,
            max_connections=100,
            max_keepalive_connections=20,
            network_backend=backend,
        )

    def _request(self, request: httpx.Request) -> httpcore.Request:
        """Return a request whose timeouts have its exchange; GuardError if it is refused."""
        url = str(request.url)
        exchange = request.extensions.get(_EXCHANGE)
        if not isinstance(exchange, Exchange) or exchange.guard is not self._guard:
            exchange = Exchange(self._guard, url)
        exchange.judge(url)
        own: Mapping[str, float | None] = request.extensions.get("timeout") or {}
        waits = {
            name: exchange.wait(own.get(name)) for name in ("connect", "read", "write", "pool")
        }
        at = request.url
        return httpcore.Request(
            request.method,
            httpcore.URL(scheme=at.raw_scheme, host=at.raw_host, port=at.port, target=at.raw_path),
            headers=request.headers.raw,
            content=cast("Iterable[bytes]", request.stream),
            extensions={**request.extensions, "timeout": waits},
        )

    def _response(self, request: httpx.Request, found: httpcore.Response) -> httpx.Response:
        made = httpx.Response(
            found.status,
            headers=found.headers,
            stream=_Body(found.stream),
            extensions=found.extensions,
        )
        self._guard.check_coding(str(request.url), made.headers.get("content-encoding"))
        return made


class Transport(_Sending, httpx.BaseTransport):
    """Sends requests over guarded connections."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request whose URL the policy accepts."""
        with _own_errors():
            found = self._pool.handle_request(self._request(request))
        try:
            return self._response(request, found)
        except BaseException:
            found.close()
            raise

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class AsyncTransport(_Sending, httpx.AsyncBaseTransport):
    """As `Transport`."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request whose URL the policy accepts."""
        with _own_errors():
            found = await self._pool.handle_async_request(self._request(request))
        try:
            return self._response(request, found)
        except BaseException:
            await found.aclose()
            raise

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Judging:
    """What both clients have: a guard that judges texts before httpx rewrites any of them."""

    def __init__(self, guard: Guard, verify: ssl.SSLContext | bool) -> None:
        context = httpx.create_ssl_context(verify=verify, trust_env=False)
        if isinstance(self, httpx.Client):
            made: Any = Transport(guard, httpcore.ConnectionPool, _Backend(guard), context)
        else:
            pool = httpcore.AsyncConnectionPool
            made = AsyncTransport(guard, pool, _AsyncBackend(guard), context)
        super().__init__(  # type: ignore[call-arg]  # of a client
            transport=made,
            trust_env=False,  # no proxy and no password that the environment names
            follow_redirects=True,
            max_redirects=guard.limits.redirects + 1,  # the guard counts them
            headers={"accept-encoding": guard.accepted_encodings},
        )
        self._guard = guard

    def build_request(self, method: str, url: httpx.URL | str, **options: Any) -> httpx.Request:
        """Judge a text that is not to be joined to a base; what is sent is judged once more."""
        if isinstance(url, str) and not str(self.base_url):  # type: ignore[attr-defined]  # a client
            self._guard.judge(url)
        made: httpx.Request = super().build_request(method, url, **options)  # type: ignore[misc]  # same
        return made

    def send(self, request: httpx.Request, **options: Any) -> Any:
        """Send a request and its redirects by one exchange."""
        request.extensions = {
            **request.extensions,
            _EXCHANGE: Exchange(self._guard, str(request.url)),
        }
        return super().send(request, **options)  # type: ignore[misc]  # of a client


class GuardedClient(_Judging, httpx.Client):
    """A client whose requests and redirects a guard judges; see `uriparse.guard`."""


class GuardedAsyncClient(_Judging, httpx.AsyncClient):
    """As `GuardedClient`."""
