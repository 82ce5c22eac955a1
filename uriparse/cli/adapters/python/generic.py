"""Parsers of RFC 3986 and RFC 3987."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from uriparse.errors import UnknownRuleError
from uriparse.parsing import is_valid, try_parse

if TYPE_CHECKING:
    from uriparse.cli.adapters.python.judges import Judge, Wanted


def uriparse(wanted: Wanted) -> Judge:
    """Judge by ours; components as the record has them."""
    rule, grammar = wanted
    is_valid("", rule, grammar=grammar)  # raises for a grammar that is not ours

    def judge(text: str) -> object:
        if not is_valid(text, rule, grammar=grammar):
            return False
        try:
            found = try_parse(text, rule, grammar=grammar)
        except UnknownRuleError:
            return True
        if found is None:
            return False
        host = None if found.host is None else str(found.host)
        return {
            "text": str(found),
            "scheme": found.scheme,
            "userinfo": found.userinfo,
            "host": host,
            "port": found.port,
            "path": found.path,
            "query": found.query,
            "fragment": found.fragment,
        }

    return judge


def uritools(wanted: Wanted) -> Judge:
    """Judge by `urisplit`: host and port can be read, and there is a scheme if the rule has one."""
    library = import_module("uritools")
    absolute = wanted.has_scheme

    def judge(text: str) -> object:
        parts = library.urisplit(text)
        parts.gethost()
        parts.getport()
        return (not absolute or parts.isuri()) and {
            "text": parts.geturi(),
            "scheme": parts.scheme,
            "userinfo": parts.userinfo,
            "host": parts.host,
            "port": parts.port,
            "path": parts.path,
            "query": parts.query,
            "fragment": parts.fragment,
        }

    return judge


def rfc3986(wanted: Wanted) -> Judge:
    """Judge by `Validator` for all components, the scheme required if the rule has one."""
    library = import_module("rfc3986")
    validator = import_module("rfc3986.validators").Validator()
    validator = validator.check_validity_of(*validator.COMPONENT_NAMES)
    if wanted.has_scheme:
        validator = validator.require_presence_of("scheme")

    def judge(text: str) -> object:
        found = library.uri_reference(text)
        validator.validate(found)
        return {
            "text": found.unsplit(),
            "scheme": found.scheme,
            "userinfo": found.userinfo,
            "host": found.host,
            "port": found.port,
            "path": found.path or "",
            "query": found.query,
            "fragment": found.fragment,
        }

    return judge


def rfc3986_validator(wanted: Wanted) -> Judge:
    """Judge by `validate_rfc3986`, which knows two rules."""
    library = import_module("rfc3986_validator")
    known = "URI" if wanted.has_scheme else "URI_reference"
    return lambda text: library.validate_rfc3986(text, known) is not None


def rfc3987(wanted: Wanted) -> Judge:
    """Judge by `match` with the rule's own name, which the package writes with "_"."""
    library = import_module("rfc3987")
    name = wanted.rule.replace("-", "_")
    return lambda text: library.match(text, name) is not None


def rfc3987_syntax(wanted: Wanted) -> Judge:
    """Judge by the rule for IRIs; it has none for URIs."""
    library = import_module("rfc3987_syntax")
    name = "iri" if wanted.has_scheme else "iri_reference"
    return lambda text: library.is_valid_syntax(name, text)


def abnf(wanted: Wanted) -> Judge:
    """Judge by the rule of the package's own module of the grammar."""
    parse = import_module(f"abnf.grammars.{wanted.grammar}").Rule(wanted.rule).parse_all
    return lambda text: parse(text) is not None
