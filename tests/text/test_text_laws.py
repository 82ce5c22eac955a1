"""Laws of finding: what holds for every text, however it comes in pieces."""

import re
from itertools import pairwise

import pytest
from cases import each_case
from hypothesis import assume, given
from hypothesis import strategies as st

from uriparse import is_valid
from uriparse.grammar import charset
from uriparse.text import Flag, How, find_uris
from uriparse.text import find as finder
from uriparse.text.find import Options, Scanner
from uriparse.text.patterns import patterns

ATOMS = [
    *(
        "http://h.d",
        "http:",
        "//",
        "h",
        "<",
        ">",
        '"',
        "URL:",
        "url: ",
        " ",
        "\n",
        "\r\n",
        "-\n",
        "-",
    ),
    *(
        "ftp://a@b/c",
        "www.x.y",
        "WWW.",
        ".",
        ",",
        "(",
        ")",
        "'",
        "[",
        "]",
        "[::1]",
        "%41",
        "%",
        "%zz",
    ),
    *(
        "#f",
        "?q",
        "@",
        ":",
        "80",
        "note:",
        "news:*",
        "mailto:a@b",
        "\u00e9",
        "\u3002",
        "\u65e5",
        "\u2019",
    ),
    *(
        "*",
        "_",
        "file:///a",
        "x://y",
        ";",
        ",http://z",
        "a",
        "/",
        "\\",
        "{",
        "\t",
        "urn:a:b",
        "tel:1",
    ),
    *("C:/x", "see.http://q", "data:,x", "...", "'s", "  \n\n  ", "\ud800", "\0", "\U0001f600"),
]

TEXTS = st.lists(st.sampled_from(ATOMS), max_size=40).map("".join) | st.text()
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "grammar": st.sampled_from(["rfc3986", "rfc3987"]),
        "schemes": st.sampled_from(["plausible", "known", "any", ("note", "HTTP")]),
        "suffixes": st.booleans(),
        "absolute": st.booleans(),
        "limit": st.integers(0, 40),
    },
)
BLANK = re.compile(r"[ \t\n\r\f\v]+")


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


@given(TEXTS, OPTIONS, st.lists(st.integers(0, 200)), st.integers(1, 50))
def test_pieces_make_no_difference(source, options, cuts, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "_BLOCK", block)
        at = [0, *sorted(cuts), len(source)]
        pieces = [source[first:last] for first, last in pairwise(at)]
        assert list(find_uris(pieces, **options)) == list(find_uris(source, **options))


@given(TEXTS, OPTIONS)
def test_what_uris_of_a_run_share_makes_no_difference(source, options):
    shared = list(find_uris(source, **options))
    run_at = Scanner._run_at

    def anew(scanner, start, body):
        scanner._run = None
        return run_at(scanner, start, body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scanner, "_run_at", anew)
        assert list(find_uris(source, **options)) == shared


NAMES = st.text(sorted(charset("reg-name") | charset("segment"))).map(lambda text: f"a{text}b")
URIS = NAMES.map(lambda name: f"http://h/{name}?{name}#{name}")
HABITS = frozenset("()'")
"""Marks of which habit, not the grammar, says whether a URI in prose ends there."""

DRESSES = [
    ("<{0}>", How.ANGLE),
    ("< URL: {0} >", How.ANGLE),
    ('"{0}"', How.QUOTES),
    ("{0}", How.BARE),
    ("see {0}, and", How.BARE),
    ("({0})", How.BARE),
    ("URL:{0}", How.PREFIX),
]


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


HOSTILE = {
    "brackets": "<",
    "brackets with schemes": "<http://a ",
    "quotes": '"http://a',
    "colons": "a:",
    "schemes": "http://",
    "lists": "http://h,",
    "parentheses": "(http://h/(",
    "prefixes": "URL: ",
    "breaks": "<http://h-\n",
    "suffixes": "www.",
    "one word": "a",
    "spaces": " ",
    "percent signs": "http://h/%",
}


@each_case("unit", HOSTILE.values())
def test_what_is_kept_of_a_stream_is_bounded(unit):
    limit, piece = 2000, 500
    options = Options("rfc3986", patterns("rfc3986"), "plausible", True, False, limit)
    scanner = Scanner(options)
    source = unit * (20_000 // len(unit))
    finds = []
    for at in range(0, len(source), piece):
        finds += scanner.scan(source[at : at + piece], final=False)
        assert len(scanner.kept) <= limit + piece + 1000
    finds += scanner.scan("", final=True)
    assert finds == list(find_uris(source, suffixes=True, limit=limit))


@each_case("unit", HOSTILE.values())
def test_much_of_it_is_read(unit):
    for find in find_uris(unit * (50_000 // len(unit)), suffixes=True):
        assert find.uri.scheme
