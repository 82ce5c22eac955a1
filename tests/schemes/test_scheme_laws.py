"""Laws that hold for every text and every URL."""

import contextlib

import pytest
from hypothesis import given
from rfc1738_urls import equivalent, parse_url
from schemes.corruption import corrupted

from uriparse import URISyntaxError, parse_tree
from uriparse.errors import SchemeError
from uriparse.schemes import RFC1738, GopherURL, OtherURL
from uriparse.schemes.plans import ENDS_A_LINE, FtpPlan, GopherPlan, NntpPlan, access_plan, no_plan


def verdict(text):
    """Judge by trees instead of expressions: the scheme's rule, then the fragment."""
    url, _, fragment = text.partition("#")
    word = url.partition(":")[0].lower()
    rule, own = "genericurl", url
    if word in RFC1738 and ":" in url:
        rule = RFC1738[word].rule
        own = (RFC1738[word].word or word) + url[len(word) :]
    try:
        for part, name in ((own, rule), (fragment, "urlpath")):
            parse_tree(part, name, grammar="rfc1738")
    except URISyntaxError:
        return False
    return True


def attempt(text, **options):
    try:
        return parse_url(text, **options), None
    except SchemeError as error:
        return None, error


@given(corrupted())
def test_trees_and_expressions_agree(text):
    url, error = attempt(text)
    if error is not None and error.cause == "tab":  # B-006: the prose is stricter than the rule
        assert text.lower().startswith("gopher://")
        return
    assert (url is not None) is verdict(text)
    if url is None:
        assert 0 <= error.offset <= len(text)
        assert error.text == text
    else:
        assert str(url) == text
        assert equivalent(url, url)


@given(corrupted())
def test_relaxed_hosts_only_add(text):
    strict, _ = attempt(text)
    relaxed, error = attempt(text, relaxed_host=True)
    if strict is not None:
        assert relaxed == strict
    if relaxed is not None:
        assert str(relaxed) == text
    else:
        assert 0 <= error.offset <= len(text)


@given(corrupted())
def test_a_url_is_never_read_as_of_another_scheme(text):
    """B-001: a URL of a described scheme is one by its own rule, or none."""
    url, _ = attempt(text)
    if url is not None:
        assert isinstance(url, OtherURL) is (url.scheme not in RFC1738)
        assert text[: len(url.scheme)].lower() == url.scheme


@given(corrupted())
def test_no_plan_sends_more_than_it_says(text):
    """L-061: one line a command; in a filled form of Gopher+ alone there are more."""
    url, _ = attempt(text)
    if url is None:
        return
    with contextlib.suppress(SchemeError):
        sends_what_it_says(access_plan(url, email="me@x.y"))


def sends_what_it_says(plan):
    match plan:
        case FtpPlan() | NntpPlan():
            for command in plan.commands:
                assert command.prompt is not None or command.octets.count(b"\r\n") == 1
                assert ENDS_A_LINE.isdisjoint(command.argument or b"")
        case GopherPlan():
            assert plan.request.endswith(b"\r\n")
            is_form = plan.plus is not None and plan.plus.kind == "filled-form"
            assert is_form or ENDS_A_LINE.isdisjoint(plan.request[:-2])


@given(corrupted(), corrupted())
def test_equivalence_is_symmetric(a, b):
    first, _ = attempt(a)
    second, _ = attempt(b)
    if first is not None and second is not None:
        assert equivalent(first, second) is equivalent(second, first)
        if first == second:
            assert equivalent(first, second)


@pytest.mark.parametrize("count", [1, 1000])
def test_tabs_split_a_gopher_path_in_one_way(count):
    """B-003"""
    url = parse_url("gopher://h.d/1" + "%09" * count + "x" * (count - 1))
    assert isinstance(url, GopherURL)
    assert url.search is not None
    assert (url.gopher_plus is None) is (count == 1)
    if count > 1:
        assert url.gopher_plus == "%09" * (count - 2) + "x" * (count - 1)


def test_no_plan_is_an_error_of_its_scheme():
    assert no_plan(parse_url("http://h.d/"), "is http").scheme == "http"
