"""Coverage as one page of HTML: without scripts, in the reader's colours, and all in ASCII."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from uriparse import excerpt
from uriparse.cli.conformance.coverage_report import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from uriparse.cli.conformance.coverage_report import Report
    from uriparse.conformance import Item
    from uriparse.conformance.suites import Kind

_STYLE: Final = """\
:root { color-scheme: light dark; --line: #767676; --bar: #1a6fb5; }
@media (prefers-color-scheme: dark) { :root { --bar: #7ab8f0; } }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 0 1rem; }
h1, h2, summary { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
.wide:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--bar); }
table { border-collapse: collapse; }
caption { text-align: start; padding: 0.5rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.6rem; text-align: start;
  vertical-align: top; }
.counts td { text-align: end; white-space: nowrap; }
.counts meter { display: block; width: 100%; min-width: 4rem; }
td code { overflow-wrap: anywhere; white-space: pre-wrap; }
summary { cursor: pointer; font-weight: bold; padding: 0.4rem 0; }
"""

_HEAD: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
"""


def page(report: Report) -> Iterator[str]:
    """Give the parts of the page."""
    of = report.coverage.subject
    yield _HEAD.format(title=_safe(f"Coverage of {of.rule} ({of.source.name})"), style=_STYLE)
    for sentence in (report.headline, *report.remarks):
        yield f"<p>{_safe(sentence)}.</p>\n"
    numbers = {component: number for number, component in enumerate(report.components)}
    missing = report.missing() if report.most != 0 else {}
    linked = {component: f"#c{numbers[component]}" for component in missing}
    for number, (heading, kinds) in enumerate(report.tables.items()):
        yield from _counts(report, f"t{number}", heading, kinds, linked)
    if missing:
        yield "<h2>Never touched, each with a text that does</h2>\n"
    for component, items in missing.items():
        yield from _missing(f"c{numbers[component]}", component, items, report.most)
    yield "</main>\n</body>\n</html>\n"


def _counts(
    report: Report, name: str, heading: str, kinds: Sequence[Kind], linked: dict[str, str]
) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{NAMES[kind]}</th>' for kind in kinds)
    yield (
        f'<div class="wide" role="region" aria-labelledby="{name}" tabindex="0">\n'
        f'<table class="counts"><caption id="{name}">{_safe(heading)}</caption>\n'
        f'<thead><tr><th scope="col">component</th>{heads}</tr></thead>\n<tbody>\n'
    )
    for component in (*report.components, None):
        counts = [report.coverage.tally(kind, component) for kind in kinds]
        if not any(total for _, total in counts):
            continue
        label = _safe(component or "in all")
        if component in linked:
            label = f'<a href="{linked[component]}">{label}</a>'
        yield f'<tr><th scope="row">{label}</th>{"".join(map(_cell, counts))}</tr>\n'
    yield "</tbody></table></div>\n"


def _cell(count: tuple[int, int]) -> str:
    touched, total = count
    if not total:
        return "<td></td>"
    # The number says it all, so that those who hear the page hear it once.
    bar = f'<meter aria-hidden="true" min="0" max="{total}" value="{touched}"></meter>'
    return f"<td>{touched:,}/{total:,}{bar}</td>"


def _missing(name: str, component: str, items: Sequence[Item], most: int | None) -> Iterator[str]:
    shown = items[:most]
    left = len(items) - len(shown)
    note = f", of which {left:,} not shown" if left else ""
    heads = "".join(
        f'<th scope="col">{head}</th>' for head in ("kind", "rule", "what", "text", "verdict")
    )
    yield (
        f'<details id="{name}"><summary>{_safe(component)}: {len(items):,}{note}</summary>\n'
        f'<div class="wide" role="region" aria-label="{_safe(component)}" tabindex="0">\n'
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n"
    )
    for item in shown:
        verdict = "accepted" if item.accepted else "refused"
        text = f"<code>{_safe(item.text)}</code>" if item.text else "(the empty text)"
        cells = (item.kind, _safe(item.rule), _safe(item.what), text)
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}<td>{verdict}</td></tr>\n"
    yield "</tbody></table></div>\n</details>\n"


def _safe(text: str) -> str:
    """Give text as it may stand in the page: escaped, nothing invisible or reordered, ASCII."""
    plain = escape("".join(map(excerpt.shown, text)))
    return plain.encode("ascii", "xmlcharrefreplace").decode("ascii")
