"""Guarded connections of urllib3, on which those of requests are built, and a pool manager."""

import socket
from typing import Any

from uriparse._base import needed
from uriparse.guard.guarding import Exchange, Guard, GuardedSocket, Wait, of_request

with needed("urllib3", __name__):
    from urllib3 import PoolManager
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
    from urllib3.response import BaseHTTPResponse, HTTPResponse
    from urllib3.util import Retry, Timeout


class _Connection(HTTPConnection):
    """A connection that the guard opens, with the timeout of the request that it serves."""

    guard: Guard

    def _new_conn(self) -> socket.socket:
        try:
            return self.guard.connect(self._dns_host, self.port, self.timeout)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise ConnectTimeoutError(self, f"cannot connect to {self.host} in time") from error
        except OSError as error:
            raise NewConnectionError(self, f"cannot connect: {error}") from error

    def connect(self) -> None:
        """Connect by the deadline, with TLS for https."""
        wait = of_request(self.timeout, self.host)
        with wait.exchange.timed(wait.own):
            super().connect()
        self.sock = GuardedSocket(self.sock, wait)

    def request(
        self, method: str, url: str, *args: Any, preload_content: bool = True, **options: Any
    ) -> None:
        """Send a request; the body of the response is not read before its header is checked."""
        self._preloads = preload_content
        super().request(method, url, *args, preload_content=False, **options)

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        """Return the response; GuardError for an encoding that was not asked for."""
        found = super().getresponse()
        try:
            self.guard.check_coding(self.host, found.headers.get("content-encoding"))
            if self._preloads:
                found.read(cache_content=True)
        except BaseException:
            found.close()
            raise
        return found


def guarded_pools(guard: Guard) -> dict[str, type[HTTPConnectionPool]]:
    """Return the pool class of each scheme, whose connections the guard opens."""
    own = {"guard": guard}
    plain = {"ConnectionCls": type("GuardedConnection", (_Connection,), own)}
    secure = {"ConnectionCls": type("GuardedTLSConnection", (_Connection, HTTPSConnection), own)}
    return {
        "http": type("GuardedPool", (HTTPConnectionPool,), plain),
        "https": type("GuardedTLSPool", (HTTPSConnectionPool,), secure),
    }


def with_exchange(guard: Guard, url: str, timeout: object) -> tuple[Exchange, Timeout]:
    """Return the exchange of a timeout, or a new one, and a timeout with it."""
    if isinstance(timeout, tuple):
        timeout = Timeout(*timeout)
    elif not isinstance(timeout, Timeout):
        timeout = Timeout.from_float(timeout)  # type: ignore[arg-type]  # a number or None
    connect = timeout.connect_timeout
    if isinstance(connect, Wait) and connect.exchange.guard is guard:
        return connect.exchange, timeout
    made = Exchange(guard, url)
    given = connect, timeout.read_timeout if timeout.total is None else timeout.total
    own = [made.wait(one if isinstance(one, float | int) else None) for one in given]
    return made, Timeout(connect=own[0], read=own[1])


class GuardedManager(PoolManager):
    """A pool manager with a guard; see `uriparse.guard`."""

    def __init__(self, guard: Guard) -> None:
        super().__init__(headers={"accept-encoding": guard.accept_encoding})
        most = guard.limits.redirects + 1  # the guard counts them
        self._retries = Retry(total=None, connect=0, read=0, status=0, other=0, redirect=most)
        self.guard = guard
        self.pool_classes_by_scheme = guarded_pools(guard)

    def urlopen(  # type: ignore[override]  # **options are the base's
        self, method: str, url: str, redirect: bool = True, **options: Any
    ) -> BaseHTTPResponse:
        """Send a request; urllib3 calls this for each redirect too."""
        exchange, options["timeout"] = with_exchange(self.guard, url, options.get("timeout"))
        options.setdefault("retries", self._retries)  # one policy on redirects for all pools
        return super().urlopen(method, exchange.judge(url).url, redirect, **options)
