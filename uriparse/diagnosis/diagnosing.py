"""What is wrong with a text that a rule does not derive, said in one line."""

from __future__ import annotations

from uriparse import excerpt
from uriparse.diagnosis.causes import advice_on, cause_of
from uriparse.diagnosis.situation import Situation
from uriparse.door import Text, as_str, as_text
from uriparse.errors import URISyntaxError
from uriparse.grammar import rule_name
from uriparse.grammar.automata import longest_prefix

_IN_SECRET = "all but unreserved and sub-delims is written as triplets there"


def diagnose(text: Text, rule: str = "URI-reference", grammar: str = "rfc3986") -> URISyntaxError:
    """Make the error for a text that a rule of a grammar does not derive; linear in time.

    Its offset is the length of the longest prefix that some text of the rule continues. Bytes
    are taken as ASCII, with U+FFFD for each that is not.

    UnknownRuleError if there is no such rule; ValueError if the rule derives the text.

    >>> print(diagnose("http://user@host.com:80x/"))
    port: expected DIGIT, "/", "?", "#" or end at offset 23, found "x"; what follows the ":" at \
offset 20 is no port, which is DIGIT alone
    """
    plain = bytes.decode(text, "ascii", "replace") if isinstance(text, bytes) else as_text(text)
    grammar = as_str(grammar, "grammar")
    name = rule_name(rule, grammar)
    stop = longest_prefix(plain, name, grammar)
    if stop.may_end and stop.offset == len(plain):
        raise ValueError(f"there is nothing wrong with the text by the rule {name}")
    situation = Situation(plain, name, grammar, stop)
    group = situation.group
    component = situation.component
    cause = cause_of(situation)
    secret = excerpt.secret_span(plain)
    if secret is not None and secret[0] <= stop.offset < secret[1]:
        found, advice = "a character of the password", _IN_SECRET
    else:
        found = excerpt.named(situation.found) if situation.found else "the end"
        advice = "" if cause is None else advice_on(situation, cause)
    message = (
        f"{component or name}: expected {_listed(situation.expected)}"
        f" at offset {stop.offset}, found {found}"
    )
    return URISyntaxError(
        f"{message}; {advice}" if advice else message,
        text=plain,
        offset=stop.offset,
        component=component,
        rule=name if group is None else group.rule,
        expected=situation.expected,
        cause=None if cause is None else cause.name,
    )


def _listed(words: tuple[str, ...]) -> str:
    """Join words as a sentence does.

    >>> _listed(("DIGIT", '":"', "end"))
    'DIGIT, ":" or end'
    """
    *first, last = words or ("nothing",)
    return f"{', '.join(first)} or {last}" if first else last
