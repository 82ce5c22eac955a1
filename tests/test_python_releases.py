"""Supported releases of Python give the same answers, whatever the `re` of some gets wrong."""

from functools import partial

import pytest
from cases import each_case

import uriparse
from uriparse import whatwg
from uriparse.resolution.base import html_base
from uriparse.schemes import RFC1738, parse_url

parse_1994 = partial(parse_url, registry=RFC1738)


def is_valid(text, rule, grammar):
    return uriparse.is_valid(text, rule, grammar=grammar)


def find(text):
    return [str(one.uri) for one in uriparse.find_uris(text, grammar="rfc3987")]


def refused(function, text):
    with pytest.raises(ValueError, match=r"\S") as caught:
        function(text)
    return type(caught.value).__name__, str(caught.value).partition(":")[0]


@each_case(("call", "values", "answer"), [
    (is_valid, ("prospero://host.dom/x;v", "prosperourl", "rfc1738"), False),
    (is_valid, ("prospero://host.dom/x;v=w;u", "prosperourl", "rfc1738"), False),
    (is_valid, ("{", "URI-Template", "rfc6570"), False),
    (is_valid, ("{a.%4}", "URI-Template", "rfc6570"), False),
    (is_valid, ("geo:1,2;a-b;c=%4", "geo-URI", "rfc5870"), False),
    (is_valid, ("sms:+1?a=b&c", "sms-uri", "rfc5724"), False),
    (html_base, ('<base href="http://e/">',), "http://e/"),
    (html_base, ("<!-- - --x --><base href=a>",), "a"),
    (find, ("http://h.d/苹果（x）",), ["http://h.d/苹果"]),
    (refused, (parse_1994, "prospero://host.dom/x;v"), ("SchemeError", "prospero URL, fieldname")),
    (refused, (whatwg.parse, "http://[::1"), ("URLError", "IPv6-unclosed")),
])  # fmt: skip
def test_answers_are_those_of_every_release(call, values, answer):
    assert call(*values) == answer
