"""What is wrong with a text that a rule does not derive."""

from __future__ import annotations

from uriparse import excerpt
from uriparse.errors import URISyntaxError
from uriparse.matchers import dispatch, matcher, rule_name


def diagnose(
    text: str | bytes, rule: str = "URI-reference", grammar: str = "rfc3986"
) -> URISyntaxError:
    """Make the error for a text that a rule of a grammar does not derive."""
    plain = text if isinstance(text, str) else text.decode("ascii", "replace")
    name = rule_name(rule, grammar)
    prefixes = [matcher(choice, grammar).match(plain) for choice in dispatch(name, grammar)]
    offset = max(0 if prefix is None else prefix.end() for prefix in prefixes)
    found = excerpt.named(plain[offset]) if offset < len(plain) else "the end"
    return URISyntaxError(
        f"{name}: no valid text goes on so at offset {offset}, found {found}",
        text=plain,
        offset=offset,
        rule=name,
    )
