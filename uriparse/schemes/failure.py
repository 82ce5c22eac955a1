"""Say why a text is no URL of its scheme: where, by which rule, and what to do about it.

What `uriparse.diagnosis` tells by the rule is worded for the text as written, and bettered where a
sign of a URL tells more. All causes are in `uriparse.diagnosis.CAUSES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.diagnosis import worded
from uriparse.diagnosis.causes import Blanks
from uriparse.diagnosis.failure_context import AT_FAULT, Situation, cause_of
from uriparse.errors import SchemeError, URISyntaxError
from uriparse.schemes.signs import sign_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uriparse.diagnosis.diagnosing import Filled
    from uriparse.schemes.scheme import Scheme
    from uriparse.schemes.source import Source
    from uriparse.schemes.url import URL

_FRAGMENT = "the end, before a fragment"

_SAYS_LESS = frozenset({None, "excluded", "bracket"})
"""Causes that a sign of a URL betters; any other says what is wrong with the character itself."""


def scheme_error(source: Source, scheme: Scheme) -> SchemeError:
    """Make the error for a URL that the rule of its scheme does not derive."""
    situation = Situation(source.parsed, scheme.rule, scheme.grammar)
    offset = source.at(situation.offset)
    cause = cause_of(situation)
    component = AT_FAULT.get(cause or "", situation.component)
    rule = scheme.rule if situation.group is None else situation.group.rule
    blanks: Filled = Blanks(situation, source.text, source.at)
    sign = sign_of(source, scheme, situation) if cause in _SAYS_LESS else None
    if sign is not None:
        cause, blanks = sign.cause, {"scheme": source.scheme, **sign.blanks}
        component, rule = sign.component or component, sign.component or rule
    return _error(
        source.text,
        offset,
        source.scheme,
        component=None if component == scheme.rule else component,
        rule=rule,
        expected=situation.expected,
        cause=cause,
        blanks=blanks,
        has_fragment=scheme.fragment is not None,
    )


def own_error(error: URISyntaxError, source: Source, scheme: Scheme) -> SchemeError:
    """Translate the error of a parser of one's own to one of the text as written."""
    return _error(
        source.text,
        source.at(error.offset),
        source.scheme,
        component=error.component,
        rule=error.rule or scheme.rule,
        expected=error.expected,
    )


def no_scheme_error(text: str) -> SchemeError:
    """Refuse a text that is not even `scheme ":" schemepart`."""
    situation = Situation(text.partition("#")[0], "genericurl", "rfc1738")
    cause = cause_of(situation)
    return _error(
        text,
        situation.offset,
        None,
        component="scheme",
        rule="scheme",
        expected=situation.expected,
        cause="no-url-scheme" if cause in {*_SAYS_LESS, "bad-scheme"} else cause,
        blanks=Blanks(situation, text, int),
    )


def fragment_error(fragment: str, text: str, scheme: str, rule: tuple[str, str]) -> SchemeError:
    """Refuse a fragment with a character that its rule, of a grammar, has not."""
    situation = Situation(fragment, *rule)
    start = len(text) - len(fragment)
    return _error(
        text,
        start + situation.offset,
        scheme,
        component="fragment",
        rule=rule[0] if situation.group is None else situation.group.rule,
        expected=situation.expected,
        cause=cause_of(situation),
        blanks=Blanks(situation, text, start.__add__),
    )


def cause_error(
    url: URL | str,
    scheme: str | None,
    offset: int,
    component: str,
    rule: str,
    cause: str,
    **blanks: str,
) -> SchemeError:
    """Refuse a URL for a cause of its own, which is no matter of what a rule expects."""
    filled = {"scheme": scheme or "", **blanks}
    return _error(
        str(url), offset, scheme, component=component, rule=rule, cause=cause, blanks=filled
    )


def no_host_error(url: URL) -> SchemeError:
    """Make the error for an empty host where the scheme wants one to be named."""
    userinfo = getattr(url, "userinfo", None)
    at = url.url.index("//") + 2 + (0 if userinfo is None else len(userinfo) + 1)
    return cause_error(url.url, url.scheme, at, "host", "host", "no-host")


def _error(  # noqa: PLR0913 - all that an error tells
    text: str,
    offset: int,
    scheme: str | None,
    *,
    component: str | None,
    rule: str,
    expected: tuple[str, ...] = (),
    cause: str | None = None,
    blanks: Filled | Mapping[str, str] | None = None,
    has_fragment: bool = True,
) -> SchemeError:
    subject = "URL" if scheme is None else f"{scheme} URL"
    if component is not None:
        subject += f", {component}"
    message, advice = worded(
        subject,
        text,
        offset,
        expected=expected,
        found=_FRAGMENT if has_fragment and text.startswith("#", offset) else None,
        cause=cause,
        blanks=blanks,
    )
    return SchemeError(
        message,
        scheme=scheme,
        text=text,
        offset=offset,
        component=component,
        rule=rule,
        expected=expected,
        cause=cause,
        advice=advice,
    )
