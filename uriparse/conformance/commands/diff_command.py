"""`uriparse diff`: where each URL parser on this machine would go with a URL, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from uriparse import __version__
from uriparse.cli.arguments import add_texts, declare
from uriparse.cli.console import Console, Span, printable
from uriparse.cli.drawing import columns
from uriparse.cli.per_line import report_too_long
from uriparse.conformance.peers.asking import Panel
from uriparse.conformance.peers.coprocess import Silence
from uriparse.conformance.peers.destinations import (
    Comparison,
    Destination,
    Outcome,
    PanelRow,
    Refusal,
    Verdict,
)
from uriparse.errors import EncodingError, excerpt
from uriparse.errors.excerpt import MARK
from uriparse.grammar import charset
from uriparse.parsing import try_parse
from uriparse.percent import unquote_to_bytes

if TYPE_CHECKING:
    import argparse


NAME = "diff"
HELP = "show where each installed URL parser would connect"
GROUP = "check"
EXAMPLES = (
    "uriparse diff 'http://a\\\\@b/'",
    "uriparse diff --json < urls.txt",
)
EXITS = {0: "all parsers agree", 1: "some go elsewhere, or a text was too long to be asked about"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "url", "URL")
    declare(parser, "--json --show-passwords")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the destinations of each input; 1 if some parser goes elsewhere than we do.

    No peer is asked about a line that is too long: some twenty processes would each hold it
    several times.
    """
    show = _object if args.json else _table
    with_gaps = not args.json
    number, all_agree = 0, True

    def begin() -> None:
        nonlocal number
        number += 1
        if number > 1 and with_gaps:
            console.out("")

    def refuse(text: str) -> None:
        nonlocal all_agree
        begin()
        all_agree = False
        report_too_long(text, console)

    with Panel() as panel:
        for text in console.lines(args.url, refuse):
            begin()
            found = panel.compare(text)
            show(found, __version__, console)
            all_agree = all_agree and found.agree
    if number and with_gaps:
        console.styled([(LEGEND, "faint")])
    return 0 if all_agree else 1


def _table(found: Comparison, version: str, console: Console) -> None:
    console.styled([(console.shown(found.text), "")])
    for spans in table(found, version, Passwords("" if console.secrets else found.text)):
        console.styled(spans)


def _object(found: Comparison, version: str, console: Console) -> None:
    """Write the same as a JSON object; `agree` is what the exit code depends on."""
    passwords = Passwords("" if console.secrets else found.text)
    console.json(
        {
            **console.place,
            "text": console.shown(found.text),
            "agree": found.agree,
            "uriparse": {"version": version, **_facts(found.ours, found.ours, passwords)},
            "readers": [
                {
                    "name": row.name,
                    "version": row.version,
                    "verdict": row.verdict,
                    **_facts(row.outcome, found.ours, passwords),
                }
                for row in found.rows
            ],
        }
    )


def _facts(outcome: Outcome, ours: Outcome, passwords: Passwords) -> dict[str, object]:
    """Return the fields of an outcome, as far as they may be shown."""
    known = ours._asdict()
    values = outcome._asdict().items()
    return {name: passwords.hidden(value, known.get(name)) for name, value in values}


# The destinations of one text as a table: ours first, then a row for each parser.

WIDTH = 100
"""Columns of a row at most."""

MARKS: dict[Verdict, Span] = {
    "same": (" ", ""),
    "elsewhere": ("≠", "error"),
    "target": ("~", "warning"),
    "refuses": (" ", ""),
    "silent": ("!", "warning"),
}
"""The mark before a row and its style."""

LEGEND = "≠ another scheme, host or port   ~ another request-target   ! no answer"

_GAP = "  "
_MOST = (8, 36, 8)
"""Columns of scheme, host and port at most; the target has what is left."""


def table(
    comparison: Comparison, version: str, passwords: Passwords, width: int = WIDTH
) -> Iterator[list[Span]]:
    """Yield a table as spans, ours first; cells show none of the passwords."""
    ours = comparison.ours
    rows = [
        PanelRow("uriparse", version, ours, "same"),
        *comparison.rows,
    ]
    cells = [_cells(row.outcome, ours, passwords) for row in rows]
    names = _TextColumn(row.name for row in rows)
    versions = _TextColumn(row.version for row in rows)
    full = [each for each in cells if len(each) > 1]
    fields = [_TextColumn((each[at] for each in full), most) for at, most in enumerate(_MOST)]
    for row, (*first, last) in zip(rows, cells, strict=True):
        front = f" {names.cell(row.name)}{versions.cell(row.version)}"
        front += "".join(field.cell(text) for field, text in zip(fields, first, strict=False))
        room = width - 1 - columns(front)
        yield [MARKS[row.verdict], (front, ""), (_cut(last, room), "" if first else "faint")]


class _TextColumn:
    """A column as wide as its widest text, up to a limit."""

    def __init__(self, texts: Iterable[str], most: int = WIDTH) -> None:
        self.width = min(most, max(map(columns, texts), default=0))

    def cell(self, text: str) -> str:
        text = _cut(text, self.width)
        return text + " " * (self.width - columns(text)) + _GAP


def _cells(
    outcome: Outcome,
    ours: Destination | Refusal,
    passwords: Passwords,
) -> tuple[str, ...]:
    """Return a cell for each field of a destination, or one for any other outcome."""
    match outcome:
        case Refusal(reason):
            return (f"refuses: {printable(reason)}",)
        case Silence(reason):
            return (reason,)
    known = ours if isinstance(ours, Destination) else (None,) * len(outcome)
    values = (passwords.hidden(*pair) for pair in zip(outcome, known, strict=True))
    return tuple("-" if value is None else printable(str(value)) or '""' for value in values)


def _cut(text: str, width: int) -> str:
    """Shorten a text to a number of columns."""
    if len(text) <= width and columns(text) <= width:
        return text
    text = text[: max(0, width - len(MARK))]
    while columns(text) > width - len(MARK):
        text = text[:-1]
    return text + MARK


# The password of a text, in the forms in which a parser might return it.

Value: TypeAlias = str | int | None


class Passwords:
    """What must not be shown of the answers for one text."""

    def __init__(self, text: str) -> None:
        span = excerpt.secret_span(text)
        secret = "" if span is None else text[span[0] : span[1]]
        # Another parser may see the end of what we take for a password at one of these.
        ends = charset("gen-delims") | {"\\"}
        pieces = "".join(" " if char in ends else char for char in secret).split(" ")
        self._forms = set().union(*map(_forms, pieces)) - {""}
        record = try_parse(text, "URI")
        self._stands_apart = record is not None and record.userinfo is not None

    def hidden(self, value: Value, ours: object = None) -> Value:
        """Return a parser's value with the password as "***", or only "***" where it is mixed in.

        ours: our own value, which does not hold the password where that is in the userinfo; masks
            in it would reveal a password of one letter.
        """
        if value is None or (self._stands_apart and value == ours) or not self._shows(str(value)):
            return value
        masked = excerpt.masked(f"//{value}")[2:]
        return excerpt.MASK if self._shows(masked) else masked

    def _shows(self, value: str) -> bool:
        return any(secret in form for form in _forms(value) for secret in self._forms)


def _forms(text: str) -> set[str]:
    """Return a text as it is and decoded, without regard to case, which parsers change."""
    forms = {text.casefold()}
    try:
        decoded = unquote_to_bytes(text)
    except EncodingError:
        return forms
    return forms | {decoded.decode("utf-8", "replace").casefold()}
