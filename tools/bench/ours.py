"""uriparse's entry points, each as a function of one text."""

from __future__ import annotations

from dataclasses import replace
from email.message import Message
from functools import partial
from typing import TYPE_CHECKING, Any

from .races import OURS, Contender

if TYPE_CHECKING:
    from collections.abc import Callable

    from .timing import Call

LIMIT = 1 << 24
"""Of `find_uris`: by default it skips longer runs, which would hide how it grows."""

BASE = "http://example.com/b/c/d;p?q"
"""The base URI of every resolution."""

Function = Any
"""What was imported."""


def on_base(function: Function, base: object = BASE) -> Call:
    """Return a function of a reference, for one of a base and a reference."""
    return lambda text: function(base, text)


def given(**options: object) -> Callable[[Function], Call]:
    """Return what makes a function of a text of one that needs options too."""
    return lambda function: partial(function, **options)


def counted(**options: object) -> Callable[[Function], Call]:
    """Return the same for an iterator, which is run to its end."""
    return lambda function: lambda text: sum(1 for _ in function(text, **options))


def _mime_base(mime_base: Function) -> Call:
    def call(text: str) -> object:
        heading = Message()
        heading["Content-Location"] = text
        return mime_base(heading)

    return call


def _strict(judge: Function, policy: Function) -> Call:
    own = policy.strict().replace(max_length=None, max_segments=None, max_parameters=None)
    return lambda text: judge(text, own).findings


def _normalize_iri(normalize: Function, parse: Function) -> Call:
    return lambda text: normalize(parse(text, "IRI", grammar="rfc3987"), level="scheme")


def _add_query(parse: Function) -> Call:
    base = parse(BASE, "URI")
    return lambda text: base.add_query({"name": text})


_IRI = given(rule="IRI-reference", grammar="rfc3987")
_PROSPERO = given(rule="prosperourl", grammar="rfc1738")
_IRIS = counted(grammar="rfc3987", suffixes=True, limit=LIMIT)
_CACHE = given(localhost="localhost:8080")

ENTRIES = (
    Contender("is_valid", "uriparse:is_valid"),
    Contender("try_parse", "uriparse:try_parse"),
    Contender("parse", "uriparse:parse"),
    Contender("parse (IRI)", "uriparse:parse", _IRI),
    Contender("parse_tree", "uriparse:parse_tree"),
    Contender("parse_tree (full)", "uriparse:parse_tree", given(detail="full")),
    Contender("parse_tree (Prospero)", "uriparse:parse_tree", _PROSPERO),
    Contender(
        "resolve", "uriparse:resolve uriparse:parse", lambda own, parse: on_base(own, parse(BASE))
    ),
    Contender("relativize", "uriparse:relativize", on_base),
    Contender("normalize", "uriparse:normalize", given(level="scheme")),
    Contender("normalize (IRI)", "uriparse:normalize uriparse:parse", _normalize_iri),
    Contender("iri_to_uri", "uriparse:iri_to_uri"),
    Contender("uri_to_iri", "uriparse:uri_to_iri"),
    Contender("equivalent", "uriparse:equivalent", lambda own: lambda text: own(text, text)),
    Contender("remove_dot_segments", "uriparse:remove_dot_segments"),
    Contender("quote", "uriparse:quote", given(component="query")),
    Contender("unquote", "uriparse:unquote"),
    Contender("query_pairs", "uriparse:query_pairs", lambda own: lambda text: own(query=text)),
    Contender("html_base", "uriparse.resolution.base:html_base"),
    Contender("mime_base", "uriparse.resolution.base:mime_base", _mime_base),
    Contender("find_uris", "uriparse:find_uris", counted(limit=LIMIT)),
    Contender("find_uris (IRI, suffixes)", "uriparse:find_uris", _IRIS),
    Contender(
        "make",
        "uriparse:make",
        lambda make: lambda text: make(scheme="http", host="h", segments=[text]),
    ),
    Contender("add_query", "uriparse:parse", _add_query),
    Contender("redact_text", "uriparse.text:redact_text"),
    Contender("whatwg.parse", "uriparse.whatwg:parse"),
    Contender(
        "verdicts of a column",
        "pyarrow:array uriparse.arrow:verdict",
        lambda array, own: lambda text: own(array([text])),
    ),
    Contender("parse_url", "uriparse:parse_url"),
    Contender(
        "parse_url (RFC 1738)",
        "uriparse:parse_url uriparse.schemes:RFC1738",
        lambda own, registry: partial(own, registry=registry),
    ),
    Contender("validate", "uriparse:validate", lambda own: lambda text: own(text).accepted),
    Contender("validate, all findings", "uriparse:validate uriparse:Policy", _strict),
    Contender("legacy.rfc2396.resolve", "uriparse.legacy.rfc2396:resolve", on_base),
    Contender("legacy.wwwoffle.canonicalize", "uriparse.legacy.wwwoffle:canonicalize", _CACHE),
    Contender("legacy.sqlalchemy.quote", "uriparse.legacy.sqlalchemy:quote"),
)
"""Every entry point that takes a text."""

_BY_NAME = {entry.name: entry for entry in ENTRIES}


def ours(entry: str, name: str = OURS, *, answers: bool = False) -> Contender:
    """Return an entry point as a contender of a race."""
    return replace(_BY_NAME[entry], name=name, answers=answers)
