"""Reports, and the public functions `validate`, `check` and `is_local_redirect`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias, cast

from uriparse import percent
from uriparse._base import migration_hints as hints
from uriparse._base.coerce import Text, Textual, as_choice, as_text, refusal
from uriparse.components.servers import default_port, defaults_of, tcp_port
from uriparse.errors import UnknownRuleError, URIError, URISyntaxError, URLError, excerpt
from uriparse.parsing import Record, Reference, is_valid, try_parse
from uriparse.records import URI
from uriparse.records._parts import Framed
from uriparse.records.references import explain
from uriparse.records.spans import component_spans
from uriparse.resolution import BaseURI, resolve
from uriparse.validation.agreement_checks import check_destination, check_request, is_local
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.finding_catalogue import CATALOGUE
from uriparse.validation.findings import Finding, Hit, Severity, hit
from uriparse.validation.policy import Policy, PydanticConstraint
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
    from uriparse.diagnosis import Remedy
    from uriparse.diagnosis.failure_context import FailureContext


class Evaluation(NamedTuple):
    """The hits of all checks on a text, from which the verdict and later the findings follow.

    record: by the policy's rule; None if the text is invalid or the rule makes none.
    scheme: the record's in lower case, by which severities are looked up.
    error: why the rule does not match the text, or browsers refuse it; None if neither.
    """

    record: Record | None
    scheme: str | None
    error: URISyntaxError | URLError | None
    hits: list[Hit]

    def is_accepted(self, policy: Policy) -> bool:
        """Return whether no hit is severe enough for the policy to refuse the text."""
        return self._refusing(policy).isdisjoint(map(_code, self.hits))

    def findings(self, policy: Policy) -> tuple[Finding, ...]:
        """Return the findings in the order of the text, then of the layers."""
        hits = sorted(self.hits, key=_span)
        return tuple(to_findings(hits, policy, self.scheme, self.error))

    def codes(self, policy: Policy) -> tuple[str, ...]:
        """Return the codes of the findings, each once, those of the reasons first."""
        wordings, refusing = compiled(policy).wordings(self.scheme), self._refusing(policy)
        hits = sorted(self.hits, key=_span)
        found = [code for code, *_ in hits if wordings[code][0] is not Severity.OFF]
        return tuple(dict.fromkeys([*filter(refusing.__contains__, found), *found]))

    def first(self, policy: Policy) -> Finding:
        """Return the first reason for which the policy refuses the text, without its remedy."""
        refusing = self._refusing(policy)
        hit = min((hit for hit in self.hits if hit[0] in refusing), key=_span)
        return to_findings([hit], policy, self.scheme, self.error, has_remedies=False)[0]

    def _refusing(self, policy: Policy) -> frozenset[str]:
        return compiled(policy).refusing_codes(self.scheme)


class Reason(NamedTuple):
    """The first reason for which a policy refuses a text; all None for an accepted one.

    cause: that of the syntax error; None for another reason.
    """

    code: str | None
    cause: str | None
    offset: int | None


def first_reason(text: str, policy: Policy) -> Reason:
    """Return the first reason of `validate(text, policy)`, without making its findings."""
    return _ACCEPTED if compiled(policy).fast_accept(text) else slow_reason(text, policy)


def slow_reason(text: str, policy: Policy) -> Reason:
    """Return the same for a text that the policy does not accept at first sight."""
    record, scheme, cause = parse_by_policy(text, policy), None, None
    if record is not None:
        scheme = None if record.scheme is None else record.scheme.lower()
        hits = _run_checks(record, scheme, policy, is_verdict=True)
    elif is_valid(text, compiled(policy).start, grammar=policy.grammar):
        hits = _check_without_record(len(text), None, policy)
    else:
        from uriparse.diagnosis.failure_context import FailureContext, find_cause  # noqa: PLC0415 - only refused text pays for it

        fault = FailureContext(text, compiled(policy).start, policy.grammar)
        cause = find_cause(fault)
        hits = _check_without_record(len(text), fault, policy)
    refusing = compiled(policy).refusing_codes(scheme)
    hits = [hit for hit in hits if hit[0] in refusing]
    if not hits:
        return _ACCEPTED
    code, (offset, _), *_ = min(hits, key=_span)
    return Reason(code, cause if code == "syntax" else None, offset)


_ACCEPTED = Reason(None, None, None)


def parse_by_policy(text: str | bytes, policy: Policy) -> Record | None:
    """Return the record of a text by a policy's rule; None if there is none."""
    try:
        return try_parse(text, compiled(policy).start, grammar=policy.grammar)
    except UnknownRuleError:  # a rule that yields no reference
        return None


def evaluate(text: str | bytes, policy: Policy) -> Evaluation:
    """Run all checks that a policy needs on a text."""
    record = parse_by_policy(text, policy)
    if record is None:
        error = _syntax_error(text, policy)
        return Evaluation(None, None, error, _check_without_record(len(text), error, policy))
    scheme = None if record.scheme is None else record.scheme.lower()
    return Evaluation(record, scheme, None, _run_checks(record, scheme, policy))


def to_findings(
    hits: Iterable[Hit],
    policy: Policy,
    scheme: str | None,
    error: URISyntaxError | URLError | None = None,
    *,
    has_remedies: bool = True,
) -> list[Finding]:
    """Make findings of hits, with the severities of a policy; `error` is of the code `syntax`."""
    wordings, off = compiled(policy).wordings(scheme), Severity.OFF
    findings = []
    for code, span, component, detail, times in hits:
        severity, layer, message, source = wordings[code]
        if severity is off:
            continue
        cause = remedy = None
        if code == "syntax" and isinstance(error, URLError):
            message = str(error)
        elif code == "syntax" and isinstance(error, URISyntaxError):
            cause, message = error, str(error)
            if has_remedies:
                remedy = _remedy_finder()(error, compiled(policy).start, policy.grammar)
        if code == "scheme-requirement":  # whose reason names the section in brackets at its end
            source = detail[detail.rindex("(") + 1 : -1]
        if detail:
            message = f"{message}: {detail}"
        if times > 1:
            message = f"{message} ({times} times)"
        findings.append(
            _finding(
                (code, severity, layer, span, component, message, source, times, cause, remedy)
            )
        )
    return findings


@cache
def _remedy_finder() -> Callable[..., Remedy | None]:
    from uriparse.diagnosis import find_remedy  # noqa: PLC0415 - for refused text alone

    return find_remedy


_code, _span = itemgetter(0), itemgetter(1)
_finding = partial(tuple.__new__, Finding)  # in half the time of the constructor


def _run_checks(
    record: Record, scheme: str | None, policy: Policy, *, is_verdict: bool = False
) -> list[Hit]:
    """Run the checks on a valid text, layer by layer.

    is_verdict: whether hits that do not refuse the text may be left out.
    """
    text, spans, base = str(record), component_spans(record), compiled(policy).base
    target = resolve(base.uri, record) if scheme is None and base is not None else record
    hits: list[Hit] = []
    # None of these refuses a text unless a policy says so, and they take most of the time.
    refusing = compiled(policy).refusing_codes(scheme)
    if not (is_verdict and refusing.isdisjoint(_SCHEME_CODES)):
        hits += check_scheme(record, spans, scheme)
        if "%" in text:
            hits += check_octets(record, spans)
        hits += check_reference(record, spans, base)
        hits += check_requirements(record, scheme)
        if not text.isascii():
            hits += check_scripts(record, spans)
    if compiled(policy).needs_agreement(target.scheme and target.scheme.lower()):
        if scheme is not None or not policy.relative:
            hits += check_destination(record, spans)
        elif not is_local(text) or (base is not None and text and not target.path):
            # A target without a path puts "?" or "#" right after the authority of the base.
            hits.append(hit("nonlocal-reference", (0, len(text)), None))
        if policy.agreement == "request":
            hits += check_request(record, spans, compiled(policy).kept_triplets)
    # Where there is a host, no hit of the policy comes before one of the scheme.
    is_told = is_verdict and any(
        span == spans.scheme and code in refusing for code, span, *_ in hits
    )
    if not (is_told and spans.authority):
        hits += check_policy(len(text), record, target, spans, compiled(policy))
    return hits


_SCHEME_CODES = frozenset(code for code, row in CATALOGUE.items() if row.layer == "scheme")


def _check_without_record(
    length: int, error: URISyntaxError | URLError | FailureContext | None, policy: Policy
) -> list[Hit]:
    if error is None:
        return [*check_policy(length, None, None, None, compiled(policy))]
    here = error.offset, min(error.offset + 1, length)
    hits = [hit("syntax", here, error.component)]
    if policy.agreement is not None:
        hits.append(hit("malformed", here, None))
    hits += check_limits(length, None, None, compiled(policy))
    return hits


def codes_of_invalid(policy: Policy) -> tuple[str, ...]:
    """Return the codes of the findings in each text that is invalid and exceeds no limit."""
    hits = _check_without_record(0, URISyntaxError(""), policy)
    return Evaluation(None, None, None, hits).codes(policy)


def _syntax_error(text: str | bytes, policy: Policy) -> URISyntaxError | None:
    if is_valid(text, compiled(policy).start, grammar=policy.grammar):
        return None
    return explain(text, compiled(policy).start, policy.grammar)


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

    __slots__ = ("_evaluation", "_findings", "_record", "accepted", "policy", "text")

    def __init__(
        self, text: str, policy: Policy, evaluation: Evaluation | None, *, accepted: bool
    ) -> None:
        self.text = text
        self.policy = policy
        self.accepted = accepted
        self._evaluation = evaluation
        self._findings: tuple[Finding, ...] | None = None
        self._record: Record | bool | None = False if evaluation is None else evaluation.record

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings but those to_findings "off", in the order of the text."""
        if self._findings is None:
            evaluation = self._evaluation or evaluate(self.text, self.policy)
            self._findings = evaluation.findings(self.policy)
        return self._findings

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
        if self.accepted:
            return ()
        refusing = compiled(self.policy).refusing
        return tuple(found for found in self.findings if found.severity in refusing)

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
    if not isinstance(policy, Policy):  # said here, since this is the hottest function
        raise refusal(policy, "policy", "a Policy, such as Policy.web()")
    if reading != "rfc":
        as_choice(reading, "reading", ("rfc", "whatwg"))
        return _validate_url(text, policy)
    if isinstance(text, bytes) and not bytes.isascii(text):
        plain, evaluation = bytes.decode(text, "ascii", "replace"), evaluate(text, policy)
    else:
        plain = text if type(text) is str else as_text(text)
        if compiled(policy).fast_accept(
            plain
        ):  # the report computes findings only if they are read
            return Report(plain, policy, None, accepted=True)
        evaluation = evaluate(plain, policy)
    return Report(plain, policy, evaluation, accepted=evaluation.is_accepted(policy))


def _validate_url(text: Text, policy: Policy) -> Report:
    if isinstance(text, bytes) and not text.isascii():
        return validate(text, policy)  # which is refused
    plain, evaluation = evaluate_as_browsers(as_text(text), policy)
    return Report(plain, policy, evaluation, accepted=evaluation.is_accepted(policy))


def evaluate_as_browsers(text: str, policy: Policy) -> tuple[str, Evaluation]:
    """Return the URL that browsers make of a text, and the findings; of one they refuse, itself."""
    from uriparse.whatwg import parse  # noqa: PLC0415 - for this reading alone

    try:
        url = str(parse(text))
    except URLError as error:
        hits = _check_without_record(len(text), error, policy)
        return text, Evaluation(None, None, error, hits)
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
