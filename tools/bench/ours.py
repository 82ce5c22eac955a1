"""uriparse's side of every operation. Each part is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .timing import Call

LIMIT = 1 << 24
"""Of `find_uris`: by default it skips longer runs, which would hide how it grows."""

BASE = "http://example.com/b/c/d;p?q"
"""The base URI of every resolution."""


def is_valid() -> Call:
    """`is_valid` with its defaults."""
    from uriparse import is_valid

    return is_valid


def parse() -> Call:
    """`parse` with its defaults: every component is readable afterwards."""
    from uriparse import parse

    return parse


def browser() -> Call:
    """`whatwg.parse`: what a browser makes of a text."""
    from uriparse.whatwg import parse

    return parse


def parse_pure() -> Call:
    """Read a valid text as `parse` does without the kernel, its questions at the door included."""
    from uriparse.parsing.readers import pure_reader

    read = pure_reader("URI-reference", "rfc3986")

    def parse(text: str, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> object:
        if type(text) is str and rule == "URI-reference" and grammar == "rfc3986":
            record = read(text)
            if record is not None:
                return record
        raise ValueError(text)

    return parse


def parse_by_lark() -> Call:
    """Read a text as `parse` does with `URIPARSE_ENGINE=lark`."""
    from uriparse.parsing.readers import nothing, reader_by
    from uriparse.trees.engine import LarkEngine

    read = reader_by(LarkEngine.components("URI-reference", "rfc3986"), "rfc3986", nothing)

    def parse(text: str) -> object:
        if (record := read(text)) is None:
            raise ValueError(text)
        return record

    return parse


def try_parse() -> Call:
    """`try_parse` with its defaults."""
    from uriparse import try_parse

    return try_parse


def read() -> Call:
    """`parse`, then every component and the typed host."""
    from uriparse import parse

    def call(text: str) -> object:
        u = parse(text)
        return (u.scheme, u.userinfo, u.host, u.port, u.path, u.query, u.fragment)

    return call


def parse_iri() -> Call:
    """`parse` in the grammar of IRIs."""
    from uriparse import parse

    return lambda text: parse(text, "IRI-reference", grammar="rfc3987")


def parse_tree() -> Call:
    """`parse_tree` with its defaults: a tree of components."""
    from uriparse import parse_tree

    return parse_tree


def prospero_tree() -> Call:
    """`parse_tree` of Prospero URLs."""
    from uriparse import parse_tree

    return lambda text: parse_tree(text, "prosperourl", grammar="rfc1738")


def full_tree() -> Call:
    """`parse_tree` down to characters."""
    from uriparse import parse_tree

    return lambda text: parse_tree(text, detail="full")


def resolve() -> Call:
    """`resolve` a text against a parsed base."""
    from uriparse import parse, resolve

    base = parse(BASE, "URI")
    return lambda text: resolve(base, text)


def resolve_records() -> Call:
    """`resolve` a reference parsed on the spot."""
    from uriparse import parse, resolve

    base = parse(BASE, "URI")
    return lambda text: resolve(base, parse(text))


def relativize() -> Call:
    """`relativize` a text against the base."""
    from uriparse import relativize

    return lambda text: relativize(BASE, text)


def normalize() -> Call:
    """`normalize` a text at level "scheme"."""
    from uriparse import normalize

    return lambda text: normalize(text, level="scheme")


def normalize_iri() -> Call:
    """`normalize` of an IRI at level "scheme"."""
    from uriparse import normalize, parse

    return lambda text: normalize(parse(text, "IRI", grammar="rfc3987"), level="scheme")


def iri_to_uri() -> Call:
    """`iri_to_uri` of a text."""
    from uriparse import iri_to_uri

    return iri_to_uri


def uri_to_iri() -> Call:
    """`uri_to_iri` of a text."""
    from uriparse import uri_to_iri

    return uri_to_iri


def query_pairs() -> Call:
    """`query_pairs` of a query."""
    from uriparse import query_pairs

    return lambda text: query_pairs(query=text)


def html_base() -> Call:
    """`html_base` of markup."""
    from uriparse.resolution.base import html_base

    return html_base


def mime_base() -> Call:
    """`mime_base` of a heading with that Content-Location."""
    from email.message import Message

    from uriparse.resolution.base import mime_base

    def call(text: str) -> object:
        heading = Message()
        heading["Content-Location"] = text
        return mime_base(heading)

    return call


def equivalent() -> Call:
    """`equivalent` of a text and itself."""
    from uriparse import equivalent

    return lambda text: equivalent(text, text)


def remove_dot_segments() -> Call:
    """`remove_dot_segments` of a text as a path."""
    from uriparse import remove_dot_segments

    return remove_dot_segments


def quote() -> Call:
    """`quote` for a query."""
    from uriparse import quote

    return lambda text: quote(text, "query")


def unquote() -> Call:
    """`unquote` of a text."""
    from uriparse import unquote

    return unquote


def make_path() -> Call:
    """`make` of a segment, which is encoded."""
    from uriparse import make

    return lambda text: make(scheme="http", host="h", path_segments=[text])


def add_query() -> Call:
    """`add_query` of a value, which is encoded."""
    from uriparse import parse

    base = parse(BASE, "URI")
    return lambda text: base.add_query({"name": text})


def redacted_text() -> Call:
    """`redacted_text` of a log line."""
    from uriparse.logs import redacted_text

    return redacted_text


def verdicts() -> Call:
    """`verdict` of a column with one row."""
    import pyarrow as pa

    from uriparse.arrow import verdict

    return lambda text: verdict(pa.array([text]))


def parse_url() -> Call:
    """`parse_url`: the typed record of the scheme."""
    from uriparse import parse_url

    return parse_url


def parse_url_rfc1738() -> Call:
    """`parse_url` by RFC 1738."""
    from uriparse.schemes import RFC1738, parse_url

    return lambda text: parse_url(text, registry=RFC1738)


def parse_url_pure() -> Call:
    """`parse_url` without the kernel, where there is one."""
    from dataclasses import replace

    from uriparse import implementation
    from uriparse.schemes import CURRENT, Registry, parse_url
    from uriparse.schemes.captures import Named, reader_of

    if implementation == "python":
        raise ImportError("there is no kernel to do without")
    schemes = [replace(scheme) for scheme in CURRENT.values()]
    for scheme in schemes:
        named = Named(scheme.name, scheme.word, scheme.default_port)
        if scheme.expressions is not None:
            vars(scheme)["reader"] = reader_of(scheme.record, scheme.expressions, named)
    registry = Registry(schemes)
    return lambda text: parse_url(text, registry=registry)


def find_uris() -> Call:
    """`find_uris`, run to its end."""
    from uriparse import find_uris

    return lambda text: sum(1 for _ in find_uris(text, limit=LIMIT))


def find_iris() -> Call:
    """`find_uris` for IRIs and suffix references, run to its end."""
    from uriparse import find_uris

    return lambda text: sum(
        1 for _ in find_uris(text, grammar="rfc3987", suffixes=True, limit=LIMIT)
    )


def canonicalize() -> Call:
    """`canonicalize` in the manner of WWWOFFLE."""
    from uriparse.legacy.wwwoffle import canonicalize

    return lambda text: canonicalize(text, localhost="localhost:8080")


def resolve_2396() -> Call:
    """`resolve` by the rules of RFC 2396."""
    from uriparse.legacy.rfc2396 import resolve

    return lambda text: resolve(BASE, text)


def quote_password() -> Call:
    """`quote` in the manner of SQLAlchemy."""
    from uriparse.legacy.sqlalchemy import quote

    return quote


def validate() -> Call:
    """`validate` by the policy for outbound requests: the verdict."""
    from uriparse.validation import validate as judge

    return lambda text: judge(text).accepted


def validate_findings() -> Call:
    """`validate` by the policy for outbound requests: every finding."""
    from uriparse.validation import validate as judge

    return lambda text: judge(text).findings


def validate_strict() -> Call:
    """`validate` by the strictest policy, and every finding."""
    from uriparse.validation import Policy
    from uriparse.validation import validate as judge

    policy = Policy.strict().replace(max_length=None, max_segments=None, max_parameters=None)
    return lambda text: judge(text, policy).findings
