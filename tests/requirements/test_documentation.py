"""What is a matter of words: the library says it where it is looked for, and acts accordingly."""

from typing import get_args

import pytest
from paths import ROOT
from rfc1738_urls import parse_url

from uriparse import find_uris
from uriparse.errors import SchemeError
from uriparse.legacy import wwwoffle
from uriparse.schemes import plans
from uriparse.schemes.plans import Operation, ProsperoPlan, prospero_plan

PAGES = [ROOT / "README.md", *(ROOT / "tools/docs").rglob("*.md")]
assert len(PAGES) > 50


def words(documented):
    return " ".join(documented.__doc__.split())


def test_the_rfcs_of_wwwoffle_are_named():
    """W-013"""
    for number in (1738, 1808, 1866, 1945, 2616):
        assert f"RFC {number}" in words(wwwoffle)


def test_why_spaces_are_encoded():
    """E-015: they come and go where text is set, so a raw one is refused and a broken URL whole."""
    with pytest.raises(SchemeError) as caught:
        parse_url("http://h.d/a b")
    assert (caught.value.cause, caught.value.remedy) == ("space", "write %20")
    [found] = find_uris("<URL:http://h.d/a\n    b%20c>")
    assert str(found.uri) == "http://h.d/ab%20c"


def test_only_access_is_described():
    """L-001: what may be done besides is not said by a URL."""
    assert "not what may be done with it" in words(plans)
    assert set(get_args(Operation)) == {"retrieve", "store", "list"}


def test_what_a_url_is_called():
    """C-011: uniform, as the document's title has it, not unified."""
    title = (ROOT / "grammar/rfc1738.abnf").read_text("utf-8").partition("\n")[0]
    assert title.startswith("; Uniform Resource Locators")
    assert "Unified" not in "".join(path.read_text("utf-8") for path in PAGES)


def test_what_a_directory_answers_may_be_of_another_scheme():
    """L-054"""
    assert "perhaps by a URL of another scheme" in words(ProsperoPlan)
    plan = prospero_plan(parse_url("prospero://host.dom//pros/name"))
    assert not hasattr(plan, "commands")


def test_nothing_is_promised_to_stay():
    """L-059, R-025"""
    assert "promise that it will lead to the same thing tomorrow" in words(plans)
    assert "what would be sent, never what will be found" in words(plans)
