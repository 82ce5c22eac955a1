"""Checks of the layer "policy": what a policy does not allow in a URI."""

from collections.abc import Iterator

from uriparse.components.servers import tcp_port
from uriparse.parsing import Record
from uriparse.percent import unquote_to_bytes
from uriparse.records import Host, RegName
from uriparse.records.spans import ComponentSpans, Span
from uriparse.validation.compiled_policy import CompiledPolicy
from uriparse.validation.findings import BAD_PORTS, BLOCKING, Hit, hit
from uriparse.validation.scheme_checks import is_number_like
from uriparse.validation.special import names_of

_LONGEST_PORT = 5
"""The most digits of a port that a message shows."""


def check_policy(
    length: int,
    record: Record | None,
    target: Record | None,
    spans: ComponentSpans | None,
    prepared: CompiledPolicy,
) -> Iterator[Hit]:
    """Report what a policy does not allow in a text of a length in characters.

    record: of the text; None if there is none: then all components are missing.
    target: the record, resolved against the policy's base if it is relative.
    """
    policy = prepared.policy
    if length >= prepared.least_limit:
        yield from check_limits(length, record, spans, prepared)
    if record is not None and record.scheme is None and not policy.relative:
        yield hit("relative-refused", (0, 0), None)
    if spans is not None:
        if spans.userinfo is not None and not policy.userinfo:
            yield hit("userinfo-refused", spans.userinfo, "userinfo")
        if spans.fragment is not None and not policy.fragment:
            yield hit("fragment-refused", (spans.fragment[0] - 1, spans.fragment[1]), "fragment")
    if not prepared.allows_uri(record):
        yield hit("uri-refused", (0, length), None)
    yield from _lists(target, spans, prepared)


def check_limits(
    length: int, record: Record | None, spans: ComponentSpans | None, prepared: CompiledPolicy
) -> Iterator[Hit]:
    """Report what a text of a length has more of than a policy allows; see `check_policy`."""
    for most, (_, code, component, count) in prepared.limits:
        part = component and getattr(record, component, None)
        number = length if component is None else 0 if part is None else count(part)
        if number > most:
            span = (most, length) if component is None else _span(spans, component)
            yield hit(code, span, component, f"{number}, {most} at most")


def _lists(
    target: Record | None, spans: ComponentSpans | None, prepared: CompiledPolicy
) -> Iterator[Hit]:
    policy = prepared.policy
    scheme = None if target is None or target.scheme is None else target.scheme.lower()
    host = None if target is None else target.host
    if not prepared.allows_scheme(scheme):
        yield hit("scheme-refused", _span(spans, "scheme"), "scheme", scheme or "none")
    if not prepared.allows_host(host):
        detail = "" if policy.hosts else 'its list of hosts is empty; "*" allows all'
        yield hit("host-refused", _span(spans, "host"), "host", detail)
    port = None if target is None else target.port
    # A URI without a host has no port. A relative reference has the port of an unknown base, which
    # no list allows.
    has_port = port is not None or scheme is None or bool(str(host or ""))
    if has_port and not prepared.allows_port(port, scheme):
        yield hit("port-refused", _span(spans, "port"), "port", describe_port(port))
    if not policy.bad_ports and port and scheme in BLOCKING:
        number = tcp_port(port)
        if number in BAD_PORTS and (policy.ports == "*" or number not in policy.ports):
            yield hit("bad-port-refused", _span(spans, "port"), "port", str(number))
    if host is None:
        return
    refused = refused_classes(host, prepared)
    if refused:
        code = "name-refused" if isinstance(host, RegName) else "address-refused"
        yield hit(code, _span(spans, "host"), "host", ", ".join(refused))
    # Agreement refuses numeric hosts. Without it, an address in another notation ("0x7f.1") would
    # escape its class, so that it is refused here.
    is_judged = not prepared.allows_any_address and not prepared.needs_agreement(scheme)
    if is_judged and isinstance(host, RegName) and is_number_like(decoded_name(host)):
        yield hit("numeric-host", _span(spans, "host"), "host")


def _span(spans: ComponentSpans | None, component: str) -> Span:
    """Return the span of a component, or where it is missing."""
    span: Span | None = None if spans is None else getattr(spans, component)
    if span is not None:
        return span
    end = 0 if spans is None or spans.authority is None else spans.authority[1]
    return end, end


def describe_port(port: str | None) -> str:
    """Return the text of a port for a message: only its length if it is too long."""
    return "none" if not port else port if len(port) <= _LONGEST_PORT else f"{len(port)} digits"


def refused_classes(host: Host, prepared: CompiledPolicy) -> tuple[str, ...]:
    """Return the classes of a host's address or name that a policy refuses."""
    if not isinstance(host, RegName):
        address = host.address if prepared.judges_addresses else None
        return () if address is None else prepared.policy.refused_classes(address)
    if not prepared.names:
        return ()
    return tuple([row.kind for row in names_of(decoded_name(host)) if row.kind in prepared.names])


def decoded_name(host: Host) -> str:
    """Return the name of a host with its triplets decoded, as some clients look it up."""
    name = str(host)
    return unquote_to_bytes(name).decode("utf-8", "replace") if "%" in name else name
