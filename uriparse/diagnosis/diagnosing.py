"""Make the error for a text that a rule does not match: `diagnose` and its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from uriparse import excerpt
from uriparse.coerce import Text, as_str, as_text
from uriparse.diagnosis.causes import CAUSES, Placeholders
from uriparse.diagnosis.failure_context import COMPONENT_AT_FAULT, FailureContext, find_cause
from uriparse.errors import Advice, Argument, URISyntaxError
from uriparse.excerpt import is_masked

__all__ = [
    "diagnose",
]


if TYPE_CHECKING:

    class PlaceholderValues(Protocol):
        """The values of a message's placeholders: a dict or anything with keys."""

        def __getitem__(self, name: str, /) -> str:
            """Return the value of a placeholder."""


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
    expected: ABNF words for what is allowed at the offset.
    found: what is there; by default `excerpt.found_at` describes it.
    cause: one of `CAUSES`, or None.
    placeholders: the values of the cause's placeholders, which must not show a password.

    >>> message, advice = format_message("port", "//h:x", 4, expected=("DIGIT", "end"))
    >>> message
    'port: expected DIGIT or end at offset 4, found "x"'
    >>> advice
    Advice(reason='port: "x" is not allowed here', remedy=None, argument=None)
    """
    found = found or excerpt.found_at(text, offset)
    place = f"at offset {offset}, found {found}"
    place = f"expected {join_words(expected)} {place}" if expected else place
    if cause is None:
        ends = offset >= len(text)
        reason = "the text ends too early" if ends else f"{found} is not allowed here"
        return f"{subject}: {place}", Advice(f"{subject}: {reason}")
    _, sentence, remedy, _, _, argument = CAUSES[cause]
    values = placeholders or {}
    advice = Advice(f"{subject}: {_fill(sentence, values)}", _fill(remedy, values))
    if argument is not None:
        effect, name, value = argument
        value = _fill(value, values) if isinstance(value, str) else value
        advice = advice._replace(argument=Argument(_fill(effect, values), name, value))
    return f"{advice.reason}; {place}; help: {format_help(advice)}", advice


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
    """Join words with commas and "or".

    >>> join_words(("DIGIT", '":"', "end")), join_words(())
    ('DIGIT, ":" or end', 'nothing')
    """
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

    UnknownRuleError if there is no such rule; ValueError if the rule matches the text.

    >>> print(diagnose("http://user@host.com:80x/"))
    port: "80x" is not a valid port: a port is digits only; expected DIGIT, "/", "?", "#" or end \
at offset 23, found "x"; help: write digits after the ":" at offset 20, or remove it
    """
    plain = bytes.decode(text, "ascii", "replace") if isinstance(text, bytes) else as_text(text)
    context = FailureContext(plain, as_str(rule, "rule"), as_str(grammar, "grammar"))
    name, group = context.rule, context.group
    cause = find_cause(context)
    component = COMPONENT_AT_FAULT.get(cause or "", context.component)
    octet = _octet(text, plain, context.offset)
    if octet is not None and cause in _CHARACTER_CAUSES:
        cause = None
    message, advice = format_message(
        component or name,
        plain,
        context.offset,
        expected=context.expected,
        found=octet,
        cause=cause,
        placeholders=Placeholders(context),
    )
    if octet is not None and cause is None:
        _, _, place = message.partition(": ")
        advice = Advice(f"{component or name}: bytes must be ASCII, which {octet} is not", _DECODE)
        message = f"{advice.reason}; {place}; help: {_DECODE}"
    return URISyntaxError(
        message,
        text=plain,
        offset=context.offset,
        component=component,
        rule=name if group is None else group.rule,
        expected=context.expected,
        cause=cause,
        advice=advice,
    )


def _octet(text: Text, plain: str, offset: int) -> str | None:
    """Return a description of the byte at an offset if it is not ASCII, else None."""
    if not isinstance(text, bytes) or offset >= len(text) or text[offset] < 0x80:
        return None
    return "a masked octet" if is_masked(plain, offset) else f"octet 0x{text[offset]:02X}"
