"""All findings about a text: the signs that the checks see, as a policy weighs them.

The verdict rests on the signs; they are put into words when the findings are asked for.
"""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from uriparse.errors import UnknownRuleError, URISyntaxError
from uriparse.parsing import is_valid, try_parse
from uriparse.resolution import resolve
from uriparse.validation.agreement import destination_signs, is_local, request_signs
from uriparse.validation.findings import Finding, Severity, sign
from uriparse.validation.octet_signs import octet_signs
from uriparse.validation.places import places
from uriparse.validation.policy_signs import length_signs, policy_signs
from uriparse.validation.reference_signs import reference_signs
from uriparse.validation.scheme_signs import scheme_signs
from uriparse.validation.script_signs import script_signs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uriparse.parsing import Record
    from uriparse.validation.findings import Sign
    from uriparse.validation.policy import Policy


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
