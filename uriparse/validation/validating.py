"""`validate` and `check`: a text against a policy, quickly where nothing is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from uriparse.coerce import Text, as_text
from uriparse.validation.policy import Marking, Policy
from uriparse.validation.report import PolicyError, Report, judge

if TYPE_CHECKING:
    from uriparse.parsing import Reference
    from uriparse.pydantic_schema import Facts
    from uriparse.resolution import BaseURI
    from uriparse.validation.report import Target


# `validate` and `check`: a text against a policy, quickly where nothing is wrong with it.
#
# A policy whose errors can come from syntax, agreement and its own lists alone accepts a text
# without looking for anything else; what else there is to say is found out when it is asked for.

OUTBOUND = Policy.outbound()


def validate(text: Text, policy: Policy = OUTBOUND) -> Report:
    """Judge a text by a policy; never raises on any text.

    text: str, bytes, which must be ASCII to be valid, or a record.
    policy: what is allowed; by default what a server may fetch for somebody else.

    The report is true where the text is accepted, and holds all findings, its record and, where it
    leads to a host, its target. Linear in time and memory. TypeError if `text` is none of these,
    or `policy` no Policy.

    >>> report = validate("http://127.1/admin")
    >>> report.accepted, [found.code for found in report.reasons]
    (False, ['numeric-host'])
    >>> validate("https://example.com/a?b#c").target.url
    'https://example.com/a?b'
    """
    if not isinstance(policy, Policy):
        raise TypeError(f"policy is a Policy, not {type(policy).__name__}")
    if isinstance(text, bytes) and not bytes.isascii(text):
        plain, judgement = bytes.decode(text, "ascii", "replace"), judge(text, policy)
    else:
        plain = text if type(text) is str else as_text(text)
        if policy.surely_accepts(plain):
            return Report(plain, policy, None, accepted=True)
        judgement = judge(plain, policy)
    return Report(plain, policy, judgement, accepted=judgement.is_accepted(policy))


def check(text: Text, policy: Policy = OUTBOUND) -> Target:
    """Give the target of a text that a policy accepts.

    PolicyError, which holds the report, where the policy refuses it; ValueError where it accepts
    a text that leads to no host; TypeError as for `validate`.

    >>> check("http://example.com:8080/").port
    8080
    >>> check("http://localhost/")
    Traceback (most recent call last):
    ...
    uriparse.validation.report.PolicyError: name-refused: the name is of a special use that the \
policy refuses: localhost
    """
    report = validate(text, policy)
    if not report.accepted:
        raise PolicyError(report)
    target = report.target
    if target is None:
        raise ValueError("the policy accepts the text, but it leads to no host")
    return target


# Does a redirect stay where it came from? (RFC 9110 section 10.2.2).


def is_local_redirect(reference: Text, base: Reference | BaseURI) -> bool:
    """Whether a reference leads into the origin of its base, by every client's reading.

    So do the references of `local-reference` in the grammar of agreement, and destinations of the
    same scheme, host and port. "a/b" is not among them: a client reads "a/:80" as host and port.

    PolicyDefinitionError unless the base is an http or https URI with a host.

    >>> [is_local_redirect(text, "https://h/a") for text in ("/b?c", "//evil.com", "https://h/")]
    [True, False, True]
    """
    text = reference if isinstance(reference, bytes) else as_text(reference, "reference")
    return validate(text, Policy.redirect(base)).accepted


def _check_field(text: Text, policy: Marking) -> None:
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


Marking._check = staticmethod(_check_field)  # noqa: SLF001 - set once, here
