"""The table of contents at the top of each page that has several sections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FENCED = re.compile(r"(?ms)^(`{3,}|:{3,}).*?^\1$")
TITLE = re.compile(r"\A(?s:---\n.*?\n---\n)?\s*# .*\n")
SECTIONS = 3
TABLE = """
```{contents}
:local:
:depth: 1
:backlinks: none
:class: this-will-duplicate-information-and-it-is-still-useful-here
```
"""
"""Furo asks for the class: its own list is beside the page, and only in wide windows."""


def with_contents(text: str) -> str:
    """Put the table after the title, if the page has enough sections to look for one."""
    sections = FENCED.sub("", text).count("\n## ")
    title = TITLE.match(text)
    if title is None or sections < SECTIONS or "```{toctree}" in text:
        return text
    return text[: title.end()] + TABLE + text[title.end() :]


def rewrite(app: Sphinx, name: str, source: list[str]) -> None:  # noqa: ARG001 - Sphinx's
    """Do so while Sphinx reads a page."""
    source[0] = with_contents(source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("source-read", rewrite)
    return {"parallel_read_safe": True}
