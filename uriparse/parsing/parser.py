"""`parse`, `try_parse`, `is_valid`: match text against a rule."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast, overload

from uriparse._native import native_rule
from uriparse._native.fastcall import activate, fastcall
from uriparse.coerce import Text, as_str, as_text
from uriparse.grammar import matcher
from uriparse.parsing.readers import reader
from uriparse.records import URI, RelativeRef, URIReference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uriparse._compiled.names import GrammarName, RecordRule, RelativeRefRule, RuleName, URIRule


# `parse`, `try_parse`, `is_valid`: text against a rule, by the matchers alone.
#
# What a text lacks is found out afterwards, by `uriparse.diagnosis`, which is loaded for the
# first text that is refused.


@overload
def parse(text: Text, rule: URIRule, *, grammar: GrammarName | str = "rfc3986") -> URI: ...
@overload
def parse(
    text: Text, rule: RelativeRefRule, *, grammar: GrammarName | str = "rfc3986"
) -> RelativeRef: ...
@overload
def parse(
    text: Text, rule: RecordRule | str = "URI-reference", *, grammar: GrammarName | str = "rfc3986"
) -> URI | RelativeRef: ...
def parse(
    text: Text, rule: str = "URI-reference", *, grammar: str = "rfc3986"
) -> URI | RelativeRef:
    """Parse a reference into its components; nothing is repaired.

    text: the whole text must match; bytes must be ASCII; a record stands for its text, and comes
        back itself where it was read by the same grammar.
    rule: URI-reference, URI, absolute-URI or relative-ref; with grammar "rfc3987"
        IRI-reference, IRI, absolute-IRI or irelative-ref. In any letter case.

    Absent components are None, empty ones `""`; see `URIReference`. Linear in time and memory.

    URISyntaxError if the rule does not match the text, with offset, component, and what was
    expected; UnknownRuleError if there is no such rule, or it yields no reference; TypeError for
    what is no text. RFC 3986 sections 3 and 4, RFC 3987 section 2.2.

    >>> uri = parse("http://example.com:8042/over/there?name=ferret#nose")
    >>> uri.scheme, str(uri.host), uri.port, uri.path, uri.query, uri.fragment
    ('http', 'example.com', '8042', '/over/there', 'name=ferret', 'nose')
    >>> parse("//h?").query, parse("//h").query
    ('', None)
    """
    if type(text) is str and rule == "URI-reference" and grammar == "rfc3986":
        record = _read_reference(text)
        if record is not None:
            return record
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    read = reader(rule, grammar)
    plain = text if type(text) is str else as_readable(text)
    if plain is not None and (record := read(plain)) is not None:
        return record if text is plain else _kept(text, record)
    from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only refused text pays for it

    raise diagnose(text, rule, grammar)


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
    text: Text, rule: RecordRule | str = "URI-reference", *, grammar: GrammarName | str = "rfc3986"
) -> URI | RelativeRef | None: ...
def try_parse(
    text: Text, rule: str = "URI-reference", *, grammar: str = "rfc3986"
) -> URI | RelativeRef | None:
    """Parse as `parse` does, but give None for a text that the rule does not derive.

    Errors for rule, grammar and type as in `parse`. No diagnosis is made, so that refusing takes
    no longer than accepting.

    >>> try_parse("http://h:8x/") is None
    True
    """
    if type(text) is str and rule == "URI-reference" and grammar == "rfc3986":
        return _read_reference(text)
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    read = reader(rule, grammar)
    plain = text if type(text) is str else as_readable(text)
    record = None if plain is None else read(plain)
    return record if record is None or text is plain else _kept(text, record)


def is_valid(
    text: Text, rule: RuleName | str = "URI", *, grammar: GrammarName | str = "rfc3986"
) -> bool:
    """Whether a rule derives the whole text: any rule of any shipped grammar.

    Note that the default is the rule URI, which demands a scheme. UnknownRuleError if there is no
    such rule; TypeError for what is no text. Bytes must be ASCII to be valid.

    >>> is_valid("http://h/a b"), is_valid("../a"), is_valid("../a", "relative-ref")
    (False, False, True)
    >>> is_valid("255", "dec-octet"), is_valid("256", "dec-octet")
    (True, False)
    """
    if type(text) is str and rule == "URI" and grammar == "rfc3986":
        return _match_uri(text) is not None
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    fullmatch = _fullmatch(rule, grammar)
    plain = text if type(text) is str else as_readable(text)
    return plain is not None and fullmatch(plain) is not None


def as_readable(text: Text) -> str | None:
    """Give a text as a str proper; None for bytes that are not ASCII, which no rule reads."""
    if isinstance(text, bytes) and not bytes.isascii(text):
        return None
    return as_text(text)


def _kept(given: Text, read: URI | RelativeRef) -> URI | RelativeRef:
    """Give the record that was given for a text rather than the one just read of it."""
    if type(given) is type(read) and given.grammar == read.grammar:
        return given
    return read


@cache
def _fullmatch(rule: str, grammar: str) -> Callable[[str], object | None]:
    native = native_rule(rule, grammar, lambda text: matcher(rule, grammar).fullmatch(text))
    return matcher(rule, grammar).fullmatch if native is None else native.fullmatch


def _first_read(text: str) -> URI | RelativeRef | None:
    """Stand in for the reader of references until the first text comes."""
    global _read_reference  # noqa: PLW0603 - compiled at first use, so that importing stays quick
    _read_reference = reader("URI-reference", "rfc3986")
    activate("PARSE", _read_reference)
    activate("TRY_PARSE", _read_reference)
    return _read_reference(text)


def _first_match(text: str) -> object | None:
    """Stand in for the matcher of URIs until the first text comes."""
    global _match_uri  # noqa: PLW0603 - same
    _match_uri = _fullmatch("URI", "rfc3986")
    activate("IS_VALID", _match_uri)
    return _match_uri(text)


_read_reference: Callable[[str], URI | RelativeRef | None] = _first_read
_match_uri: Callable[[str], object | None] = _first_match

if not TYPE_CHECKING:  # to whom they stay what they are
    parse = fastcall("PARSE", parse)
    try_parse = fastcall("TRY_PARSE", try_parse)
    is_valid = fastcall("IS_VALID", is_valid)


# What callers may give where a reference is wanted: its text, or its record.

Record: TypeAlias = URI | RelativeRef

Reference: TypeAlias = Text | URIReference
"""A record; or text or ASCII bytes, which are read by RFC 3986, or by RFC 3987 beside an IRI."""

REFERENCE_RULES: Mapping[str, str] = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
"""The widest rule of each grammar that yields records."""


def as_reference(given: Reference, grammar: str = "rfc3986", name: str = "reference") -> Record:
    """Return the record itself, or the text parsed as a reference in the grammar.

    name: of the parameter, for messages.

    URISyntaxError if the text is none; TypeError for what is no text.
    """
    if isinstance(given, URIReference):
        return cast("Record", given)
    text = given if isinstance(given, bytes) else as_text(given, name)
    return parse(text, REFERENCE_RULES[grammar], grammar=grammar)


def common_grammar(*given: Reference | None) -> str:
    """Name the grammar in which all of these can be read: that of IRIs if one record is an IRI."""
    iri = any(isinstance(one, URIReference) and one.grammar == "rfc3987" for one in given)
    return "rfc3987" if iri else "rfc3986"
