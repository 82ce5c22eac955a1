"""Diagnose a text that a rule does not derive, and word the error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.coerce import Text, as_str, as_text
from uriparse.diagnosis.causes import CAUSES, Blanks
from uriparse.diagnosis.failure_context import AT_FAULT, Situation, cause_of
from uriparse.errors import Advice, Argument, URISyntaxError
from uriparse.excerpt import is_masked

if TYPE_CHECKING:
    from typing import Protocol


# The words of a refusal: cause first, then what was expected and found, then what to do.

if TYPE_CHECKING:

    class Filled(Protocol):
        """What the blanks of a cause stand for: a dict of them, or anything that has them."""

        def __getitem__(self, name: str, /) -> str:
            """Fill a blank."""


def worded(
    subject: str,
    text: str,
    offset: int,
    *,
    expected: tuple[str, ...] = (),
    found: str | None = None,
    cause: str | None = None,
    blanks: Filled | None = None,
) -> tuple[str, Advice]:
    """Word why a text is refused: in one line, and in parts.

    subject: what it is about: the component, or the rule.
    expected: ABNF words for what could stand at the offset.
    found: the name of what stands there, if it is not for `excerpt.found_at` to say.
    cause: one of `CAUSES`, or None.
    blanks: what the blanks in its words stand for; nothing in it may show a password.

    >>> message, advice = worded("port", "//h:x", 4, expected=("DIGIT", "end"))
    >>> message
    'port: expected DIGIT or end at offset 4, found "x"'
    >>> advice
    Advice(reason='port: "x" cannot stand here', remedy=None, argument=None)
    """
    found = found or excerpt.found_at(text, offset)
    place = f"at offset {offset}, found {found}"
    place = f"expected {listed(expected)} {place}" if expected else place
    if cause is None:
        ends = offset >= len(text)
        reason = "the text ends too early" if ends else f"{found} cannot stand here"
        return f"{subject}: {place}", Advice(f"{subject}: {reason}")
    _, sentence, remedy, _, _, argument = CAUSES[cause]
    filled = blanks or {}
    advice = Advice(f"{subject}: {_fill(sentence, filled)}", _fill(remedy, filled))
    if argument is not None:
        effect, name, value = argument
        value = _fill(value, filled) if isinstance(value, str) else value
        advice = advice._replace(argument=Argument(_fill(effect, filled), name, value))
    return f"{advice.reason}; {place}; help: {help_in_python(advice)}", advice


def help_in_python(advice: Advice) -> str:
    """Write the remedy, and the argument of the function called that would do instead.

    >>> help_in_python(Advice("", "write %20", Argument("take it as it is", "relaxed", True)))
    'write %20, or take it as it is (relaxed=True)'
    """
    remedy = advice.remedy or ""
    if advice.argument is None:
        return remedy
    effect, name, value = advice.argument
    shown = f'"{value}"' if isinstance(value, str) else value
    return f"{remedy}, or {effect} ({name}={shown})"


def listed(words: tuple[str, ...]) -> str:
    """Join words as a sentence does.

    >>> listed(("DIGIT", '":"', "end")), listed(())
    ('DIGIT, ":" or end', 'nothing')
    """
    *first, last = words or ("nothing",)
    return f"{', '.join(first)} or {last}" if first else last


def _fill(words: str, blanks: Filled) -> str:
    return words.format_map(blanks) if "{" in words else words


# What is wrong with a text that a rule does not derive, as an error.

_OF_CHARACTERS = frozenset({"beyond-iri", "non-ascii", "excluded"})
"""The causes that speak of a character, where there is none but an octet."""

_DECODE = "decode the bytes first, by the encoding that they are in"


def diagnose(text: Text, rule: str = "URI-reference", grammar: str = "rfc3986") -> URISyntaxError:
    """Make the error for a text that a rule of a grammar does not derive; linear in time.

    Its offset is the length of the longest prefix that some text of the rule continues. Bytes
    are taken as ASCII, with U+FFFD for each that is not.

    UnknownRuleError if there is no such rule; ValueError if the rule derives the text.

    >>> print(diagnose("http://user@host.com:80x/"))
    port: "80x" is no port, which is DIGIT alone; expected DIGIT, "/", "?", "#" or end at offset \
23, found "x"; help: write DIGIT after the ":" at offset 20, or leave it out
    """
    plain = bytes.decode(text, "ascii", "replace") if isinstance(text, bytes) else as_text(text)
    situation = Situation(plain, as_str(rule, "rule"), as_str(grammar, "grammar"))
    name, group = situation.rule, situation.group
    cause = cause_of(situation)
    component = AT_FAULT.get(cause or "", situation.component)
    octet = _octet(text, plain, situation.offset)
    if octet is not None and cause in _OF_CHARACTERS:
        cause = None
    message, advice = worded(
        component or name,
        plain,
        situation.offset,
        expected=situation.expected,
        found=octet,
        cause=cause,
        blanks=Blanks(situation),
    )
    if octet is not None and cause is None:
        _, _, place = message.partition(": ")
        advice = Advice(
            f"{component or name}: bytes are read as ASCII, which {octet} is not", _DECODE
        )
        message = f"{advice.reason}; {place}; help: {_DECODE}"
    return URISyntaxError(
        message,
        text=plain,
        offset=situation.offset,
        component=component,
        rule=name if group is None else group.rule,
        expected=situation.expected,
        cause=cause,
        advice=advice,
    )


def _octet(text: Text, plain: str, offset: int) -> str | None:
    """Name the octet at an offset of bytes if it is beyond ASCII, else None."""
    if not isinstance(text, bytes) or offset >= len(text) or text[offset] < 0x80:
        return None
    return "a masked octet" if is_masked(plain, offset) else f"octet 0x{text[offset]:02X}"
