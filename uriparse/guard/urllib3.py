"""Guarded connections of urllib3, on which those of requests are built, and a pool manager."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from uriparse.errors import MissingPackageError
from uriparse.guard.guarding import Exchange, Guard, GuardedSocket, Wait, of_request

try:
    from urllib3 import PoolManager
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
    from urllib3.util import Retry, Timeout
except ImportError:
    raise MissingPackageError("urllib3", __name__) from None

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse, HTTPResponse


class _Guarded(HTTPConnection):
    """A connection that the guard opens, and whose timeouts have the request that it serves."""

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
        """Connect, with TLS if it is for https, by the deadline."""
        wait = of_request(self.timeout, self.host)
        with wait.exchange.timed(wait.own):
            super().connect()
        self.sock = GuardedSocket(self.sock, wait)

    def request(  # the base has it with positional parameters as well
        self, method: str, url: str, *args: Any, preload_content: bool = True, **options: Any
    ) -> None:
        """Send a request; its body is not read before its fields are looked at."""
        self._preloads = preload_content
        super().request(method, url, *args, preload_content=False, **options)

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        """Return the response, if its body comes as it was asked for."""
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
    """Return the classes of pools, by scheme, whose connections a guard opens."""
    own = {"guard": guard}
    plain = type("GuardedHTTPConnection", (_Guarded,), own)
    secure = type("GuardedHTTPSConnection", (_Guarded, HTTPSConnection), own)
    return {
        "http": type("GuardedHTTPPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("GuardedHTTPSPool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }


def with_exchange(guard: Guard, url: str, timeout: object) -> tuple[Exchange, Timeout]:
    """Return the request that a timeout is of, or a new one, and a timeout that has it."""
    if isinstance(timeout, tuple):
        timeout = Timeout(*timeout)
    elif not isinstance(timeout, Timeout):
        timeout = Timeout.from_float(timeout)  # type: ignore[arg-type]  # a number or None
    connect = timeout.connect_timeout
    if isinstance(connect, Wait) and connect.exchange.guard is guard:
        return connect.exchange, timeout
    made = Exchange(guard, url)
    own = [
        one if isinstance(one, float | int) else None
        for one in (connect, timeout.read_timeout if timeout.total is None else timeout.total)
    ]
    return made, Timeout(connect=made.wait(own[0]), read=made.wait(own[1]))


class GuardedManager(PoolManager):
    """A pool manager whose requests and redirects a guard judges; see `uriparse.guard`."""

    def __init__(self, guard: Guard) -> None:
        super().__init__(headers={"accept-encoding": guard.accepted_encodings})
        # The guard counts the redirects.
        self._retries = Retry(
            total=None, connect=0, read=0, status=0, other=0, redirect=guard.limits.redirects + 1
        )
        self.guard = guard
        self.pool_classes_by_scheme = guarded_pools(guard)

    def urlopen(  # type: ignore[override]  # **options are the base's
        self, method: str, url: str, redirect: bool = True, **options: Any
    ) -> BaseHTTPResponse:
        """Send a request; urllib3 comes here for each redirect as well."""
        exchange, options["timeout"] = with_exchange(self.guard, url, options.get("timeout"))
        options.setdefault("retries", self._retries)  # the pools have no say in redirects
        return super().urlopen(method, exchange.judge(url).url, redirect, **options)
