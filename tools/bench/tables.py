"""Plain tables for a terminal, and times as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS = ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))


def seconds(value: float) -> str:
    """Three significant digits and a unit.

    >>> seconds(0.00000068), seconds(0.0124)
    ('680 ns', '12.4 ms')
    """
    for scale, unit in reversed(_UNITS):
        if value >= scale:
            return f"{_digits(value / scale)} {unit}"
    return f"{_digits(value / _UNITS[0][0])} ns"


def ratio(value: float) -> str:
    """Return "x" and three significant digits.

    >>> ratio(2.5), ratio(123.4)
    ('x2.50', 'x123')
    """
    return f"x{_digits(value)}"


def _digits(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need; the first to the left, the others to the right."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([title, line(head), rule, *(line(row) for row in rows), ""])
