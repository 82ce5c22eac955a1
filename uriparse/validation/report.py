"""The report of a judgement: findings, the verdict, and where an accepted URI leads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from uriparse import excerpt, percent
from uriparse.errors import UnknownRuleError, URIError, URISyntaxError
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.parsing import is_valid, try_parse
from uriparse.records import URI
from uriparse.resolution import resolve
from uriparse.validation.agreement_checks import destination_signs, is_local, request_signs
from uriparse.validation.findings import Finding, Severity, default_port, places, port_number, sign
from uriparse.validation.policy_checks import length_signs, policy_signs
from uriparse.validation.scheme_checks import (
    octet_signs,
    reference_signs,
    scheme_signs,
    script_signs,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address

    from uriparse.parsing import Record
    from uriparse.validation.findings import Sign
    from uriparse.validation.policy import Policy


# All findings about a text: the signs that the checks see, as a policy weighs them.
#
# The verdict rests on the signs; they are put into words when the findings are asked for.


class Judgement(NamedTuple):
    """What the checks see in a text, before it is put into words.

    Attributes:
        record: the text's by the policy's rule; None where there is none.
        scheme: of the record, by which severities are looked up, in lower case.
        error: why the rule does not derive the text; None if it does.
        signs: of all checks that the policy asks for, layer by layer.

    """

    record: Record | None
    scheme: str | None
    error: URISyntaxError | None
    signs: list[Sign]

    def is_accepted(self, policy: Policy) -> bool:
        """Whether no sign weighs enough for a refusal."""
        return policy.refusing_codes(self.scheme).isdisjoint(map(_code, self.signs))

    def findings(self, policy: Policy) -> tuple[Finding, ...]:
        """Put the signs into words, in the order of the text, then of the layers."""
        signs = sorted(self.signs, key=_span)
        return tuple(weighed(signs, policy, self.scheme, self.error))


def record_of(text: str | bytes, policy: Policy) -> Record | None:
    """Give the record of a text by a policy's rule; None where there is none."""
    try:
        return try_parse(text, policy.start, grammar=policy.grammar)
    except UnknownRuleError:  # a rule that yields no reference
        return None


def judge(text: str | bytes, policy: Policy) -> Judgement:
    """Look at a text with all checks that a policy asks for."""
    record = record_of(text, policy)
    if record is None:
        error = _syntax_error(text, policy)
        return Judgement(None, None, error, _signs_of_no_record(len(text), error, policy))
    scheme = None if record.scheme is None else record.scheme.lower()
    return Judgement(record, scheme, None, _signs(record, scheme, policy))


def weighed(
    signs: Iterable[Sign], policy: Policy, scheme: str | None, error: URISyntaxError | None = None
) -> list[Finding]:
    """Turn signs into findings, as a policy weighs them.

    error: what a sign of layer "syntax" is about.
    """
    wordings, off = policy.wordings(scheme), Severity.OFF
    findings = []
    for code, span, component, detail, times in signs:
        severity, layer, message, source = wordings[code]
        if severity is off:
            continue
        cause = None
        if code == "syntax":
            cause, message = error, str(error)
        if detail:
            message = f"{message}: {detail}"
        if times > 1:
            message = f"{message} ({times} times)"
        findings.append(
            _finding((code, severity, layer, span, component, message, source, times, cause))
        )
    return findings


_code, _span = itemgetter(0), itemgetter(1)
_finding = partial(tuple.__new__, Finding)  # in half the time of the constructor


def _signs(record: Record, scheme: str | None, policy: Policy) -> list[Sign]:
    """Let all checks look that a policy asks for, layer by layer."""
    text, at, base = str(record), places(record), policy.base_uri
    target = resolve(base.uri, record) if scheme is None and base is not None else record
    signs = [*scheme_signs(record, at, scheme)]
    if "%" in text:
        signs += octet_signs(record, at)
    signs += reference_signs(record, at, base)
    if not text.isascii():
        signs += script_signs(record, at)
    if policy.needs_agreement(None if target.scheme is None else target.scheme.lower()):
        if scheme is not None or not policy.relative:
            signs += destination_signs(record, at)
        elif not is_local(text) or (base is not None and text and not target.path):
            # The latter: a "?" or "#" comes right after the authority of the base.
            signs.append(sign("nonlocal-reference", (0, len(text)), None))
        if policy.agreement == "request":
            signs += request_signs(record, at)
    signs += policy_signs(len(text), record, target, at, policy)
    return signs


def _signs_of_no_record(length: int, error: URISyntaxError | None, policy: Policy) -> list[Sign]:
    """Say what can be said of a text of some length that has no record, and why it has none."""
    if error is None:
        return [*policy_signs(length, None, None, None, policy)]
    here = error.offset, min(error.offset + 1, length)
    signs = [sign("syntax", here, error.component)]
    if policy.agreement is not None:
        signs.append(sign("malformed", here, None))
    signs += length_signs(length, policy)
    return signs


def _syntax_error(text: str | bytes, policy: Policy) -> URISyntaxError | None:
    """Say why the policy's rule does not derive a text; None if it does and yields no record."""
    if is_valid(text, policy.start, grammar=policy.grammar):
        return None
    from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only refused text pays for it

    return diagnose(text, policy.start, policy.grammar)


# Where an accepted URI leads: what to hand to a client, so that it goes where the check said.


@dataclass(frozen=True, slots=True)
class Target:
    """The destination of an accepted URI.

    Attributes:
        scheme: in lower case.
        host: in lower case, an IPv6 address without brackets; a name is still to be looked up.
        port: the one to connect to, that of the scheme where none is written; None if it has none.
        address: the IP address, where the host is one.
        url: the URI that was checked, in one spelling: scheme and host in lower case, "/" for an
            empty path after the authority of an http or https URI, no default port, no zeros before
            another, no fragment. Path and query are as they were written. Send this.

    """

    scheme: str
    host: str
    port: int | None
    address: IPv4Address | IPv6Address | None
    url: str

    @property
    def origin(self) -> str:
        """Scheme, host and port as RFC 6454 section 6.2 writes them, a default port left out.

        >>> Target("http", "h", 80, None, "http://h/").origin
        'http://h'
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port in (None, default_port(self.scheme)) else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def target_of(uri: URI) -> Target | None:
    """Give the destination of a URI; None where it names no host, or a port beyond 65535."""
    authority = uri.authority
    if authority is None or not str(authority.host):
        return None
    scheme = uri.scheme.lower()
    port = port_number(uri.port) if uri.port else default_port(scheme)
    if uri.port and port is None:
        return None
    host = percent.lower_around_triplets(str(authority.host))
    return Target(scheme, host.strip("[]"), port, authority.host.address, _url(uri, host, port))


def _url(uri: URI, host: str, port: int | None) -> str:
    """Write a URI without fragment in one spelling; path and query stay, since servers read them.

    host: of the URI, in lower case.
    port: the one to connect to.
    """
    scheme, at = uri.scheme.lower(), places(uri)
    user = "" if uri.userinfo is None else f"{uri.userinfo}@"
    colon = "" if port in (None, default_port(scheme)) else f":{port}"
    text = str(uri)
    end = len(text) if at.fragment is None else at.fragment[0] - 1
    rest = text[at.path[0] : end]
    defaults = SCHEME_DEFAULTS.get(scheme)
    if not uri.path and defaults is not None and defaults.empty_path_is_slash:
        rest = f"/{rest}"
    return f"{scheme}://{user}{host}{colon}{rest}"


# A judgement: the verdict, what it rests on, and where an accepted URI leads.


class Report:
    """What a policy makes of a text. True where it is accepted.

    Attributes:
        text: as it was given, password included; bytes that are not ASCII stand as U+FFFD.
        policy: by which it was judged.
        accepted: the verdict.

    Findings and record are made when they are first asked for.
    """

    __slots__ = ("_findings", "_judgement", "_record", "accepted", "policy", "text")

    def __init__(
        self, text: str, policy: Policy, judgement: Judgement | None, *, accepted: bool
    ) -> None:
        self.text = text
        self.policy = policy
        self.accepted = accepted
        self._judgement = judgement
        self._findings: tuple[Finding, ...] | None = None
        self._record: Record | bool | None = False if judgement is None else judgement.record

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings but those weighed "off", in the order of the text."""
        if self._findings is None:
            judgement = self._judgement or judge(self.text, self.policy)
            self._findings = judgement.findings(self.policy)
        return self._findings

    @property
    def record(self) -> Record | None:
        """The record of the text; None where its rule does not derive it, or yields none."""
        if isinstance(self._record, bool):
            self._record = record_of(self.text, self.policy)
        return self._record

    @property
    def target(self) -> Target | None:
        """Where the URI leads; None unless it is accepted, and names a host."""
        return target_of(self.record) if self.accepted and isinstance(self.record, URI) else None

    @property
    def reasons(self) -> tuple[Finding, ...]:
        """The findings for which the text is refused; none if it is accepted."""
        if self.accepted:
            return ()
        refusing = self.policy.refusing
        return tuple(found for found in self.findings if found.severity in refusing)

    def as_dict(self) -> dict[str, object]:
        """Give the report as JSON can hold it, with the password of the text masked."""
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
    """A text that a policy refuses.

    Attributes:
        report: with all findings.

    """

    def __init__(self, report: Report) -> None:
        first = report.reasons[0]
        more = len(report.reasons) - 1
        others = f" (and {more} more)" if more else ""
        super().__init__(f"{first.code}: {first.message}{others}")
        self.report = report
