"""The parameters of public functions that take text or a name: what each takes, and how."""

from email.message import Message
from functools import partial
from typing import NamedTuple

import uriparse
from uriparse import (
    URI,
    Authority,
    Host,
    IPv4,
    IPv6,
    IPvFuture,
    RegName,
    RelativeRef,
    URIReference,
    grammar,
    keys,
    parse,
    parsing,
    resolution,
    validation,
    whatwg,
)
from uriparse.diagnosis import diagnose, find_remedy
from uriparse.grammar.expressions import pattern
from uriparse.keys import Profile, Step
from uriparse.legacy import rfc2396, sqlalchemy
from uriparse.legacy import rfc2396 as appendix_b
from uriparse.legacy import rfc2396 as relative_path
from uriparse.legacy import wwwoffle as w
from uriparse.resolution import base
from uriparse.schemes import scheme_from_abnf
from uriparse.schemes.equivalence import is_same_document, lowest_rung
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI
from uriparse.text import redact_text

TEXT = "text, ASCII as bytes, or a record"
DATA = "text, octets, or a record"
NAME = "a str alone"
OTHER = "something else"

HTTP = "http://u:p@h:80/a?b#c"
URL = "https://example.com/a"
PROFILE = Profile("own", str, (Step("none", "nothing", str),), str)
MESSAGE = Message()


class Parameter(NamedTuple):
    """One parameter of one function.

    function: whose parameter it is. name: what messages call the value. good: a value that it
    takes. call: calls the function with the value in its place. kind: see above. takes: further
    types that it takes, or has a message of its own about.
    """

    function: object
    name: str
    good: object
    call: object
    kind: str = TEXT
    takes: tuple[type, ...] = ()


def by(function, name, /, **fixed):
    """Call a function with a value for the parameter of that name."""
    return lambda value: function(**{**fixed, name: value})


def inside(function, name, /, **fixed):
    """Call a function with a list that holds the value."""
    return lambda value: function(**{**fixed, name: [value]})


def parameter(function, name, good, kind=TEXT, takes=(), /, **fixed):
    """Make a parameter that is passed by its name."""
    return Parameter(function, name, good, by(function, name, **fixed), kind, takes)


NONE = (type(None),)
PORTS = (int, *NONE)
MAPPING = (dict, *NONE)
LISTS = (list, tuple, dict)
COMPONENTS = {"scheme": "x", "userinfo": "u", "port": "1", "path": "/a", "query": "q"}
COMPONENTS |= {"fragment": "f", "host": "h", "authority": "h"}
HOSTS = {Host: "h", RegName: "h", IPv4: "1.2.3.4", IPv6: "[::1]", IPvFuture: "[v1.a]"}
TEXTS = {URIReference: HTTP, URI: HTTP, RelativeRef: "//h/a"}
ENGINE = ("drivername", "username", "password", "host", "port", "database", "query")


class ZURI(GrammarURI):
    """A URI of a scheme of one's own."""

    SCHEME = "z"
    a: object = url_field("a")


OWN_SCHEME = {"name": "z", "abnf": 'z = "z:" a\na = *ALPHA', "rule": "z"}
WWWOFFLE = ("protocol", "host", "path", "username", "password", "params", "arguments")


def for_component(name):
    """What makes a reference of one component, the others aside."""
    with_host = {"host": "h"} if name in {"userinfo", "port"} else {}
    kind = OTHER if name in {"host", "authority"} else NAME
    takes = {"path": (), "port": PORTS}.get(name, NONE)
    good = COMPONENTS[name]
    yield parameter(URIReference.from_parts, name, good, kind, takes, **with_host)
    replace = by(parse("http://h/a").replace, name)
    yield Parameter(URIReference.replace, name, good, replace, kind, takes)


def for_host(kind):
    yield parameter(kind, "text", HOSTS[kind])
    yield parameter(kind, "grammar", "rfc3986", NAME, text=HOSTS[kind])


def for_parser(function):
    yield parameter(function, "text", HTTP)
    yield parameter(function, "rule", "URI", NAME, NONE, text=HTTP)
    yield parameter(function, "grammar", "rfc3986", NAME, text=HTTP, rule="URI")


def for_matcher(function):
    yield parameter(function, "rule", "scheme", NAME)
    yield parameter(function, "grammar", "rfc3986", NAME, rule="scheme")


READERS = {
    "reference": (uriparse.normalize, uriparse.query_pairs, resolution.reference_kind,
                  resolution.is_absolute_uri),
    "uri": (uriparse.redact,),
    "base reference": (uriparse.resolve, is_same_document), "base target": (uriparse.relativize,),
    "default": (uriparse.base_uri,), "a b": (uriparse.equivalent, lowest_rung),
}  # fmt: skip
"""By the parameters that are references, the functions that read them by a grammar."""

QUERIES = (URIReference.with_query, URIReference.add_query, URIReference.set_query)


def in_pair(place, value):
    """Write a query of the pair that holds the value."""
    return uriparse.building.query_string([place(value)])


def for_building():
    """What makes references of data, and one of another."""
    whole = {"scheme": "x", "host": "h", "user": "u"}
    for name, kind, takes in [
        *(("scheme", NAME, NONE), ("user", DATA, NONE), ("password", DATA, NONE)),
        *(("host", OTHER, NONE), ("port", NAME, PORTS), ("fragment", DATA, NONE)),
        *(("segments", OTHER, LISTS), ("grammar", NAME, ())),
    ]:
        good = {"segments": ["a"], "grammar": "rfc3987", "port": "8"}.get(name, "a")
        yield parameter(uriparse.make, name, good, kind, takes, **whole)
    yield Parameter(URIReference.child, "a segment", "a b", parse(HTTP).child, DATA)
    yield parameter(URIReference.with_name, "name", "a b", DATA, self=parse(HTTP))
    for name, place in {"a name": lambda v: (v, "b"), "a value": lambda v: ("a", v)}.items():
        takes = (*PORTS, float, bool) if name == "a value" else ()
        write = partial(in_pair, place)
        yield Parameter(uriparse.building.query_string, name, "a b", write, DATA, takes)
    yield parameter(URIReference.with_suffix, "suffix", ".b", DATA, self=parse(HTTP))
    without = parse(HTTP).without_query
    yield Parameter(URIReference.without_query, "a name", "b", without, DATA)
    for function in (uriparse.building.query_string, *QUERIES):
        uri = {} if function is uriparse.building.query_string else {"self": parse(HTTP)}
        yield parameter(function, "pairs", {"a": "b"}, OTHER, LISTS, **uri)
    yield parameter(uriparse.building.query_string, "grammar", "rfc3987", NAME, pairs=[])
    for function in (uriparse.building.query_string, *QUERIES):
        uri = {} if function is uriparse.building.query_string else {"self": parse(HTTP)}
        yield parameter(function, "separator", ";", NAME, pairs={"a": "b"}, **uri)
    yield parameter(URIReference.without_query, "separator", ";", NAME, self=parse(HTTP))
    yield parameter(uriparse.redact, "uri", HTTP)
    yield parameter(URIReference.with_segments, "segments", ["a"], OTHER, LISTS, self=parse(HTTP))
    yield parameter(uriparse.redact, "names", ["a"], OTHER, (*NONE, *LISTS), uri=HTTP)
    yield parameter(uriparse.building.from_path, "path", "/a", NAME)
    yield parameter(uriparse.building.to_path, "uri", "file:///a")
    yield parameter(uriparse.building.to_path, "hosts", ["h"], OTHER, LISTS, uri="file:///a")
    yield Parameter(
        uriparse.building.to_path, "a host", "h",
        inside(uriparse.building.to_path, "hosts", uri="file:///a"),
    )  # fmt: skip


def for_cached(function, call):
    for name, good in {"localhost": "cache:80", "version": "2.9"}.items():
        yield Parameter(function, name, good, by(call, name), NAME)


PARAMETERS = [
    *for_matcher(grammar.matcher), *for_matcher(grammar.bytes_matcher),
    *for_matcher(grammar.rule_name), *for_matcher(grammar.dispatch),
    *(
        Parameter(
            scheme_from_abnf,
            name,
            good,
            by(scheme_from_abnf, name, **OWN_SCHEME, record=ZURI),
            NAME,
        )
        for name, good in OWN_SCHEME.items()
    ),
    parameter(grammar.rule_expressions, "grammar", "rfc3987", NAME), *for_matcher(pattern),
    parameter(pattern, "flavour", "re2", NAME, rule="scheme"),
    parameter(grammar.charset, "name", "pchar", NAME),
    parameter(grammar.charset, "grammar", "rfc3986", NAME, name="pchar"),
    parameter(uriparse.rules, "grammar", "rfc3987", NAME),
    parameter(grammar.start_rule, "grammar", "rfc3987", NAME),
    # parsing
    *for_parser(parse), *for_parser(uriparse.try_parse), *for_parser(uriparse.is_valid),
    *for_parser(uriparse.parse_tree),
    parameter(uriparse.parse_tree, "detail", "full", NAME, text="a"),
    parameter(uriparse.transform, "text", "a", NAME, NONE, tree=uriparse.parse_tree("a")),
    parameter(uriparse.transform, "grammar", "rfc3986", NAME, NONE, tree=uriparse.parse_tree("a")),
    Parameter(diagnose, "text", "a b", lambda v: str(diagnose(v))),
    Parameter(diagnose, "rule", "URI", lambda v: str(diagnose("a b", v)), NAME),
    Parameter(diagnose, "grammar", "rfc3986", lambda v: str(diagnose("a b", "URI", v)), NAME),
    Parameter(find_remedy, "rule", "URI", lambda v: find_remedy(diagnose("a b"), v), NAME),
    Parameter(find_remedy, "grammar", "rfc3986", lambda v: find_remedy(diagnose("a b"), "URI", v),
              NAME),
    Parameter(parsing.as_reference, "reference", HTTP, parsing.as_reference),
    # records
    *(one for name in COMPONENTS for one in for_component(name)),
    *(one for kind in HOSTS for one in for_host(kind)),
    *(Parameter(kind, "text", text, kind) for kind, text in TEXTS.items()),
    parameter(URI, "scheme", "x", NAME, NONE), parameter(URI, "path", "/", NAME, scheme="x"),
    parameter(URI, "port", "8", NAME, PORTS, scheme="x", host="h"),
    parameter(URI, "grammar", "rfc3987", NAME, scheme="x"),
    Parameter(URI, "grammar", "rfc3987", lambda v: URI("x:", grammar=v), NAME),
    Parameter(URIReference.resolve, "reference", "a", parse(HTTP).resolve),
    Parameter(URIReference.normalize, "level", "scheme", parse(HTTP).normalize, NAME),
    parameter(RelativeRef, "query", "x", NAME, NONE),
    parameter(RelativeRef, "grammar", "rfc3987", NAME),
    parameter(Authority, "userinfo", "u", NAME, NONE, host="h"),
    parameter(Authority, "host", "h", OTHER, userinfo=None),
    parameter(Authority, "port", "8", NAME, PORTS, userinfo=None, host="h"),
    parameter(Authority, "grammar", "rfc3987", NAME, userinfo=None, host="h"),
    # whatwg
    parameter(whatwg.parse, "text", HTTP),
    parameter(whatwg.parse, "base", HTTP, TEXT, NONE, text="a"),
    parameter(whatwg.can_parse, "text", HTTP),
    parameter(whatwg.can_parse, "base", HTTP, TEXT, NONE, text="a"),
    parameter(whatwg.join, "base", HTTP, TEXT, NONE, href=HTTP),
    parameter(whatwg.join, "href", "a", base=HTTP),
    parameter(whatwg.form_pairs, "text", "a=b", DATA),
    Parameter(whatwg.form_urlencoded, "name", "a", lambda v: whatwg.form_urlencoded([(v, v)])),
    # percent
    parameter(uriparse.quote, "data", "a b", DATA, component="path"),
    parameter(uriparse.quote, "component", "path", NAME, data="a/"),
    parameter(uriparse.quote, "encoding", "latin-1", NAME, data="é", component="path"),
    parameter(uriparse.unquote, "text", "a%41"),
    parameter(uriparse.unquote, "encoding", "latin-1", NAME, text="%E9"),
    parameter(uriparse.unquote_to_bytes, "text", "a%41"),
    parameter(uriparse.unquote_to_bytes, "encoding", "latin-1", NAME, text="é"),
    parameter(uriparse.query_pairs, "reference", "?a=b", TEXT, NONE),
    parameter(uriparse.query_pairs, "query", "a=b", TEXT, NONE),
    parameter(uriparse.query_pairs, "separator", ";", NAME, query="a=b"),
    parameter(uriparse.query_pairs, "errors", "replace", NAME, query="a=b"),
    # resolution
    parameter(uriparse.resolve, "base", "x://h/a", TEXT, NONE, reference="g"),
    parameter(uriparse.resolve, "reference", "g", base="x://h/a"),
    parameter(uriparse.relativize, "base", "x:a", target="x:b"),
    parameter(uriparse.relativize, "target", "x:a", base="x:b"),
    parameter(resolution.reference_kind, "reference", "/a"),
    parameter(resolution.is_absolute_uri, "reference", "x:a"),
    parameter(uriparse.resolution.complete_suffix_reference, "text", "www.a.b"),
    parameter(uriparse.resolution.merge, "base", "x://h/a", path="g"),
    parameter(uriparse.resolution.merge, "path", "g", base="x://h/a"),
    parameter(uriparse.remove_dot_segments, "path", "/a/../b"),
    parameter(uriparse.resolution.trace_dot_segments, "path", "/a/../b"),
    parameter(uriparse.base_uri, "embedded", "x:a", TEXT, NONE),
    parameter(uriparse.base_uri, "enclosing", "x:a", TEXT, (*NONE, *LISTS)),
    parameter(uriparse.base_uri, "retrieval", "x:a", TEXT, (*NONE, *LISTS)),
    Parameter(uriparse.base_uri, "default base", "x:a", by(uriparse.base_uri, "default"), TEXT,
              NONE),
    Parameter(uriparse.base_uri, "enclosing", "x:a", inside(uriparse.base_uri, "enclosing"), TEXT,
              NONE),
    Parameter(uriparse.base_uri, "retrieval URI", "x:a", inside(uriparse.base_uri, "retrieval")),
    parameter(base.html_base, "markup", "<base href='a'>"),
    Parameter(resolution.find_links, "document", "<a href=a>",
              lambda value: [*resolution.find_links(value)]),
    parameter(resolution.find_links, "markup", "html", NAME, document="<a href=a>"),
    parameter(base.mime_base, "heading", MESSAGE, OTHER, (dict,)),
    parameter(base.enclosing_bases, "message", MESSAGE, OTHER, part=MESSAGE),
    # IRIs and comparison
    parameter(uriparse.iri_to_uri, "iri", HTTP), parameter(uriparse.uri_to_iri, "uri", HTTP),
    parameter(uriparse.normalization.compose_characters, "reference", HTTP),
    parameter(uriparse.normalize, "reference", HTTP),
    parameter(uriparse.normalize, "level", "scheme", NAME, reference=HTTP),
    parameter(uriparse.normalize, "schemes", {}, OTHER, MAPPING, reference=HTTP, level="scheme"),
    parameter(uriparse.normalize, "passes", [], OTHER, (*NONE, *LISTS), reference=HTTP),
    Parameter(uriparse.normalize, "a pass", str,
              inside(uriparse.normalize, "passes", reference=HTTP), OTHER, (type,)),
    parameter(uriparse.equivalent, "a", HTTP, b=HTTP),
    parameter(uriparse.equivalent, "b", HTTP, a=HTTP),
    parameter(uriparse.equivalent, "base", HTTP, TEXT, NONE, a="a", b="b"),
    parameter(uriparse.equivalent, "level", "syntax", NAME, a="x:a", b="x:%61"),
    parameter(uriparse.equivalent, "schemes", {}, OTHER, MAPPING, a="x:a", b="x:b"),
    parameter(uriparse.equivalent, "registry", uriparse.schemes.CURRENT, OTHER, (dict, *NONE),
              a="x:a", b="x:a"),
    parameter(uriparse.equivalent, "passes", [], OTHER, (*NONE, *LISTS), a="x:a", b="x:a"),
    Parameter(uriparse.equivalent, "a pass", URIReference.parent.fget,
              inside(uriparse.equivalent, "passes", a="x:a", b="x:b"), OTHER, (type,)),
    parameter(lowest_rung, "a", HTTP, b=HTTP), parameter(lowest_rung, "b", HTTP, a=HTTP),
    parameter(lowest_rung, "base", HTTP, TEXT, NONE, a="a", b="b"),
    parameter(lowest_rung, "schemes", {}, OTHER, MAPPING, a="x:a", b="x:b"),
    parameter(is_same_document, "reference", HTTP, base=HTTP),
    parameter(is_same_document, "base", HTTP, TEXT, NONE, reference="a"),
    parameter(is_same_document, "level", "simple", NAME, reference=HTTP, base=HTTP),
    *(parameter(function, "grammar", "rfc3986", NAME, **dict.fromkeys(names.split(), HTTP))
      for names, functions in READERS.items() for function in functions),
    # text
    parameter(redact_text, "text", "see http://u:p@h/", NAME),
    parameter(redact_text, "profile", "oauth", NAME, text="see http://h/?code=a"),
    parameter(uriparse.find_uris, "text", "see http://h/a.", OTHER, LISTS),
    Parameter(uriparse.find_uris, "a piece of text", "x://y", inside(uriparse.find_uris, "text"),
              NAME),
    parameter(uriparse.find_uris, "grammar", "rfc3986", NAME, text="x:y"),
    parameter(uriparse.find_uris, "schemes", "any", OTHER, LISTS, text="x:y"),
    Parameter(uriparse.find_uris, "a name of schemes", "x",
              inside(uriparse.find_uris, "schemes", text="x:y"), NAME),
    parameter(uriparse.find_uris, "limit", 100, OTHER, (int,), text="x:y"),
    # building
    *for_building(),
    # validation
    Parameter(validation.validate, "text", URL, lambda v: validation.validate(v).accepted),
    Parameter(validation.validate, "reading", "whatwg",
              lambda v: validation.validate(URL, reading=v).accepted, NAME),
    parameter(validation.validate, "policy", validation.Policy.outbound(), OTHER, text=URL),
    Parameter(validation.check, "text", URL, lambda v: validation.check(v).host),
    parameter(validation.check, "policy", validation.Policy.outbound(), OTHER, text=URL),
    parameter(validation.is_local_redirect, "reference", "/a", base=URL),
    parameter(validation.is_local_redirect, "base", URL, OTHER, (object,), reference="/a"),
    # RFC 2396
    parameter(rfc2396.resolve, "base", HTTP, reference="b"),
    parameter(rfc2396.resolve, "reference", HTTP, base="x:/a"),
    parameter(rfc2396.resolve, "excess", "remove", NAME, base=HTTP, reference="../.."),
    parameter(rfc2396.resolve, "loophole", "compatible", NAME, base=HTTP, reference="http:a"),
    parameter(rfc2396.resolve, "hierarchical", {"x"}, OTHER, LISTS, base=HTTP, reference="b"),
    parameter(rfc2396.equivalent, "a", HTTP, b=HTTP),
    parameter(rfc2396.equivalent, "b", HTTP, a=HTTP), parameter(rfc2396.normal_form, "uri", HTTP),
    parameter(rfc2396.normal_form, "schemes", {}, OTHER, MAPPING, uri=HTTP),
    parameter(appendix_b.split_reference, "text", HTTP),
    parameter(appendix_b.parse_reference, "text", HTTP),
    parameter(appendix_b.join_reference, "components", appendix_b.split_reference(HTTP), OTHER),
    parameter(relative_path.simplify, "path", "/a/../b"),
    # keys
    parameter(keys.file_name, "key", HTTP),
    parameter(keys.file_name, "longest", 99, OTHER, (int,), key="a"),
    parameter(keys.key_of, "name", "k-a"), parameter(keys.key, "text", HTTP),
    parameter(keys.key, "profile", "wwwoffle", OTHER, text="a"),
    parameter(keys.named_profile, "name", "scheme", NAME),
    parameter(keys.drop_query, "names", ["a"], OTHER, LISTS),
    parameter(keys.drop_query, "prefixes", ["a"], OTHER, LISTS),
    parameter(keys.drop_default_index, "names", ["a"], OTHER, LISTS),
    Parameter(Profile.key, "text", HTTP, PROFILE.key),
    Parameter(Profile.explain, "text", HTTP, PROFILE.explain),
    # WWWOFFLE
    *for_cached(keys.wwwoffle_profile, lambda **o: keys.wwwoffle_profile(**o).key("/a")),
    *for_cached(w.canonicalize, lambda **options: w.canonicalize("/a;b", **options)),
    *for_cached(w.split_url, lambda **options: w.split_url("/a;b", **options)),
    parameter(w.canonicalize, "text", "u:p@h/a", DATA),
    parameter(w.split_url, "text", "u:p@h/a", DATA),
    *(
        parameter(
            w.build_url,
            name,
            "/a" if name == "path" else "a",
            NAME,
            () if name in {"protocol", "host", "path"} else NONE,
            host="h",
            username="u",
        )
        for name in WWWOFFLE
    ),
    parameter(w.build_url, "version", "2.9", NAME, host="h", path="/a;b"),
    parameter(w.build_url, "port", 80, OTHER, (int, *NONE), host="h"),
    *(
        parameter(function, "text", "a=%41&b+/", DATA)
        for function in (
            *(w.decode, w.decode_form, w.encode_form, w.encode_password, w.encode_path),
            *(w.recode_form_args, w.parse_form_args),
        )
    ),
    *(
        parameter(function, "version", "2.9", NAME, text="a")
        for function in (w.decode, w.decode_form, w.encode_path, w.recode_form_args)
    ),
    parameter(w.split_form_args, "text", "a=%41&b"),
    parameter(w.write_form_args, "pairs", [("a", "b")], OTHER, LISTS),
    Parameter(w.write_form_args, "text", "a b", lambda v: w.write_form_args([(v, "b")]), DATA),
    # SQLAlchemy
    parameter(sqlalchemy.quote, "text", "a:b"), parameter(sqlalchemy.unquote, "text", "a%3A"),
    parameter(sqlalchemy.split_engine_url, "text", "d://u:p@h/x"),
    *(
        parameter(
            sqlalchemy.EngineURL,
            name,
            "1",
            OTHER if name == "port" else NAME,
            (int, *NONE) if name == "port" else () if name == "drivername" else NONE,
            drivername="d",
            username="u",
        )
        for name in ENGINE
    ),
]  # fmt: skip
