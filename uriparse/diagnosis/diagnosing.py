"""Make the error for a text that a rule does not match, and the edit after which it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from uriparse import percent
from uriparse._base.coerce import Text, as_str, as_text
from uriparse.diagnosis.causes import CAUSES, Placeholders
from uriparse.diagnosis.failure_context import COMPONENT_AT_FAULT, FailureContext, find_cause
from uriparse.errors import URISyntaxError, excerpt
from uriparse.errors.advice import Advice, Argument
from uriparse.errors.excerpt import is_masked
from uriparse.grammar import charset, matcher

__all__ = ["Remedy", "diagnose", "find_remedy"]

if TYPE_CHECKING:

    class PlaceholderValues(Protocol):
        """The values of a message's placeholders: a dict or anything with keys."""

        def __getitem__(self, name: str, /) -> str:
            """Return the value of a placeholder."""


MAX_EXPECTED: Final = 5
"""What could have followed is left out of a message with a cause if it is more than that."""

LONGEST: Final = 160
"""Or if the message would be longer: these are two lines of a terminal."""


def format_message(
    subject: str,
    text: str,
    offset: int,
    *,
    expected: tuple[str, ...] = (),
    found: str | None = None,
    cause: str | None = None,
    placeholders: PlaceholderValues | None = None,
) -> tuple[str, Advice]:
    """Return the message of a syntax error, and its parts: cause, expectation, then remedy.

    subject: the component or rule at fault.
    expected: ABNF words for what is allowed at the offset, left out if the message gets too long.
    found: what is there; by default `excerpt.found_at` describes it.
    placeholders: the values of the placeholders of the cause, which must not show a password.

    >>> message, advice = format_message("port", "//h:x", 4, expected=("DIGIT", "end"))
    >>> message
    'port: expected DIGIT or end at offset 4, found "x"'
    >>> advice
    Advice(reason='port: "x" is not allowed here', remedy=None, argument=None)
    """
    found = found or excerpt.found_at(text, offset)
    ends = offset >= len(text)
    wording = _wording(subject, expected, found, cause, placeholders or {}, ends=ends)
    message, parts = wording.at(offset)
    return message, Advice(*parts)


_Parts: TypeAlias = tuple[str, str | None, Argument | None]  # of an `Advice`, made in less time


class _Wording(NamedTuple):
    """The message of an error but for its offset, and for what `_MARKS` stand for in it."""

    parts: _Parts
    head: str
    expectation: str
    found: str
    last: str = ""

    def at(self, offset: int, values: Iterable[tuple[str, str]] = ()) -> tuple[str, _Parts]:
        """Return the message and its parts, with values in place of their marks."""
        (reason, remedy, argument), head, expectation, found, last = self
        if remedy is None:
            return f"{head}{expectation}at offset {offset}, found {found}", self.parts
        for mark, value in values:
            reason, remedy = reason.replace(mark, value), remedy.replace(mark, value)
        place = f"at offset {offset}, found {found}; help: {remedy}{last}"
        message = f"{reason}; {expectation}{place}"
        message = message if len(message) <= LONGEST else f"{reason}; {place}"
        return message, (reason, remedy, argument)


def _wording(
    subject: str,
    expected: tuple[str, ...],
    found: str,
    cause: str | None,
    placeholders: PlaceholderValues,
    *,
    ends: bool,
) -> _Wording:
    is_digit = cause == "excluded-triplet"  # of which the words for other triplets say nothing
    is_short = cause is None or (len(expected) <= MAX_EXPECTED and not is_digit)
    expectation = f"expected {join_words(expected)} " if expected and is_short else ""
    if cause is None:
        reason = "the text ends too early" if ends else f"{found} is not allowed here"
        return _Wording(Advice(f"{subject}: {reason}"), f"{subject}: ", expectation, found)
    _, sentence, remedy, _, _, argument = CAUSES[cause]
    advice = Advice(f"{subject}: {_fill(sentence, placeholders)}", _fill(remedy, placeholders))
    if argument is not None:
        effect, name, value = argument
        value = _fill(value, placeholders) if isinstance(value, str) else value
        advice = advice._replace(argument=Argument(_fill(effect, placeholders), name, value))
    return _Wording(advice, "", expectation, found, format_help(advice._replace(remedy="")))


def format_help(advice: Advice) -> str:
    """Return the remedy, followed by the argument that would help instead, if there is one.

    >>> format_help(Advice("", "write %20", Argument("take it as it is", "relaxed", True)))
    'write %20, or take it as it is (relaxed=True)'
    """
    remedy = advice.remedy or ""
    if advice.argument is None:
        return remedy
    effect, name, value = advice.argument
    shown = f'"{value}"' if isinstance(value, str) else value
    return f"{remedy}, or {effect} ({name}={shown})"


def join_words(words: tuple[str, ...]) -> str:
    """Join words with commas and "or"."""
    *first, last = words or ("nothing",)
    return f"{', '.join(first)} or {last}" if first else last


def _fill(words: str, placeholders: PlaceholderValues) -> str:
    return words.format_map(placeholders) if "{" in words else words


_CHARACTER_CAUSES = frozenset({"beyond-iri", "non-ascii", "excluded"})
"""Causes about a character, which do not apply to an octet that is not ASCII."""

_DECODE = "decode the bytes first, with their actual encoding"


def diagnose(text: Text, rule: str = "URI-reference", grammar: str = "rfc3986") -> URISyntaxError:
    """Return the error for a text that a rule does not match; linear in time.

    The error's offset is the length of the longest prefix that some valid text continues. Bytes
    are decoded as ASCII, with U+FFFD for each byte that is not.

    UnknownRuleError for an unknown rule; ValueError if the rule matches the text.

    >>> print(diagnose("http://user@host.com:80x/"))
    port: "80x" is not a valid port: a port is digits only; at offset 23, found "x"; \
help: write digits after the ":" at offset 20, or remove it
    """
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    return explained(failure(text, rule, grammar), text)


def failure(text: Text, rule: str, grammar: str) -> FailureContext:
    """Return where a rule stops matching a text; errors and bytes as for `diagnose`."""
    if type(text) is str:
        plain = text
    else:
        plain = bytes.decode(text, "ascii", "replace") if isinstance(text, bytes) else as_text(text)
    return FailureContext(plain, rule, grammar)


def explained(context: FailureContext, text: Text) -> URISyntaxError:
    """Return the error for a text that stops matching there."""
    plain, name, group = context.text, context.rule, context.group
    cause = find_cause(context)
    component = COMPONENT_AT_FAULT.get(cause or "", context.component)
    offset = context.offset
    octet = None if text is plain else _octet(text, plain, offset)
    if octet is not None and cause in _CHARACTER_CAUSES:
        cause = None
    span = offset, offset + len(context.found)
    values: list[tuple[str, str]] = []
    if marks := _marks_in(cause):
        placeholders = Placeholders(context)
        if cause == "bad-port":
            span = placeholders.span(cause)
        values = [(mark, str(value(placeholders))) for mark, value in marks]
    message, parts = _worded(context, cause, component, octet, span[0]).at(span[0], values)
    reason, remedy, argument = parts
    if octet is not None and cause is None:
        _, _, place = message.partition(": ")
        reason = f"{component or name}: bytes must be ASCII, which {octet} is not"
        message, remedy = f"{reason}; {place}; help: {_DECODE}", _DECODE
    error = URISyntaxError.__new__(URISyntaxError, message)
    # Its constructor would take as long as finding the cause.
    error.__dict__ = {
        "text": plain,
        "offset": offset,
        "span": span,
        "component": component,
        "rule": name if group is None else group.rule,
        "expected": context.expected,
        "found": context.found or None,
        "cause": cause,
        "reason": reason,
        "remedy": remedy,
        "argument": argument,
        "_parsed_by": (name, context.grammar),
    }
    return error


_KNOWN: dict[tuple[object, ...], _Wording] = {}
"""Wordings by what they depend on, but for characters that may be those of a password."""

_MOST_KNOWN: Final = 1 << 12

_MARKS: Final[Mapping[str, tuple[str, Callable[[Placeholders], str | int]]]] = {
    "start": ("\0", Placeholders.start),
    "port": ("\1", Placeholders.port),
}
"""What stands in a wording for the placeholders that differ with the text; no message has it."""


class _Marked(Placeholders):
    """The values of placeholders, with marks for some."""

    def __getitem__(self, name: str) -> str:
        return _MARKS[name][0] if name in _MARKS else super().__getitem__(name)


@cache
def _marks_in(cause: str | None) -> list[tuple[str, Callable[[Placeholders], str | int]]]:
    words = "" if cause is None else f"{CAUSES[cause].sentence}{CAUSES[cause].remedy}"
    return [marked for name, marked in _MARKS.items() if f"{{{name}}}" in words]


def _worded(
    context: FailureContext, cause: str | None, component: str | None, octet: str | None, at: int
) -> _Wording:
    """Return the wording for a cause; at: where it begins."""
    text, offset, secret = context.text, context.offset, excerpt.secret_span(context.text)
    key: tuple[object, ...] = (
        (context.grammar, context.rule, context.state, context.component, cause, octet),
        (context.found, text[at : at + 1], at == offset, context.before_triplet),
        context.triplet if cause == "excluded-triplet" else "",
    )
    places = at, offset, context.triplet_start
    if secret is not None and any(secret[0] <= place < secret[1] for place in places):
        key = ()
    if (known := _KNOWN.get(key)) is not None:
        return known
    wording = _wording(
        component or context.rule,
        context.expected if at == offset else (),
        octet or excerpt.found_at(text, at),
        cause,
        _Marked(context),
        ends=not context.found,
    )
    if key:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = wording
    return wording


def _octet(text: Text, plain: str, offset: int) -> str | None:
    if not isinstance(text, bytes) or offset >= len(text) or text[offset] < 0x80:
        return None
    return "a masked octet" if is_masked(plain, offset) else f"octet 0x{text[offset]:02X}"


# The edit that makes an invalid text valid, where there is one that leaves nothing to choose.


class Remedy(NamedTuple):
    """An edit of a text.

    span: what is replaced, in characters of the text.
    replacement: by what; "" if it is removed.
    """

    span: tuple[int, int]
    replacement: str

    def apply(self, text: str) -> str:
        """Return the text with this edit.

        >>> Remedy((10, 11), "%20").apply("http://h/a b")
        'http://h/a%20b'
        """
        start, end = self.span
        return f"{text[:start]}{self.replacement}{text[end:]}"


_ENCODED: Final = frozenset(
    {"space", "excluded", "bracket", "second-hash", "non-ascii", "bad-triplet"}
)
"""Causes that end where the characters at fault are written as triplets."""

_STRIPPED: Final = frozenset({"surrounding-space", "line-end", "byte-order-mark"})
"""Causes that end where the characters around the text are removed."""

_ENCODABLE: Final = frozenset({"path", "query", "fragment"})
"""Components whose characters may be written as triplets.

A scheme or a port has none, and the triplets of a host or a user are read differently by clients:
what was meant there is not to be guessed.
"""


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Controls: some are there by accident, and nobody can say which."""


def find_remedy(
    error: URISyntaxError, rule: str = "URI-reference", grammar: str = "rfc3986"
) -> Remedy | None:
    """Return the edit after which a rule matches the text; None if there is none, or a choice.

    error: why the rule does not match it.

    Characters of path, query and fragment that are not allowed there are written as triplets, a
    "%" that begins no triplet as %25, a second "#" as %23; blanks, line ends and a byte order mark
    on one side of the text are removed. Linear in time. None too if the edit would show a password.

    >>> from uriparse.diagnosis import diagnose
    >>> find_remedy(diagnose("http://h/50% off"))
    Remedy(span=(12, 13), replacement='25%20')
    >>> find_remedy(diagnose("http://a b/")) is None
    True
    """
    text = error.text
    bare = text.strip(" \t\r\n\ufeff")
    same = 0
    if error.cause in _STRIPPED:
        edited = bare
    elif error.cause in _ENCODED and error.component in _ENCODABLE:
        if bare != text or _CONTROL.search(text):
            return None
        same = error.offset
        if error.cause == "bad-triplet":  # the offset is where a digit is missing
            same = text.rindex("%", 0, same)
        try:
            edited = text[:same] + _encoded(text[same:], in_fragment=error.component == "fragment")
        except UnicodeEncodeError:  # a lone surrogate is not a character
            return None
    else:
        return None
    if matcher(rule, grammar).fullmatch(edited) is None:
        return None
    remedy = _difference(text, edited, same)
    secret = excerpt.secret_span(text)
    shows = secret is not None and remedy.span[0] < secret[1] and secret[0] < remedy.span[1]
    return None if shows else remedy


def _encoded(text: str, *, in_fragment: bool) -> str:
    """Return text of path, query and fragment with triplets for what is not allowed there."""
    rest, mark, fragment = ("", "", text) if in_fragment else text.partition("#")
    sub = _not_allowed().sub
    first, second = (
        sub(lambda one: percent.triplets(one[0], "strict"), each) for each in (rest, fragment)
    )
    return f"{first}{mark}{second}"


@cache
def _not_allowed() -> re.Pattern[str]:
    # The characters of queries are also those of fragments, and of paths with their "?".
    digits, allowed = (re.escape("".join(sorted(charset(name)))) for name in ("HEXDIG", "query"))
    return re.compile(f"%(?![{digits}]{{2}})|[^%{allowed}]")


def _difference(text: str, edited: str, start: int) -> Remedy:
    """Return the shortest edit between two texts that begin alike, as one span."""
    shorter = min(len(text), len(edited))
    start = next((n for n in range(start, shorter) if text[n] != edited[n]), shorter)
    rest = shorter - start
    same = next((n for n in range(rest) if text[-1 - n] != edited[-1 - n]), rest)
    return Remedy((start, len(text) - same), edited[start : len(edited) - same])
