"""The pages of the documentation as their snippets see them."""

from dataclasses import dataclass, field
from itertools import takewhile

from paths import ROOT

SOURCES = ROOT / "tools/docs"
PAGES = sorted(path for path in SOURCES.rglob("*.md") if "_" not in path.name[0])
RUN = {"python", "console"}
SHOWN = {"text", "sh"}
"""Blocks of output, and of command lines that change the machine: only looked at."""
WRITTEN = {"python", "toml", "abnf", "text", "json", "html"}
"""Blocks that may stand in a file, whose name is their caption."""


UNLIMITED = {SOURCES / name for name in ("reference", "changelog.md", "explanation/agreement.md")}
"""Pages that may take more than six screens: generated names, tables and lists of changes."""


@dataclass
class Block:
    """What stands between fences.

    kind: its language, or the directive in braces.
    line: the one that its text begins in, counted from 1.
    file: the file that it stands in, by its caption; `""` without one.
    before: a text of the line of that file that it is put before; `""` for a whole file.
    """

    kind: str
    line: int
    text: str
    file: str = ""
    before: str = ""


@dataclass
class Page:
    """A page: the packages it takes, and its blocks in order."""

    needs: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def read(path):
    """Read a page."""
    page = Page()
    lines = iter(enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    for number, line in lines:
        if number == 1 and line == "---":
            matter = dict(
                entry.split(": ", 1) for _, entry in takewhile(lambda n: n[1] != "---", lines)
            )
            page.needs = matter.get("needs", "").split()
        elif line.startswith(("```", ":::")) and line.strip("`:"):
            page.blocks.append(block(line, number, lines))
    return page


def block(opening, number, lines):
    """Read a block up to the fence that closes it."""
    fence = opening[: len(opening) - len(opening.lstrip("`:"))]
    kind = opening[len(fence) :].strip()
    found = list(takewhile(lambda n: n[1].rstrip() != fence, lines))
    options = [line for _, line in takewhile(lambda n: n[1].startswith(":"), found)]
    captions = [line.removeprefix(":caption: ") for line in options if ":caption:" in line]
    file, _, before = captions[0].partition(", before ") if captions else ("", "", "")
    texts = [line for _, line in found[len(options) :]]
    return Block(
        kind.removeprefix("{code-block} "), number + 1 + len(options),
        "\n".join(texts).strip("\n") + "\n", *((file, before) if "code-block" in kind else ()),
    )  # fmt: skip


def documented():
    """Yield what the reference has docstrings of: the directive, the module, and the name in it."""
    for path in (SOURCES / "reference").glob("*.md"):
        for one in read(path).blocks:
            module = ""
            for line in one.text.splitlines() if one.kind == "{eval-rst}" else ():
                directive, _, name = line.removeprefix(".. ").partition(":: ")
                module = name if directive == "currentmodule" else module
                if name:
                    yield directive, module, name.partition("(")[0]  # some have a signature
