"""`parse`, `try_parse` and `is_valid`: match a text against a rule.

They use the matchers only. `uriparse.diagnosis` explains a failure afterwards, and is loaded for
the first invalid text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, overload

from uriparse._base.coerce import Text, as_str
from uriparse._native import native_rule
from uriparse._native.fastcall import activate, fastcall
from uriparse.errors import URISyntaxError, unexplained
from uriparse.grammar import matcher
from uriparse.grammar.matchers import fullmatch
from uriparse.records.references import (
    URI_RULES,
    as_readable,
    explain,
    read,
    reader,
    reference_rule,
    try_read,
)

if TYPE_CHECKING:
    from uriparse._compiled.names import GrammarName, RecordRule, RelativeRefRule, RuleName, URIRule
    from uriparse.records import URI, RelativeRef


@overload
def parse(text: Text, rule: URIRule, *, grammar: GrammarName | str = "rfc3986") -> URI: ...
@overload
def parse(
    text: Text, rule: RelativeRefRule, *, grammar: GrammarName | str = "rfc3986"
) -> RelativeRef: ...
@overload
def parse(
    text: Text, rule: RecordRule | str | None = None, *, grammar: GrammarName | str = "rfc3986"
) -> URI | RelativeRef: ...
def parse(text: Text, rule: str | None = None, *, grammar: str = "rfc3986") -> URI | RelativeRef:
    """Parse a reference into its components; nothing is repaired.

    text: the whole text must match; bytes must be ASCII; a record is parsed by its text, and
        returned itself if its grammar is the same.
    rule: URI-reference, URI, absolute-URI or relative-ref; with grammar "rfc3987"
        IRI-reference, IRI, absolute-IRI or irelative-ref. Letter case does not matter. None is
        the first of them.

    Absent components are None, empty ones `""`; see `URIReference`. Linear in time and memory.

    URISyntaxError if the rule does not match the text, with offset, component, and what was
    expected; UnknownRuleError for an unknown rule, or one whose texts are not references; TypeError
    if `text` is not text. RFC 3986 sections 3 and 4, RFC 3987 section 2.2.

    >>> uri = parse("http://example.com:8042/over/there?name=ferret#nose")
    >>> uri.scheme, str(uri.host), uri.port, uri.path, uri.query, uri.fragment
    ('http', 'example.com', '8042', '/over/there', 'name=ferret', 'nose')
    >>> parse("//h?").query, parse("//h").query
    ('', None)
    """
    if type(text) is str and rule is None and grammar == "rfc3986":
        record = _read_reference(text)
        if record is not None:
            return record
        raise unexplained(explain, text)
    return read(text, reference_rule(grammar) if rule is None else rule, grammar)


@overload
def try_parse(
    text: Text, rule: URIRule, *, grammar: GrammarName | str = "rfc3986"
) -> URI | None: ...
@overload
def try_parse(
    text: Text, rule: RelativeRefRule, *, grammar: GrammarName | str = "rfc3986"
) -> RelativeRef | None: ...
@overload
def try_parse(
    text: Text, rule: RecordRule | str | None = None, *, grammar: GrammarName | str = "rfc3986"
) -> URI | RelativeRef | None: ...
def try_parse(
    text: Text, rule: str | None = None, *, grammar: str = "rfc3986"
) -> URI | RelativeRef | None:
    """Parse as `parse` does, but return None for a text that the rule does not match.

    Errors for rule, grammar and type as in `parse`. Without a diagnosis, rejecting takes no longer
    than accepting.

    >>> try_parse("http://h:8x/") is None
    True
    """
    if type(text) is str and rule is None and grammar == "rfc3986":
        return _read_reference(text)
    return try_read(text, reference_rule(grammar) if rule is None else rule, grammar)


def is_valid(
    text: Text, rule: RuleName | str | None = None, *, grammar: GrammarName | str = "rfc3986"
) -> bool:
    """Return whether a rule of a grammar matches the whole text.

    rule: None is URI, which requires a scheme, or IRI with grammar "rfc3987".

    UnknownRuleError for an unknown rule;
    TypeError if `text` is not text. Only ASCII bytes are valid.

    >>> is_valid("http://h/a b"), is_valid("../a"), is_valid("../a", "relative-ref")
    (False, False, True)
    >>> is_valid("255", "dec-octet"), is_valid("256", "dec-octet")
    (True, False)
    """
    if rule is None:
        if type(text) is str and grammar == "rfc3986":
            return _match_uri(text) is not None
        rule = URI_RULES.get(as_str(grammar, "grammar"), "URI")
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    matches = _fullmatch(rule, grammar)
    plain = text if type(text) is str else as_readable(text)
    return plain is not None and matches(plain) is not None


@cache
def _fullmatch(rule: str, grammar: str) -> Callable[[str], object | None]:
    native = native_rule(rule, grammar, lambda text: matcher(rule, grammar).fullmatch(text))
    return fullmatch(rule, grammar) if native is None else native.fullmatch


def _first_read(text: str) -> URI | RelativeRef | None:
    """Compile the reader of references when the first text arrives."""
    global _read_reference  # noqa: PLW0603 - compiled at first use, so that importing stays quick
    _read_reference = reader("URI-reference", "rfc3986")
    activate("PARSE", _read_reference, (URISyntaxError, explain))
    activate("TRY_PARSE", _read_reference)
    return _read_reference(text)


def _first_match(text: str) -> object | None:
    """Compile the matcher of URIs when the first text arrives."""
    global _match_uri  # noqa: PLW0603 - same
    _match_uri = _fullmatch("URI", "rfc3986")
    activate("IS_VALID", _match_uri)
    return _match_uri(text)


_read_reference: Callable[[str], URI | RelativeRef | None] = _first_read
_match_uri: Callable[[str], object | None] = _first_match

if not TYPE_CHECKING:  # type checkers see the functions themselves
    parse = fastcall("PARSE", parse)
    try_parse = fastcall("TRY_PARSE", try_parse)
    is_valid = fastcall("IS_VALID", is_valid)
