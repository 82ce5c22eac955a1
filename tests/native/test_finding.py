"""The URIs that the kernel finds in prose are those that Python finds."""

import random
import sys
from contextlib import suppress
from pkgutil import resolve_name

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from text.documents import HOSTILE, OPTIONS, TEXTS

from uriparse import find_uris

finder = resolve_name("uriparse.text.find")

pytestmark = pytest.mark.skipif(finder.kernel is None, reason="there is no C kernel here")

USUAL = ["http://h.d/x", "HTTPS://q", "ftp://u:p@e.f:21/", "http://", *'<>"', *"().,_*s:&;?#@[%"]
USUAL += ["'", "'s", " ", "\n", "  ", "URL:", "url: ", "xurl:", "é", "\u3002", "\U0001f600", "\0"]
USUAL += [
    "a::b ", "x.http:", "news:a.b ", "1", "-", "]", "|", "</a>", " " * 257, "a" * 64, "www.a.b",
]  # fmt: skip
USUAL += ["<http://a/>", '"http://b/"', "(http://c/) ", "\ud800", "a: //", "x:" + "y" * 40, "&amp;"]
USUAL += ["http://", "(http:///", "ftp://?", "#", "a:b:", "ab:c:"]
CHOICES = {
    "grammar": ["rfc3986", "rfc3987"], "schemes": ["plausible", "known", "any", ("note", "HTTP")],
    "suffixes": [False, True], "absolute": [False, True],
    "limit": [1 << 20, 1 << 20, -1, 9, 20, 40],
}  # fmt: skip
MORE = ["(http://h)", "a:" + "é" * 9, "http://h[", "www.a ", ": //", "é:\n", "\0", "\U0001f600.www"]


DRESSES = [
    "{0}", "({0})", "<{0}>", '"{0}"', "<URL:{0}>", "URL:{0}", "{0}.", "{0},", "'{0}'", "*{0}*",
]  # fmt: skip


def both(source, options):
    """Return what is found with the kernel and without it."""
    found = list(find_uris(source, **options))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "kernel", None)
        return found, list(find_uris(source, **options))


def facts(finds):
    return [(find, repr(find), find.written, type(find.uri), find.uri.host) for find in finds]


def agree(source, options, block, batch):
    """Compare what is found in the whole text and in pieces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "_BLOCK", block)
        patch.setattr(finder, "_BATCH", batch)
        found, wanted = both(source, options)
        assert facts(found) == facts(wanted)
        pieces = [source[at : at + block] for at in range(0, len(source), block)]
        assert facts(find_uris(pieces, **options)) == facts(wanted)


@given(TEXTS, OPTIONS, st.integers(1, 50), st.sampled_from([1, 2, 256]))
def test_the_kernel_finds_what_python_finds(source, options, block, batch):
    agree(source, options, block, batch)


@each_case("seed", range(4))
def test_the_kernel_finds_what_python_finds_around_usual_forms(seed):
    chance = random.Random(seed)
    for _ in range(200):
        source = "".join(chance.choices(USUAL, k=chance.randrange(1, 25)))
        options = {name: chance.choice(values) for name, values in CHOICES.items()}
        agree(source, options, chance.randrange(1, 50), chance.choice([1, 2, 256]))


@each_case("unit", [*HOSTILE.values(), *MORE])
@each_case("suffixes", [False, True])
def test_both_find_the_same_in_hostile_texts(unit, suffixes):
    found, wanted = both(unit * 500, {"suffixes": suffixes})
    assert facts(found) == facts(wanted)


def test_python_is_asked_for_unusual_forms_only(monkeypatch):
    text = "".join(f"at 10:30, a::b, é: {dress} \n" for dress in DRESSES)
    asked, colon = [], finder.Scanner._colon
    monkeypatch.setattr(
        finder.Scanner, "_colon", lambda self, at: asked.append(at) or colon(self, at)
    )
    for uri in ("http://h.d/a?b=c&d#e", "FTP://u@[::1]:21/%41"):
        assert len(list(find_uris(text.format(uri)))) == len(DRESSES)
    assert not asked
    assert len(list(find_uris("mailto:a@b.c, <http://a\nb>"))) == len(asked) == 2


def arguments():
    """Return what asks the kernel, and a plan and a state for it."""
    options = finder.Options("rfc3986", finder.patterns("rfc3986"), "plausible", True, False, 99)
    scanner = finder.Scanner(options)
    return scanner._usual.finds, scanner._plan, (True, 0, 0, 0, 1, 0, 0, 0, 9)


def test_a_plan_or_a_state_that_does_not_fit_is_an_error():
    finds, plan, state = arguments()
    text = "é http://h/ é"
    assert len(finds(text, plan, state)[0]) == 1
    assert finds("\ud800", plan, state) is None

    def changed(place, value):
        return (*plan[:place], value, *plan[place + 1 :])

    for given_plan in (changed(0, b""), changed(7, 99)):
        with pytest.raises(ValueError, match="does not fit"):
            finds(text, given_plan, state)
    for octet in (-1, 99):
        with pytest.raises(ValueError, match="does not fit"):
            finds(text, plan, (*state[:7], octet, 9))
    for place in set(range(len(plan) - 2)) - {2}:  # None is a choice there, and flags take all
        with pytest.raises(TypeError):
            finds(text, changed(place, None), state)
    for place, wrong, error in (
        (2, 1, SystemError),
        (3, int, AttributeError),
        (4, (1,) * 10, TypeError),
        (5, (), IndexError),
    ):
        with pytest.raises(error):
            finds("note:x http://h/", changed(place, wrong), state)
    with pytest.raises(TypeError):
        finds(b"http://h/", plan, state)


@each_case("at", range(1, 8))
def test_no_state_harms_the_kernel(at):
    finds, plan, _ = arguments()
    for text in ("é http://h/ é www.a.b ", "http://h/\n" * 3):
        for wrong in (-sys.maxsize, -1, 1, 5, len(text), sys.maxsize):
            for other in (0, 3, 20):
                state = (True, *[other] * (at - 1), wrong, *[other] * (7 - at), 9)
                with suppress(ValueError):
                    assert len(finds(text, plan, state)[0]) <= 3
