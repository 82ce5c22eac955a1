"""What the documents say of a function, each by the examples of one requirement."""

import json
import socket
from operator import attrgetter

import pytest
from cases import each_case
from paths import VECTORS
from rfc1738_urls import parse_url

import uriparse
from uriparse.building import query_string
from uriparse.grammar import charset, rules
from uriparse.iri import to_ascii
from uriparse.legacy import rfc2396, sqlalchemy, wwwoffle
from uriparse.legacy.rfc2396 import join_reference, split_reference
from uriparse.resolution import complete_suffix_reference, merge, reference_kind, trace_dot_segments
from uriparse.resolution.base import html_base
from uriparse.schemes import RFC1738, dialects
from uriparse.schemes.encoding import encode
from uriparse.schemes.equivalence import is_same_document, lowest_rung

BASE = "http://a/b/c/d;p?q"
EXAMPLES = json.loads((VECTORS / "requirement_examples.json").read_text(encoding="utf-8"))
assert EXAMPLES


def normal(text, level="syntax"):
    return str(uriparse.normalize(text, level))


def target(*arguments, **options):
    return str(uriparse.resolve(*arguments, **options))


def old(reference, base=BASE, **options):
    return str(rfc2396.resolve(base, reference, **options))


def warns(text, code):
    findings = uriparse.validate(text, uriparse.Policy.syntax()).findings
    return code in {finding.code for finding in findings}


def base(**known):
    found = uriparse.base_uri(**known)
    return str(found), found.source


def field(text, name):
    return getattr(wwwoffle.split_url(text), name)


def part(text, name):
    return attrgetter(name)(uriparse.parse(text))


def host_kind(text):
    return type(uriparse.parse(text).host).__name__


def pieces(*components):
    return join_reference(rfc2396.Components(*components))


def found(text):
    return [str(one.uri) for one in uriparse.find_uris(text)]


def trace(path):
    return [tuple(step) for step in trace_dot_segments(path)]


def steps(path):
    return sorted({step for step, _, _ in trace(path)})


def url(text, name):
    return attrgetter(name)(parse_url(text))


def unquoted(path):
    return [uriparse.unquote(one) for one in uriparse.parse(path).segments]


def has(scheme, component):
    return component in RFC1738[scheme].components


def kind_of(text):
    return str(reference_kind(text))


def relative(*arguments):
    return str(uriparse.relativize(*arguments))


def suffix(text, **options):
    return str(complete_suffix_reference(text, **options))


def characters(rule):
    return "".join(sorted(charset(rule)))


def inherited(**known):
    return base(enclosing=uriparse.base_uri(**known))


def mask(text):
    return str(uriparse.redact(text))


def old_record(reference):
    return repr(rfc2396.resolve(BASE, reference))


def scheme_rung(a, b):
    return uriparse.equivalent(a, b, "scheme")


# fmt: off
OF_THE_LIBRARY = (
    charset, encode, uriparse.equivalent, html_base, is_same_document, uriparse.is_valid,
        lowest_rung, merge, uriparse.parse,
    uriparse.query_pairs, query_string, uriparse.quote, uriparse.remove_dot_segments,
        split_reference, to_ascii, uriparse.unquote,
    wwwoffle.canonicalize, wwwoffle.decode, wwwoffle.decode_form, wwwoffle.encode_form,
    wwwoffle.encode_password, wwwoffle.encode_path, wwwoffle.parse_form_args,
    wwwoffle.recode_form_args,
)
HERE = (
    base, characters, field, found, has, host_kind, inherited, kind_of, mask, normal, old,
    old_record, part, pieces, relative, scheme_rung, steps, suffix, target, trace, unquoted, url,
    warns,
)
# fmt: on
CALLS = {function.__name__: function for function in (*OF_THE_LIBRARY, *HERE)} | {
    "parse_url": parse_url,
    "rfc2396.equivalent": rfc2396.equivalent,
    "sqlalchemy.quote": sqlalchemy.quote,
}


def argument(value):
    return value["latin1"].encode("latin-1") if isinstance(value, dict) else value


@each_case("number", EXAMPLES)
def test_examples(number):
    assert EXAMPLES[number]
    for call, arguments, expected in EXAMPLES[number]:
        has_options = bool(arguments) and isinstance(arguments[-1], dict)
        options = arguments[-1] if has_options and "latin1" not in arguments[-1] else {}
        values = [argument(one) for one in (arguments[:-1] if options else arguments)]
        if isinstance(expected, dict):
            with pytest.raises(getattr(uriparse, expected["error"])):
                CALLS[call](*values, **options)
        else:
            found = json.loads(json.dumps(CALLS[call](*values, **options), default=str))
            assert found == expected, (call, arguments)


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
    for text in (
        *("gopher://h.d/1a", "nntp://h.d/g", "telnet://h.d", "wais://h.d/db", "prospero://h.d/x"),
        *("http://h.d/", "imap://h.d/box", "ws://h.d/", "news://h.d/*"),
    ):
        for gateways in ({}, {"*": "http://g.d/", "wais": "http://g.d/"}):
            plan = uriparse.schemes.access_plan(uriparse.parse_url(text), gateways=gateways)
            assert plan.host in {"h.d", "g.d"}


def test_the_core_rules_are_there():
    """U-008: the seven that RFC 3986 names, among those of RFC 5234."""
    assert {"ALPHA", "CR", "DIGIT", "DQUOTE", "HEXDIG", "LF", "SP"} <= set(rules("core"))
