"""All findings about a text: the signs that the checks see, as a policy weighs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from uriparse.errors import UnknownRuleError, URISyntaxError
from uriparse.parsing import is_valid, try_parse
from uriparse.resolution import resolve
from uriparse.validation.agreement import destination_signs, is_local, request_signs
from uriparse.validation.catalogue import CATALOGUE
from uriparse.validation.findings import Finding, Layer, Severity, Sign
from uriparse.validation.octet_signs import octet_signs
from uriparse.validation.places import places
from uriparse.validation.policy_signs import length_signs, policy_signs
from uriparse.validation.reference_signs import reference_signs
from uriparse.validation.scheme_signs import scheme_signs
from uriparse.validation.script_signs import script_signs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse.parsing import Record
    from uriparse.validation.findings import Span
    from uriparse.validation.policy import Policy

_LAYERS = {layer: place for place, layer in enumerate(get_args(Layer))}


def record_of(text: str | bytes, policy: Policy) -> Record | None:
    """Give the record of a text by a policy's rule; None where there is none."""
    try:
        return try_parse(text, policy.start, grammar=policy.grammar)
    except UnknownRuleError:  # a rule that yields no reference
        return None


def findings_of(text: str | bytes, policy: Policy) -> tuple[Finding, ...]:
    """Judge a text by all checks that a policy asks for, in the order of the text."""
    record = record_of(text, policy)
    error = None if record is not None else _syntax_error(text, policy)
    scheme = record.scheme.lower() if record is not None and record.scheme is not None else None
    found = []
    for sign in _signs(text, record, error, policy):
        severity = policy.weigh(sign.code, scheme)
        if severity is not Severity.OFF:
            found.append(_finding(sign, severity, error if sign.code == "syntax" else None))
    return tuple(sorted(found, key=_order))


def weighed(signs: Iterable[Sign], policy: Policy, scheme: str | None) -> tuple[Finding, ...]:
    """Turn signs into findings, as a policy weighs them."""
    pairs = ((sign, policy.weigh(sign.code, scheme)) for sign in signs)
    return tuple(
        _finding(sign, severity, None) for sign, severity in pairs if severity is not Severity.OFF
    )


def _order(finding: Finding) -> tuple[Span, int]:
    return finding.span, _LAYERS[finding.layer]


def _signs(
    text: str | bytes, record: Record | None, error: URISyntaxError | None, policy: Policy
) -> Iterator[Sign]:
    if error is not None:
        yield Sign("syntax", (error.offset, min(error.offset + 1, len(text))), error.component)
        if policy.agreement is not None:
            yield Sign("malformed", (error.offset, min(error.offset + 1, len(text))), None)
    base = policy.base_uri
    at = None if record is None else places(record)
    target = record
    if record is not None and at is not None:
        if record.scheme is None and base is not None:
            target = resolve(base.uri, record)
        yield from scheme_signs(record, at)
        yield from octet_signs(record, at)
        yield from reference_signs(record, at, base)
        yield from script_signs(record, at)
        if policy.agreement is not None:
            if record.scheme is None and policy.relative:
                if not is_local(str(record)):
                    yield Sign("nonlocal-reference", (0, len(str(record))), None)
            else:
                yield from destination_signs(record, at)
            if policy.agreement == "request":
                yield from request_signs(record, at)
    if error is None:
        yield from policy_signs(len(text), record, target, at, policy)
    else:
        yield from length_signs(len(text), policy)


def _syntax_error(text: str | bytes, policy: Policy) -> URISyntaxError | None:
    """Say why the policy's rule does not derive a text; None if it does and yields no record."""
    if is_valid(text, policy.start, grammar=policy.grammar):
        return None
    from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only refused text pays for it

    return diagnose(text, policy.start, policy.grammar)


def _finding(sign: Sign, severity: Severity, error: URISyntaxError | None) -> Finding:
    code = CATALOGUE[sign.code]
    message = str(error) if error is not None else code.sentence
    if sign.detail:
        message = f"{message}: {sign.detail}"
    if sign.times > 1:
        message = f"{message} ({sign.times} times)"
    return Finding(
        code=sign.code,
        severity=severity,
        layer=code.layer,
        span=sign.span,
        component=sign.component,
        message=message,
        source=code.source,
        times=sign.times,
        error=error,
    )
