"""Guarded connections of urllib3, on which those of requests are built, and a pool manager."""

from __future__ import annotations

import io
import socket
from collections.abc import Generator
from functools import partial
from http import client
from typing import TYPE_CHECKING, Any, cast

from uriparse.errors import MissingPackageError
from uriparse.guard.guarding import BodyMeter, Deadline, Guard

try:
    from urllib3 import PoolManager
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3.exceptions import MaxRetryError, NameResolutionError, NewConnectionError
    from urllib3.response import HTTPResponse
    from urllib3.util import Retry
except ImportError:
    raise MissingPackageError("urllib3", __name__) from None

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse

_PART = 2**16
"""Octets of a body that are read at a time, so that a limit is noticed before memory is full."""


class _TimedReader(io.RawIOBase):
    """What comes from a socket, until the deadline; without it a server could drip forever."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, deadline: Deadline) -> None:
        super().__init__()
        self._raw = raw
        self._sock = sock
        self._timeout = sock.gettimeout()
        self._deadline = deadline

    def readable(self) -> bool:
        """Return True: a response is read."""
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int | None:  # type: ignore[override]
        """Read what there is, and wait for it no longer than to the deadline."""
        with self._deadline.waiting(self._timeout, TimeoutError) as seconds:
            self._sock.settimeout(seconds)
            return self._raw.readinto(buffer)

    def close(self) -> None:
        """Close the socket's file, by which the socket counts its users."""
        self._raw.close()
        super().close()


class _TimedResponse(client.HTTPResponse):
    """A response of the standard library whose status, headers and body come by a deadline."""

    def __init__(
        self, sock: socket.socket, debuglevel: int = 0, *, method: str, deadline: Deadline
    ) -> None:
        super().__init__(sock, debuglevel, method)
        raw = self.fp.detach()
        self.fp = io.BufferedReader(_TimedReader(raw, sock, deadline))


class _Response(HTTPResponse):
    """A response of urllib3 that counts its body, after decompression."""

    meter: BodyMeter

    def read(
        self,
        amt: int | None = None,
        decode_content: bool | None = None,
        cache_content: bool = False,
    ) -> bytes:
        """Read a part, or all in parts."""
        if amt is not None:
            return self._counted(super().read(amt, decode_content))
        parts = []
        while part := self._counted(super().read(_PART, decode_content)):
            parts.append(part)
        body = b"".join(parts)
        if cache_content:
            self._body = body
        return body

    def read1(self, amt: int | None = None, decode_content: bool | None = None) -> bytes:
        """Read what one call of the system yields."""
        return self._counted(super().read1(amt or _PART, decode_content))

    def read_chunked(
        self, amt: int | None = None, decode_content: bool | None = None
    ) -> Generator[bytes, None, None]:
        """Read the parts of a body that comes in chunks, however large the server makes them."""
        for part in super().read_chunked(min(amt or _PART, _PART), decode_content):
            yield self._counted(part)

    def _counted(self, part: bytes) -> bytes:
        try:
            self.meter.count(len(part))
        except BaseException:
            self.close()  # the rest is not to be read, nor the connection used again
            raise
        return part


class _Guarded(HTTPConnection):
    """A connection that is opened to permitted addresses only, or to a proxy that was given."""

    guard: Guard
    is_to_proxy: bool

    def _new_conn(self) -> socket.socket:
        if self.is_to_proxy:
            return super()._new_conn()
        deadline = self.guard.deadline(self.host)
        try:
            addresses = self.guard.resolve(self._dns_host, self.port)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        failed: OSError | None = None
        for address in addresses:
            # Numbers are no names: nobody looks anything up between the check and the connection.
            # An IPv6 address keeps the scope that the look-up gave it.
            family = socket.AF_INET6 if len(address) == 4 else socket.AF_INET
            sock = socket.socket(family, socket.SOCK_STREAM)
            try:
                for option in self.socket_options or ():
                    sock.setsockopt(*option)
                if self.source_address:
                    sock.bind(self.source_address)
                with deadline.waiting(self.timeout, TimeoutError) as seconds:
                    sock.settimeout(seconds)
                    sock.connect(address)
            except OSError as error:
                sock.close()
                failed = error
                continue
            except BaseException:
                sock.close()
                raise
            return sock
        raise NewConnectionError(self, f"cannot connect: {failed}") from failed

    def request(  # the base has it with positional parameters as well
        self, method: str, url: str, *args: Any, preload_content: bool = True, **options: Any
    ) -> None:
        """Send a request; its response has to come by the deadline."""
        deadline = self.guard.deadline(f"{self.host}{url}")
        self._preloads = preload_content
        self._url = url
        # The hook of the standard library by which a connection makes its responses.
        self.response_class = partial(_TimedResponse, deadline=deadline)  # type: ignore[assignment]
        super().request(method, url, *args, preload_content=False, **options)

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        """Return the response, read if the request asks for that, and within the limit."""
        made = super().getresponse()
        made.__class__ = _Response  # urllib3 has no hook for the class of a response
        found = cast("_Response", made)
        found.meter = BodyMeter(f"{self.host}{self._url}", self.guard.limits.octets)
        if self._preloads:
            found.read(cache_content=True)
        return found


def guarded_pools(
    guard: Guard, *, is_to_proxy: bool = False
) -> dict[str, type[HTTPConnectionPool]]:
    """Return the classes of pools, by scheme, whose connections ask a guard or go to a proxy."""
    own = {"guard": guard, "is_to_proxy": is_to_proxy}
    plain = type("GuardedHTTPConnection", (_Guarded,), own)
    secure = type("GuardedHTTPSConnection", (_Guarded, HTTPSConnection), own)
    return {
        "http": type("GuardedHTTPPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("GuardedHTTPSPool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }


class GuardedManager(PoolManager):
    """A pool manager whose requests and redirects a guard judges; see `uriparse.guard`."""

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self._retries = Retry(
            total=None, connect=0, read=0, status=0, other=0, redirect=guard.limits.redirects
        )
        self.guard = guard
        self.pool_classes_by_scheme = guarded_pools(guard)

    def urlopen(  # type: ignore[override]  # **options are the base's
        self, method: str, url: str, redirect: bool = True, **options: Any
    ) -> BaseHTTPResponse:
        """Send a request; urllib3 comes here for each redirect as well."""
        target = self.guard.judge(url)
        options.setdefault("retries", self._retries)  # the pools have no say in redirects
        try:
            with self.guard.deadline(url).current():
                return super().urlopen(method, target.url, redirect, **options)
        except MaxRetryError as error:
            if str(error.reason) == "too many redirects":
                raise self.guard.too_many_redirects(url) from error
            raise
