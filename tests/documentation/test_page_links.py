"""Links between built pages are followed, those that lead elsewhere are listed."""

import pytest

from tools.docs import links

PAGE = '<a href="{}">x</a><p id="here there">y</p>'


@pytest.fixture
def pages(tmp_path):
    def make(link):
        (tmp_path / "sub").mkdir()
        (tmp_path / "other page.html").write_text('<h1 id="top">t</h1>', encoding="utf-8")
        page = tmp_path / "sub/page.html"
        page.write_text(PAGE.format(link), encoding="utf-8")
        return [page]

    return make


@pytest.mark.parametrize(
    "link",
    ["#", "#here%20there", "page.html?v=1", "../other%20page.html#top", "https://h/#x", "mailto:a"],
)
def test_links_that_lead_somewhere(pages, link):
    assert links.broken(pages(link)) == []


@pytest.mark.parametrize(("link", "fault"), [
    ("none.html", "the file does not exist"), ("../sub", "the file does not exist"),
    ("#nowhere", "the page has no such anchor"),
    ("../other%20page.html#here", "the page has no such anchor"),
])  # fmt: skip
def test_links_that_lead_nowhere(pages, link, fault):
    (page,) = pages(link)
    assert links.broken([page]) == [f"{page}: {link}: {fault}"]


def test_links_elsewhere_are_listed_once_each(pages):
    assert links.external(pages("https://h/a#x")) == {"https://h/a"}
