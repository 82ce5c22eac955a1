"""What a reader looks for is found: by few pages, by search, by the table of contents of a page."""

import re

from cases import each_case
from documentation.pages import PAGES, SOURCES

from tools.docs.contents import TABLE, with_contents

TEXTS = {str(path.relative_to(SOURCES)): path.read_text("utf-8").lower() for path in PAGES}
PLACES = ((r"(?m)^# .*", 15), (r"(?m)^##+ .*", 5), (r".+", 1))
"""Where a word may be, and what it counts there, as Sphinx counts it: title, heading, text."""
SOUGHT = {
    "how-to/guard-input.md": [
        "ssrf",
        "allow-list",
        "allow list hosts",
        "presets",
        "policy settings",
        "private network",
        "untrusted input",
        "server-side request forgery",
    ],
    "how-to/urls-of-services.md": [
        "webhook",
        "open redirect",
        "oauth",
        "presigned url",
        "link previews",
    ],
    "how-to/refused-urls.md": ["why refused", "repair"],
    "how-to/fetch.md": ["fetch", "httpx_client", "session library", "aiohttp_session"],
    "how-to/queries.md": [
        "query",
        "query value",
        "tracking parameters",
        "utm_source",
        "query utf-8",
        "plus sign",
    ],
    "how-to/build-urls.md": ["build url", "from_parts"],
    "how-to/compare.md": ["dedupe", "duplicates", "equivalent", "surt"],
    "how-to/redact.md": ["password", "logging", "structlog", "log file"],
    "how-to/resolve-links.md": ["dead links", "base uri document", "relative links"],
    "how-to/find-uris.md": ["find uris", "find text"],
    "how-to/command-line.md": ["pipeline", "filter files"],
    "how-to/columns.md": ["pandas", "polars", "arrow", "duckdb"],
    "how-to/tables.md": ["parquet", "csv"],
    "how-to/clusters.md": ["spark dask", "trillion"],
    "how-to/other-engines.md": ["re2", "ecmascript"],
    "how-to/sqlalchemy.md": ["database", "alembic", "sqlalchemy"],
    "how-to/web-frameworks.md": ["fastapi", "django", "open redirect django"],
    "how-to/pydantic.md": ["pydantic"],
    "how-to/click-and-argparse.md": ["click", "argparse", "typer"],
    "how-to/other-libraries.md": ["jsonschema", "msgspec", "wtforms"],
    "how-to/from-urllib.md": ["urllib.parse", "urlsplit"],
    "how-to/from-yarl.md": ["yarl", "furl", "url objects"],
    "how-to/from-rfc3987.md": ["rfc3986-validator"],
    "how-to/from-trurl.md": ["trurl"],
    "how-to/ship.md": ["pyinstaller", "uvx"],
    "how-to/todays-schemes.md": ["mailto", "file paths"],
    "how-to/own-grammar.md": ["grammar own", "lark grammar"],
    "how-to/check-grammars.md": ["pre-commit", "compare grammars"],
    "how-to/test-a-parser.md": ["test parser", "suite"],
    "how-to/test-operations.md": ["hypothesis", "coverage corpus"],
    "faq.md": [
        "thread",
        "asyncio",
        "glossary",
        "glossary triplet",
        "example.com path",
        "registered domain",
    ],
    "stability.md": ["stable", "deprecation", "free-threaded", "platforms"],
    "security.md": ["vulnerability"],
    "reference/errors.md": ["codes of findings", "messages"],
    "reference/diagrams.md": ["railroad diagrams"],
    "explanation/speed.md": ["speed", "benchmark"],
    "explanation/rfc-and-whatwg.md": ["browser", "whatwg"],
    "explanation/other-parsers.md": ["other parsers wrong"],
    "explanation/agreement.md": ["agreement"],
}
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


def test_shorter_pages_and_lists_of_pages_have_none():
    listing = f"{PAGE}\n## C\n\n```{{toctree}}\n```\n"
    for page in (PAGE, listing, "no title"):
        assert with_contents(page) == page


LINKED = re.compile(r"\]\((?!https?:|#)([^)#]+\.md)[^)]*\)")
FENCED = re.compile(r"(?ms)^(`{3,}).*?^\1$")


@each_case("path", PAGES)
def test_a_page_leads_onward(path):
    ways = {
        (path.parent / way).resolve()
        for way in LINKED.findall(FENCED.sub("", path.read_text("utf-8")))
    }
    assert ways - {path.resolve()}
