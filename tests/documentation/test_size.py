"""A page takes at most six screens, each 900 pixels of its text in a window 1,440 wide.

The height is computed from the source: most pages are within a tenth of what Chromium shows, which
test_playground.py measures where it is installed.
"""

import re
from math import ceil

from cases import each_case
from documentation.pages import PAGES, UNLIMITED

SCREENS = 6 * 900
UNSEEN = re.compile(r"(?ms)\A---$.*?^---$|<!--.*?-->|^```\{toctree\}.*?^```$|(?<=\])\([^)]*\)")
FENCED = re.compile(r"(?ms)^ *```.*?$\n(.*?)^ *```$")
INCLUDED = re.compile(r"```{literalinclude} (\S+)\n")
STEP = re.compile(r"\n(?=[-*:] |\d+\. )")
WIDTH = 92
"""Characters of a line of prose; code has 88."""

LIMITED = [path for path in PAGES if UNLIMITED.isdisjoint({path, path.parent})]


def block(text):
    """Pixels of a block of code, whose long lines are wrapped."""
    return 32 + 18.2 * sum(ceil(len(line) / 88) or 1 for line in text.splitlines())


def table(text):
    """Pixels of a table, whose columns share the width by what they hold."""
    lines = [line for line in text.splitlines() if line.strip("|:- ")]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line[1:-1])] for line in lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    least = max(1, sum(widths) / (WIDTH - 3 * len(widths)))
    heights = [
        max(
            ceil(len(cell) * least / width) if width else 1
            for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    ]
    return 30 + sum(9 + 21 * number for number in heights)


def prose(text):
    """Pixels of a heading, a paragraph or a list."""
    if text.startswith("#"):
        return 48
    return 10 + sum(4 + 24 * ceil(len(item) / WIDTH) for item in STEP.split(text))


def height(path):
    """Pixels of a page."""
    text = UNSEEN.sub("", path.read_text("utf-8"))
    text = INCLUDED.sub(lambda m: f"```python\n{(path.parent / m[1]).read_text('utf-8')}", text)
    rest = FENCED.sub("\n\n", text)
    paragraphs = [one.strip("\n") for one in re.split(r"\n\s*\n", rest) if one.strip()]
    return sum(block(one) for one in FENCED.findall(text)) + sum(
        table(one) if one.startswith("|") else prose(one) for one in paragraphs
    )


@each_case("path", LIMITED)
def test_a_page_takes_six_screens(path):
    assert height(path) <= SCREENS
