"""The garbage collector is paused while long texts are parsed, and no longer."""

import gc

import pytest

from uriparse import parse_tree, parse_url
from uriparse.errors import URIError

LONG = "prospero://h.d/a" + ";a=b" * 3000


def collections():
    return sum(one["collections"] for one in gc.get_stats())


@pytest.fixture(params=[True, False], ids=["collecting", "not collecting"])
def collecting(request):
    """The state of the collector before the call."""
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


def test_its_state_is_restored_after_a_refusal(collecting):
    for text in (LONG, LONG + " "):
        try:
            parse_tree(text, "prosperourl", grammar="rfc1738")
        except URIError:
            assert text.endswith(" ")
        assert gc.isenabled() is collecting


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [lambda: parse_tree(LONG, "prosperourl", grammar="rfc1738"), lambda: parse_url(LONG).fields],
    ids=["parse_tree", "fields"],
)
def test_nothing_is_collected_while_a_long_text_is_parsed(make, collecting):
    make()
    gc.freeze()  # what other tests have left takes seconds to look at
    gc.collect()
    before = collections()
    made = make()
    assert collections() - before <= 1  # when it is held back no more
    assert made
    assert gc.isenabled() is collecting
