"""The public functions `validate`, `check` and `is_local_redirect`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from uriparse.coerce import Text, as_text
from uriparse.validation.policy import Policy, PydanticConstraint
from uriparse.validation.report import PolicyError, Report, Target, evaluate

if TYPE_CHECKING:
    from uriparse.parsing import Reference
    from uriparse.pydantic_schema import Facts
    from uriparse.resolution import BaseURI


OUTBOUND = Policy.outbound()


def validate(text: Text, policy: Policy = OUTBOUND) -> Report:
    """Validate a text against a policy; an invalid text gives a report, never an exception.

    text: a str, bytes (valid only if ASCII), or a record.
    policy: what is allowed; by default what a server may fetch on behalf of others.

    The report is true if the text is accepted. It has all findings, the record and, for a URI with
    a host, the target. Linear in time and memory. TypeError if `text` or `policy` has another type.

    >>> report = validate("http://127.1/admin")
    >>> report.accepted, [found.code for found in report.reasons]
    (False, ['numeric-host'])
    >>> validate("https://example.com/a?b#c").target.url
    'https://example.com/a?b'
    """
    if not isinstance(policy, Policy):
        raise TypeError(f"policy is a Policy, not {type(policy).__name__}")
    if isinstance(text, bytes) and not bytes.isascii(text):
        plain, evaluation = bytes.decode(text, "ascii", "replace"), evaluate(text, policy)
    else:
        plain = text if type(text) is str else as_text(text)
        if policy.fast_accept(plain):  # the report computes findings only if they are read
            return Report(plain, policy, None, accepted=True)
        evaluation = evaluate(plain, policy)
    return Report(plain, policy, evaluation, accepted=evaluation.is_accepted(policy))


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
        from uriparse.pydantic_schema import refused  # noqa: PLC0415 - for pydantic alone

        first = report.reasons[0]
        facts: Facts = {
            "code": first.code,
            "offset": first.offset,
            "component": first.component,
        }
        raise refused("uri_policy", text, str(PolicyError(report)), facts)


PydanticConstraint._check = staticmethod(_check_field)  # noqa: SLF001 - set once, here
