"""Read a text by the rule of its scheme: the record, or the error that says why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from uriparse._native import kernel
from uriparse.diagnosis import format_message
from uriparse.diagnosis.causes import Placeholders
from uriparse.diagnosis.failure_context import COMPONENT_AT_FAULT, FailureContext, find_cause
from uriparse.errors import SchemeError, URISyntaxError, excerpt
from uriparse.grammar.automata import longest_prefix
from uriparse.grammar.matchers import fullmatch
from uriparse.schemes.captures import Named, Reader, native_reader
from uriparse.schemes.constraints import first_breach
from uriparse.schemes.encoding import Encoded, RelaxedHost, read_host
from uriparse.schemes.url import STAND_IN, URL, ParsedSource, SchemeCause

if TYPE_CHECKING:
    from uriparse.diagnosis.diagnosing import PlaceholderValues
    from uriparse.schemes.registry import Scheme, Schemes


# What is parsed in place of a URL.
#
# Mostly it is the URL itself. But where schemes share a rule, the word of the rule replaces the
# scheme's name; and a host that RFC 1738 lacks is replaced by one that it has.


def as_parsed(text: str, scheme: Scheme, *, relaxed_host: bool = False) -> ParsedSource:
    """Make what is parsed of a URL; a host that only RFC 3986 allows may be replaced."""
    url, mark, fragment = (text, "", "") if scheme.fragment is None else text.partition("#")
    word = url.partition(":")[0]
    name = word.lower()
    parsed, shift = url, 0
    if scheme.word is not None and scheme.word != name:
        parsed, shift = scheme.word + url[len(word) :], len(word) - len(scheme.word)
    host = _relaxed_text(parsed, shift, scheme) if relaxed_host else None
    if host is not None:
        start = (host.start or 0) - shift
        parsed = f"{parsed[:start]}{STAND_IN * len(host)}{parsed[start + len(host) :]}"
    return ParsedSource(
        text,
        parsed,
        name,
        scheme.record,
        scheme.default_port,
        Encoded(fragment, len(url) + 1 if fragment else None) if mark else None,
        shift,
        host,
    )


def _relaxed_text(text: str, shift: int, scheme: Scheme) -> RelaxedHost | None:
    """Find a host that only RFC 3986 allows, in an authority up to the first "/"; or None."""
    if scheme.host_after is None or scheme.takes_any_host:
        return None
    if scheme.host_after == "//":
        start = text.index(":") + len("://")
        if text[start - 2 : start] != "//":
            return None
        end = text.find("/", start)
        authority = text[start : len(text) if end < 0 else end]
    else:
        start = text.index(":") + 1
        authority = text[start:]
        if "@" not in authority:
            return None
    login, at, server = authority.rpartition("@")
    start += len(login) + len(at)
    last = server.find("]") + 1 if server.startswith("[") else server.find(":")
    if last >= 0 and server[last:] and server[last] != ":":
        return None  # what follows the brackets would become a part of the host that replaces it
    host = read_host(server if last < 0 else server[:last])
    return RelaxedHost(str(host), start + shift) if isinstance(host, RelaxedHost) else None


# Why a text is not a URL of its scheme, beyond what the scheme's rule expects.

_LOGINS = frozenset({"user", "userinfo"})
"""Fields before an "@"; a scheme with neither has no "@" there."""


def scheme_cause(
    source: ParsedSource, scheme: Scheme, context: FailureContext
) -> SchemeCause | None:
    """Return the cause that only the scheme knows; None if its rule says it all."""
    offset = source.at(context.offset)
    after = source.url.find(":") + 1
    if offset < after + len("//") and source.url.startswith("//", after):
        return SchemeCause("no-authority")
    if scheme.components.isdisjoint(_LOGINS) and _in_userinfo(source.url, offset):
        return SchemeCause("userinfo")
    return (
        scheme.record.cause(source.url, offset)
        or _relaxed(source, scheme, offset)
        or _missing(source, scheme, context, offset)
    )


def _relaxed(source: ParsedSource, scheme: Scheme, offset: int) -> SchemeCause | None:
    """Recognize a host of RFC 3986 alone, if the authority is otherwise valid."""
    relaxed = as_parsed(source.text, scheme, relaxed_host=True)
    host = relaxed.host
    if source.host is not None or host is None or host.start is None or host.end is None:
        return None
    if not host.start <= offset <= host.end:
        return None
    stop = longest_prefix(relaxed.parsed, scheme.rule, scheme.grammar)
    rest = source.url.find("/", host.end)
    if stop.offset < len(relaxed.parsed) and not 0 <= rest < relaxed.at(stop.offset):
        return None
    fitting = scheme.fields(relaxed.parsed[: stop.offset])
    if fitting is not None and fitting.get(scheme.record.HOST_FIELD) is None:
        return None  # what fits would be read as something else than a host
    problems = ", ".join(host.problems) or "an address in brackets"
    shown = excerpt.quoted(source.text, host.start, host.end)
    return SchemeCause("relaxed-host", "host", {"host": shown, "problems": problems})


def _missing(
    source: ParsedSource, scheme: Scheme, context: FailureContext, offset: int
) -> SchemeCause | None:
    """Recognize missing slashes before a host, or a missing host."""
    after = source.url.find(":") + 1 + len("//")
    if scheme.host_after != "//" or offset > after:
        return None
    if offset < after:
        return SchemeCause("no-slashes", placeholders={"begin": f"{source.scheme}://"})
    is_empty = context.found in {"", "/", ":", "?"} and '"/"' not in context.expected
    return SchemeCause("no-host", "host") if is_empty else None


def _in_userinfo(text: str, offset: int) -> bool:
    """Return whether an authority, up to the next "/", has an "@" at or after the offset."""
    start = text.find("//") + 2
    if start < 2:
        return False
    end = text.find("/", start)
    return offset <= text.rfind("@", start, len(text) if end < 0 else end)


# Errors: why a text is not a URL of its scheme, where, by which rule, and what to do about it.
#
# The diagnosis by the rule is worded for the text as written; a cause that only the scheme knows
# replaces it where that says more. All causes are in `uriparse.diagnosis.CAUSES`.

_FRAGMENT = "the end, before a fragment"

_SAYS_LESS = frozenset({None, "excluded", "bracket"})
"""Causes that one of the scheme replaces; any other says what is wrong with the character."""


def scheme_error(source: ParsedSource, scheme: Scheme) -> SchemeError:
    """Make the error for a URL that the rule of its scheme does not derive."""
    if scheme.own is not None:
        return own_error(scheme.own.error(source.parsed), source, scheme)
    context = FailureContext(source.parsed, scheme.rule, scheme.grammar)
    offset, cause = source.at(context.offset), find_cause(context)
    component = COMPONENT_AT_FAULT.get(cause or "", context.component)
    rule = _rule_at_fault(context, scheme.rule)
    placeholders: PlaceholderValues = Placeholders(context, source.text, source.at)
    found = scheme_cause(source, scheme, context) if cause in _SAYS_LESS else None
    if found is not None:
        cause, placeholders = found.cause, {"scheme": source.scheme, **found.placeholders}
        component, rule = found.component or component, found.component or rule
    component = None if component == scheme.rule else component
    said = (source.text, offset, source.scheme, component, rule, cause, placeholders)
    end = None if scheme.fragment is None else _FRAGMENT
    return _error(*said, expected=context.expected, end=end)


def own_error(error: URISyntaxError, source: ParsedSource, scheme: Scheme) -> SchemeError:
    """Translate the error of a user's parser to one of the text as written."""
    offset, rule = source.at(error.offset), error.rule or scheme.rule
    component, expected = error.component, error.expected
    return _error(source.text, offset, source.scheme, component, rule, expected=expected)


def no_scheme_error(text: str) -> SchemeError:
    """Refuse a text that is not even `scheme ":" schemepart`."""
    context = FailureContext(text.partition("#")[0], "genericurl", "rfc1738")
    cause = find_cause(context)
    cause = "no-url-scheme" if cause in {*_SAYS_LESS, "bad-scheme"} else cause
    said = (text, context.offset, None, "scheme", "scheme", cause, Placeholders(context, text))
    return _error(*said, expected=context.expected)


def fragment_error(fragment: str, text: str, scheme: str, rule: tuple[str, str]) -> SchemeError:
    """Refuse a fragment with a character that its rule, of a grammar, has not."""
    context, start = FailureContext(fragment, *rule), len(text) - len(fragment)
    own, cause = _rule_at_fault(context, rule[0]), find_cause(context)
    placeholders = Placeholders(context, text, start.__add__)
    said = (text, start + context.offset, scheme, "fragment", own, cause, placeholders)
    return _error(*said, expected=context.expected)


def _rule_at_fault(context: FailureContext, rule: str) -> str:
    return rule if context.group is None else context.group.rule


def cause_error(
    url: URL | str,
    scheme: str | None,
    offset: int,
    component: str,
    rule: str,
    cause: str,
    **placeholders: str,
) -> SchemeError:
    """Return the error for a cause that is not a mismatch with a rule."""
    filled = {"scheme": scheme or "", **placeholders}
    return _error(str(url), offset, scheme, component, rule, cause, filled)


def _error(  # noqa: PLR0913 - all that an error says
    text: str,
    offset: int,
    scheme: str | None,
    component: str | None,
    rule: str,
    cause: str | None = None,
    placeholders: PlaceholderValues | Mapping[str, str] | None = None,
    *,
    expected: tuple[str, ...] = (),
    end: str | None = _FRAGMENT,
) -> SchemeError:
    """Make an error; ``end``: what "#" is called where no character is wrong but it."""
    subject = "URL" if scheme is None else f"{scheme} URL"
    if component is not None:
        subject += f", {component}"
    span = placeholders.span(cause) if isinstance(placeholders, Placeholders) else None
    shown = offset if span is None else span[0]
    message, advice = format_message(
        subject,
        text,
        shown,
        expected=expected if shown == offset else (),
        found=end if text.startswith("#", offset) else None,
        cause=cause,
        placeholders=placeholders,
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
        span=span,
    )


# From a text to a record, by the rule of one scheme.


def read(text: str, name: str, scheme: Scheme, *, relaxed_host: bool = False) -> URL:
    """Make the record of a text that begins with the name of a scheme and ":".

    name: that of the scheme in the text, in lower case.
    relaxed_host: whether to take a host that RFC 3986 allows and RFC 1738 lacks.

    The expressions of the scheme's rule capture the fields; where it has none, a tree has them.

    SchemeError if the text is not a URL of that scheme.
    """
    reader = None if relaxed_host and scheme.own is None else scheme.reader
    if reader is None:
        return read_source(as_parsed(text, scheme, relaxed_host=relaxed_host), scheme)
    url, fragment = text, None
    if "#" in text and scheme.fragment is not None:
        url, _, written = text.partition("#")
        fragment = Encoded(written, len(url) + 1 if written else None)
        if not _fits(fragment, scheme):
            return read_source(as_parsed(text, scheme), scheme)  # which says what is wrong first
    record = reader(text, url, name, fragment)
    if record is None:
        raise scheme_error(as_parsed(text, scheme), scheme)
    return _conforming(record, scheme) if record.needs_host or record.CONSTRAINTS else record


def plain_reader(schemes: Schemes) -> Callable[[str], URL | None]:
    """Return what makes records of valid URLs without a fragment, and None of other texts.

    What `read` does for all, looking up, splitting and checking, takes as long as reading a URL.
    """
    readers: dict[str, tuple[Reader, Scheme | None]] = {}

    def read_plain(text: str) -> URL | None:
        name = text[: text.find(":")]
        if name not in readers:
            scheme = schemes.get(name)
            if scheme is None or scheme.reader is None:
                return None
            is_checked = scheme.record.needs_host or scheme.record.CONSTRAINTS
            readers[name] = scheme.reader, scheme if is_checked else None
        if "#" in text:
            return None
        reader, checked = readers[name]
        record = reader(text, text, name, None)
        return record if record is None or checked is None else _conforming(record, checked)

    return read_plain


_WEB = ("https", "http")
"""The schemes of nearly all URLs, most frequent first."""


def native_web_reader(schemes: Schemes) -> Callable[[str], URL | None] | None:
    """Return what does as `plain_reader` for web URLs, in the kernel; None without it."""
    if kernel is None:
        return None
    chain = None
    for name in _WEB:
        scheme = schemes[name]
        assert scheme.reader is not None  # noqa: S101 - these two have expressions
        named = Named(name, scheme.word, scheme.default_port)
        rule = scheme.rule, scheme.grammar
        chain = native_reader(scheme.record, rule, named, scheme.reader, chain)
    return None if chain is None else chain.whole  # type: ignore[return-value]  # what it makes


def read_source(source: ParsedSource, scheme: Scheme, *, by_tree: bool = False) -> URL:
    """Make the record of what is parsed in place of a URL, by captures or by a tree."""
    by_tree = by_tree or scheme.tree_parser is not None or scheme.transformer is not None
    tree, found = None, None if by_tree else scheme.fields(source.parsed)
    refusal: SchemeError | None = None
    try:
        tree = scheme.tree(source.parsed) if by_tree else None
    except URISyntaxError as error:
        is_own = scheme.tree_parser is not None
        refusal = own_error(error, source, scheme) if is_own else scheme_error(source, scheme)
    if refusal is not None:  # outside the handler: the chained error would hold a part of the text
        raise refusal
    if tree is None and found is None:
        raise scheme_error(source, scheme)
    rule = scheme.fragment
    if source.fragment is not None and rule and not _fits(source.fragment, scheme):
        raise fragment_error(source.fragment, source.text, source.scheme, rule)
    record = scheme.transformed(tree, source) if tree else source.record_of(found or {})
    if source.host is not None and getattr(record, record.HOST_FIELD) is None:
        # The host that replaced another was read as something else.
        return read_source(as_parsed(source.text, scheme), scheme, by_tree=by_tree)
    return _conforming(record, scheme)


def _fits(fragment: str, scheme: Scheme) -> bool:
    rule = scheme.fragment
    return rule is None or fullmatch(*rule)(fragment) is not None


def _conforming(url: URL, scheme: Scheme) -> URL:
    """Return a URL that has what the RFC requires beside its ABNF; SchemeError for others."""
    if url.needs_host and not getattr(url, "host", None):
        userinfo = getattr(url, "userinfo", None)
        at = url.url.index("//") + 2 + (0 if userinfo is None else len(userinfo) + 1)
        raise cause_error(url.url, url.scheme, at, "host", "host", "no-host")
    found = first_breach(url)
    if found is None:
        return url
    constraint, breach = found
    start, end = breach.span
    facts, rule = {**breach.facts, "source": constraint.section}, scheme.rule
    error = cause_error(url, url.scheme, start, breach.component, rule, breach.cause, **facts)
    error.span, error.source = (start, end), constraint.section
    raise error
