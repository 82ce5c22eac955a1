"""What is wrong with a text that a rule does not derive, as an error."""

from __future__ import annotations

from uriparse.diagnosis.blanks import Blanks
from uriparse.diagnosis.signs import AT_FAULT, cause_of
from uriparse.diagnosis.situation import Situation
from uriparse.diagnosis.wording import worded
from uriparse.door import Text, as_str, as_text
from uriparse.errors import Advice, URISyntaxError
from uriparse.excerpt import is_masked

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
    situation = Situation(plain, rule, as_str(grammar, "grammar"))
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
