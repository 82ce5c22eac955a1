"""Coverage as text, 80 columns wide."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from uriparse import excerpt
from uriparse.cli.conformance.coverage_report import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from uriparse.cli.conformance.coverage_report import Report
    from uriparse.conformance import Item
    from uriparse.conformance.suites import Kind

WIDTH: Final = 80


def text_report(report: Report) -> Iterator[str]:
    """Give the lines."""
    yield from wrap(report.headline, WIDTH)
    for remark in report.remarks:
        yield from wrap(
            remark,
            WIDTH,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    for heading, kinds in report.tables.items():
        yield ""
        yield f"{heading}:"
        yield from _table(report, kinds)
    missing = report.missing()
    if not missing or report.most == 0:
        return
    yield ""
    yield "Never touched, each with a text that does:"
    for component, items in missing.items():
        shown = items[: report.most]
        left = len(items) - len(shown)
        yield ""
        yield f"{component}: {len(items):,}" + (f", of which {left:,} not shown" if left else "")
        for item in shown:
            yield from _entry(item)


def _table(report: Report, kinds: Sequence[Kind]) -> Iterator[str]:
    rows = [("", *(NAMES[kind] for kind in kinds))]
    for component in (*report.components, None):
        counts = [report.coverage.tally(kind, component) for kind in kinds]
        if any(total for _, total in counts):
            cells = (f"{touched:,}/{total:,}" if total else "" for touched, total in counts)
            rows.append((component or "in all", *cells))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        numbers = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join((f"{first:{widths[0]}}", *numbers)).rstrip()


def _entry(item: Item) -> Iterator[str]:
    verdict = "accepted" if item.accepted else "refused"
    text = "".join(map(excerpt.shown, item.text))
    yield f"  {verdict:8}  {text or '(the empty text)'}"
    what = f"{item.rule}: {item.what}" if item.what != "the rule" else f"{item.rule}, used at all"
    indent = " " * 12
    yield from wrap(what, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
