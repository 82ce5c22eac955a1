"""What a reader looks for is found: by few pages, by search, by the table of contents of a page."""

import re

from cases import each_case, tables
from documentation.pages import PAGES, SOURCES

from tools.docs.contents import TABLE, with_contents

TABLES = tables(__file__)

TEXTS = {str(path.relative_to(SOURCES)): path.read_text("utf-8").lower() for path in PAGES}
PLACES = ((r"(?m)^# .*", 15), (r"(?m)^##+ .*", 5), (r".+", 1))
"""Where a word may be, and what it counts there, as Sphinx counts it: title, heading, text."""
SOUGHT = TABLES["sought"]
PAGE = "---\nneeds: x\n---\n\n# Title\n\nText.\n\n## A\n\n## B\n\n```text\n## no\n```\n"


def score(word, text):
    """Return what the best place of a word counts, and how often the page has it."""
    best = [n for place, n in PLACES if any(word in m for m in re.findall(place, text))]
    return max(best, default=0), text.count(word)


def found(sought):
    """Return the pages that have every word, the best first."""
    every = {
        name: [score(word, text) for word in sought.split()]
        for name, text in TEXTS.items()
        if not name.endswith("index.md")
    }
    every = {name: scores for name, scores in every.items() if all(n for n, _ in scores)}
    return sorted(every, key=lambda name: [*map(sum, zip(*every[name], strict=True))], reverse=True)


def test_there_are_few_pages():
    assert 40 < len(PAGES) <= 70


def test_contributing_fits_a_screen_of_sixty_lines():
    shown = re.sub(r"<!--.*?-->\n", "", TEXTS["contributing.md"])
    assert shown.count("\n") <= 60


@each_case(("sought", "page"), [(words, page) for page, all_ in SOUGHT.items() for words in all_])
def test_a_search_ends_at_the_page_of_the_subject(sought, page):
    assert found(sought)[:1] == [page]


def test_a_page_of_three_sections_has_a_table_of_contents_after_its_title():
    longer = f"{PAGE}\n## C\n"
    before, after = with_contents(longer).split(TABLE)
    assert before.endswith("# Title\n")
    assert before + after == longer


LINKED = re.compile(r"\]\((?!https?:|#)([^)#]+\.md)[^)]*\)")
FENCED = re.compile(r"(?ms)^(`{3,}).*?^\1$")


@each_case("path", PAGES)
def test_a_page_leads_onward(path):
    ways = {
        (path.parent / way).resolve()
        for way in LINKED.findall(FENCED.sub("", path.read_text("utf-8")))
    }
    assert ways - {path.resolve()}
