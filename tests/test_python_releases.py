"""Supported releases of Python give the same answers, whatever the `re` of some gets wrong."""

from functools import partial

import pytest
from cases import each_case, tables

import uriparse
from uriparse import whatwg
from uriparse.resolution.base import html_base
from uriparse.schemes import RFC1738, parse_url

parse_1994 = partial(parse_url, registry=RFC1738)


def is_valid(text, rule, grammar):
    return uriparse.is_valid(text, rule, grammar=grammar)


def find(text):
    return [str(one.uri) for one in uriparse.find_uris(text, grammar="rfc3987")]


def refused(function):
    def reason(text):
        with pytest.raises(ValueError, match=r"\S") as caught:
            function(text)
        return [type(caught.value).__name__, str(caught.value).partition(":")[0]]

    return reason


CALLS = {
    "is_valid": is_valid, "html_base": html_base, "find": find, "parse_url": refused(parse_1994),
    "whatwg.parse": refused(whatwg.parse),
}  # fmt: skip


@each_case(("call", "values", "answer"), tables(__file__)["answers"])
def test_answers_are_those_of_every_release(call, values, answer):
    assert CALLS[call](*values) == answer
