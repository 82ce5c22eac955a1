"""A page of HTML in one file: its frame, and the heads of its tables."""

from collections.abc import Iterable

STYLE = """\
:root { color-scheme: light dark; --line: #767676; --soft: #f2f2f2; --accent: #1a4fa3; }
@media (prefers-color-scheme: dark) {
  :root { --line: #8c8c8c; --soft: #2a2a2a; --accent: #9dc1ff; }
}
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 0 1rem; }
h1, h2, summary { line-height: 1.2; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
/* Unseen text is positioned in it, or the page would be as wide as the table. */
.wide { position: relative; overflow-x: auto; }
.wide:focus-visible, a:focus-visible, summary:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 1px;
}
table { border-collapse: collapse; }
caption { text-align: start; padding: .5rem 0; }
th, td {
  border: 1px solid var(--line); padding: .25rem .5rem; text-align: start; vertical-align: top;
}
thead th { background: var(--soft); }
summary { cursor: pointer; padding: .4rem 0; }
"""
"""What the pages of both commands look like, in the colours that the reader prefers."""


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


def table(heads: Iterable[str], rows: Iterable[str], *, kind: str = "", caption: str = "") -> str:
    """Return a table of column names and `row` rows, with a class and a ``<caption>`` perhaps."""
    cells = "".join(f'<th scope="col">{name}</th>' for name in heads)
    head = f'<table class="{kind}">{caption}<thead><tr>{cells}</tr></thead>'
    return "\n".join([f"{head}<tbody>", *rows, "</tbody></table>"])


def row(cells: Iterable[str], head: str = "") -> str:
    """Return a row of a table; head: what is in front of the cells, if anything."""
    first = f'<th scope="row">{head}</th>' if head else ""
    return f"<tr>{first}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def scrolling(table: str, label: str) -> str:
    """Return a table that scrolls sideways, by the keyboard too; label: an ARIA attribute."""
    return f'<div class="wide" role="region" {label} tabindex="0">\n{table}</div>'
