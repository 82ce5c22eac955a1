"""The scanner itself: its effort and its memory are bounded, and its short cuts change no result.

Effort is counted by what reads the characters.
"""

import re
import sys
import unicodedata
from copy import copy
from dataclasses import replace
from itertools import pairwise

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from text.documents import HOSTILE, LAYERED, LAYERS, OPTIONS, TEXTS

from uriparse.text import find as finder
from uriparse.text import find_uris
from uriparse.text.candidates import Trim
from uriparse.text.find import Options, Scanner
from uriparse.text.layers import Escapes, Layer, QuotedPrintable, References
from uriparse.text.patterns import checked_schemes, patterns

TABLES = tables(__file__)

PUNCTUATED = st.text("a().'s*_:\u2014\u2019é\U00010100", max_size=60) | st.text(
    "().", max_size=60
).map(lambda text: f"(a{text}b{text}")


class Tally:
    """Counts characters that were looked at."""

    def __init__(self):
        self.looks = 0


class Text(str):
    """A text that counts what its methods read; slices are copied once, and plain."""

    __slots__ = ("tally",)

    def __radd__(self, kept):
        return counted(kept + str(self), self.tally)

    def __getitem__(self, key):
        part = super().__getitem__(key)
        self.tally.looks += len(part)
        return part

    def find(self, sub, start=0, end=sys.maxsize):
        place = super().find(sub, start, end)
        self.tally.looks += (min(end, len(self)) if place < 0 else place + 1) - start
        return place

    def rfind(self, sub, start=0, end=sys.maxsize):
        place = super().rfind(sub, start, end)
        self.tally.looks += min(end, len(self)) - (start if place < 0 else place)
        return place

    def count(self, sub, start=0, end=sys.maxsize):
        self.tally.looks += min(end, len(self)) - start
        return super().count(sub, start, end)


def counted(text, tally):
    """A text whose reading is counted there."""
    result = Text(text)
    result.tally = tally
    return result


class Pattern:
    """An expression that counts what it passes; all that is left where it finds nothing."""

    def __init__(self, pattern, tally):
        self.pattern = pattern
        self.tally = tally

    def match(self, text, start=0, end=sys.maxsize):
        found = self.pattern.match(text, start, end)
        self.tally.looks += 1 if found is None else found.end() - start
        return found

    def search(self, text, start=0, end=sys.maxsize):
        found = self.pattern.search(text, start, end)
        self.tally.looks += (min(end, len(text)) if found is None else found.end()) - start
        return found

    def finditer(self, text, start=0, end=sys.maxsize):
        self.tally.looks += min(end, len(text)) - start
        return self.pattern.finditer(text, start, end)


def looks(text, options):
    """Count the characters looked at until all URIs of a text are found."""
    tally = Tally()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "kernel", None)  # which leaves all but the usual forms to Python
        for name, module in list(sys.modules.items()):
            if name.startswith("uriparse.text."):
                for key, value in vars(module).copy().items():
                    if isinstance(value, re.Pattern):
                        patch.setattr(module, key, Pattern(value, tally))
                    elif isinstance(value, dict):
                        for inner, pattern in value.items():
                            if isinstance(pattern, re.Pattern):
                                patch.setitem(value, inner, Pattern(pattern, tally))
        compiled = copy(patterns(options.grammar))
        for name, value in [*vars(compiled).items()]:
            if isinstance(value, re.Pattern):
                setattr(compiled, name, Pattern(value, tally))
        scanner = Scanner(replace(options, patterns=compiled))
        for _ in scanner.scan(counted(text, tally), final=True):
            pass
    return tally.looks


def options(*, grammar="rfc3986", schemes="plausible", suffixes=True, absolute=False):
    return Options(
        grammar, patterns(grammar), checked_schemes(schemes), suffixes, absolute, 1 << 20
    )


SMALL, LARGE = 3_000, 24_000
"""Beyond what is looked at before and behind a colon at most, 256 characters."""

MOST_GROWTH = 1.3
"""Beyond that of the text."""


def growth(parts, given):
    """By how much more than the text the effort grows, where each part is repeated to fill it."""
    texts = [
        "".join(part * max(1, size // (len(parts) * len(part))) for part in parts)
        for size in (SMALL, LARGE)
    ]
    small, large = (looks(text, given) / len(text) for text in texts)
    return large / max(small, 1)


SHAPES = TABLES["shapes"]


@pytest.mark.slow
@pytest.mark.parametrize("schemes", ["plausible", pytest.param("any", marks=pytest.mark.slow)])
@each_case("parts", SHAPES.values())
def test_effort_grows_with_the_text(parts, schemes):
    assert growth(parts, options(schemes=schemes)) < MOST_GROWTH


ATOMS = TABLES["atoms"]
UNITS = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4).map("".join)
SCANNING = st.builds(
    options, grammar=st.sampled_from(["rfc3986", "rfc3987"]),
    schemes=st.sampled_from(["plausible", "known", "any", ("a", "http")]), suffixes=st.booleans(),
    absolute=st.booleans(),
)  # fmt: skip


@pytest.mark.slow
@given(st.lists(UNITS, min_size=1, max_size=3), SCANNING)
def test_effort_grows_with_any_text(parts, given_options):
    assert growth(parts, given_options) < MOST_GROWTH


LINKED = "see http://www.example.com/a/b?q=x) and (http://h.d/c), or <http://e.f/>. "
"""A URI every few words."""

MOST_CALLS = 82
"""For each URI, calls of functions in C among them."""


def calls(text):
    """Count the functions that are called until all URIs of a text are found."""
    events = []
    sys.setprofile(lambda _, event, __: events.append(event))
    try:
        found = sum(1 for _ in Scanner(options(suffixes=False)).scan(text, final=True))
    finally:
        sys.setprofile(None)
    return events.count("call") + events.count("c_call"), found


@pytest.mark.not_by_lark("of speed: each URI is parsed in Python")
def test_a_uri_in_prose_costs_few_calls(monkeypatch):
    monkeypatch.setattr(finder, "kernel", None)  # with it, several finds cost one
    calls(LINKED)  # what is made once, is
    (some, one), (all_, many) = calls(LINKED), calls(LINKED * 50)
    assert (one, many) == (3, 150)
    assert (all_ - some) / (many - one) <= MOST_CALLS


@given(TEXTS, OPTIONS, st.lists(st.integers(0, 200)), st.integers(1, 50))
def test_pieces_make_no_difference(source, options, cuts, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "_BLOCK", block)
        at = [0, *sorted(cuts), len(source)]
        pieces = [source[first:last] for first, last in pairwise(at)]
        assert list(find_uris(pieces, **options)) == list(find_uris(source, **options))


@given(TEXTS, OPTIONS)
def test_what_uris_of_a_run_share_makes_no_difference(source, options):
    run_at = Scanner._run_at

    def anew(scanner, start, body):
        scanner._run = None
        return run_at(scanner, start, body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "kernel", None)
        shared = list(find_uris(source, **options))
        patch.setattr(Scanner, "_run_at", anew)
        assert list(find_uris(source, **options)) == shared


@pytest.mark.slow
@each_case("unit", HOSTILE.values())
def test_what_is_kept_of_a_stream_is_bounded(unit):
    limit, piece = 2000, 500
    given_options = Options("rfc3986", patterns("rfc3986"), "plausible", True, False, limit)
    scanner = Scanner(given_options)
    source = unit * (20_000 // len(unit))
    finds = []
    for at in range(0, len(source), piece):
        finds += scanner.scan(source[at : at + piece], final=False)
        assert len(scanner.kept) <= limit + piece + 1000
    finds += scanner.scan("", final=True)
    assert finds == list(find_uris(source, suffixes=True, limit=limit))


@given(LAYERED, st.sampled_from(LAYERS), st.lists(st.integers(0, 200)), st.integers(1, 50))
def test_pieces_make_no_difference_in_html_and_mail(source, layers, cuts, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "_BLOCK", block)
        at = [0, *sorted(cuts), len(source)]
        pieces = [source[first:last] for first, last in pairwise(at)]
        assert list(find_uris(pieces, **layers)) == list(find_uris(source, **layers))


@pytest.mark.slow
@each_case(
    "unit",
    ["&amp;", "&", "=3D", "=\n", "=", "a", "http://h/&amp;", "\\/", "\\", "\\u00", "é=C3=A9"],
)
@each_case("decoder", [References, Escapes, QuotedPrintable])
def test_what_is_kept_of_html_and_mail_is_bounded(unit, decoder):
    limit, piece = 2000, 500
    given_options = Options("rfc3986", patterns("rfc3986"), "plausible", False, False, limit)
    layer = Layer(decoder(), Scanner(given_options))
    kept = []
    for _ in range(200):
        list(layer.scan(unit * (piece // len(unit)) + "\n\n", final=False))
        kept.append((len(layer.kept), len(layer._changes)))
    assert max(text for text, _ in kept) <= 12 * limit
    assert max(changes for _, changes in kept) <= 6 * limit


def trimmed(text, start, end, before):
    """Read it from the end, character by character, and count parentheses by hand."""
    if before == "'" and (quote := text.find("'", start, end)) >= 0:
        end = quote
    elif before == "(":
        depth = 0
        for place in range(start, end):
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            if depth < 0:
                end = place
                break
    while end > start:
        last, rest = text[end - 1], text[start:end]
        if last == ")" and rest.count(")") <= rest.count("("):
            break
        if not (
            last in ".,:;!?'()"
            or rest.endswith("'s")
            or (last in "*_~" and last == before)
            or (ord(last) > 127 and unicodedata.category(last) in {"Po", "Pd", "Pf", "Pe"})
        ):
            break
        end -= 1
    return end


@given(PUNCTUATED, st.data())
def test_ends_are_those_of_reading_each_time(text, data):
    trim = Trim(text, 0, len(text))
    for _ in range(8):
        start = data.draw(st.integers(0, len(text)))
        if text[max(start - 1, 0) : start + 1] == "'s":
            continue  # no URI begins within that
        end = data.draw(st.integers(start, len(text)))
        before = data.draw(st.sampled_from(["", "a", "(", "'", "*", "_"]))
        assert trim.trimmed(start, end, before) == trimmed(text, start, end, before)
