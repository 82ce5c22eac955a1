"""What a reader looks for is found: by the table of contents of a page."""

from tools.docs.contents import TABLE, with_contents

PAGE = "---\nneeds: x\n---\n\n# Title\n\nText.\n\n## A\n\n## B\n\n```text\n## no\n```\n"


def test_a_page_of_three_sections_has_a_table_of_contents_after_its_title():
    longer = f"{PAGE}\n## C\n"
    before, after = with_contents(longer).split(TABLE)
    assert before.endswith("# Title\n")
    assert before + after == longer


def test_shorter_pages_and_lists_of_pages_have_none():
    listing = f"{PAGE}\n## C\n\n```{{toctree}}\n```\n"
    for page in (PAGE, listing, "no title"):
        assert with_contents(page) == page
