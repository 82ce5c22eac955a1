"""Reports, and the public functions `validate`, `check` and `is_local_redirect`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, cast

from uriparse import percent
from uriparse._base import migration_hints as hints
from uriparse._base.coerce import Text, Textual, as_choice, as_text
from uriparse.components.servers import default_port, defaults_of, tcp_port
from uriparse.errors import URIError, URISyntaxError, URLError, excerpt
from uriparse.grammar import matcher
from uriparse.parsing import Record, Reference, is_valid, try_parse
from uriparse.records import URI
from uriparse.records._parts import Framed
from uriparse.records.spans import ComponentSpans, component_spans
from uriparse.resolution import BaseURI, resolve
from uriparse.validation.agreement_checks import check_destination, check_request, is_local
from uriparse.validation.compiled_policy import (
    CompiledPolicy,
    Judgement,
    Reason,
    compiled,
)
from uriparse.validation.findings import Finding, Hit, hit
from uriparse.validation.policy import Policy, PydanticConstraint, as_policy
from uriparse.validation.policy_checks import check_limits, check_policy
from uriparse.validation.scheme_checks import (
    check_octets,
    check_reference,
    check_requirements,
    check_scheme,
    check_scripts,
)

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from uriparse._base.pydantic_schema import Facts
    from uriparse.diagnosis.failure_context import FailureContext


def first_reason(text: str, policy: Policy) -> Reason:
    """Return the first reason of `validate(text, policy)`, without making its findings."""
    if compiled(policy).fast_accept(text):
        return Reason()
    return _judged(text, parse_by_policy(text, policy), compiled(policy)).reason


def first_finding(text: str, policy: Policy) -> Finding:
    """Return the same with its sentence; for a text that is refused."""
    return _judged(text, parse_by_policy(text, policy), compiled(policy)).first


def parse_by_policy(text: str | bytes, policy: Policy) -> Record | None:
    """Return the record of a text by a policy's rule; None if there is none."""
    prepared = compiled(policy)
    if prepared.read is None:
        return None
    if type(text) is str:
        return prepared.read(text)
    return try_parse(text, prepared.start, grammar=policy.grammar)


def evaluate(text: str | bytes, policy: Policy) -> Judgement:
    """Run all checks that a policy needs on a text.

    For http and https they are run once for all texts that begin alike up to the path, if what
    follows is such that no check reports anything about it, as it mostly is.
    """
    return _judged(text, parse_by_policy(text, policy), compiled(policy), warns=True)


def _judged(
    text: str | bytes, record: Record | None, prepared: CompiledPolicy, *, warns: bool = False
) -> Judgement:
    """Run the checks; warns: those that only warn too, which otherwise wait until asked for."""
    if record is None:
        return _judged_without_record(text, prepared)
    whole = str(record)
    begin = _beginning(whole, prepared)
    known = prepared.beginnings.get(begin)
    if known is not None:
        return known
    scheme = None if record.scheme is None else record.scheme.lower()
    # With a path, the "/" at the end of the beginning is its first character.
    is_bare = record.query is record.fragment is None and begin == whole
    is_kept = begin and str(record.host or "") and (record.path or is_bare)
    spans, later = component_spans(record), None
    hits = _run_checks(record, spans, scheme, prepared)
    if warns or not prepared.of_scheme(scheme).leaves_schemes:
        hits = [*_warnings(record, spans, scheme, prepared), *hits]
    elif is_kept:  # of texts that begin alike, the beginning alone is kept
        later = partial(_later_warnings, begin, scheme, prepared)
    else:
        later = partial(_warnings, record, spans, scheme, prepared)
    judged = Judgement(prepared, scheme, hits, later=later)
    if is_kept:
        if len(prepared.beginnings) >= _MOST_BEGINNINGS:
            prepared.beginnings.clear()
        prepared.beginnings[begin] = judged
    return judged


def _beginning(text: str, prepared: CompiledPolicy) -> str:
    """Return a web URI up to the path if no check reports anything about the rest; else "".

    If a "/" follows in a query, the beginning ends there, and has no host alone.
    """
    if not (
        prepared.keeps_beginnings
        and text.startswith(("http:", "https:"))
        and len(text) < prepared.least_limit
        and (prepared.policy.fragment or "#" not in text)
    ):
        return ""
    path = text.find("/", len("https://"))
    if path < 0:
        return text
    return text[:path] if _ordinary()(text, path) else ""


_MOST_BEGINNINGS = 1 << 12


@cache
def _ordinary() -> Callable[[str, int], object]:
    return matcher("ordinary-location", "agreed").fullmatch


def _later_warnings(text: str, scheme: str | None, prepared: CompiledPolicy) -> list[Hit]:
    record = parse_by_policy(text, prepared.policy)
    return [] if record is None else _warnings(record, component_spans(record), scheme, prepared)


def _warnings(
    record: Record, spans: ComponentSpans, scheme: str | None, prepared: CompiledPolicy
) -> list[Hit]:
    """Run the checks of the layer "scheme" on a valid text: they take most of the time."""
    text, hits = str(record), [*check_scheme(record, spans, scheme)]
    if "%" in text:
        hits += check_octets(record, spans)
    hits += check_reference(record, spans, prepared.base)
    hits += check_requirements(record, scheme)
    if not text.isascii():
        hits += check_scripts(record, spans)
    return hits


def _run_checks(
    record: Record, spans: ComponentSpans, scheme: str | None, prepared: CompiledPolicy
) -> list[Hit]:
    """Run the other checks on a valid text, layer by layer."""
    policy, base, text = prepared.policy, prepared.base, str(record)
    target = resolve(base.uri, record) if scheme is None and base is not None else record
    hits: list[Hit] = []
    if prepared.needs_agreement(target.scheme and target.scheme.lower()):
        if scheme is not None or not policy.relative:
            hits += check_destination(record, spans)
        elif not is_local(text) or (base is not None and text and not target.path):
            # A target without a path puts "?" or "#" right after the authority of the base.
            hits.append(hit("nonlocal-reference", (0, len(text)), None))
        if policy.agreement == "request":
            hits += check_request(record, spans, prepared.kept_triplets)
    hits += check_policy(len(text), record, target, spans, prepared)
    return hits


def _judged_without_record(text: str | bytes, prepared: CompiledPolicy) -> Judgement:
    rule, grammar = prepared.start, prepared.policy.grammar
    if prepared.read is None and is_valid(text, rule, grammar=grammar):
        return Judgement(prepared, None, check_policy(len(text), None, None, None, prepared))
    failure, explained = _diagnosing()
    fault = failure(text, rule, grammar)
    hits = _hits_of_invalid(fault.offset, len(text), prepared)
    return Judgement(prepared, None, hits, lambda: explained(fault, text))


@cache
def _diagnosing() -> tuple[Callable[..., FailureContext], Callable[..., URISyntaxError]]:
    from uriparse.diagnosis.diagnosing import explained, failure  # noqa: PLC0415 - only refused text pays for it

    return failure, explained


def _hits_of_invalid(offset: int, length: int, prepared: CompiledPolicy) -> list[Hit]:
    here = offset, min(offset + 1, length)
    hits: list[Hit] = [("syntax", here, None, "", 1)]  # the component is that of the error
    if prepared.policy.agreement is not None:
        hits.append(("malformed", here, None, "", 1))
    if length >= prepared.least_limit:
        hits += check_limits(length, None, None, prepared)
    return hits


def codes_of_invalid(policy: Policy) -> tuple[str, ...]:
    """Return the codes of the findings in each text that is invalid and exceeds no limit."""
    prepared = compiled(policy)
    return Judgement(prepared, None, _hits_of_invalid(0, 0, prepared)).codes


@dataclass(frozen=True, slots=True)
class Target(Textual, hints.Foreign, Framed, foreign=hints.foreign_names("target")):
    """The destination of an accepted URI, to pass to a client instead of the text.

    Its `str` is `url`. As a type of fields for pydantic it reads a text as `check` does.

    scheme: in lower case.
    host: in lower case; an IPv6 address has no brackets, and a name is not resolved.
    port: the port to connect to, by default the scheme's; None if the scheme has none.
    address: the IP address if the host is one, else None.
    url: the URI to send: scheme and host in lower case, "/" for an empty path of an http or
        https URI, no default port, no leading zeros in another, no fragment. Path and query
        are as written.
    """

    _FORMAT: ClassVar[str] = "uri"

    scheme: str
    host: str
    port: int | None
    address: IPv4Address | IPv6Address | None
    url: str

    def __str__(self) -> str:
        return self.url

    @classmethod
    def _field_reader(cls) -> Callable[[Text], Target]:
        return _read_target

    @property
    def effective_port(self) -> int | None:
        """`port`, as records have it."""
        return self.port

    @property
    def origin(self) -> str:
        """Scheme, host and port as in RFC 6454 section 6.2, without a default port.

        >>> Target("http", "h", 80, None, "http://h/").origin
        'http://h'
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port in (None, default_port(self.scheme)) else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def find_target(uri: URI) -> Target | None:
    """Return the destination of a URI; None if it has no host, or a port above 65535."""
    authority = uri.authority
    if authority is None or not str(authority.host):
        return None
    scheme = uri.scheme.lower()
    port = tcp_port(uri.port) if uri.port else default_port(scheme)
    if uri.port and port is None:
        return None
    host = percent.lower_around_triplets(str(authority.host))
    return Target(scheme, host.strip("[]"), port, authority.host.address, _url(uri, host, port))


def _url(uri: URI, host: str, port: int | None) -> str:
    """Return a URI without its fragment in one spelling, with path and query unchanged."""
    scheme, spans = uri.scheme.lower(), component_spans(uri)
    user = "" if uri.userinfo is None else f"{uri.userinfo}@"
    colon = "" if port in (None, default_port(scheme)) else f":{port}"
    text = str(uri)
    end = len(text) if spans.fragment is None else spans.fragment[0] - 1
    rest = text[spans.path[0] : end]
    if not uri.path and defaults_of(scheme).empty_path_is_slash:
        rest = f"/{rest}"
    return f"{scheme}://{user}{host}{colon}{rest}"


class Report(hints.Foreign, foreign=hints.foreign_names("report")):
    """The result of validating a text against a policy; true if the text is accepted.

    text: the input, password included; bytes that are not ASCII are replaced by U+FFFD.
    policy: the policy that was applied.
    accepted: the verdict.

    Findings and record are computed on first use.
    """

    __slots__ = ("_judgement", "_record", "accepted", "policy", "text")

    def __init__(
        self, text: str, policy: Policy, judgement: Judgement | None, *, accepted: bool
    ) -> None:
        self.text = text
        self.policy = policy
        self.accepted = accepted
        self._judgement = judgement
        self._record: Record | bool | None = False
        if judgement is not None and not judgement.is_read:
            self._record = None

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings but those that are "off", in the order of the text."""
        return self._judged().findings

    def _judged(self) -> Judgement:
        if self._judgement is None and self.accepted:
            self._judgement = evaluate(self.text, self.policy)
        elif self._judgement is None:
            self._judgement = _judged_without_record(self.text, compiled(self.policy))
        return self._judgement

    @property
    def record(self) -> Record | None:
        """The record of the text; None if the text is invalid or the rule makes no record."""
        if isinstance(self._record, bool):
            self._record = parse_by_policy(self.text, self.policy)
        return self._record

    @property
    def target(self) -> Target | None:
        """The destination of the URI; None unless it is accepted and has a host."""
        return find_target(self.record) if self.accepted and isinstance(self.record, URI) else None

    @property
    def reasons(self) -> tuple[Finding, ...]:
        """The findings that make the policy refuse the text; empty if it is accepted."""
        return () if self.accepted else self._judged().reasons

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain data for JSON, with the password of the text masked."""
        return {
            "text": excerpt.masked(self.text),
            "accepted": self.accepted,
            "findings": [found.as_dict() for found in self.findings],
        }

    def __str__(self) -> str:
        verdict = "accepted" if self.accepted else "refused"
        lines = [f"{verdict}: {excerpt.masked(self.text)}", *map(str, self.findings)]
        return "\n  ".join(lines)

    def __repr__(self) -> str:
        verdict = "accepted" if self.accepted else "refused"
        return f"<Report {verdict} {excerpt.masked(self.text)!r}>"


class PolicyError(URIError):
    """Raised for a text that a policy refuses.

    report: the report with all findings.
    code, offset, component: of the first finding that refuses the text, as of a `Finding`.
    """

    def __init__(self, report: Report) -> None:
        first, *more = report.reasons
        others = f"; also {', '.join(dict.fromkeys(found.code for found in more))}" if more else ""
        super().__init__(f"{first.code}: {first.message}{others}")
        self.report = report
        self.code, self.offset, self.component = first.code, first.offset, first.component


OUTBOUND = Policy.outbound()


Reading: TypeAlias = Literal["rfc", "whatwg"]
"""By which standard a text is read: the RFC of the policy's grammar, or the URL Standard."""


def validate(text: Text, policy: Policy = OUTBOUND, *, reading: Reading = "rfc") -> Report:
    """Validate a text against a policy; an invalid text gives a report, never an exception.

    text: a str, bytes (valid only if ASCII), or a record.
    policy: what is allowed; by default what a server may fetch on behalf of others.
    reading: "whatwg" judges the URL that browsers make of the text (`whatwg.parse`), which is the
        text of the report then. A text that browsers refuse has the finding "syntax".

    The report is true if the text is accepted. It has all findings, the record and, for a URI with
    a host, the target. Linear in time and memory. TypeError if `text` or `policy` has another type.

    >>> report = validate("http://127.1/admin")
    >>> report.accepted, [found.code for found in report.reasons]
    (False, ['numeric-host'])
    >>> validate("https://example.com/a?b#c").target.url
    'https://example.com/a?b'
    >>> validate("HTTP:127.1/admin", reading="whatwg").reasons[0].code
    'address-refused'
    """
    if not isinstance(policy, Policy):  # asked here, since this is the hottest function
        as_policy(policy)
    if reading != "rfc":
        as_choice(reading, "reading", ("rfc", "whatwg"))
        return _validate_url(text, policy)
    if type(text) is str:
        plain = text
    elif isinstance(text, bytes) and not bytes.isascii(text):
        plain, judgement = bytes.decode(text, "ascii", "replace"), evaluate(text, policy)
        return Report(plain, policy, judgement, accepted=judgement.is_accepted)
    else:
        plain = as_text(text)
    prepared = compiled(policy)
    if prepared.matches(plain) is None:  # findings are computed only if they are read
        return Report(plain, policy, None, accepted=False)
    if prepared.fast_accept(plain):
        return Report(plain, policy, None, accepted=True)
    record = parse_by_policy(plain, policy)
    if record is None and prepared.read is not None and prepared.refuses_invalid:
        return Report(plain, policy, None, accepted=False)
    judgement = _judged(plain, record, prepared)
    return Report(plain, policy, judgement, accepted=judgement.is_accepted)


def _validate_url(text: Text, policy: Policy) -> Report:
    if isinstance(text, bytes) and not text.isascii():
        return validate(text, policy)  # which is refused
    plain, judgement = evaluate_as_browsers(as_text(text), policy)
    return Report(plain, policy, judgement, accepted=judgement.is_accepted)


def evaluate_as_browsers(text: str, policy: Policy) -> tuple[str, Judgement]:
    """Return the URL that browsers make of a text, with its findings; itself if they refuse it."""
    from uriparse.whatwg import parse  # noqa: PLC0415 - for this reading alone

    try:
        url = str(parse(text))
    except URLError as refused:
        prepared, error = compiled(policy), refused
        hits = _hits_of_invalid(error.offset, len(text), prepared)
        return text, Judgement(prepared, None, hits, lambda: error)
    return url, evaluate(url, policy)


def check(text: Text, policy: Policy = OUTBOUND) -> Target:
    """Return the target of a text that a policy accepts.

    PolicyError, with the report, if the policy refuses the text; ValueError if it accepts a text
    without a host; TypeError as for `validate`.

    >>> check("http://example.com:8080/").port
    8080
    >>> check("http://localhost/")
    Traceback (most recent call last):
    ...
    uriparse.validation.report.PolicyError: name-refused: the policy refuses names of this special \
use: localhost
    """
    report = validate(text, policy)
    if not report.accepted:
        raise PolicyError(report)
    target = report.target
    if target is None:
        raise ValueError("the policy accepts the text, but it has no host to connect to")
    return target


def is_local_redirect(reference: Text, base: Reference | BaseURI) -> bool:
    """Whether all clients resolve a reference to the origin of its base (RFC 9110 section 10.2.2).

    True for references of the rule `local-reference` of the grammar "agreed", and for destinations
    with the same scheme, host and port. False for "a/b": one client reads "a/:80" as host and port.

    PolicyDefinitionError unless the base is an http or https URI with a host.

    >>> [is_local_redirect(text, "https://h/a") for text in ("/b?c", "//evil.com", "https://h/")]
    [True, False, True]
    """
    text = reference if isinstance(reference, bytes) else as_text(reference, "reference")
    return validate(text, Policy.redirect(base)).accepted


def _check_field(text: Text, policy: PydanticConstraint) -> None:
    """Raise pydantic's error for the value of a field that a policy refuses."""
    report = validate(text, cast("Policy", policy))
    if not report.accepted:
        from uriparse._base.pydantic_schema import refused  # noqa: PLC0415 - for pydantic alone

        first = report.reasons[0]
        facts: Facts = {"code": first.code, "offset": first.offset, "component": first.component}
        raise refused("uri_policy", text, str(PolicyError(report)), facts)


def _read_target(text: Text) -> Target:
    _check_field(text, OUTBOUND)
    return check(text)


PydanticConstraint._check = staticmethod(_check_field)  # noqa: SLF001 - set once, here
