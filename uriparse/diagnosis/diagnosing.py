"""What is wrong with a text that a rule does not derive, as an error."""

from __future__ import annotations

from uriparse.diagnosis.blanks import Blanks
from uriparse.diagnosis.signs import AT_FAULT, cause_of
from uriparse.diagnosis.situation import Situation
from uriparse.diagnosis.wording import worded
from uriparse.door import Text, as_str, as_text
from uriparse.errors import URISyntaxError
from uriparse.grammar import rule_name
from uriparse.grammar.automata import longest_prefix


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
    grammar = as_str(grammar, "grammar")
    name = rule_name(rule, grammar)
    stop = longest_prefix(plain, name, grammar)
    if stop.may_end and stop.offset == len(plain):
        raise ValueError(f"there is nothing wrong with the text by the rule {name}")
    situation = Situation(plain, name, grammar, stop)
    group = situation.group
    cause = cause_of(situation)
    component = AT_FAULT.get(cause or "", situation.component)
    message, advice = worded(
        component or name,
        plain,
        stop.offset,
        expected=situation.expected,
        cause=cause,
        blanks=Blanks(situation),
    )
    return URISyntaxError(
        message,
        text=plain,
        offset=stop.offset,
        component=component,
        rule=name if group is None else group.rule,
        expected=situation.expected,
        cause=cause,
        advice=advice,
    )
