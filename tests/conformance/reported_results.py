"""What other programs make of URIs with faults that people reported: as in `reported_faults`.

Components, targets and normal forms: first a right function, written from the RFC, then what the
faulty ones do otherwise.
"""

import re
from functools import partial

from conformance.program_mutants import remove_dot_segments as without_dots
from conformance.program_mutants import split

# Components.

NAMES = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
APART = re.compile(
    r"(?s)([^:/?#]+):(?://(?:([^/?#@]*)@)?(\[[^\]]*\]|[^:/?#@]*)(?::([^/?#]*))?)?([^?#]*)"
    r"(?:\?([^#]*))?(?:#(.*))?"
)


def apart(text):
    return dict(zip(NAMES, APART.fullmatch(text).groups(), strict=True))


def apart_by(pattern):
    expression = re.compile(f"(?s){pattern}")
    return lambda text: dict(zip(NAMES, expression.fullmatch(text).groups(), strict=True))


def changed(**functions):
    """Change components after a right split; a function gets the component and all of them."""

    def read(text):
        found = apart(text)
        return found | {name: change(found[name], found) for name, change in functions.items()}

    return read


def emptied(value, _):
    return value or None


def before(text, what):
    return None if text is None else text.partition(what)[0]


COMPONENTS = [
    ("an empty query is none", "google/closure-library#1209", "a:b?", changed(query=emptied)),
    ("an empty fragment is none", "google/closure-library#1209", "a:b#", changed(fragment=emptied)),
    ("no query is an empty one", "xproc/3.0-specification#1145", "a:b", changed(query=lambda v,
     _: v or "")),
    ("an empty host is none", "scala-js/scala-js#2091", "a:///b", changed(host=emptied)),
    ("an empty port is none", "php/php-src#19645", "a://h:/b", changed(port=emptied)),
    ("an empty userinfo is none", "thephpleague/uri#136", "a://@h", changed(userinfo=emptied)),
    ("an empty port belongs to the host", "tkem/uritools#7", "a://h:/b",
     changed(host=lambda v, all_: f"{v}:" if all_["port"] == "" else v)),
    ("an empty port belongs to the path", "nodejs/node-v0.x-archive#2918", "a://h:/b",
     changed(path=lambda v, all_: f"/:{v}" if all_["port"] == "" else v)),
    ("an empty path is a slash", "medialize/URI.js#273", "a://h#b",
     changed(path=lambda v, all_: v or ("/" if all_["host"] is not None else v))),
    ("the userinfo is dropped", "dotnet/corefx#34472", "a://u@h",
     changed(userinfo=lambda *_: None)),
    ("a userinfo without a password is dropped", "oven-sh/bun#33616", "a://u@h",
     changed(userinfo=lambda v, _: v if v and ":" in v else None)),
    ("the host is in small letters", "urllib3/urllib3#911", "a://H", changed(host=lambda v,
     _: v and v.lower())),
    ("the scheme is in small letters", "passy/node-dom-urls#3", "A:b", changed(scheme=lambda v,
     _: v.lower())),
    ("the port is a number", "mrkkrp/modern-uri#28", "a://h:080", changed(port=lambda v,
     _: v and str(int(v)))),
    ("the path is decoded", "lambdaisland/uri#24", "a:%41", changed(path=lambda v, _: re.sub("%41",
     "A", v))),
    ("brackets are not a part of the host", "zendframework/zend-uri#12", "a://[::1]",
     changed(host=lambda v, _: v and v.strip("[]"))),
    ("the query ends at ?", "python-validators/validators#403", "a:?b?c", changed(query=lambda v,
     _: before(v, "?"))),
    ("a ? in the fragment begins the query", "curl/curl#4413", "a:b#c?d",
     apart_by(
     r"([^:/?#]+):(?://(?:([^/?#@]*)@)?(\[[^\]]*\]|[^:/?#@]*)(?::([^/?#]*))?)?([^?]*)(?:\?([^#]*))?(?:#(.*))?")),
    ("an @ in the path ends the userinfo", "derek-watson/jsUri#33", "a://h/b@c",
     apart_by(
     r"([^:/?#]+):(?://(?:([^?#]*)@)?(\[[^\]]*\]|[^:/?#@]*)(?::([^/?#]*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?")),
    ("an @ in the query ends the userinfo", "urllib3/urllib3#815", "a://h?b@c",
     apart_by(
     r"([^:/?#]+):(?://(?:(.*)@)?(\[[^\]]*\]|[^:/?#@]*)(?::([^/?#]*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?")),
    ("the authority ends at a slash alone", "xbmc/xbmc#7326", "a://h?b/c",
     apart_by(
     r"([^:/?#]+):(?://(?:([^/@]*)@)?(\[[^\]]*\]|[^:/@]*)(?::([^/?#]*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?")),
    ("the user ends at a colon", "objectionary/eo#7073", "a://u:p@h", changed(userinfo=lambda v,
     _: before(v, ":"))),
    ("a path ends at ;", "mrkkrp/modern-uri#20", "a:b;c", changed(path=lambda v, _: before(v,
     ";"))),
    ("two slashes in a path are one", "sindresorhus/normalize-url#76", "a://h//b",
     changed(path=lambda v, _: re.sub("//+", "/", v))),
    ("a default port is none", "servo/rust-url#214", "http://h:80/",
     changed(port=lambda v, all_: None if (all_["scheme"], v) == ("http", "80") else v)),
    ("a plus in the query is a space", "guzzle/psr7#831", "a:?b+c", changed(query=lambda v,
     _: v and v.replace("+", " "))),
]  # fmt: skip
"""Fault, report, a text on which it shows, the faulty reader."""


# Resolution.


def merged(base, path):
    if base[1] is not None and not base[2]:
        return "/" + path
    return base[2][: base[2].rfind("/") + 1] + path


def resolved(base, reference, *, dots=without_dots, merge=merged, absolute=None, guard=True,
             query=None, fragment=None, dots_of_uri=None):  # fmt: skip
    """Resolve by section 5.2.2; a path that would be read as an authority gets "/." before it."""
    base, (scheme, authority, path, own, part) = split(base), split(reference)
    if scheme is not None:
        path = (dots_of_uri or dots)(path)
    else:
        if authority is not None:
            path = dots(path)
        else:
            if not path:
                path, own = base[2], base[3] if own is None else own
            elif path.startswith("/"):
                path = (absolute or dots)(path)
            else:
                path = dots(merge(base, path))
            authority = base[1]
        scheme = base[0]
    own = query(base, split(reference), own) if query else own
    part = fragment(base, split(reference), part) if fragment else part
    if guard and authority is None and path.startswith("//"):
        path = "/." + path
    head = f"{scheme}:" + ("" if authority is None else f"//{authority}")
    return head + path + ("" if own is None else f"?{own}") + ("" if part is None else f"#{part}")


def by_stack(path):
    """Remove dots by a list of segments, whose first is the root and can be taken off."""
    kept = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            kept[-1:] = []
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    made = "/".join(kept)
    return "/" + made if path.startswith("/") and not made.startswith("/") else made


def some_times(count):
    """Remove at most so many "..", as an expression of that many does."""

    def remove(path):
        parts = path.split("/..")
        head = "/..".join(parts[: count + 1])
        return without_dots(head) + "".join(f"/..{part}" for part in parts[count + 1 :])

    return remove


def after(change):
    """Change what a right removal of dots gives."""
    return lambda path: change(path, without_dots(path))


BASE = "http://a/b/c/d;p?q"
RESOLUTION = [
    ("the root is taken off", "guzzle/psr7#818", (BASE, "/..//a"), {"dots": by_stack}),
    ("two slashes at the end are one", "fastify/fast-uri#185", (BASE, "/g//"),
     {"dots": after(lambda _, made: re.sub("//+$", "/", made))}),
    ("two slashes are one", "sindresorhus/normalize-url#76", (BASE, "g//h"),
     {"dots": after(lambda _, made: re.sub("//+", "/", made))}),
    ("two slashes that a .. leaves are one", "medialize/URI.js#97", (BASE, "g//../h"),
     {"dots": lambda path: without_dots(re.sub("//+", "/", path))}),
    ("no guard before //", "python-hyper/rfc3986#85", ("a:/b", ".//g"), {"guard": False}),
    ("// after .. is an authority", "php/php-src#22608", ("a:b", "..///g"), {"guard": False}),
    ("two .. at most", "boostorg/url#808", (BASE, "../../../g"), {"dots": some_times(2)}),
    ("three .. at most", "boostorg/url#808", ("a:/b/c/d/e/f", "../../../../g"),
     {"dots": some_times(3)}),
    ("eight .. at most", "boostorg/url#808", ("a://h/1/2/3/4/5/6/7/8/9/0",
     "../../../../../../../../../g"),
     {"dots": some_times(8)}),
    ("no slash is left above the root", "python-hyper/rfc3986#111", (BASE, "/b/../../"),
     {"dots": after(lambda _, made: "" if made == "/" else made)}),
    ("the path goes into the host", "wtetzner/exploding-fish#28", (BASE, "/../../g"),
     {"dots": lambda path: without_dots(path) if not path.startswith("/..") else path[1:]}),
    ("a path that begins without a slash stays so", "python-hyper/rfc3986#84", ("a:b/c", "../g"),
     {"dots": lambda path: without_dots(path) if path.startswith("/") else without_dots(
     "/" + path)[1:]}),
    ("a dot after a name is a segment", "JuliaWeb/URIs.jl#20", (BASE, "g."),
     {"dots": after(lambda path, made: made + "/" if re.search(r"[^/.]\.\.?$", path) else made)}),
    ("dots stay in an absolute path", "fukamachi/quri#51", (BASE, "/./g"),
     {"absolute": lambda path: path}),
    ("dots stay in a URI", "fukamachi/quri#51", (BASE, "http://h/./g"),
     {"dots_of_uri": lambda path: path}),
    ("paths above the root stay", "omar-polo/gmid#12", (BASE, "/../g"),
     {"dots": lambda path: path if path.startswith("/..") else without_dots(path)}),
    (".. at the end leaves no slash", "uriparser/uriparser#92", (BASE, ".."),
     {"dots": after(lambda path, made: made.rstrip("/") or "/" if path.endswith("/..") else made)}),
    (". at the end leaves no slash", "nodejs/node-v0.x-archive#8992", (BASE, "."),
     {"dots": after(lambda path, made: made.rstrip("/") or "/" if path.endswith("/.") else made)}),
    ("the fragment of the base stays after a query", "boostorg/url#920", ("a://h/b#f", "?y"),
     {"fragment": lambda base, _, own: base[4] if own is None else own}),
    ("the query of the base stays after a path", "jsonrainbow/json-schema#948", (BASE, "g"),
     {"query": lambda base, _, own: base[3] if own is None else own}),
    ("the query of the reference is lost", "jsonrainbow/json-schema#951", (BASE, "g?y"),
     {"query": lambda _, reference, own: None if reference[2] else own}),
    ("the query of the base is lost", "jsonrainbow/json-schema#951", (BASE, ""),
     {"query": lambda *given: given[1][3]}),
    ("an empty query is none", "gleam-lang/stdlib#854", (BASE, "g?"),
     {"query": lambda *given: given[2] or None}),
    ("an empty fragment is none", "akka/akka-http#3859", (BASE, "g#"),
     {"fragment": lambda *given: given[2] or None}),
    ("a query alone is merged with the last segment", "boostorg/url#920", (BASE, "?y"),
     "directory"),
    ("dots are removed from the query", "lexbor/lexbor#416", (BASE, "g?y/../x"),
     {"query": lambda *given: given[2] and without_dots("/" + given[2])[1:]}),
    ("dots are removed from the fragment", "lexbor/lexbor#416", (BASE, "g#s/../x"),
     {"fragment": lambda *given: given[2] and without_dots("/" + given[2])[1:]}),
    ("no slash between authority and path", "mirage/ocaml-uri#118", ("a://h", "g"),
     {"merge": lambda base, path: base[2][: base[2].rfind("/") + 1] + path}),
    ("always a slash before a merged path", "mirage/ocaml-uri#118", ("a:b", "g"),
     {"merge": lambda base, path: base[2][: base[2].rfind("/") + 1].rstrip("/") + "/" + path}),
    ("the last segment stays", "mirage/ocaml-uri#118", (BASE, "g"),
     {"merge": lambda base, path: (base[2] if base[2].endswith("/") else base[2] + "/") + path}),
    ("triplets of dots are dots", "boostorg/url#983", (BASE, "%2e%2E/g"),
     {"dots": lambda path: without_dots(re.sub("(?i)%2e", ".", path))}),
    ("the path of the base ends at ;", "tjenkinson/url-toolkit#14", ("a://h/b;c/d", "g"),
     {"merge": lambda base, path: merged((*base[:2], base[2].partition(";")[0]), path)}),
    (".. at the end of the base goes first", "productdevbook/cizgile#8", ("a://h/b/..", "g"),
     {"merge": lambda base, path: merged(
     (*base[:2], without_dots(base[2]) if base[2].endswith("/..") else base[2]), path)}),
    ("%2F in the base is a slash", "lambdaisland/uri#24", ("a://h/b%2Fc", "g"),
     {"merge": lambda base, path: merged((*base[:2], base[2].replace("%2F", "/")), path)}),
]  # fmt: skip
"""Fault, report, base and reference on which it shows, what is different in `resolved`."""


def resolver(changes):
    if changes == "directory":
        return lambda base, reference: resolved(
            base, f"./{reference}" if reference.startswith("?") else reference
        )
    return partial(resolved, **changes)


# Normalization.

FREE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"


def decoded(text, free=FREE, *, upper=True):
    def one(triplet):
        char = chr(int(triplet[0][1:], 16))
        return char if char in free else triplet[0].upper() if upper else triplet[0]

    return text and re.sub("%[0-9A-Fa-f]{2}", one, text)


def normalized(text, *, fold=decoded, host_fold=None, dots=without_dots, query_fold=None,
               fragment_fold=None, small=True, scheme_small=True, guard=True,
               join=None):  # fmt: skip
    """Write the normal form of section 6.2.2 of a URI."""
    scheme, authority, path, query, fragment = split(text)
    if authority is not None:
        login, at, server = authority.rpartition("@")
        server = (host_fold or fold)(server)
        if small:
            server = re.sub("[A-Z](?<!%.)(?<!%..)", lambda one: one[0].lower(), server)
        authority = (fold(login) if login else login) + at + server
    path = dots(fold(path) or "")
    query, fragment = (query_fold or fold)(query), (fragment_fold or fold)(fragment)
    if guard and authority is None and path.startswith("//"):
        path = "/." + path
    found = (scheme.lower() if scheme_small else scheme, authority, path, query, fragment)
    scheme, authority, path, query, fragment = join(*found) if join else found
    head = f"{scheme}:" + ("" if authority is None else f"//{authority}")
    return (
        head
        + path
        + ("" if query is None else f"?{query}")
        + ("" if fragment is None else f"#{fragment}")
    )


ALL = "".join(map(chr, range(128)))
NORMALIZATION = [
    ("triplets of / are decoded", "lambdaisland/uri#24", "a://h/b%2Fc", {"fold": partial(decoded,
     free=FREE + "/")}),
    ("triplets of reserved characters are decoded", "sporkmonger/addressable#589", "a:%3A",
     {"fold": partial(decoded, free=FREE + ":/?#[]@!$&'()*+,;=")}),
    ("triplets of / in the fragment are decoded", "fastify/fast-uri#183", "a:#%2F",
     {"fragment_fold": partial(decoded, free=FREE + "/*")}),
    ("triplets of the query are left alone", "fastify/fast-uri#183", "a:?%2a%41",
     {"query_fold": lambda text: text}),
    ("triplets of the host get small letters", "productdevbook/cizgile#1", "a://%C3%89",
     {"host_fold": lambda text: (decoded(text) or "").replace("%C3", "%c3").replace("%89",
     "%89").replace("%2F", "%2f")}),
    ("no triplet is decoded", "python-hyper/rfc3986#151", "a:%7E", {"fold": partial(decoded,
     free="")}),
    ("digits of triplets stay", "medialab/ural#181", "a:%2f", {"fold": partial(decoded,
     upper=False)}),
    ("triplets of ! are decoded", "python-hyper/rfc3986#151", "a:%21", {"fold": partial(decoded,
     free=FREE + "!")}),
    ("everything is decoded but what is reserved", "Kong/kong#8140", "a:%20",
     {"fold": partial(decoded, free="".join(c for c in ALL if c not in ":/?#[]@!$&'()*+,;=%"))}),
    ("everything is decoded", "cpp-netlib/uri#71", "a:%25", {"fold": partial(decoded, free=ALL)}),
    ("triplets of letters alone are decoded", "curl/curl#16829", "a:%7E", {"fold": partial(decoded,
     free=FREE[:52])}),
    ("triplets of the path are left alone", "curl/curl#16829", "a:%7e",
     {"fold": lambda text: text, "host_fold": decoded, "query_fold": decoded,
     "fragment_fold": decoded}),
    ("triplets are decoded twice", "Kong/kong#8140", "a:%2541",
     {"fold": lambda text: decoded(decoded(text) if text else text, free=FREE + "%")}),
    ("dots stay", "lambdaisland/uri#24", "a://h/b/../c", {"dots": lambda path: path}),
    ("dots are removed before triplets are decoded", "python-hyper/rfc3986#151",
     "a://h/b/%2E%2E/c", "late"),
    ("two slashes are one", "sindresorhus/normalize-url#76", "a://h//b", {"dots": after(lambda _,
     made: re.sub("//+", "/", made))}),
    ("two slashes at the end are one", "fastify/fast-uri#185", "a://h/b//",
     {"dots": after(lambda _, made: re.sub("//+$", "/", made))}),
    ("the root is taken off", "guzzle/psr7#818", "a://h/..//b", {"dots": by_stack}),
    ("no guard before //", "boostorg/url#396", "a:/.//b", {"guard": False}),
    ("a dot after a name is a segment", "JuliaWeb/URIs.jl#20", "a://h/b.",
     {"dots": after(lambda path, made: made + "/" if re.search(r"[^/.]\.\.?$", path) else made)}),
    ("an empty query is dropped", "gleam-lang/stdlib#854", "a:b?",
     {"query_fold": lambda text: decoded(text) or None}),
    ("an empty fragment is dropped", "google/closure-library#1209", "a:b#",
     {"fragment_fold": lambda text: decoded(text) or None}),
    ("the host keeps its letters", "urllib3/urllib3#911", "a://H", {"small": False}),
    ("the scheme keeps its letters", "passy/node-dom-urls#3", "A:b", {"scheme_small": False}),
    ("the path gets small letters", "urllib3/urllib3#911", "a:B",
     {"join": lambda s, a, p, q, f: (s, a, p.lower(), q, f)}),
    ("the userinfo gets small letters", "urllib3/urllib3#911", "a://U@h",
     {"join": lambda s, a, p, q, f: (s, a and a.lower(), p, q, f)}),
    ("the host goes with the path", "wtetzner/exploding-fish#28", "a://h/../b",
     {"dots": lambda path: without_dots(path) if not path.startswith("/..") else path[1:]}),
    ("..b is ..", "medialize/URI.js#264", "a:/b/..c",
     {"dots": lambda path: without_dots(re.sub(r"(^|/)\.\.[^/]+", r"\1..", path))}),
    ("port 80 goes in each scheme", "mediacloud/metadata-lib#72", "https://h:80/",
     {"join": lambda s, a, p, q, f: (s, a and a.removesuffix(":80"), p, q, f)}),
    ("triplets of ' are decoded", "mediacloud/metadata-lib#72", "a:%27",
     {"fold": partial(decoded, free=FREE + "'")}),
    ("the first number of a host goes", "mediacloud/metadata-lib#72", "http://10.2.3.4/",
     {"join": lambda s, a, p, q, f: (s, a and re.sub(r"\A[0-9]+\.", "", a), p, q, f)}),
]  # fmt: skip
"""Fault, report, a URI on which it shows, what is different in `normalized`."""


def normalizer(changes):
    if changes == "late":
        return lambda text: normalized(
            text, fold=lambda part: part, dots=lambda path: decoded(without_dots(path)) or "",
            host_fold=decoded, query_fold=decoded, fragment_fold=decoded,
        )  # fmt: skip
    return partial(normalized, **changes)
