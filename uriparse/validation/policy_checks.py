"""Checks of the layer "policy": what a policy does not allow in a URI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.percent import unquote_to_bytes
from uriparse.records import RegName
from uriparse.validation.findings import BAD_PORTS, BLOCKING, port_number, sign
from uriparse.validation.scheme_checks import is_number_like
from uriparse.validation.special import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.records import Host
    from uriparse.validation.findings import Places, Sign, Span
    from uriparse.validation.policy import Policy


_LONGEST_PORT = 5
"""Digits of a port, leading zeros apart, that a list can hold."""


def policy_signs(
    length: int, record: Record | None, target: Record | None, at: Places | None, policy: Policy
) -> Iterator[Sign]:
    """Say what a policy does not allow.

    length: of the text, in characters.
    record: the text's; None where it has none, so that all components are missing.
    target: the same after resolution, where a relative reference has a base.
    """
    if length >= policy.least_limit:
        yield from length_signs(length, policy)
        if record is not None and at is not None:
            yield from _limits(record, at, policy)
    if record is not None and record.scheme is None and not policy.relative:
        yield sign("relative-refused", (0, 0), None)
    if at is not None:
        if at.userinfo is not None and not policy.userinfo:
            yield sign("userinfo-refused", at.userinfo, "userinfo")
        if at.fragment is not None and not policy.fragment:
            yield sign("fragment-refused", (at.fragment[0] - 1, at.fragment[1]), "fragment")
    yield from _lists(target, at, policy)


def length_signs(length: int, policy: Policy) -> Iterator[Sign]:
    """Say that a text is too long, in characters, for a policy."""
    if policy.max_length is not None and length > policy.max_length:
        detail = f"{length} characters, {policy.max_length} at most"
        yield sign("too-long", (policy.max_length, length), None, detail)


def _limits(record: Record, at: Places, policy: Policy) -> Iterator[Sign]:
    most = policy.max_segments
    if most is not None and (count := record.path.count("/")) > most:
        yield sign("too-many-segments", at.path, "path", f"{count}, {most} at most")
    most = policy.max_parameters
    if most is not None and record.query is not None and at.query is not None:
        count = record.query.count("&") + 1
        if count > most:
            yield sign("too-many-parameters", at.query, "query", f"{count}, {most} at most")


def _lists(target: Record | None, at: Places | None, policy: Policy) -> Iterator[Sign]:
    scheme = None if target is None or target.scheme is None else target.scheme.lower()
    host = None if target is None else target.host
    if not policy.allows_scheme(scheme):
        yield sign("scheme-refused", _span(at, "scheme"), "scheme", scheme or "none")
    if not policy.allows_host(host):
        yield sign("host-refused", _span(at, "host"), "host")
    port = None if target is None else target.port
    # A URI without a host has no port. A relative reference has that of a base which is not known
    # here, so that no list allows it.
    has_port = port is not None or scheme is None or bool(str(host or ""))
    if has_port and not policy.allows_port(port, scheme):
        yield sign("port-refused", _span(at, "port"), "port", shown_port(port))
    if not policy.bad_ports and port and scheme in BLOCKING:
        number = port_number(port)
        if number in BAD_PORTS and (policy.ports == "*" or number not in policy.ports):
            yield sign("bad-port-refused", _span(at, "port"), "port", str(number))
    if host is None:
        return
    refused = refused_classes(host, policy)
    if refused:
        code = "name-refused" if isinstance(host, RegName) else "address-refused"
        yield sign(code, _span(at, "host"), "host", ", ".join(refused))
    # Without agreement, which refuses these by itself, an address would only have to be written in
    # another notation to be of no class.
    is_judged = bool(policy.addresses) and not policy.needs_agreement(scheme)
    if is_judged and isinstance(host, RegName) and is_number_like(looked_up(host)):
        yield sign("numeric-host", _span(at, "host"), "host")


def _span(at: Places | None, component: str) -> Span:
    span: Span | None = None if at is None else getattr(at, component)
    if span is not None:
        return span
    return (0, 0) if at is None or at.authority is None else (at.authority[1], at.authority[1])


def shown_port(port: str | None) -> str:
    """Name a port, cut where it is no number that a port can be."""
    return "none" if not port else port if len(port) <= _LONGEST_PORT else f"{len(port)} digits"


def refused_classes(host: Host, policy: Policy) -> tuple[str, ...]:
    """Name the classes for which a policy refuses a host: of its address, or of its name."""
    if not isinstance(host, RegName):
        address = host.address if policy.judges_addresses else None
        return () if address is None else policy.refused_classes(address)
    if not policy.names:
        return ()
    return tuple([row.kind for row in names_of(looked_up(host)) if row.kind in policy.names])


def looked_up(host: Host) -> str:
    """Give the name that is looked up; some clients decode it."""
    name = str(host)
    return unquote_to_bytes(name).decode("utf-8", "replace") if "%" in name else name
