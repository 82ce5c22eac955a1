"""The words of a refusal: cause first, then what was expected and found, then what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.diagnosis.catalogue import CAUSES
from uriparse.errors import Advice, Argument

if TYPE_CHECKING:
    from typing import Protocol

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
