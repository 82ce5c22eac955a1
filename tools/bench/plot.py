"""A small bar chart as SVG: time for one URI, on a logarithmic scale."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from .tables import seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .races import Row

_WIDTH = 720
_LABEL = 150
_VALUE = 150
_BAR = 16
_GAP = 6
_HEAD = 34
_SPAN = _WIDTH - _LABEL - _VALUE

_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#57606a}.t{font-weight:600;font-size:13px}"
    ".n{fill:#24292f}.g{stroke:#8c959f;stroke-opacity:.3}.p{fill:#8c959f}.o{fill:#0969da}"
    ".f{fill:#bc8f4a}.w{fill:#cf222e}"
    "@media(prefers-color-scheme:dark){text{fill:#8b949e}.n{fill:#e6edf3}.o{fill:#58a6ff}"
    ".w{fill:#ff7b72}}"
)

CHARTS = (("is_valid", "real"), ("parse", "real"), ("parse_tree", "real"))
"""The operations that are drawn, and on which subject."""


def draw(rows: Iterable[Row]) -> str:
    """Return the chart as the text of an SVG file: a panel for each of `CHARTS` that was run."""
    rows = list(rows)
    panels = [
        (f"{operation}, one URI of subject “{subject}”", chosen)
        for operation, subject in CHARTS
        if (chosen := sorted(_of(rows, operation, subject), key=lambda row: row.seconds))
    ]
    parts: list[str] = []
    top = 0
    for title, chosen in panels:
        parts += _panel(title, chosen, top)
        top += _HEAD + len(chosen) * (_BAR + _GAP) + 26
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {max(top, 1)}" '
        f'width="{_WIDTH}" height="{max(top, 1)}" role="img">\n<style>{_STYLE}</style>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _of(rows: Sequence[Row], operation: str, subject: str) -> list[Row]:
    return [row for row in rows if row.operation == operation and row.subject == subject]


def _panel(title: str, rows: list[Row], top: int) -> list[str]:
    low = floor(log10(rows[0].seconds))
    high = max(low + 1, ceil(log10(rows[-1].seconds)))
    bottom = top + _HEAD + len(rows) * (_BAR + _GAP)
    parts = [f'<text class="t n" x="0" y="{top + 16}">{escape(title)}</text>']
    if any(row.native for row in rows):
        parts.append(
            f'<text x="{_WIDTH}" y="{top + 16}" text-anchor="end">brown: not Python</text>'
        )
    for power in range(low, high + 1):
        x = _LABEL + _SPAN * (power - low) / (high - low)
        parts.append(f'<path class="g" d="M{x:.1f} {top + _HEAD - 6}V{bottom}"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">'
            f"{seconds(10.0**power).replace('.00', '').replace('.0', '')}</text>"
        )
    for at, row in enumerate(rows):
        y = top + _HEAD + at * (_BAR + _GAP)
        length = max(1.0, _SPAN * (log10(row.seconds) - low) / (high - low))
        kind = "o" if row.contender.startswith("uriparse") else "f" if row.native else "p"
        parts += [
            (
                f'<text class="n" x="{_LABEL - 8}" y="{y + 12}" text-anchor="end">'
                f"{escape(row.contender)}</text>"
            ),
            (
                f'<rect class="{kind}" x="{_LABEL}" y="{y}" width="{length:.1f}" height="{_BAR}" '
                'rx="2"/>'
            ),
            f'<text x="{_LABEL + length + 6:.1f}" y="{y + 12}">{_remark(row)}</text>',
        ]
    return parts


def _remark(row: Row) -> str:
    time = seconds(row.seconds)
    if row.errors is None:
        return time
    wrong = f"{row.errors.share:.0%} wrong" if row.errors.share else "exact"
    mark = ' class="w"' if row.errors.share else ""
    return f"{time} <tspan{mark}>{wrong}</tspan>"
