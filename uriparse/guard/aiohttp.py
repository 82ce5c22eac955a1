"""A guarded session of aiohttp."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from uriparse.errors import MissingPackageError
from uriparse.guard.guarding import DEADLINE, BodyMeter, Deadline, Guard, GuardError

try:
    import aiohttp
    from aiohttp import ClientResponse, ClientSession, StreamReader, TCPConnector
    from aiohttp.abc import AbstractResolver, ResolveResult
except ImportError:
    raise MissingPackageError("aiohttp", __name__) from None

if TYPE_CHECKING:
    import ssl
    from types import SimpleNamespace

    from aiohttp.client_reqrep import ClientRequest
    from aiohttp.connector import AddrInfoType, Connection

_T = TypeVar("_T")


class _Resolver(AbstractResolver):
    """Looks names up, and returns the permitted addresses only."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._inner = aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return permitted addresses; GuardError if there are none."""
        found = await self._inner.resolve(host, port, family)
        kept = {
            one[0] for one in self._guard.permitted(host, [(one["host"], port) for one in found])
        }
        return [one for one in found if one["host"] in kept]

    async def close(self) -> None:
        """Close the inner resolver."""
        await self._inner.close()


class _Connector(TCPConnector):
    """Judges each hop, for a session asks it for a connection on each."""

    def __init__(self, guard: Guard, proxy: str | None, verify: ssl.SSLContext | bool) -> None:
        if proxy is None:
            super().__init__(
                ssl=verify,
                resolver=_Resolver(guard),
                use_dns_cache=False,
                socket_factory=self._open,
            )
        else:
            super().__init__(ssl=verify)
        self._guard = guard
        self._given_proxy = proxy

    def _open(self, info: AddrInfoType) -> socket.socket:
        """Open a socket for an address, which may come from a URL instead of a look-up."""
        family, kind, protocol, _, address = info
        self._guard.permitted(str(address[0]), [(str(address[0]), 0)])
        return socket.socket(family, kind, protocol)

    async def connect(self, req: ClientRequest, *args: Any, **options: Any) -> Connection:
        """Return a connection for a request whose URL the policy accepts."""
        url = str(req.url)
        self._guard.judge(url)
        proxy = None if req.proxy is None else str(req.proxy)
        if proxy is not None and self._given_proxy is None:
            why = "nobody has checked what a proxy connects to; give it to aiohttp_session"
            raise GuardError("proxy", url, why)
        return await _in_time(self._guard.deadline(url), super().connect(req, *args, **options))


async def _in_time(deadline: Deadline, wait: Awaitable[_T]) -> _T:
    """Wait no longer than to a deadline; GuardError if it comes first."""
    try:
        async with asyncio.timeout(deadline.remaining()) as limit:
            return await wait
    except TimeoutError as error:
        if limit.expired():
            raise deadline.error() from error
        raise


class _Body(StreamReader):
    """The body of a response, within the limits; what is not defined here is the reader's."""

    __slots__ = ("_deadline", "_inner", "_meter")

    def __init__(self, inner: StreamReader, meter: BodyMeter, deadline: Deadline) -> None:
        self._inner = inner
        self._meter = meter
        self._deadline = deadline

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    async def _counted(self, wait: Awaitable[bytes]) -> bytes:
        part = await _in_time(self._deadline, wait)
        self._meter.count(len(part))
        return part

    async def read(self, n: int = -1) -> bytes:
        """Read up to n octets, or all in parts."""
        if n >= 0:
            return await self._counted(self._inner.read(n))
        parts = []
        while part := await self.readany():
            parts.append(part)
        return b"".join(parts)

    async def readany(self) -> bytes:
        return await self._counted(self._inner.readany())

    async def readuntil(self, separator: bytes = b"\n", *args: Any, **options: Any) -> bytes:
        return await self._counted(self._inner.readuntil(separator, *args, **options))

    async def readline(self, *args: Any, **options: Any) -> bytes:
        return await self._counted(self._inner.readline(*args, **options))

    async def readexactly(self, n: int) -> bytes:
        return await self._counted(self._inner.readexactly(n))

    async def readchunk(self) -> tuple[bytes, bool]:
        part, ends = await _in_time(self._deadline, self._inner.readchunk())
        self._meter.count(len(part))
        return part, ends

    def read_nowait(self, n: int = -1) -> bytes:
        part = self._inner.read_nowait(n)
        self._meter.count(len(part))
        return part

    def exception(self) -> BaseException | None:
        return self._inner.exception()

    def set_exception(self, *args: Any, **options: Any) -> None:
        self._inner.set_exception(*args, **options)


def make_session(guard: Guard, proxy: str | None, verify: ssl.SSLContext | bool) -> ClientSession:
    """Return a session whose requests and redirects a guard judges; see `uriparse.guard`."""

    class Response(ClientResponse):
        async def start(self, connection: Connection) -> ClientResponse:
            url = str(self.url)
            deadline = guard.deadline(url)
            found = await _in_time(deadline, super().start(connection))
            self.content = _Body(self.content, BodyMeter(url, guard.limits.octets), deadline)
            return found

    # What the guard does not wait for itself, such as an upload, ends a second later.
    seconds = None if guard.limits.seconds is None else guard.limits.seconds + 1
    return ClientSession(
        connector=_Connector(guard, proxy, verify),
        response_class=Response,
        timeout=aiohttp.ClientTimeout(total=seconds),
        trace_configs=[_tracing(guard)],
        proxy=proxy,
    )


def _tracing(guard: Guard) -> aiohttp.TraceConfig:
    """Return what judges URLs before aiohttp takes user and password off; no request skips it."""

    async def start(
        _: ClientSession, request: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        url = str(params.url)
        guard.judge(url)
        request.deadline = Deadline(url, guard.limits.seconds)
        request.hops = 0
        DEADLINE.set(request.deadline)  # of this task, until its next request

    async def redirect(
        _: ClientSession, request: SimpleNamespace, params: aiohttp.TraceRequestRedirectParams
    ) -> None:
        request.hops += 1
        if request.hops > guard.limits.redirects:
            raise guard.too_many_redirects(request.deadline.url)
        headers = params.response.headers
        location = headers.get("Location") or headers.get("URI")  # as aiohttp reads it
        if location:
            guard.judge_redirect(str(params.url), location)

    async def failed(
        _: ClientSession, request: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        error = params.exception
        if isinstance(error, aiohttp.TooManyRedirects):
            raise guard.too_many_redirects(request.deadline.url) from error
        if isinstance(error, TimeoutError):
            request.deadline.remaining()  # raises, if it was not a timeout of the request's own

    config = aiohttp.TraceConfig()
    config.on_request_start.append(start)
    config.on_request_redirect.append(redirect)
    config.on_request_exception.append(failed)
    return config
