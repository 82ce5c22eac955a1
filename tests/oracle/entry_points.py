"""Ways into the library that a single text can take: every public function, every command.

Most of them are the rows of `parameters` and `scheme_parameters`, which take a text of any size.
Here are those that these lack: options that change the way, items by the thousand, records and
what can be asked of them.
"""

from email.message import Message
from functools import partial
from itertools import islice

from oracle.command_entry_points import COMMAND_ENTRY_POINTS
from oracle.entry_point import REFERENCE, EntryPoint, look
from parameters import HTTP, PARAMETERS
from scheme_parameters import PLANS, SCHEME_PARAMETERS

import uriparse as u
from uriparse import URI, keys, schemes
from uriparse.legacy import rfc2396, sqlalchemy
from uriparse.legacy import rfc2396 as appendix_b
from uriparse.legacy import rfc2396 as relative_path
from uriparse.legacy import wwwoffle as w
from uriparse.resolution import base
from uriparse.schemes import plans
from uriparse.schemes.dialects import dialects
from uriparse.validation import Policy, Report, check, is_local_redirect, validate

ABSOLUTE = ("rfc3986", "URI")
IRI = ("rfc3987", "IRI-reference")
QUERY = ("rfc3986", "query")
PATH = ("rfc3986", "path-abempty")
PARTS = {
    **dict.fromkeys(("path", "base", "reference", "relativize"), PATH),
    **dict.fromkeys(("query", "search", "fragment"), QUERY),
    **dict.fromkeys(("host", "authority", "scheme", "userinfo"), ("rfc3986", "authority")),
    **dict.fromkeys(("user", "password", "name", "octets"), ("rfc1738", "fpath")),
}
"""Rules whose words get far, by the name of a parameter."""

SCHEMES = ("ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero")
SCHEME_RULES = {name: f"{name}url" for name in SCHEMES} | {"https": "httpurl", "x": "genericurl"}
FULL = 6
"""A full tree is made of texts that are so much shorter."""

PIECE = 5
"""Characters of an item, where there are many."""

BOTH_WAYS = [f"{way}_{what}" for way in ("refused", "allowed") for what in ("addresses", "names")]
UNLIMITED = {"max_length": None, "max_segments": None, "max_parameters": None}
POLICIES = {
    "syntax": Policy.syntax().replace(**UNLIMITED),
    "outbound": Policy.outbound().replace(**UNLIMITED), "strict": Policy.strict(),
    "web": Policy.web().replace(hosts=[".example.com", "h"], **UNLIMITED),
    "redirect": Policy.redirect("http://h/a").replace(**UNLIMITED),
    "IRI": Policy.web().replace(grammar="rfc3987", **UNLIMITED),
}  # fmt: skip


def pieces(text):
    """Cut a text into many items."""
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def paths(text):
    """Cut a text into many relative references."""
    return [u.quote(piece, "path") for piece in pieces(text)]


def by_parameters():
    """Yield the parameters that may be text."""
    for parameter in (*PARAMETERS, *SCHEME_PARAMETERS):
        if parameter.function is u.resolution.trace_dot_segments:
            yield EntryPoint(parameter.function, "first rows", first_rows, PATH)
        elif isinstance(parameter.good, str):
            yield EntryPoint(
                parameter.function, parameter.name, parameter.call,
                PARTS.get(parameter.name, REFERENCE),
            )  # fmt: skip
        elif isinstance(parameter.good, list) and isinstance((*parameter.good, None)[0], str):
            yield EntryPoint(
                parameter.function, f"{parameter.name} in pieces", in_pieces(parameter.call)
            )


def first_rows(path):
    """Trace some steps: rows are as long as the path, so that all of them are quadratic."""
    return [*islice(u.resolution.trace_dot_segments(path), 50)]


def in_pieces(call):
    return lambda text: call(pieces(text))


def front():
    """Every rule of every grammar, judged, drawn and read."""
    for grammar in u.grammars():
        for rule in u.rules(grammar):
            of = {"rule": rule, "grammar": grammar}
            where = f"{grammar} {rule}"
            yield EntryPoint(u.is_valid, where, bound(u.is_valid, **of), (grammar, rule), share=0.2)
    for grammar, rule in (
        *(REFERENCE, IRI, ("rfc2396", "URI-reference"), ("rfc1738", "genericurl")),
        *(("rfc1738", "ftpurl"), ("rfc1738", "prosperourl"), ("rfc1738", "mailtourl")),
    ):
        of = {"rule": rule, "grammar": grammar}
        where = f"{grammar} {rule}"
        full = bound(u.parse_tree, **of, detail="full")
        yield EntryPoint(u.parse_tree, where, bound(u.parse_tree, **of), (grammar, rule))
        yield EntryPoint(u.parse_tree, f"{where}, full", full, (grammar, rule), FULL)
    for rule in ("IRI", "absolute-IRI", "IRI-reference"):
        of = {"rule": rule, "grammar": "rfc3987"}
        yield EntryPoint(u.parse, rule, bound(u.parse, **of), IRI)
        yield EntryPoint(u.try_parse, rule, bound(u.try_parse, **of), IRI)
    for way in (u.parse, u.try_parse, u.is_valid):
        yield EntryPoint(
            way, "octets", lambda text, way=way: way(text.encode(errors="surrogatepass"))
        )
    yield EntryPoint(u.parse, "URIs", u.parse, ABSOLUTE, share=3, reads=True)
    for kind, rule in (
        *((u.Host, "host"), (u.RegName, "reg-name"), (u.IPv4, "IPv4address")),
        *((u.IPv6, "IP-literal"), (u.IPvFuture, "IP-literal")),
    ):
        yield EntryPoint(kind, rule, kind, ("rfc3986", rule))
    for name in ("path", "query", "authority", "userinfo", "host"):
        change = bound_as(u.parse(HTTP).replace, name)
        yield EntryPoint(u.URIReference.replace, f"{name} of a URI", change, PARTS[name])
    yield EntryPoint(
        URI, "path", lambda text: URI(scheme="x", authority="h", path="/" + text), PATH
    )


def bound(function, **options):
    return lambda text: function(text, **options)


def bound_as(function, name, **options):
    return lambda text: function(**{**options, name: text})


def percent():
    for component in ("path", "query", "userinfo", "fragment", "reg-name"):
        yield EntryPoint(u.quote, component, bound(u.quote, component=component))
    yield EntryPoint(u.quote, "octets", lambda text: u.quote(text.encode(errors="replace"), "path"))
    for codec in ("utf-8", "latin-1", "shift_jis", "utf-16", "utf-7", "idna", "punycode", "cp037"):
        yield EntryPoint(u.quote, codec, bound(u.quote, component="query", encoding=codec))
        yield EntryPoint(u.unquote, codec, bound(u.unquote, encoding=codec), QUERY)
        yield EntryPoint(
            u.unquote_to_bytes, codec, bound(u.unquote_to_bytes, encoding=codec), QUERY
        )
    for name, way in (("plus", {"plus": False}), ("semicolons", {"separator": "&;"})):
        yield EntryPoint(u.query_pairs, name, bound(u.query_pairs, **way))
        yield EntryPoint(
            u.query_pairs, f"query, {name}", bound_as(u.query_pairs, "query", **way), QUERY
        )


def building():
    yield EntryPoint(u.make, "IRI", lambda text: u.make(segments=[text], grammar="rfc3987"), IRI)
    for function in (u.URIReference.with_query, u.URIReference.add_query, u.URIReference.set_query):
        yield EntryPoint(function, "pairs", lambda text, f=function: f(u.parse(HTTP), pairs(text)))
    changes = {
        u.URIReference.set_query: ({"a": "b"},),
        u.URIReference.without_query: ("a",),
        u.redact: (),
    }
    for function, changed in changes.items():
        change = partial(of_query, function, *changed)
        yield EntryPoint(function, "query", change, QUERY)
    yield EntryPoint(
        u.URIReference.with_suffix,
        "path",
        lambda text: u.parse(f"x://h{text}").with_suffix(".a"),
        PATH,
    )
    yield EntryPoint(
        u.building.to_path, "path", lambda text: u.building.to_path(f"file://{text}"), PATH
    )


def pairs(text):
    """Cut a text into many pairs."""
    return [(piece[:2], piece[2:]) for piece in pieces(text)]


def of_query(function, *changed):
    """Call a function for a reference with that query."""
    *changed, text = changed
    return function(u.URIReference.from_parts(query=text), *changed)


def resolution():
    yield EntryPoint(u.resolve, "not strict", lambda text: u.resolve(HTTP, text, strict=False))
    yield EntryPoint(
        u.resolve, "from far below", lambda text: u.resolve(text, "../../x/./y?z"), ABSOLUTE
    )
    yield EntryPoint(u.resolve, "to itself", lambda text: u.resolve(text, text), ABSOLUTE)
    yield EntryPoint(
        u.relativize, "its own child", lambda text: u.relativize(text, text + "/x"), ABSOLUTE
    )
    for name in ("embedded", "enclosing", "retrieval", "default"):
        known = {"retrieval": HTTP} if name == "embedded" else {"default": HTTP}
        yield EntryPoint(u.base_uri, f"{name} known", bound_as(u.base_uri, name, **known))
    yield EntryPoint(
        u.base_uri, "redirects", lambda text: u.base_uri(retrieval=[HTTP, *paths(text)])
    )
    yield EntryPoint(
        u.base_uri, "entities", lambda text: u.base_uri(enclosing=paths(text), default=HTTP)
    )
    href = base.html_base
    yield EntryPoint(href, "href", lambda text: href(f"<base href='{text}'>"))
    yield EntryPoint(href, "markup", href, share=4)
    yield EntryPoint(base.mime_base, "folded", lambda text: base.mime_base(entity(text)))
    yield EntryPoint(base.enclosing_bases, "nested", nested_entities)


def entity(location):
    """Make a MIME entity that states a base."""
    made = Message()
    made["Content-Location"] = location
    return made


def nested_entities(text):
    """Put an entity into an entity for each piece of a text."""
    inner = outer = entity("x")
    for location in paths(text):
        around = entity(location)
        around.attach(outer)
        outer = around
    return base.enclosing_bases(outer, inner)


def as_iri(text):
    return u.parse(text, "IRI-reference", grammar="rfc3987")


def normalization():
    for level in ("syntax", "scheme"):
        yield EntryPoint(u.normalize, level, bound(u.normalize, level=level), share=2)
        yield EntryPoint(
            u.normalize, f"IRI, {level}", lambda t, lv=level: u.normalize(as_iri(t), lv), IRI
        )
    for name in u.normalization.SCHEME_DEFAULTS:
        yield EntryPoint(u.normalize, name, lambda t, s=name: u.normalize(f"{s}://{t}", "scheme"))
    yield EntryPoint(
        u.normalization.compose_characters,
        "IRI",
        lambda text: u.normalization.compose_characters(as_iri(text)),
        IRI,
    )
    yield EntryPoint(
        u.equivalent, "nearly itself", lambda text: u.equivalent(text, text + "x", base=HTTP)
    )
    yield EntryPoint(
        u.schemes.equivalence.lowest_rung,
        "nearly itself",
        lambda text: u.schemes.equivalence.lowest_rung(text, text + "x"),
    )
    yield EntryPoint(
        u.schemes.equivalence.is_same_document,
        "itself",
        lambda text: u.schemes.equivalence.is_same_document(text, text),
    )
    for form in ("{}", "//a.{}/", "//{}"):
        for idna in (False, True):
            yield from mapping(form, idna=idna)


def mapping(form, *, idna):
    """Map IRIs and URIs in which a text has some place."""
    how = f"{form}, idna" if idna else form
    to_uri = bound(u.iri_to_uri, idna=idna)
    to_iri = bound(u.uri_to_iri, idna=idna)
    yield EntryPoint(u.iri_to_uri, how, lambda text: to_uri(as_iri(form.format(text))), IRI)
    yield EntryPoint(u.uri_to_iri, how, lambda text: to_iri(form.format(text)))


def search():
    """Search in texts, by each option and some together."""
    for how, options in {
        "plain": {},
        "suffixes": {"suffixes": True},
        "any scheme": {"schemes": "any"},
        "known schemes": {"schemes": "known", "absolute": True},
        "named schemes": {"schemes": ["http", "x"], "suffixes": True},
        "IRIs": {"grammar": "rfc3987", "suffixes": True},
        "IRIs of any scheme": {"grammar": "rfc3987", "schemes": "any", "absolute": True},
        "limit": {"limit": 100, "suffixes": True},
        "markup": {"html": True},
        "mail": {"mail": True},
        "markup in mail": {"html": True, "mail": True, "suffixes": True},
        "all options": {"suffixes": True, "schemes": "any", "absolute": True},
    }.items():
        yield EntryPoint(u.find_uris, how, bound(u.find_uris, **options), share=5)
    yield EntryPoint(u.find_uris, "pieces", in_pieces(u.find_uris))
    yield EntryPoint(u.find_uris, "lines", lambda text: u.find_uris(text.splitlines(keepends=True)))


def typed_urls():
    for name, rule in SCHEME_RULES.items():
        parse = bound(schemes.parse_url, relaxed_host=True, registry=schemes.RFC1738)
        old = bound(schemes.parse_url, registry=schemes.RFC1738)
        of = ("rfc1738", rule)
        yield EntryPoint(schemes.parse_url, f"{name}, RFC 1738", old, of, share=2)
        yield EntryPoint(schemes.parse_url, f"{name}, RFC 1738, relaxed host", parse, of)
        for where in ("{}://{}", "{}://h.d/{}", "{}:{}"):
            yield EntryPoint(
                schemes.parse_url,
                where.format(name, "..."),
                lambda text, where=where, name=name, parse=parse: parse(where.format(name, text)),
            )
        same = bound(u.equivalent, registry=schemes.RFC1738)
        yield EntryPoint(u.equivalent, name, lambda text, same=same: same(text, text + "x"), of)
        yield EntryPoint(plans.access_plan, name, access, of)
    for name, scheme in schemes.CURRENT.items():
        of = (scheme.grammar, scheme.rule)
        yield EntryPoint(schemes.parse_url, name, schemes.parse_url, of, share=2)
        yield EntryPoint(
            u.equivalent, f"{name}, compared", bound_as(u.equivalent, "a", b=f"{name}:"), of
        )
    for plan, url in PLANS.items():
        begun = str(url)[:-1]
        yield EntryPoint(
            plan,
            f"{begun}...",
            lambda text, plan=plan, begun=begun: plan(schemes.parse_url(begun + text)),
        )
    yield EntryPoint(dialects, "compared", lambda text: look(dialects(text).differences), share=2)
    fields = bound_as(schemes.ProsperoURL.from_parts, "fields", host="h", hsoname="n")
    yield EntryPoint(
        schemes.ProsperoURL.from_parts,
        "many fields",
        lambda text: fields([(piece, piece) for piece in pieces(text)]),
    )
    plus = schemes.GopherPlus.of
    yield EntryPoint(plus, "octets", lambda text: plus(text.encode(errors="replace")))
    encoded = schemes.Encoded
    yield EntryPoint(encoded.parts, "placed", lambda text: encoded(text, 0).parts("/"), PATH)


def access(text):
    return plans.access_plan(schemes.parse_url(text), email="a@b", empty_search="keep")


def older_dialects():
    for excess in ("remove", "avoid"):
        yield EntryPoint(
            rfc2396.resolve, excess, lambda t, e=excess: rfc2396.resolve(HTTP, t, excess=e)
        )
    for way in ("compatible", "validating"):
        yield EntryPoint(
            rfc2396.resolve, way, lambda t, v=way: rfc2396.resolve(HTTP, t, loophole=v)
        )
    yield EntryPoint(
        rfc2396.equivalent, "itself", lambda text: rfc2396.equivalent(text, text + "x")
    )
    parts = appendix_b.Components
    yield EntryPoint(
        appendix_b.join_reference,
        "of text",
        lambda text: appendix_b.join_reference(parts("x", text, text, text, text)),
    )
    simple = relative_path.simplify
    yield EntryPoint(simple, "written", lambda t: (simple(t).retained(), simple(t).removed()), PATH)
    profile = keys.wwwoffle_profile()
    for name in ("scheme", "wwwoffle", "surt+drop-tracking+sort-query"):
        yield EntryPoint(keys.key, name, bound(keys.key, profile=name), share=3)
    yield EntryPoint(keys.wwwoffle_profile, "explained", profile.explain)
    long = bound(keys.file_name, longest=10**9)
    yield EntryPoint(keys.file_name, "long", long)
    yield EntryPoint(keys.key_of, "of a long name", lambda text: keys.key_of(long(text)))
    yield EntryPoint(keys.key_of, "k-", lambda text: keys.key_of("k-" + text))
    split = sqlalchemy.split_engine_url
    yield EntryPoint(split, "pg", lambda text: split("pg://" + text))
    yield EntryPoint(sqlalchemy.quote, "lossless", bound(sqlalchemy.quote, lossless=True))
    yield EntryPoint(
        sqlalchemy.EngineURL, "printed", lambda t: sqlalchemy.EngineURL("d", t, t).render()
    )
    kept = {"params": "path", "preserve_encoded_slash": True}
    yield EntryPoint(w.canonicalize, "slashes kept", bound(w.canonicalize, **kept), share=2)
    yield EntryPoint(w.split_url, "slashes kept", bound(w.split_url, **kept))


def validation():
    for name, policy in POLICIES.items():
        rule = IRI if name == "IRI" else REFERENCE
        yield EntryPoint(validate, name, bound(validate, policy=policy), rule, share=3)
        yield EntryPoint(check, name, bound(check, policy=policy), rule)
        yield EntryPoint(Report, name, bound(validate, policy=policy), rule)
    yield EntryPoint(
        is_local_redirect, "reference", lambda text: is_local_redirect(text, HTTP), share=2
    )
    yield EntryPoint(is_local_redirect, "base", lambda text: is_local_redirect("x", text), ABSOLUTE)
    yield EntryPoint(Policy.redirect, "base", Policy.redirect, ABSOLUTE)
    yield EntryPoint(Policy.from_toml, "text", Policy.from_toml)
    for name in ("preset", "grammar", "rule", "refuse", "base", "agreement"):
        yield EntryPoint(
            Policy.from_dict, name, lambda text, name=name: Policy.from_dict({name: text})
        )
    yield EntryPoint(Policy.from_dict, "unknown setting", lambda text: Policy.from_dict({text: 1}))
    for name in ("schemes", "hosts", "ports", *BOTH_WAYS):
        yield EntryPoint(Policy, f"many {name}", in_pieces(bound_as(Policy, name)))
        yield EntryPoint(Policy, f"one of {name}", lambda text, name=name: Policy(**{name: [text]}))
    permits = POLICIES["outbound"].permits
    yield EntryPoint(Policy.permits, "address", permits, ("rfc3986", "IPv6address"))


FUNCTION_WAYS = [
    *(*by_parameters(), *percent(), *building(), *resolution(), *normalization(), *search()),
    *(*typed_urls(), *older_dialects(), *validation()),
]
ENTRY_POINTS = [
    *front(), *(one for way in FUNCTION_WAYS for one in way.and_read()), *COMMAND_ENTRY_POINTS,
]  # fmt: skip
