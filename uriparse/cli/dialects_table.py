"""The part of `uriparse url` that sets three generations of rules side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.cli import rejection
from uriparse.cli.per_line import for_each

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from uriparse.cli.console import Console, Span
    from uriparse.schemes.dialects import Dialects, Reading

ABSENT = "-"
_WIDTH = 14
_AFTER_A_DELIMITER = frozenset({"port", "query", "fragment"})


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the readings of each text; 1 if none is accepted, or two hosts are seen in one."""
    from uriparse.schemes.dialects import dialects

    code = 0

    def answer(text: str) -> None:
        nonlocal code
        view = dialects(text)
        (_object if args.json else _table)(view, console)
        if view.hosts_differ or not any(reading.accepts for reading in view.readings):
            code = 1

    return max(for_each(args.url, console, answer), code)


class _Hidden:
    """What may not be shown of a text that is read in three ways.

    Where all accept it, what one of them takes for a password. Otherwise what may be one: a
    dialect that sees no password in `ftp://u?x:secret@h/;` says nothing about what was meant.
    """

    def __init__(self, view: Dialects, console: Console) -> None:
        self.text = view.text
        self.spans: list[tuple[int, int]] = []
        if console.secrets:
            return
        if all(reading.accepts for reading in view.readings):
            self.spans = [span for reading in view.readings for span in self._passwords(reading)]
        elif (span := excerpt.secret_span(view.text)) is not None:
            self.spans = [span]

    def shown(self, reading: Reading) -> dict[str, str | None]:
        """Give the components as they may be shown."""
        found: dict[str, str | None] = dict(reading.components)
        for name, value, start in self._placed(reading):
            found[name] = self._masked(value, start)
        return found

    def shown_text(self) -> str:
        """Give the text as it may be shown."""
        return self._masked(self.text, 0)

    def _masked(self, part: str, offset: int) -> str:
        """Mask what is hidden in a part that begins at an offset of the text."""
        within = [
            (max(first - offset, 0), min(last - offset, len(part)))
            for first, last in sorted(set(self.spans))
            if first < offset + len(part) and last > offset
        ]
        for first, last in reversed(within):
            part = f"{part[:first]}{excerpt.MASK}{part[last:]}"
        return part

    def _passwords(self, reading: Reading) -> Iterator[tuple[int, int]]:
        for name, value, start in self._placed(reading):
            colon = value.find(":")
            if name == "userinfo" and 0 <= colon < len(value) - 1:
                yield start + colon + 1, start + len(value)

    def _placed(self, reading: Reading) -> Iterator[tuple[str, str, int]]:
        """Give each component that is there with its offset; they stand in order."""
        at = 0
        for name, value in reading.components.items():
            if value and name != "host_kind":
                at = self.text.find(value, at + (name in _AFTER_A_DELIMITER))
                yield name, value, at
                at += len(value)


def _table(view: Dialects, console: Console) -> None:
    """Write a line for each dialect, and one for each component in which they part."""
    hidden = _Hidden(view, console)
    spans: list[Span] = [(hidden.shown_text(), ""), ("\n", "")]
    shown = {str(reading.dialect): hidden.shown(reading) for reading in view.readings}
    for reading in view.readings:
        spans.append((f"  {reading.dialect:<{_WIDTH}}", "faint"))
        if reading.error is None:
            host = shown[reading.dialect]["host"]
            quoted = ABSENT if host is None else f'"{host}"'
            spans += [("accepts", "good"), (f", host {quoted}", ""), ("\n", "")]
        else:
            reason = rejection.reason(reading.error, console)
            spans += [("refuses", "error"), (f": {reason}", ""), ("\n", "")]
    for difference in view.differences:
        name = difference.component
        values = [(dialect, shown[dialect][name]) for dialect in difference.values]
        seen = ", ".join(f"{d} {ABSENT if value is None else repr(value)}" for d, value in values)
        spans += [(f"  {name:<{_WIDTH}}", "warning"), (seen, "")]
        spans += [("\n", ""), (f"  {'':<{_WIDTH}}{difference.reason}", "faint"), ("\n", "")]
    if view.hosts_differ:
        spans += [("  they see different hosts", "error"), ("\n", "")]
    console.styled(spans)


def _object(view: Dialects, console: Console) -> None:
    """Write the three readings as one JSON object."""
    hidden = _Hidden(view, console)
    shown = {str(reading.dialect): hidden.shown(reading) for reading in view.readings}
    console.json(
        {
            **console.place,
            "text": hidden.shown_text(),
            "valid": any(reading.accepts for reading in view.readings),
            "agree": view.agree,
            "hosts_differ": view.hosts_differ,
            "readings": {
                reading.dialect: {
                    "accepts": reading.accepts,
                    "components": shown[reading.dialect],
                    "error": None
                    if reading.error is None
                    else rejection.described(reading.error, view.text, console)["error"],
                }
                for reading in view.readings
            },
            "differences": [
                {
                    "component": difference.component,
                    "values": {
                        str(dialect): shown[dialect][difference.component]
                        for dialect in difference.values
                    },
                    "reason": difference.reason,
                }
                for difference in view.differences
            ],
        }
    )
