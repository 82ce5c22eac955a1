"""`parse`, `try_parse` and `is_valid`: match a text against a rule.

They use the matchers only. `uriparse.diagnosis` explains a failure afterwards, and is loaded for
the first invalid text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, overload

from uriparse._base.coerce import Text, as_str, as_text
from uriparse._native import native_rule
from uriparse._native.fastcall import activate, fastcall
from uriparse.errors import URISyntaxError, unexplained
from uriparse.grammar import matcher
from uriparse.grammar.matchers import fullmatch
from uriparse.parsing.readers import reader
from uriparse.records import URI, RelativeRef, URIReference

if TYPE_CHECKING:
    from uriparse._compiled.names import GrammarName, RecordRule, RelativeRefRule, RuleName, URIRule


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

    text: the whole text must match; bytes must be ASCII; a record is parsed by its text, and
        returned itself if its grammar is the same.
    rule: URI-reference, URI, absolute-URI or relative-ref; with grammar "rfc3987"
        IRI-reference, IRI, absolute-IRI or irelative-ref. Letter case does not matter.

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
    if type(text) is str and rule == "URI-reference" and grammar == "rfc3986":
        record = _read_reference(text)
        if record is not None:
            return record
        raise unexplained(_explain, text, rule, grammar)
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    read = reader(rule, grammar)
    plain = text if type(text) is str else as_readable(text)
    if plain is not None and (record := read(plain)) is not None:
        return record if text is plain else _kept(text, record)
    raise unexplained(_explain, text, rule, grammar)


def _explain(text: Text, rule: str = "URI-reference", grammar: str = "rfc3986") -> URISyntaxError:
    from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only a reason that is read pays

    return diagnose(text, rule, grammar)


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
    """Parse as `parse` does, but return None for a text that the rule does not match.

    Errors for rule, grammar and type as in `parse`. Without a diagnosis, rejecting takes no longer
    than accepting.

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
    """Return whether a rule of a grammar matches the whole text.

    The default is the rule URI, which requires a scheme. UnknownRuleError for an unknown rule;
    TypeError if `text` is not text. Only ASCII bytes are valid.

    >>> is_valid("http://h/a b"), is_valid("../a"), is_valid("../a", "relative-ref")
    (False, False, True)
    >>> is_valid("255", "dec-octet"), is_valid("256", "dec-octet")
    (True, False)
    """
    if type(text) is str and rule == "URI" and grammar == "rfc3986":
        return _match_uri(text) is not None
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    matches = _fullmatch(rule, grammar)
    plain = text if type(text) is str else as_readable(text)
    return plain is not None and matches(plain) is not None


def as_readable(text: Text) -> str | None:
    """Return a text as an exact str; None for bytes that are not ASCII, which no rule matches."""
    if isinstance(text, bytes) and not bytes.isascii(text):
        return None
    return as_text(text)


def _kept(given: Text, read: URI | RelativeRef) -> URI | RelativeRef:
    """Return the caller's record instead of the one just parsed, if they are of the same kind."""
    if type(given) is type(read) and given.grammar == read.grammar:
        return given
    return read


@cache
def _fullmatch(rule: str, grammar: str) -> Callable[[str], object | None]:
    native = native_rule(rule, grammar, lambda text: matcher(rule, grammar).fullmatch(text))
    return fullmatch(rule, grammar) if native is None else native.fullmatch


def _first_read(text: str) -> URI | RelativeRef | None:
    """Compile the reader of references when the first text arrives."""
    global _read_reference  # noqa: PLW0603 - compiled at first use, so that importing stays quick
    _read_reference = reader("URI-reference", "rfc3986")
    activate("PARSE", _read_reference, (URISyntaxError, _explain))
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


# Parameters that accept a reference as text or as a record.

Record: TypeAlias = URI | RelativeRef

Reference: TypeAlias = Text | URIReference
"""A record; or text or ASCII bytes, parsed by RFC 3986, or by RFC 3987 together with an IRI."""

REFERENCE_RULES: Mapping[str, str] = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
"""The most general rule for records in each grammar."""


def as_reference(value: Reference, grammar: str = "rfc3986", name: str = "reference") -> Record:
    """Return a record unchanged, or a text parsed as a reference by a grammar.

    name: the parameter, for messages.

    URISyntaxError if the text is not a reference; TypeError if it is not text.
    """
    if type(value) is str and grammar == "rfc3986":
        return parse(value)  # which is quicker without a rule
    if isinstance(value, URIReference):
        return value  # type: ignore[return-value]  # there are no others
    text = value if isinstance(value, bytes) else as_text(value, name)
    return parse(text, REFERENCE_RULES[grammar], grammar=grammar)


def common_grammar(*references: Reference | None) -> str:
    """Return the grammar that can parse all references: "rfc3987" if one is an IRI record."""
    iri = any(isinstance(one, URIReference) and one.grammar == "rfc3987" for one in references)
    return "rfc3987" if iri else "rfc3986"
