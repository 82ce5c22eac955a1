"""A guarded session of aiohttp."""

import asyncio
import ssl
import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any, NoReturn

from uriparse._base import needed
from uriparse.errors import URISyntaxError
from uriparse.guard.guarding import LONGEST, Exchange, Guard, GuardError, Wait, in_time, of_request
from uriparse.resolution import resolve

with needed("aiohttp", __name__):
    import aiohttp
    from aiohttp import ClientResponse, ClientSession, ClientTimeout, TCPConnector
    from aiohttp import TraceRequestRedirectParams as Redirected
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.client_reqrep import ClientRequest
    from aiohttp.connector import Connection


class _Protocol(ResponseHandler):
    """Counts what a connection receives, and ends it at the deadline of its request."""

    _exchange: Exchange | None = None
    _ending: asyncio.TimerHandle | None = None

    def serve(self, exchange: Exchange) -> None:
        """Work for this request from now on."""
        self._cancel()
        self._exchange = exchange
        self._ending = self._loop.call_later(exchange.wait(), self._stop, None)

    def _cancel(self) -> None:
        if self._ending is not None:
            self._ending.cancel()

    def _stop(self, error: GuardError | None) -> None:
        if self._exchange is None or self.transport is None:
            return
        error = error or self._exchange.late()
        if self._payload is not None:
            self._payload.set_exception(error)
        self._parser = self._payload = self._payload_parser = None
        self.set_exception(error)
        self.transport.abort()

    def set_exception(self, exc: BaseException, *args: Any) -> None:
        """Keep the error of the guard, which causes the later ones."""
        if not isinstance(self.exception(), GuardError):
            super().set_exception(exc, *args)

    def data_received(self, data: bytes) -> None:
        """Count octets, and stop above the limit."""
        if self._exchange is not None:
            try:
                self._exchange.count(len(data))
            except GuardError as error:
                self._stop(error)
                return
        super().data_received(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Cancel the timer."""
        self._cancel()
        super().connection_lost(exc)


class _Connector(TCPConnector):
    """Judges the request and each redirect: the session gets a connection here for each."""

    def __init__(self, guard: Guard, verify: ssl.SSLContext | bool) -> None:
        super().__init__(ssl=verify)
        self._guard = guard
        self._factory = partial(_Protocol, loop=self._loop)  # type: ignore[assignment]  # a subclass

    async def connect(self, req: ClientRequest, traces: Any, timeout: ClientTimeout) -> Connection:
        """Return a connection for a request whose URL the policy accepts."""
        wait = of_request(timeout.total, str(req.url))
        wait.exchange.target = self._guard.judge(str(req.url))
        if req.proxy or isinstance(req.ssl, aiohttp.Fingerprint):
            raise GuardError("option", wait.exchange.url, "proxy= and ssl= are aiohttp_session's")
        made: Connection = await in_time(wait, super().connect(req, traces, timeout))
        made.protocol.serve(wait.exchange)  # type: ignore[union-attr]  # of our factory
        return made

    async def _create_connection(
        self, req: ClientRequest, _: Any, timeout: ClientTimeout
    ) -> ResponseHandler:
        host, port = req.url.raw_host or "", req.url.port or 0
        context = self._get_ssl_context(req)
        name = None if context is None else req.server_hostname or host.rstrip(".")
        try:
            sock = await self._guard.connect_in_thread(host, port, timeout.total)
            try:
                _, made = await self._loop.create_connection(
                    self._factory, sock=sock, ssl=context, server_hostname=name
                )
            except BaseException:
                sock.close()
                raise
        except ssl.SSLCertVerificationError as error:
            raise aiohttp.ClientConnectorCertificateError(req.connection_key, error) from error
        except OSError as error:
            raise aiohttp.ClientConnectorError(req.connection_key, error) from error
        return made


with warnings.catch_warnings():
    # aiohttp warns against subclasses, but no other part of a session sees all the parameters of
    # every request.
    warnings.simplefilter("ignore", DeprecationWarning)

    class GuardedAiohttpSession(ClientSession):
        """A session with a guard; see `uriparse.guard`."""

        def __init__(self, guard: Guard, verify: ssl.SSLContext | bool) -> None:
            class Response(ClientResponse):
                async def start(self, connection: Connection) -> ClientResponse:
                    found = await super().start(connection)
                    guard.check_coding(str(self.url), self.headers.get("Content-Encoding"))
                    return found

            tracing = aiohttp.TraceConfig()
            tracing.on_request_redirect.append(partial(_judge_location, guard))
            super().__init__(
                connector=_Connector(guard, verify),
                response_class=Response,
                # aiohttp decompresses while it parses, before the guard can refuse.
                auto_decompress=False,
                headers={"Accept-Encoding": "identity"},
                trace_configs=[tracing],
            )
            self.__dict__["_guarding"] = guard

        async def _request(self, method: str, str_or_url: Any, **options: Any) -> ClientResponse:
            guard: Guard = self.__dict__["_guarding"]
            url = str(str_or_url)
            guard.judge(url)
            if options.get("proxy") is not None or options.pop("auto_decompress", None):
                why = "proxy= is aiohttp_session's, and auto_decompress= has no limit"
                raise GuardError("option", url, why)
            exchange = Exchange(guard, url)
            own = options.pop("timeout", None)
            if not isinstance(own, ClientTimeout):
                own = ClientTimeout(total=own if isinstance(own, int | float) else None)
            # aiohttp keeps the user's own timeout, and the connection keeps the deadline.
            total = Wait(own.total or LONGEST)
            total.exchange, total.own = exchange, own.total
            options["timeout"] = ClientTimeout(total, own.connect, own.sock_read, own.sock_connect)
            most = guard.limits.redirects  # aiohttp stops before the last one
            options["max_redirects"] = min(options.get("max_redirects", most), most) + 1
            try:
                return await super()._request(method, str_or_url, **options)
            except aiohttp.TooManyRedirects:
                raise exchange.too_many_redirects() from None

        async def _ws_connect(self, url: Any, **_: Any) -> NoReturn:
            raise GuardError("option", str(url), "a guarded session opens no WebSocket")


async def _judge_location(
    guard: Guard, _: ClientSession, __: SimpleNamespace, params: Redirected
) -> None:
    """Judge a Location before aiohttp removes user and password from it."""
    headers = params.response.headers
    if location := headers.get("Location") or headers.get("URI"):  # as aiohttp reads it
        try:
            guard.judge(str(resolve(str(params.url), location)))
        except URISyntaxError as error:
            raise GuardError("url", location, str(error)) from None
