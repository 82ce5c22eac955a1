"""Say why a text is no URL of its scheme: where, by which rule, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.diagnosis import diagnose
from uriparse.errors import SchemeError, URISyntaxError
from uriparse.schemes.encoding import RESERVED, UNRESERVED, encode

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Scheme
    from uriparse.schemes.source import Source

_WRITTEN_RAW = RESERVED | UNRESERVED | {"%", "#"}


def scheme_error(error: URISyntaxError, scheme: Scheme, source: Source) -> SchemeError:
    """Translate the error of the text that was parsed to one of the text as written."""
    return _error(
        source.text,
        source.at(error.offset),
        source.scheme,
        component=None if error.component == scheme.rule else error.component,
        rule=error.rule or scheme.rule,
        expected=error.expected,
        cause=error.cause,
        has_users="user" in scheme.components,
    )


def no_scheme_error(text: str) -> SchemeError:
    """Refuse a text that is not even `scheme ":" schemepart`."""
    error = diagnose(text.partition("#")[0], "genericurl", "rfc1738")
    return _error(
        text,
        error.offset,
        None,
        component=error.component,
        rule=error.rule,
        expected=error.expected,
        cause=error.cause,
    )


def fragment_error(fragment: str, text: str, scheme: str) -> SchemeError:
    """Refuse a fragment with a character that no URL may hold."""
    error = diagnose(fragment, "urlpath", "rfc1738")
    return _error(
        text,
        len(text) - len(fragment) + error.offset,
        scheme,
        component="fragment",
        rule="xchar",
        expected=error.expected,
        cause=error.cause,
    )


def _error(
    text: str,
    offset: int,
    scheme: str | None,
    *,
    component: str | None = None,
    rule: str | None = None,
    expected: tuple[str, ...] = (),
    cause: str | None = None,
    has_users: bool = True,
) -> SchemeError:
    subject = "URL" if scheme is None else f"{scheme} URL"
    if component is not None:
        subject += f", {component}"
    wanted = f"expected {_listed(expected)}" if expected else "nothing of the kind goes on so"
    if _is_secret(text, offset):
        found, advice = "a character of the password", ""
    else:
        found = _found(text, offset)
        advice = _advice(text, offset, cause)
    if not has_users and _in_userinfo(text, offset):
        cause, advice = "userinfo", f"{scheme} URLs have no user and no password"
    message = f"{subject}: {wanted} at offset {offset}, found {found}"
    return SchemeError(
        f"{message}; {advice}" if advice else message,
        scheme=scheme,
        text=text,
        offset=offset,
        component=component,
        rule=rule,
        expected=expected,
        cause=cause,
    )


def _listed(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _is_secret(text: str, offset: int) -> bool:
    secret = excerpt.secret_span(text)
    return secret is not None and secret[0] <= offset < secret[1]


def _found(text: str, offset: int) -> str:
    """Name what stands at the offset."""
    if offset >= len(text):
        return "the end"
    return "the end, before a fragment" if text[offset] == "#" else excerpt.named(text[offset])


def _in_userinfo(text: str, offset: int) -> bool:
    """Whether an authority, up to the next "/", has an "@" at or behind the offset."""
    start = text.find("//") + 2
    if start < 2:
        return False
    end = text.find("/", start)
    return offset <= text.rfind("@", start, len(text) if end < 0 else end)


def _advice(text: str, offset: int, cause: str | None) -> str:
    """Say what to do, where that is certain."""
    if cause == "bad-triplet":
        return 'a "%" begins a triplet with two hexadecimal digits, and by itself is written %25'
    found = text[offset : offset + 1]
    if not found or found in _WRITTEN_RAW or "\ud800" <= found <= "\udfff":
        return ""
    return f"it is never raw in a URL, but written {encode(found)}"
