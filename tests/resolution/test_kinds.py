"""Kinds of references, and the guess for suffix references."""

from __future__ import annotations

import pytest
from cases import each_case

from uriparse.errors import ResolutionError, URISyntaxError
from uriparse.parsing import parse
from uriparse.resolution import (
    ReferenceKind,
    complete_suffix_reference,
    is_absolute_uri,
    reference_kind,
)


@each_case(("text", "kind"), [
    ("a:b", ReferenceKind.URI), ("this:that", ReferenceKind.URI),
    ("./a:b", ReferenceKind.RELATIVE_PATH), ("//g", ReferenceKind.NETWORK_PATH),
    ("//", ReferenceKind.NETWORK_PATH), ("/g", ReferenceKind.ABSOLUTE_PATH),
    ("/", ReferenceKind.ABSOLUTE_PATH), ("g", ReferenceKind.RELATIVE_PATH),
    ("", ReferenceKind.RELATIVE_PATH), ("?y", ReferenceKind.RELATIVE_PATH),
    ("#s", ReferenceKind.RELATIVE_PATH), ("?/", ReferenceKind.RELATIVE_PATH),
])  # fmt: skip
def test_reference_kind(text, kind):
    assert reference_kind(text) is kind
    assert reference_kind(parse(text)) is kind


def test_kinds_are_the_rfcs_words():
    assert {str(kind) for kind in ReferenceKind} == {
        "URI", "network-path", "absolute-path", "relative-path",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "absolute"),
    [("http://a/b", True), ("x:", True), ("http://a/b#c", False), ("x:#", False), ("//a", False)],
)
def test_is_absolute_uri(text, absolute):
    assert is_absolute_uri(text) is absolute


@pytest.mark.parametrize(("text", "uri"), [
    ("www.w3.org/Addressing/", "http://www.w3.org/Addressing/"),
    ("WWW.example.com", "http://WWW.example.com"),
    ("www.example.com:8080/?q#f", "http://www.example.com:8080/?q#f"),
])  # fmt: skip
def test_complete_suffix_reference(text, uri):
    assert complete_suffix_reference(text) == parse(uri)


def test_a_suffix_is_guessed_nowhere_else():
    assert reference_kind("www.w3.org/Addressing/") is ReferenceKind.RELATIVE_PATH
    assert parse("www.example.com:80").scheme == "www.example.com"


@pytest.mark.parametrize("text", ["", "ctv.es", "http://www.w3.org/", "//www.w3.org", "wwww.x"])
def test_what_is_no_suffix_reference(text):
    with pytest.raises(ResolutionError, match=r'^a suffix reference begins with "www\."'):
        complete_suffix_reference(text)


def test_a_base_forbids_guessing():
    with pytest.raises(ResolutionError, match=r"^with a base this is a relative reference"):
        complete_suffix_reference("www.w3.org/", base="http://a/")


def test_a_completed_suffix_must_be_valid():
    with pytest.raises(URISyntaxError):
        complete_suffix_reference("www.exa mple.com")
