"""The parameters of public functions that take text or a name: what each takes, and how."""

from email.message import Message
from functools import partial
from itertools import chain
from pkgutil import resolve_name
from typing import NamedTuple

from cases import tables

import uriparse
from uriparse import (
    URI,
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
from uriparse.legacy import rfc2396
from uriparse.legacy import rfc2396 as appendix_b
from uriparse.legacy import wwwoffle as w
from uriparse.resolution import base
from uriparse.schemes import scheme_from_abnf
from uriparse.schemes.equivalence import is_same_document, lowest_rung
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI

TEXT = "text, ASCII as bytes, or a record"
DATA = "text, octets, or a record"
NAME = "a str alone"
OTHER = "something else"
KINDS = {"TEXT": TEXT, "DATA": DATA, "NAME": NAME, "OTHER": OTHER}

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


TYPES = {"None": type(None), **{kind.__name__: kind for kind in (int, dict, list, tuple, object)}}


def written(path):
    """Make the parameters that are written in the table of a module.

    A row has the function, the name, the good value, the kind, further types, and arguments.
    """
    for function, name, good, kind, takes, fixed in chain(*tables(path).values()):
        types = tuple(TYPES[one] for one in takes)
        yield parameter(resolve_name(function), name, good, KINDS[kind], types, **fixed)


NONE = (type(None),)
PORTS = (int, *NONE)
MAPPING = (dict, *NONE)
LISTS = (list, tuple, dict)
COMPONENTS = {"scheme": "x", "userinfo": "u", "port": "1", "path": "/a", "query": "q"}
COMPONENTS |= {"fragment": "f", "host": "h", "authority": "h"}
HOSTS = {Host: "h", RegName: "h", IPv4: "1.2.3.4", IPv6: "[::1]", IPvFuture: "[v1.a]"}
TEXTS = {URIReference: HTTP, URI: HTTP, RelativeRef: "//h/a"}


class ZURI(GrammarURI):
    """A URI of a scheme of one's own."""

    SCHEME = "z"
    a: object = url_field("a")


OWN_SCHEME = {"name": "z", "abnf": 'z = "z:" a\na = *ALPHA', "rule": "z"}


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
    *written(__file__),
    *for_matcher(grammar.matcher),
    *for_matcher(grammar.bytes_matcher),
    *for_matcher(grammar.rule_name),
    *for_matcher(grammar.dispatch),
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
    *for_matcher(pattern),
    # parsing
    *for_parser(parse),
    *for_parser(uriparse.try_parse),
    *for_parser(uriparse.is_valid),
    *for_parser(uriparse.parse_tree),
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
    Parameter(URI, "grammar", "rfc3987", lambda v: URI("x:", grammar=v), NAME),
    Parameter(URIReference.resolve, "reference", "a", parse(HTTP).resolve),
    Parameter(URIReference.normalize, "level", "scheme", parse(HTTP).normalize, NAME),
    # whatwg
    Parameter(whatwg.form_urlencoded, "name", "a", lambda v: whatwg.form_urlencoded([(v, v)])),
    # resolution
    Parameter(uriparse.base_uri, "default base", "x:a", by(uriparse.base_uri, "default"), TEXT,
              NONE),
    Parameter(uriparse.base_uri, "enclosing", "x:a", inside(uriparse.base_uri, "enclosing"), TEXT,
              NONE),
    Parameter(uriparse.base_uri, "retrieval URI", "x:a", inside(uriparse.base_uri, "retrieval")),
    Parameter(resolution.find_links, "document", "<a href=a>",
              lambda value: [*resolution.find_links(value)]),
    parameter(base.mime_base, "heading", MESSAGE, OTHER, (dict,)),
    parameter(base.enclosing_bases, "message", MESSAGE, OTHER, part=MESSAGE),
    # IRIs and comparison
    Parameter(uriparse.normalize, "a pass", str,
              inside(uriparse.normalize, "passes", reference=HTTP), OTHER, (type,)),
    parameter(uriparse.equivalent, "registry", uriparse.schemes.CURRENT, OTHER, (dict, *NONE),
              a="x:a", b="x:a"),
    Parameter(uriparse.equivalent, "a pass", URIReference.parent.fget,
              inside(uriparse.equivalent, "passes", a="x:a", b="x:b"), OTHER, (type,)),
    *(parameter(function, "grammar", "rfc3986", NAME, **dict.fromkeys(names.split(), HTTP))
      for names, functions in READERS.items() for function in functions),
    # text
    Parameter(uriparse.find_uris, "a piece of text", "x://y", inside(uriparse.find_uris, "text"),
              NAME),
    Parameter(uriparse.find_uris, "a name of schemes", "x",
              inside(uriparse.find_uris, "schemes", text="x:y"), NAME),
    # building
    *for_building(),
    # validation
    Parameter(validation.validate, "text", URL, lambda v: validation.validate(v).accepted),
    Parameter(validation.validate, "reading", "whatwg",
              lambda v: validation.validate(URL, reading=v).accepted, NAME),
    parameter(validation.validate, "policy", validation.Policy.outbound(), OTHER, text=URL),
    Parameter(validation.check, "text", URL, lambda v: validation.check(v).host),
    parameter(validation.check, "policy", validation.Policy.outbound(), OTHER, text=URL),
    # RFC 2396
    parameter(rfc2396.resolve, "hierarchical", {"x"}, OTHER, LISTS, base=HTTP, reference="b"),
    parameter(appendix_b.join_reference, "components", appendix_b.split_reference(HTTP), OTHER),
    # keys
    Parameter(Profile.key, "text", HTTP, PROFILE.key),
    Parameter(Profile.explain, "text", HTTP, PROFILE.explain),
    # WWWOFFLE
    *for_cached(keys.wwwoffle_profile, lambda **o: keys.wwwoffle_profile(**o).key("/a")),
    *for_cached(w.canonicalize, lambda **options: w.canonicalize("/a;b", **options)),
    *for_cached(w.split_url, lambda **options: w.split_url("/a;b", **options)),
    parameter(w.write_form_args, "pairs", [("a", "b")], OTHER, LISTS),
    Parameter(w.write_form_args, "text", "a b", lambda v: w.write_form_args([(v, "b")]), DATA),
]  # fmt: skip
