"""A page of HTML in one file: its frame, and the heads of its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def document(title: str, style: str, body: Iterable[str], *, script: str = "") -> str:
    """Return a page that loads nothing, in ASCII so that it reads the same in any encoding.

    title: escaped, as all texts in the body are; style and script: in ASCII.
    """
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    secured = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    lines = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        *([] if script else [secured]),
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>",
        *body,
        *([f"<script>\n{script}</script>"] if script else []),
        "</body>\n</html>\n",
    ]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def table_head(names: Iterable[str]) -> str:
    """Return the head of a table, of columns with these names."""
    cells = "".join(f'<th scope="col">{name}</th>' for name in names)
    return f"<thead><tr>{cells}</tr></thead>"
