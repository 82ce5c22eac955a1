"""Laws of finding: what holds for every text."""

import re
from itertools import pairwise

import pytest
from cases import each_case
from hypothesis import assume, given
from hypothesis import strategies as st
from text.documents import HOSTILE, OPTIONS, TEXTS

from uriparse import is_valid
from uriparse.grammar import charset
from uriparse.text import Flag, How, find_uris

BLANK = re.compile(r"[ \t\n\r\f\v]+")
NAMES = st.text(sorted(charset("reg-name") | charset("segment"))).map(lambda text: f"a{text}b")
URIS = NAMES.map(lambda name: f"http://h/{name}?{name}#{name}")
DRESSES = [
    ("<{0}>", How.ANGLE), ("< URL: {0} >", How.ANGLE), ('"{0}"', How.QUOTES), ("{0}", How.BARE),
    ("see {0}, and", How.BARE), ("({0})", How.BARE), ("URL:{0}", How.PREFIX),
]  # fmt: skip


@given(TEXTS, OPTIONS)
def test_what_is_found_stands_there_and_is_derived_by_the_rule(source, options):
    iris = options.get("grammar") == "rfc3987"
    rule = ("absolute-" if options.get("absolute") else "") + ("IRI" if iris else "URI")
    found = list(find_uris(source, **options))
    for find in found:
        start, end = find.span
        assert find.written == source[start:end]
        written = BLANK.sub("", find.written)
        completed = f"http://{written}" if find.how is How.SUFFIX else written
        assert completed == str(find.uri)
        for uri in (find.uri, *find.alternatives):
            assert is_valid(str(uri), rule, grammar=uri.grammar)
        assert find.whole[0] <= start < end <= find.whole[1]
        before = source[:start]
        assert find.line == before.count("\n") + 1
        assert find.column == len(before) - before.rfind("\n")
        if "limit" in options:
            assert end - start <= options["limit"]
    for one, other in pairwise(found):
        assert one.whole[1] <= other.whole[0]


HABITS = frozenset("()'")
"""Marks of which habit, not the grammar, says whether a URI in prose ends there."""


@given(URIS, st.sampled_from(DRESSES))
def test_a_uri_is_found_in_every_dress(uri, dress):
    form, how = dress
    assume(how in {How.ANGLE, How.QUOTES} or HABITS.isdisjoint(uri))
    [find] = find_uris(form.format(uri))
    assert (str(find.uri), find.how) == (uri, how)


@given(URIS, st.integers(1, 40), st.sampled_from(["\n", " \r\n\t", "\n\n"]))
def test_line_breaks_within_brackets_are_undone(uri, width, wrap):
    scheme, rest = uri[:5], uri[5:]
    lines = [rest[at : at + width] for at in range(0, len(rest), width)]
    [find] = find_uris(f"<{scheme}{wrap.join(lines)}>")
    assert str(find.uri) == uri
    assert (Flag.LINE_BREAK in find.flags) == (len(lines) > 1)
    hyphens = any(line.endswith("-") for line in lines[:-1])
    assert (Flag.HYPHEN_LINE_BREAK in find.flags) == hyphens
    assert bool(find.alternatives) == hyphens


@pytest.mark.slow
@each_case("unit", HOSTILE.values())
def test_much_of_it_is_read(unit):
    for find in find_uris(unit * (50_000 // len(unit)), suffixes=True):
        assert find.uri.scheme
