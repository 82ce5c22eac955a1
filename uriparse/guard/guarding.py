"""What every guarded client does: judge URLs, permit addresses, and limit size and time."""

from __future__ import annotations

import ipaddress
import socket
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from uriparse import excerpt
from uriparse.coerce import as_instance
from uriparse.errors import URIError, URISyntaxError
from uriparse.resolution import resolve
from uriparse.validation import Policy, PolicyError, Report, Target, validate

Cause: TypeAlias = Literal["url", "address", "proxy", "redirects", "size", "time"]
"""Why a guard stops a request; see `GuardError.cause`."""

SocketAddress: TypeAlias = tuple[str, int] | tuple[str, int, int, int]
"""What `socket.getaddrinfo` says to connect to: an IPv6 address comes with flow and scope."""


class GuardError(URIError):
    """Raised where a guard stops a request; the text of its message has no password.

    cause: "url" if the policy refuses a URL, "address" if it permits no address of a name,
        "proxy" for a proxy that the guard was not given, "redirects", "size" and "time" for a
        limit.
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

    redirects: how many it follows.
    octets: of a body, after decompression; None for any number.
    seconds: from the request to the last octet of the body; None for any time. A look-up of
        a name ends by the time that the resolver of the system takes.

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


class Deadline:
    """When a request has to be done, by the monotonic clock."""

    def __init__(self, url: str, seconds: float | None) -> None:
        self.url = url
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self, timeout: float | None = None) -> float | None:
        """Return the seconds that are left, or a shorter timeout; GuardError if none are."""
        if self._end is None:
            return timeout
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.error()
        return left if timeout is None else min(left, timeout)

    @contextmanager
    def waiting(self, timeout: float | None, *ends: type[Exception]) -> Iterator[float | None]:
        """Yield the seconds to wait; GuardError if the deadline ends a wait, as in `ends`."""
        seconds = self.remaining(timeout)
        try:
            yield seconds
        except ends as error:
            if seconds is timeout:  # the client's own timeout was the shorter one
                raise
            raise self.error() from error

    @contextmanager
    def current(self) -> Iterator[None]:
        """Let it be that of the request that runs."""
        token = DEADLINE.set(self)
        try:
            yield
        finally:
            DEADLINE.reset(token)

    def error(self) -> GuardError:
        """Return the error for a request that is not done in time."""
        return GuardError("time", self.url, f"not done within {self.seconds:g} seconds")


DEADLINE: ContextVar[Deadline | None] = ContextVar("uriparse_guard_deadline", default=None)
"""Of the request that runs: a chain of redirects shares one, through all layers of a client."""


class Guard:
    """A policy and the limits of a client."""

    def __init__(self, policy: Policy, limits: Limits) -> None:
        self.policy = as_instance(policy, Policy, "policy")
        self.limits = as_instance(limits, Limits, "limits")

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

    def deadline(self, url: str) -> Deadline:
        """Return the deadline of the request that runs, or a new one for a hop on its own."""
        return DEADLINE.get() or Deadline(url, self.limits.seconds)

    def resolve(self, host: str, port: int) -> list[SocketAddress]:
        """Look a name up, once; GuardError if the policy permits none of its addresses."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return self.permitted(host, [cast("SocketAddress", info[4]) for info in found])

    def permitted(self, host: str, found: Sequence[SocketAddress]) -> list[SocketAddress]:
        """Return the addresses that the policy permits, in their order; GuardError if none."""
        kept = [one for one in found if self.policy.permits(ipaddress.ip_address(one[0]))]
        if not kept:
            raise self.refused_addresses(host, (one[0] for one in found))
        return kept

    def refused_addresses(self, host: str, addresses: Iterable[str]) -> GuardError:
        """Return the error for a name none of whose addresses the policy permits."""
        texts = tuple(dict.fromkeys(addresses))
        classes = {
            name
            for text in texts
            for name in self.policy.refused_classes(ipaddress.ip_address(text))
        }
        why = f"the policy permits no address of it: {', '.join(texts) or 'it has none'}"
        if classes:
            why += f" ({', '.join(sorted(classes))})"
        return GuardError("address", host, why, addresses=texts)

    @contextmanager
    def running(self, url: str, *too_many: type[Exception]) -> Iterator[None]:
        """Let a request and its redirects have one deadline; such errors say they are too many."""
        try:
            with self.deadline(url).current():
                yield
        except too_many as error:
            raise self.too_many_redirects(url) from error

    def too_many_redirects(self, url: str) -> GuardError:
        """Return the error for one redirect too many."""
        return GuardError("redirects", url, f"more than {self.limits.redirects} redirects")


class BodyMeter:
    """Counts the octets of a body; GuardError where they are more than the limit."""

    def __init__(self, url: str, limit: int | None) -> None:
        self._url = url
        self._limit = limit
        self._count = 0

    @property
    def left(self) -> int | None:
        """How many octets may still come; None for any number."""
        return None if self._limit is None else self._limit - self._count

    def count(self, octets: int) -> None:
        """Count octets that have come."""
        self._count += octets
        if self._limit is not None and self._count > self._limit:
            raise GuardError("size", self._url, f"a body of more than {self._limit} octets")


ACCEPTED_ENCODINGS = "gzip, deflate"
"""The content codings whose size after decompression `EncodedMeter` can count."""

_SLICE = 2**16
"""Octets that are decompressed at a time, so that counting a bomb takes no more memory."""


class EncodedMeter(BodyMeter):
    """Counts a body that comes compressed by what it decompresses to.

    For clients that decompress where no guard can look: it decompresses each part first, in
    slices that it drops, so that the client sees no part that goes beyond the limit.
    """

    def __init__(self, url: str, limit: int | None, encoding: str) -> None:
        super().__init__(url, limit)
        self._coding = "identity" if limit is None else encoding.strip().lower() or "identity"
        self._may_be_raw = self._coding == "deflate"  # some servers leave the zlib header out
        gzip = 0 if self._may_be_raw else 16
        self._decoder = zlib.decompressobj(zlib.MAX_WBITS | gzip)

    def feed(self, part: bytes) -> None:
        """Count a part of the body as it comes from the network."""
        if self._coding == "identity":
            self.count(len(part))
            return
        if self._coding not in ("gzip", "x-gzip", "deflate"):
            coding = excerpt.quoted(self._coding)
            why = f"no limit can be held for a body that is compressed as {coding}"
            raise GuardError("size", self._url, why)
        try:
            self._inflate(part)
        except zlib.error:
            if not self._may_be_raw:
                self.count(len(part))  # the client will refuse it
                return
            self._decoder = zlib.decompressobj(-zlib.MAX_WBITS)
            self._may_be_raw = False
            self.feed(part)

    def _inflate(self, part: bytes) -> None:
        while part:
            out = self._decoder.decompress(part, _SLICE)
            self._may_be_raw = False
            self.count(len(out))
            part = self._decoder.unconsumed_tail  # empty after the end too, where clients stop
