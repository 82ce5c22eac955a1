"""All findings about a text: the signs that the checks see, as a policy weighs them.

The verdict rests on the signs; they are put into words when the findings are asked for.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from uriparse.errors import UnknownRuleError, URISyntaxError
from uriparse.parsing import is_valid, try_parse
from uriparse.resolution import resolve
from uriparse.validation.agreement import destination_signs, is_local, request_signs
from uriparse.validation.catalogue import CATALOGUE
from uriparse.validation.findings import Finding, Severity, Sign
from uriparse.validation.octet_signs import octet_signs
from uriparse.validation.places import places
from uriparse.validation.policy_signs import length_signs, policy_signs
from uriparse.validation.reference_signs import reference_signs
from uriparse.validation.scheme_signs import scheme_signs
from uriparse.validation.script_signs import script_signs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse.parsing import Record
    from uriparse.validation.policy import Policy


class Judgement(NamedTuple):
    """What the checks see in a text, before it is put into words.

    Attributes:
        record: the text's by the policy's rule; None where there is none.
        error: why the rule does not derive the text; None if it does.
        signs: of all checks that the policy asks for, layer by layer.

    """

    record: Record | None
    error: URISyntaxError | None
    signs: list[Sign]

    @property
    def scheme(self) -> str | None:
        """The scheme by which severities are looked up, in lower case."""
        scheme = None if self.record is None else self.record.scheme
        return None if scheme is None else scheme.lower()

    def is_accepted(self, policy: Policy) -> bool:
        """Whether no sign weighs enough for a refusal."""
        weights, refusing = policy.weights(self.scheme), policy.refusing
        return not any(weights[sign.code] in refusing for sign in self.signs)

    def findings(self, policy: Policy) -> tuple[Finding, ...]:
        """Put the signs into words, in the order of the text, then of the layers."""
        return tuple(sorted(weighed(self.signs, policy, self.scheme, self.error), key=_span))


def record_of(text: str | bytes, policy: Policy) -> Record | None:
    """Give the record of a text by a policy's rule; None where there is none."""
    try:
        return try_parse(text, policy.start, grammar=policy.grammar)
    except UnknownRuleError:  # a rule that yields no reference
        return None


def judge(text: str | bytes, policy: Policy) -> Judgement:
    """Look at a text with all checks that a policy asks for."""
    record = record_of(text, policy)
    error = None if record is not None else _syntax_error(text, policy)
    return Judgement(record, error, _signs(text, record, error, policy))


def weighed(
    signs: Iterable[Sign], policy: Policy, scheme: str | None, error: URISyntaxError | None = None
) -> Iterator[Finding]:
    """Turn signs into findings, as a policy weighs them.

    error: what a sign of layer "syntax" is about.
    """
    weights, off = policy.weights(scheme), Severity.OFF
    for code, span, component, detail, times in signs:
        severity = weights[code]
        if severity is off:
            continue
        known = CATALOGUE[code]
        cause = error if code == "syntax" else None
        message = known.sentence if cause is None else str(cause)
        if detail:
            message = f"{message}: {detail}"
        if times > 1:
            message = f"{message} ({times} times)"
        yield Finding(
            code, severity, known.layer, span, component, message, known.source, times, cause
        )


_span = attrgetter("span")


def _signs(
    text: str | bytes, record: Record | None, error: URISyntaxError | None, policy: Policy
) -> list[Sign]:
    """Let all checks look that a policy asks for, layer by layer."""
    if error is not None:
        here = error.offset, min(error.offset + 1, len(text))
        signs = [Sign("syntax", here, error.component)]
        if policy.agreement is not None:
            signs.append(Sign("malformed", here, None))
        signs += length_signs(len(text), policy)
        return signs
    if record is None:
        return list(policy_signs(len(text), None, None, None, policy))
    base, at = policy.base_uri, places(record)
    target = resolve(base.uri, record) if record.scheme is None and base is not None else record
    signs = [*scheme_signs(record, at), *octet_signs(record, at)]
    signs += reference_signs(record, at, base)
    signs += script_signs(record, at)
    if policy.agreement is not None:
        if record.scheme is not None or not policy.relative:
            signs += destination_signs(record, at)
        elif not is_local(str(record)):
            signs.append(Sign("nonlocal-reference", (0, len(str(record))), None))
        if policy.agreement == "request":
            signs += request_signs(record, at)
    signs += policy_signs(len(text), record, target, at, policy)
    return signs


def _syntax_error(text: str | bytes, policy: Policy) -> URISyntaxError | None:
    """Say why the policy's rule does not derive a text; None if it does and yields no record."""
    if is_valid(text, policy.start, grammar=policy.grammar):
        return None
    from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only refused text pays for it

    return diagnose(text, policy.start, policy.grammar)
