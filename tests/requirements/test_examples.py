"""What the documents say of a function, each by the examples of one requirement.

A row is a function, its arguments, and what comes of them: a value, or the error that refuses them.
"""

import inspect
import socket
from functools import partial

import pytest
from cases import each_case
from rfc1738_urls import parse_url

import uriparse
from uriparse import (
    ResolutionError,
    SchemeError,
    URISyntaxError,
    base_uri,
    equivalent,
    is_valid,
    normalize,
    parse,
    query_pairs,
    quote,
    redacted,
    remove_dot_segments,
    resolve,
    unquote,
    validate,
)
from uriparse.building import query_string
from uriparse.grammar import charset, rules
from uriparse.iri import to_ascii
from uriparse.legacy import rfc2396, sqlalchemy, wwwoffle
from uriparse.legacy import rfc2396 as appendix_b
from uriparse.legacy.rfc2396 import CurrentDocument, join_reference, split_reference
from uriparse.normalization import is_same_document, lowest_rung
from uriparse.resolution import complete_suffix_reference, merge, trace_dot_segments
from uriparse.resolution.base import html_base
from uriparse.schemes import RFC1738, dialects
from uriparse.schemes.encoding import encode

BASE = "http://a/b/c/d;p?q"
PAGE = "https://www.rfc-editor.org/rfc/rfc3986.html"
canon = wwwoffle.canonicalize


def normal(text, level="syntax"):
    return str(normalize(text, level))


def target(*arguments, **options):
    return str(resolve(*arguments, **options))


def old(reference, base=BASE, **options):
    return str(rfc2396.resolve(base, reference, **options))


def codes(text):
    return {finding.code for finding in validate(text, uriparse.Policy.syntax()).findings}


def warns(text, code):
    return code in codes(text)


def base(**known):
    found = base_uri(**known)
    return str(found), found.source


def field(text, name):
    return getattr(wwwoffle.split_url(text), name)


def part(text, name):
    return getattr(parse(text), name)


def host_kind(text):
    return type(parse(text).host).__name__


def pieces(*components):
    return join_reference(appendix_b.Components(*components))


def found(text):
    return [str(one.uri) for one in uriparse.find_uris(text)]


def trace(path):
    return [tuple(step) for step in trace_dot_segments(path)]


def steps(path):
    return [step for step, _, _ in trace(path)]


def scheme_rung(a, b):
    return equivalent(a, b, "scheme")


EXAMPLES = {
    # WWWOFFLE
    "W-001": [
        (field, ("http://u:p@H:8080/a;b?c", name), value)
        for name, value in {
            "protocol": "http",
            "username": "u",
            "password": "p",
            "host": "h:8080",
            "path": "/a",
            "params": "b",
            "arguments": "c",
            "canonical": "http://u:p@h:8080/a;b?c",
        }.items()
    ],
    "W-002": [(canon, ("http://h/x#frag",), "http://h/x")],
    "W-007": [
        (wwwoffle.encode_form, ("a b",), "a+b"),
        (wwwoffle.encode_path, ("a b",), "a%20b"),
        (wwwoffle.encode_password, ("a b",), "a%20b"),
        (wwwoffle.decode_form, ("a+b",), "a b"),
        (wwwoffle.decode, ("a+b",), "a+b"),
    ],
    "W-012": [
        (canon, ("www.example.com/a",), "http://www.example.com/a"),
        (canon, ("@www.foo.com/",), "http://www.foo.com/"),
        (canon, ("",), "http://localhost:8080/"),
    ],
    "W-014": [(canon, ("www.example.com/a",), "http://www.example.com/a")],
    "W-017": [
        (field, ("ftp://host.com/", "username"), None),
        (field, ("ftp://host.com/", "password"), None),
    ],
    "W-018": [(wwwoffle.encode_password, ("p@ss/w:d",), "p%40ss%2Fw%3Ad")],
    "W-019": [
        (field, ("ftp://Foo%3a:b%40r@h/x", "username"), "Foo:"),
        (field, ("ftp://Foo%3a:b%40r@h/x", "password"), "b@r"),
    ],
    "W-022": [
        (canon, ("/search/?q=a%20b",), "http://localhost:8080/search/?q=a+b"),
        (canon, ("//host/path",), "http://localhost:8080//host/path"),
    ],
    "W-023": [(canon, ("http://WWW.Example.COM/",), "http://www.example.com/")],
    "W-024": [(field, ("http://h:8080/", "host"), "h:8080")],
    "W-026": [
        (canon, ("http://h:80/",), "http://h/"),
        (canon, ("ftp://h:21/x",), "ftp://h/x"),
        (canon, ("https://h:443/",), "https://h/"),
        (canon, ("ftp://h:80/x",), "ftp://h:80/x"),
        (canon, ("https://h:80/",), "https://h:80/"),
        (canon, ("http://h:0080/",), "http://h/"),
    ],
    "W-029": [
        (canon, (f"http://h{given}",), f"http://h{path}")
        for given, path in {
            "/%7Efoo": "/~foo",
            "/%7efoo": "/~foo",
            "/~foo": "/~foo",
            "/%41%42": "/AB",
            "/a b": "/a%20b",
            "/a%20b": "/a%20b",
            "/caf%c3%a9": "/caf%C3%A9",
            "/a%25b": "/a%25b",
            "/a%3fb": "/a%3Fb",
            "/[x]": "/%5Bx%5D",
            "/a@b": "/a%40b",
        }.items()
    ],
    "W-037": [
        (canon, (f"http://h/?{given}",), f"http://h/?{arguments}")
        for given, arguments in {
            "q=a%20b": "q=a+b",
            "q=a b": "q=a+b",
            "q=a+b": "q=a+b",
            "q=a%2bb": "q=a%2Bb",
            "q=a%26b": "q=a%26b",
            "q=a%3db": "q=a%3Db",
            "q=a%3bb": "q=a%3Bb",
            "q=%7efoo": "q=~foo",
            "q=%2f%3A": "q=/:",
            "q=%c3%a9": "q=%C3%A9",
            'q="a"': "q=%22a%22",
            "q='": "q=%27",
            "q=?": "q=?",
            "q=%3f": "q=%3F",
            "q=%": "q=%25",
            "u=http%3A%2F%2Fh%2F%3Fx%3D1%26y%3D2": "u=http://h/%3Fx%3D1%26y%3D2",
        }.items()
    ],
    "W-038": [
        (wwwoffle.recode_form_args, (f"q={form}",), f"q={one}")
        for one in "aZ09!$()*,-./:_|~"
        for form in (one, f"%{ord(one):02X}", f"%{ord(one):02x}")
    ],
    "W-043": [
        (wwwoffle.encode_form, ("http://h.d/x?a=b&c=d e",), "http://h.d/x%3Fa%3Db%26c%3Dd+e")
    ],
    # Spanish page: what is no matter of records
    "E-012": [(encode, ("#",), "%23"), (encode, ("\t\r\n",), "%09%0D%0A")],
    "E-017": [(encode, ("a",), "a"), (encode, ("/;",), "%2F%3B")],
    "E-024": [
        (lambda text: parse_url(text).is_local, (text,), local)
        for text, local in {
            "file://localhost/etc/x": True,
            "file:///etc/x": True,
            "file://h.d/x": False,
            "FILE://LOCALHOST/x": True,
        }.items()
    ],
    "E-025": [
        (host_kind, ("file://D:/Doc/x",), "RegName"),
        (part, ("file://D:/Doc/x", "port"), ""),
        (warns, ("file://D:/Doc/Info/Internet/Index.htm", "file-drive-letter-host"), True),
        (lambda text: parse_url(text).segments[0], ("file:///D:/Doc/x",), "D:"),
    ],
    "E-036": [(warns, ("mailto:user%abc@relay.dom", "mailto-suspicious-escape"), True)],
    "E-037": [(lambda text: parse_url(text).is_retrievable, ("mailto:a@b.c",), False)],
    "E-038": [
        (lambda text: parse_url(text).address, ("mailto:a@b.c?subject=x",), "a@b.c?subject=x"),
        (part, ("mailto:a@b.c?subject=x", "query"), "subject=x"),
    ],
    "E-041": [
        (lambda text: parse_url(text).selector, ("gopher://h.d/1",), ""),
        *(
            (warns, (f"gopher://h.d/0a%{octet}b%09s", "gopher-selector-control-char"), True)
            for octet in ("0A", "0D")
        ),
        (warns, ("gopher://h.d/0ab%09s", "gopher-selector-control-char"), False),
    ],
    "E-049": [(warns, ("nntp://h/g", "not-globally-accessible"), True)],
    "L-004": [
        (
            found,
            ("URL:http://www.acl.lanl.gov/URI/archive/uri-archive.index.html。",),
            ["http://www.acl.lanl.gov/URI/archive/uri-archive.index.html"],
        )
    ],
    # RFC 3986
    "U-001": [(split_reference, ("foo:bar",), ("foo", None, "bar", None, None))],
    "U-007": [(target, (BASE, "http://x/a/../b"), "http://x/b")],
    "U-009": [(quote, (" ", "path"), "%20")],
    "U-010": [(normal, ("http://h/a%2fb",), "http://h/a%2Fb")],
    "U-011": [
        (charset, ("gen-delims",), frozenset(":/?#[]@")),
        (charset, ("sub-delims",), frozenset("!$&'()*+,;=")),
        (charset, ("reserved",), frozenset(":/?#[]@!$&'()*+,;=")),
    ],
    "U-012": [
        (quote, ("&=#/?", "query-value"), "%26%3D%23/?"),
        (query_string, ([("a", "&=#/?")],), "a=%26%3D%23/?"),
        (is_valid, ("http://h/a=b",), True),
    ],
    "U-013": [
        (normal, ("http://h/%7Euser",), "http://h/~user"),
        (normal, ("http://h/%41",), "http://h/A"),
        *((normal, (f"x:a%{ord(one):02X}",), f"x:a{one}") for one in charset("unreserved")),
    ],
    "U-014": [
        (lambda path: [unquote(one) for one in parse(path).segments], ("/a%2Fb/c",), ["a/b", "c"]),
        (normal, ("http://h/%2541",), "http://h/%2541"),
    ],
    "U-015": [
        (quote, ("A", "path"), "A"),
        (quote, ("À", "path"), "%C3%80"),
        (quote, ("\u30a2", "path"), "%E3%82%A2"),
        (quote, (b"X", "path"), "X"),
    ],
    "U-016": [(quote, (b"\xc0", "path"), "%C0"), (quote, ("À", "path"), "%C3%80")],
    "U-018": [
        (part, ("a:////x", "authority"), ""),
        (part, ("a:////x", "path"), "//x"),
        (part, ("a://b", "path"), ""),
    ],
    "U-019": [(normal, ("HTTP://h/",), "http://h/")],
    "U-022": [(part, ("http://h:/", "port"), ""), (normal, ("http://h:/", "scheme"), "http://h/")],
    "U-023": [
        (lambda name: "user" in RFC1738[name].components, ("http",), False),
        (lambda name: "user" in RFC1738[name].components, ("file",), False),
        (lambda name: "port" in RFC1738[name].components, ("file",), False),
        (lambda name: "host" in RFC1738[name].components, ("mailto",), False),
        (lambda name: "host" in RFC1738[name].components, ("news",), False),
        (warns, ("http://u@h/", "userinfo-not-allowed"), True),
    ],
    "U-024": [
        (split_reference, ("http://u@v@h/",), ("http", "u@v@h", "/", None, None)),
        (parse, ("http://u@v@h/",), URISyntaxError),
    ],
    "U-025": [
        (warns, ("ftp://u:p@h/", "password-in-uri"), True),
        (part, ("ftp://@h/", "userinfo"), ""),
        (part, ("ftp://h/", "userinfo"), None),
    ],
    "U-027": [
        (normal, ("http://EXAMPLE.com/",), "http://example.com/"),
        (normal, ("http://[2001:DB8::7]/",), "http://[2001:db8::7]/"),
        (normal, ("http://H%c3%a9/",), "http://h%C3%A9/"),
        (normal, ("http://%48.D/",), "http://h.d/"),
    ],
    "U-028": [(warns, ("http://[v1.a]/", "unknown-ip-literal-version"), True)],
    "U-031": [
        (lambda text: parse(text).host.problems, ("//www.rfc-editor.org",), ()),
        (lambda text: parse(text).host.problems, ("//-h.d",), ("hyphen at an end",)),
        (warns, ("http://-h.d/", "dns-label"), True),
        (warns, ("http://h_h.d/", "host-underscore"), True),
    ],
    "U-032": [
        (warns, ("http:///x", "no-server"), True),
        (warns, ("http://", "no-server"), True),
        (warns, ("file:///x", "no-server"), False),
    ],
    "U-033": [
        (warns, (f"http://{'a.' * 127}aa/", "host-too-long"), True),
        (warns, (f"http://{'a.' * 127}a/", "host-too-long"), False),
    ],
    "U-034": [
        (quote, ("bücher.example", "reg-name"), "b%C3%BCcher.example"),
        (to_ascii, ("bücher.example",), "xn--bcher-kva.example"),
    ],
    "U-035": [(warns, ("http://h:99999/", "port-out-of-range"), True)],
    "U-037": [
        (lambda text: parse(text).segments, ("/name;v=1.1",), ("name;v=1.1",)),
        (normal, ("x:/name;v=1.1",), "x:/name;v=1.1"),
    ],
    "U-038": [
        (
            query_pairs,
            ("?from=en&to=zh-CHS&api-version=3.0",),
            (("from", "en"), ("to", "zh-CHS"), ("api-version", "3.0")),
        ),
        (part, ("http://h/p?a/b?c", "query"), "a/b?c"),
    ],
    "U-039": [
        (part, ("#", "fragment"), ""),
        (part, ("", "fragment"), None),
        (is_valid, ("http://h/#a#b",), False),
    ],
    "U-040": [
        (lambda text: str(uriparse.resolution.reference_kind(text)), ("a:b",), "URI"),
        (lambda text: str(uriparse.resolution.reference_kind(text)), ("./a:b",), "relative-path"),
    ],
    "U-041": [
        (lambda text: str(uriparse.resolution.reference_kind(text)), (text,), kind)
        for text, kind in {
            "//g": "network-path",
            "/g": "absolute-path",
            "g": "relative-path",
            "": "relative-path",
            "?y": "relative-path",
            "#s": "relative-path",
        }.items()
    ],
    "U-042": [
        (part, ("this:that", "scheme"), "this"),
        (part, ("./this:that", "path"), "./this:that"),
        (target, (BASE, "./g:h"), "http://a/b/c/g:h"),
        (
            lambda: str(uriparse.relativize("http://a/b/c/d", "http://a/b/c/this:that")),
            (),
            "./this:that",
        ),
    ],
    "U-043": [
        (is_valid, ("http://a/b", "absolute-URI"), True),
        (is_valid, ("http://a/b#c", "absolute-URI"), False),
    ],
    "U-044": [
        (is_same_document, (f"{PAGE}#section-5.1.1", PAGE), True),
        (is_same_document, ("", PAGE), True),
        (is_same_document, ("#x", PAGE), True),
        (is_same_document, ("x", PAGE), False),
    ],
    "U-045": [
        (
            lambda text: str(complete_suffix_reference(text)),
            ("www.w3.org/Addressing/",),
            "http://www.w3.org/Addressing/",
        ),
        (
            lambda text: complete_suffix_reference(text, base=BASE),
            ("www.w3.org/Addressing/",),
            ResolutionError,
        ),
        (part, ("www.w3.org/Addressing/", "path"), "www.w3.org/Addressing/"),
    ],
    "U-046": [(target, (None, "g"), ResolutionError), (target, (None, "#s"), "#s")],
    "U-047": [
        (lambda: base(retrieval="http://a/b#f"), (), ("http://a/b", "retrieval")),
        (lambda: base(default="//h/x"), (), ResolutionError),
        (
            lambda: base(embedded="sub/", retrieval="http://r/a/b"),
            (),
            ("http://r/a/sub/", "embedded"),
        ),
    ],
    "U-048": [
        (
            lambda: base(
                embedded="http://e/", enclosing="http://p/", retrieval="http://r/", default="d:"
            ),
            (),
            ("http://e/", "embedded"),
        ),
        (
            lambda: base(enclosing="http://p/", retrieval="http://r/", default="http://d/"),
            (),
            ("http://p/", "enclosing"),
        ),
        (lambda: base(retrieval="http://r/", default="d:"), (), ("http://r/", "retrieval")),
        (lambda: base(default="http://d/"), (), ("http://d/", "default")),
        (base, (), ResolutionError),
    ],
    "U-049": [
        (
            lambda: base(enclosing=base_uri(retrieval="http://p/dir/m")),
            (),
            ("http://p/dir/m", "enclosing"),
        ),
        (
            lambda: base(enclosing=[None, "part", None], retrieval="http://p/dir/m"),
            (),
            ("http://p/dir/part", "enclosing"),
        ),
    ],
    "U-050": [
        (lambda: base(retrieval=["http://r1/", "http://r2/x"]), (), ("http://r2/x", "retrieval"))
    ],
    "U-051": [(lambda: base(default="http://d/"), (), ("http://d/", "default"))],
    "U-052": [(part, ("http://a?", "query"), ""), (part, ("http://a", "query"), None)],
    "U-054": [
        *(
            (lambda text, strict: target(BASE, text, strict=strict), (text, strict), result)
            for text, results in {
                "http:g": ("http:g", "http://a/b/c/g"),
                "HTTP:g": ("HTTP:g", "http://a/b/c/g"),
                "http:": ("http:", "http://a/b/c/d;p?q"),
                "http:?y": ("http:?y", "http://a/b/c/d;p?y"),
                "http:#s": ("http:#s", "http://a/b/c/d;p?q#s"),
                "http:/g": ("http:/g", "http://a/g"),
            }.items()
            for strict, result in zip((True, False), results, strict=True)
        )
    ],
    "U-055": [
        (merge, ("http://a", "g"), "/g"),
        (merge, (BASE, "g"), "/b/c/g"),
        (merge, ("a:b", "c"), "c"),
        (target, ("http://127.0.0.1/a/b/c", "/hello/world"), "http://127.0.0.1/hello/world"),
        (target, ("http://127.0.0.1/a/b/c", "hello/world"), "http://127.0.0.1/a/b/hello/world"),
    ],
    "U-056": [
        (
            lambda path: {step for step, _, _ in trace(path)},
            ("../a/./b/../..",),
            {"1", "2A", "2B", "2C", "2E"},
        ),
        (lambda path: [step for step, _, _ in trace(path)], ("..",), ["1", "2D"]),
    ],
    "U-057": [
        (
            trace,
            ("/a/b/c/./../../g",),
            [
                ("1", "", "/a/b/c/./../../g"),
                ("2E", "/a", "/b/c/./../../g"),
                ("2E", "/a/b", "/c/./../../g"),
                ("2E", "/a/b/c", "/./../../g"),
                ("2B", "/a/b/c", "/../../g"),
                ("2C", "/a/b", "/../g"),
                ("2C", "/a", "/g"),
                ("2E", "/a/g", ""),
            ],
        )
    ],
    "U-058": [
        (
            trace,
            ("mid/content=5/../6",),
            [
                ("1", "", "mid/content=5/../6"),
                ("2E", "mid", "/content=5/../6"),
                ("2E", "mid/content=5", "/../6"),
                ("2C", "mid", "/6"),
                ("2E", "mid/6", ""),
            ],
        )
    ],
    "U-059": [
        (remove_dot_segments, (path,), result)
        for path, result in {
            "": "",
            "/": "/",
            ".": "",
            "..": "",
            "./": "",
            "../": "",
            "/.": "/",
            "/..": "/",
            "/./": "/",
            "/../": "/",
            "a/.": "a/",
            "a/..": "/",
            "a/b/..": "a/",
            "a/../b": "/b",
            "//..": "/",
            "/a//..": "/a/",
            "/a//../b": "/a/b",
            "/a/.../b": "/a/.../b",
            "./..": "",
            "/.//a": "//a",
            "/a/..//b": "//b",
            "%2e/a": "%2e/a",
            "/a/%2E%2E/b": "/a/%2E%2E/b",
            "/a;x/../b": "/b",
        }.items()
    ],
    "U-060": [
        (pieces, ("http", "a", "/", "", None), "http://a/?"),
        (pieces, ("http", "a", "/", None, None), "http://a/"),
        (pieces, ("http", "a", "/", None, ""), "http://a/#"),
        (pieces, ("file", "", "/x", None, None), "file:///x"),
        (pieces, (None, None, "g", None, None), "g"),
    ],
    "U-061": [(target, ("a:/b", "/.//c"), "a:/.//c"), (target, ("a:/b", ".//c"), "a:/.//c")],
    "U-062": [
        (lowest_rung, ("http://a.com/", "http://b.com/"), None),
        (equivalent, ("http://a.com/", "http://b.com/"), False),
    ],
    "U-063": [(lambda: equivalent("g", "./g", base=BASE), (), True)],
    "U-064": [
        (lambda: equivalent("http://a/#x", "http://a/#y", ignore_fragment=True), (), True),
        (equivalent, ("http://a/#x", "http://a/#y"), False),
    ],
    "U-065": [
        (equivalent, ("http://h/", b"http://h/", "simple"), True),
        (equivalent, ("http://h/", "HTTP://h/", "simple"), False),
    ],
    "U-066": [
        (normal, ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d",), "example://a/b/c/%7Bfoo%7D"),
        (
            equivalent,
            ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D", "syntax"),
            True,
        ),
        (normal, ("HTTP://www.EXAMPLE.com/",), "http://www.example.com/"),
    ],
    "U-067": [
        (normal, (given,), result)
        for given, result in {
            "http://h/%2e%2e/x": "http://h/x",
            "http://h/a/%2E%2E/b": "http://h/b",
            "http://h/a%2fb": "http://h/a%2Fb",
            "http://h/%e3%82%a2": "http://h/%E3%82%A2",
            "http://U%3a@H/": "http://U%3A@h/",
            "http://example.com/?": "http://example.com/?",
            "http://example.com/#": "http://example.com/#",
            "http://h/a/../../b": "http://h/b",
        }.items()
    ],
    "U-068": [
        (normal, (text, "scheme"), "http://example.com/")
        for text in (
            "http://example.com",
            "http://example.com/",
            "http://example.com:/",
            "http://example.com:80/",
        )
    ],
    "U-069": [
        (normal, (given, "scheme"), result)
        for given, result in {
            "ftp://h:21/x": "ftp://h/x",
            "gopher://h:70/": "gopher://h/",
            "nntp://h:119/g": "nntp://h/g",
            "telnet://h:23": "telnet://h",
            "wais://h:210/d": "wais://h/d",
            "prospero://h:1525/x": "prospero://h/x",
            "https://h:443/": "https://h/",
            "https://h:80/": "https://h:80/",
            "http://h": "http://h/",
            "ftp://h": "ftp://h",
        }.items()
    ],
    "U-070": [
        (scheme_rung, ("http://example.com/?", "http://example.com/"), False),
        (scheme_rung, ("mailto:Joe@Example.COM", "mailto:Joe@example.com"), True),
        (scheme_rung, ("mailto:Joe@example.com", "mailto:joe@example.com"), False),
        (normal, ("http://h/#%2e/../A", "scheme"), "http://h/#./../A"),
    ],
    "U-074": [
        (target, (BASE, "g?y/./x"), "http://a/b/c/g?y/./x"),
        (target, (BASE, "g?y/../x"), "http://a/b/c/g?y/../x"),
        (target, (BASE, "g#s/./x"), "http://a/b/c/g#s/./x"),
        (target, (BASE, "g#s/../x"), "http://a/b/c/g#s/../x"),
    ],
    "U-075": [
        (target, (start, reference), result)
        for start, reference, result in [
            (BASE, "?", "http://a/b/c/d;p?"),
            (BASE, "#", "http://a/b/c/d;p?q#"),
            (BASE, "//g/../h", "http://g/h"),
            (BASE, "g/..", "http://a/b/c/"),
            (BASE, "../../..", "http://a/"),
            (BASE, "g//../h", "http://a/b/c/g/h"),
            (BASE, "http://a/../g", "http://a/g"),
            (BASE, "g:./../h", "g:h"),
            ("http://a", "g", "http://a/g"),
            ("http://a", "../g", "http://a/g"),
            ("http://a", "#s", "http://a#s"),
            ("http://a?q", "", "http://a?q"),
            ("http://a?q", "?y", "http://a?y"),
            ("http://a/b/c/d;p?x/y", "g", "http://a/b/c/g"),
            ("mailto:a@b", "c", "mailto:c"),
            ("mailto:a@b", "#x", "mailto:a@b#x"),
            ("urn:a:b", "../c", "urn:c"),
            ("file:///a/b", "/c", "file:///c"),
            ("file:///a/b", "//h/c", "file://h/c"),
        ]
    ],
    "U-076": [
        (
            split_reference,
            ("http://www.ics.uci.edu/pub/ietf/uri/#Related",),
            ("http", "www.ics.uci.edu", "/pub/ietf/uri/", None, "Related"),
        )
    ],
    "U-077": [
        (split_reference, ("1a:b",), ("1a", None, "b", None, None)),
        (split_reference, ("http://u@v@h/",), ("http", "u@v@h", "/", None, None)),
        (split_reference, ("a#b\nc",), (None, None, "a", None, "b\nc")),
    ],
    # SQLAlchemy
    "S-001": [
        (sqlalchemy.quote, (text,), quoted)
        for text, quoted in {
            "user": "user",
            "p@ss": "p%40ss",
            "a:b@c/d": "a%3Ab%40c%2Fd",
            "": "",
            "a b+c": "a b+c",
            "100%": "100%",
            "é@": "é%40",
        }.items()
    ],
    "S-002": [
        (lambda text: sqlalchemy.quote(text) == wwwoffle.encode_password(text), (text,), True)
        for text in (":", "@", "/", "a:b@c/d")
    ],
    "S-004": [(wwwoffle.encode_path, ("\t",), "%09"), (encode, ("\t",), "%09")],
    # RFC 2396
    "R-001": [(lambda: base(embedded="http://e/", default="d:"), (), ("http://e/", "embedded"))],
    "R-002": [(html_base, ('<base href="http://e/x">',), "http://e/x")],
    "R-003": [
        (
            lambda: base(enclosing="http://p/a", retrieval="http://r/"),
            (),
            ("http://p/a", "enclosing"),
        )
    ],
    "R-004": [
        (lambda: base(retrieval=["http://r1/", "http://r2/x"]), (), ("http://r2/x", "retrieval"))
    ],
    "R-006": [
        (split_reference, ("http://a?",), ("http", "a", "", "", None)),
        (split_reference, ("http://a",), ("http", "a", "", None, None)),
    ],
    "R-008": [(split_reference, ("g;x?y#s",), (None, None, "g;x", "y", "s"))],
    "R-009": [(rfc2396.resolve, (BASE, "#s"), CurrentDocument("s"))],
    "R-010": [(old, ("http://a/../g",), "http://a/../g"), (old, ("g:./../h",), "g:./../h")],
    "R-012": [(old, ("//g",), "http://g"), (old, ("//g/../h",), "http://g/../h")],
    "R-013": [(old, ("/./g",), "http://a/./g"), (old, ("/../g",), "http://a/../g")],
    "R-014": [
        (old, (reference,), result)
        for reference, result in {
            "./../g": "http://a/b/g",
            "g/./h": "http://a/b/c/g/h",
            "g;x=1/./y": "http://a/b/c/g;x=1/y",
            "g;x=1/../y": "http://a/b/c/y",
            "../g": "http://a/b/g",
        }.items()
    ],
    "R-015": [
        (old, (reference,), result)
        for reference, result in {
            "..g": "http://a/b/c/..g",
            "g..": "http://a/b/c/g..",
            ".g": "http://a/b/c/.g",
            "g.": "http://a/b/c/g.",
            "../../../g": "http://a/../g",
        }.items()
    ],
    "R-016": [(old, ("?y",), "http://a/b/c/?y"), (old, ("?",), "http://a/b/c/?")],
    "R-020": [
        (pieces, ("http", "a", "/", "", None), "http://a/?"),
        (pieces, (None, None, "g", None, ""), "g#"),
    ],
    "R-026": [
        (warns, ("gopher://h:25/0x", "cross-protocol-smtp"), True),
        (warns, ("gopher://h:70/0x", "cross-protocol-smtp"), False),
        (warns, ("telnet://192.0.2.16:80/", "reserved-port"), True),
    ],
    "R-028": [
        (warns, ("ftp://u:p@h/", "password-in-uri"), True),
        (warns, ("ftp://u:@h/", "password-in-uri"), False),
        (lambda text: str(redacted(text)), ("ftp://u:p@h/",), "ftp://REDACTED:REDACTED@h/"),
    ],
    # Warnings of RFC 1738
    "L-060": [
        *(
            (warns, ("gopher://h.d:25/0HELO%0D%0A", code), True)
            for code in (
                "non-default-port",
                "reserved-port",
                "cross-protocol-smtp",
                "encoded-protocol-delimiter",
            )
        ),
        (warns, ("http://h.d:8080/", "non-default-port"), True),
        (warns, ("http://h.d:8080/", "reserved-port"), False),
        (warns, ("telnet://192.0.2.16:80/", "reserved-port"), True),
        (warns, ("http://h.d:80/", "non-default-port"), False),
    ],
    "L-033": [(warns, ("gopher://h.d/0a%0Ab", "gopher-selector-control-char"), True)],
    "L-062": [
        (warns, ("ftp://u:p@h.d/", "password-in-uri"), True),
        (warns, ("ftp://u:@h.d/", "password-in-uri"), False),
        (warns, ("ftp://u@h.d/", "password-in-uri"), False),
    ],
    # A text whose page headings have run into its words holds no references.
    "R-029": [
        (
            found,
            ("Standards Track [Page 18]RFC 2396 URI Generic Syntax August 19985.1.1. Base",),
            [],
        ),
        (found, ("August 19986. URI Normalization and Equivalence In many cases,",), []),
    ],
    # How dialects differ
    "D-005": [
        (found, ("<URL:ftp://h.d/x> URL:ftp://h.d/y",), ["ftp://h.d/x", "ftp://h.d/y"]),
        (parse_url, ("URL:ftp://h.d/x",), SchemeError),
        (part, ("URL:ftp://h.d/x", "scheme"), "URL"),
    ],
    "D-008": [(part, ("h.d:80/x", "scheme"), "h.d"), (canon, ("h.d:80/x",), "http://h.d/x")],
    "D-014": [
        (host_kind, ("http://999.1.1.1/",), "RegName"),
        (lambda text: parse_url(text).host.address, ("http://999.1.1.1/",), None),
        (warns, ("http://999.1.1.1/", "ipv4-lookalike"), True),
        (warns, ("http://9.1.1.1/", "ipv4-lookalike"), False),
    ],
    "D-016": [
        (part, ("http://h:/", "port"), ""),
        (normal, ("http://h:/", "scheme"), "http://h/"),
        (canon, ("http://h:/",), "http://h:/"),
    ],
    "D-017": [
        (parse_url, ("http://u@h.d/",), SchemeError),
        (part, ("http://u:p@h.d/", "userinfo"), "u:p"),
        (warns, ("http://u:p@h.d/", "password-in-uri"), True),
        (canon, ("http://u:p%40@h.d/",), "http://u:p%40@h.d/"),
    ],
    "D-022": [
        (lambda text: parse_url(text).segments, ("http://h.d/a;b/c",), ("a;b", "c")),
        (lambda text: parse(text).segments, ("ftp://h.d/a;b",), ("a;b",)),
        (field, ("http://h/a;b?c", "params"), "b"),
    ],
    "D-023": [
        (lambda text: parse_url(text).fpath, ("ftp://h.d/a?b",), "a?b"),
        (part, ("ftp://h.d/a?b", "query"), "b"),
        (field, ("ftp://h.d/a?b", "arguments"), "b"),
    ],
    "D-015": [
        (lambda text: parse_url(text).host, ("file:///x",), None),
        (warns, ("http:///x", "no-server"), True),
    ],
    "D-026": [
        (lambda: scheme_rung("http://h/?", "http://h/"), (), False),
        (canon, ("http://h/?",), "http://h/"),
    ],
    "D-031": [
        (part, ("//host/x", "authority"), "host"),
        (canon, ("//host/x",), "http://localhost:8080//host/x"),
    ],
    "D-033": [
        (target, (BASE, "#s"), "http://a/b/c/d;p?q#s"),
        (old, ("#s",), "(current document)#s"),
    ],
    "D-034": [
        (target, (BASE, "?y"), "http://a/b/c/d;p?y"),
        (old, ("?y",), "http://a/b/c/?y"),
        (lambda: is_valid("?y", "URI-reference", grammar="rfc2396"), (), False),
    ],
    "D-035": [
        (target, (BASE, "/../g"), "http://a/g"),
        (target, (BASE, "http://x/a/../g"), "http://x/g"),
        (old, ("/../g",), "http://a/../g"),
        (old, ("../g",), "http://a/b/g"),
    ],
    "D-036": [
        (target, (BASE, "../../../g"), "http://a/g"),
        (lambda: old("../../../g"), (), "http://a/../g"),
        (lambda: old("../../../g", excess="remove"), (), "http://a/g"),
        (lambda: old("../../../g", excess="avoid"), (), ResolutionError),
    ],
    "D-037": [
        (target, (BASE, "http:g"), "http:g"),
        (lambda: target(BASE, "http:g", strict=False), (), "http://a/b/c/g"),
        (lambda: old("http:g", loophole="compatible"), (), "http://a/b/c/g"),
        (lambda: old("http:g", loophole="validating"), (), ResolutionError),
        (canon, ("http:g",), "http://g/"),
    ],
    "D-038": [
        (target, ("http://a", "g"), "http://a/g"),
        (lambda: old("g", "http://a", literal=True), (), "http://ag"),
    ],
    "D-039": [
        (target, (BASE, ""), "http://a/b/c/d;p?q"),
        (old, ("g",), "http://a/b/c/g"),
        (lambda: "q" in old("?"), (), False),
    ],
    "D-040": [
        (scheme_rung, ("http://h/%7Ea", "http://h/~a"), True),
        (rfc2396.equivalent, ("http://h/%7Ea", "http://h/~a"), False),
        (scheme_rung, ("http://h/%24", "http://h/$"), False),
    ],
    "D-041": [
        (partial(query_pairs, plus=False), ("?a=b+c",), (("a", "b+c"),)),
        (unquote, ("b+c",), "b+c"),
        (wwwoffle.parse_form_args, ("a=b+c",), [("a", "b c")]),
    ],
    "D-042": [
        (normal, ("http://h/a%2Fb",), "http://h/a%2Fb"),
        (canon, ("http://h/a%2Fb",), "http://h/a/b"),
    ],
    "D-043": [
        (normal, ("http://h/%fF",), "http://h/%FF"),
        (canon, ("http://h/%fF",), "http://h/%FF"),
    ],
    "D-044": [
        (encode, ("é",), "%C3%A9"),
        (quote, ("é", "path"), "%C3%A9"),
        (canon, ("http://h/é",), "http://h/%C3%A9"),
        (canon, (b"http://h/\xe9",), "http://h/%E9"),
        (to_ascii, ("é.example",), "xn--9ca.example"),
    ],
    "D-045": [
        *((is_valid, (f"http://h/{one}",), False) for one in "{}|\\^[]`"),
        (canon, ("http://h/a|b?c|d",), "http://h/a%7Cb?c|d"),
    ],
    "D-046": [
        (encode, (":@/%",), "%3A%40%2F%25"),
        (sqlalchemy.quote, (":@/%",), "%3A%40%2F%"),
        (is_valid, ("a:b", "userinfo"), True),
    ],
    "D-047": [
        (lambda text: parse_url(text).kind, ("news:a.b",), "group"),
        (lambda text: parse_url(text).kind, ("news:a@b.c",), "article"),
        (lambda text: parse_url(text).kind, ("news:*",), "all"),
        (part, ("news:a@b.c", "path"), "a@b.c"),
    ],
    "D-048": [
        (lambda text: parse_url(text).selector, ("gopher://h.d/7a%09b",), "a"),
        (part, ("gopher://h.d/7a%09b", "path"), "/7a%09b"),
    ],
    "D-049": [
        (lambda text: parse_url(text).typecode, ("ftp://h.d/x;type=a",), "a"),
        (part, ("ftp://h.d/x;type=a", "path"), "/x;type=a"),
        (field, ("ftp://h.d/x;type=a", "params"), "type=a"),
    ],
    "D-051": [
        (found, ("<http://h.d/a\n  b>",), ["http://h.d/ab"]),
        (found, ("<URL:http://h.d/inter-\nnet>",), ["http://h.d/inter-net"]),
    ],
}
"""By the number of the requirement."""


@each_case("number", EXAMPLES)
def test_examples(number):
    assert EXAMPLES[number]
    for function, arguments, expected in EXAMPLES[number]:
        if inspect.isclass(expected) and issubclass(expected, Exception):
            with pytest.raises(expected):
                function(*arguments)
        else:
            assert function(*arguments) == expected, arguments


def test_nothing_is_looked_up(monkeypatch):
    """U-005: to parse, normalize, resolve, judge or plan is to look at text alone."""

    def refuse(*_, **__):
        raise AssertionError("a connection")

    for name in ("socket", "create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, refuse)
    for text in ("http://localhost/", "ftp://h.d/a", "http://bücher.example/"):
        uriparse.try_parse(text)
        uriparse.validate(text, uriparse.Policy.outbound())
    assert normal("http://localhost/%7e", "scheme") == "http://localhost/~"
    assert target("http://r/a", "../b") == "http://r/b"
    assert dialects.dialects("http://h.d/").agree
    assert uriparse.schemes.access_plan(parse_url("ftp://h.d/a"), email="e").host == "h.d"


def test_the_core_rules_are_there():
    """U-008: the seven that RFC 3986 names, among those of RFC 5234."""
    assert {"ALPHA", "CR", "DIGIT", "DQUOTE", "HEXDIG", "LF", "SP"} <= set(rules("core"))
