"""Say why a text is no URL of its scheme: where, by which rule, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.diagnose import diagnose
from uriparse.errors import SchemeError, URISyntaxError
from uriparse.schemes.encoding import UNSAFE, encode

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

    from uriparse.schemes.registry import Scheme
    from uriparse.schemes.trees import Source


def scheme_error(
    error: URISyntaxError, text: str, scheme: Scheme, source: Source | None
) -> SchemeError:
    """Translate the error of the text that was parsed to one of the text as written."""
    offset = error.offset if source is None else source.at(error.offset)
    return _error(
        text,
        offset,
        None if source is None else source.scheme,
        component=error.component,
        rule=error.rule or scheme.rule,
        expected=error.expected,
        cause=error.cause,
        has_users="user" in scheme.components,
    )


def unexpected_error(
    error: UnexpectedInput, text: str, scheme: Scheme, source: Source
) -> SchemeError:
    """Translate an error of Lark, which the parsers of users raise."""
    token = getattr(error, "token", None)  # of the kinds of error that have one
    place = error.pos_in_stream
    at_end = place is None or place < 0 or getattr(token, "type", None) == "$END"
    return _error(
        text,
        len(source.url) if at_end else source.at(place or 0),
        source.scheme,
        rule=scheme.rule,
        has_users="user" in scheme.components,
    )


def fragment_error(fragment: str, text: str, start: int, scheme: str) -> SchemeError:
    """Refuse a fragment with a character that no URL may hold."""
    error = diagnose(fragment, "urlpath", "rfc1738")
    return _error(
        text,
        start + error.offset,
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
    subject = f"{scheme} URL" if scheme is not None else "URL"
    if component is not None:
        subject += f", {component}"
    wanted = f"expected {_listed(expected)}" if expected else f"the rule {rule} stops"
    found = _found(text, offset)
    cause, hint = _explained(text, offset, scheme, cause, has_users=has_users)
    return SchemeError(
        f"{subject}: {wanted} at offset {offset}, found {found}{hint}",
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


def _found(text: str, offset: int) -> str:
    """Name the character, unless it may belong to a password."""
    if offset >= len(text):
        return "the end"
    if text[offset] == "#":
        return "the end, before a fragment"
    secret = excerpt.secret_span(text)
    if secret is not None and secret[0] <= offset < secret[1]:
        return "a character of the password"
    return excerpt.named(text[offset])


def _explained(
    text: str, offset: int, scheme: str | None, cause: str | None, *, has_users: bool
) -> tuple[str | None, str]:
    """Name a special cause and say what to do, where that is certain."""
    authority = text.partition("//")[2].partition("/")[0]
    end = text.find("//") + 2 + len(authority)
    if not has_users and "@" in authority and offset <= end:
        return "userinfo", f"; {scheme} URLs have no user and no password"
    if offset < len(text) and text[offset] in UNSAFE - {"%", "#"}:
        return cause or "unsafe", f"; it is unsafe in URLs and written {encode(text[offset])}"
    return cause, ""
