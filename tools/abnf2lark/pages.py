"""A page of HTML in one file: its frame, and reports of sentences, tables and details."""

from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple, TypeAlias

STYLE = """\
:root { color-scheme: light dark; --line: #767676; --soft: #f2f2f2; --accent: #1a4fa3; }
@media (prefers-color-scheme: dark) {
  :root { --line: #8c8c8c; --soft: #2a2a2a; --accent: #9dc1ff; }
}
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 0 1rem; }
h1, p, summary { overflow-wrap: anywhere; }
a { color: var(--accent); }
pre { font-family: ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
.wide { overflow-x: auto; }
.wide:focus-visible, a:focus-visible, summary:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 1px;
}
table { border-collapse: collapse; }
caption { font-weight: bold; padding: .5rem 0; text-align: start; }
th, td {
  border: 1px solid var(--line); padding: .25rem .5rem; text-align: start; vertical-align: top;
}
thead th { background: var(--soft); }
summary { cursor: pointer; padding: .4rem 0; }
"""


class Link(NamedTuple):
    """A text that leads to the details with this anchor; ``about``: what it is, in words."""

    text: str
    anchor: str
    about: str


Cell: TypeAlias = "str | Link | Iterable[Link]"


class Table(NamedTuple):
    """A table; the first cell of a row is its head."""

    caption: str
    heads: Iterable[str]
    rows: Iterable[Iterable[Cell]]


class Details(NamedTuple):
    """What is shown when its summary is opened: a table, and texts as they are written."""

    anchor: str
    summary: str
    table: Table
    texts: Iterable[str] = ()


def document(title: str, style: str, body: Iterable[str]) -> str:
    """Return a page that loads nothing, in ASCII; title and body are escaped."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    secured = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    lines = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        secured,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>",
        *body,
        "</body>\n</html>\n",
    ]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def report(
    title: str, sentences: Iterable[str], tables: Iterable[Table], details: Iterable[Details]
) -> str:
    """Return a page of plain texts, which are escaped here; nothing invisible stays in them."""
    body = ["<main>", *(f"<p>{_safe(sentence)}</p>" for sentence in sentences)]
    for table in tables:
        body += _table(table)
    for one in details:
        body.append(f'<details id="{_safe(one.anchor)}"><summary>{_safe(one.summary)}</summary>')
        body += [*_table(one.table), *(f"<pre>{_safe(text)}</pre>" for text in one.texts)]
        body.append("</details>")
    return document(_safe(title), STYLE, [*body, "</main>"])


def _table(table: Table) -> Iterator[str]:
    caption = _safe(table.caption)
    yield f'<div class="wide" role="region" aria-label="{caption}" tabindex="0">'
    heads = "".join(f'<th scope="col">{_safe(name)}</th>' for name in table.heads)
    yield f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>"
    for head, *cells in table.rows:
        rest = "".join(f"<td>{_cell(cell)}</td>" for cell in cells)
        yield f'<tr><th scope="row">{_cell(head)}</th>{rest}</tr>'
    yield "</tbody></table></div>"


def _cell(cell: Cell) -> str:
    match cell:
        case str():
            return _safe(cell)
        case Link(text, anchor, about):
            about = _safe(about)
            return (
                f'<a href="#{_safe(anchor)}" title="{about}" aria-label="{about}">{_safe(text)}</a>'
            )
    return " ".join(map(_cell, cell))


def _safe(text: str) -> str:
    return escape("".join(char if char.isprintable() else repr(char)[1:-1] for char in text))
