"""`uriparse conformance coverage`: what a corpus leaves untested of a grammar."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

from abnf2lark import pages
from abnf2lark.process import whole_number
from uriparse._base.coerce import is_unicode
from uriparse.cli.arguments import add_any_grammar, grammar_file, read_rule
from uriparse.cli.console import (
    LONGEST_LINE,
    Console,
    UnreadableFileError,
    UsageError,
    opened,
    printable,
)
from uriparse.cli.validation_sources import Unreadable, lines
from uriparse.conformance.commands.suite_command import add_output, output
from uriparse.conformance.coverage import KINDS
from uriparse.errors import excerpt

if TYPE_CHECKING:
    from uriparse.conformance.coverage import Coverage, Item, Kind


# What `uriparse conformance coverage` found, before it is written in a form.

NAMES: Final = dict(
    zip(
        KINDS,
        (
            *("rules", "alternatives", "options", "repetitions", "range ends"),
            *("transitions", "refusals", "endings"),
        ),
        strict=True,
    )
)
"""What the kinds are called in the heads of tables."""

_TABLES: Final = {
    "Of the grammar, by the first derivation of each accepted text": KINDS[:5],
    "Of the smallest automaton, in which components that go on alike share states": KINDS[5:],
}


class CoverageReport(NamedTuple):
    """A coverage, and how much of it is shown.

    passed: the lines of the corpora that hold no text, by reason.
    most: how many missing items of a component are shown, None for all.
    """

    coverage: Coverage
    passed: Mapping[str, Passed]
    most: int | None

    @property
    def components(self) -> tuple[str, ...]:
        """The components, in the order of the grammar."""
        return tuple(dict.fromkeys(tally.component for tally in self.coverage.tallies))

    @property
    def tables(self) -> dict[str, tuple[Kind, ...]]:
        """The kinds that occur, by the heading of their table."""
        there = {tally.kind for tally in self.coverage.tallies}
        return {
            heading: tuple(kind for kind in kinds if kind in there)
            for heading, kinds in _TABLES.items()
        }

    @property
    def headline(self) -> str:
        """What was read, in one sentence."""
        found = self.coverage
        rule, source = found.subject.rule, found.subject.source
        texts = found.accepted + found.refused
        return (
            f"{rule} of {source.name} by {texts:,} {'text' if texts == 1 else 'texts'}: "
            f"{found.accepted:,} accepted, {found.refused:,} refused"
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """Other facts: lines passed over, and choices that no text reaches."""
        passed = [
            f"{count:,} {'line' if count == 1 else 'lines'} passed over as {reason} "
            f"({'it is' if count == 1 else 'the first is'} line {line:,} of "
            f"{'standard input' if file == '-' else file})"
            for reason, (count, file, line) in self.passed.items()
        ]
        if count := len(self.coverage.unreachable):
            rules = ", ".join(dict.fromkeys(one.rule for one in self.coverage.unreachable))
            passed.append(f"{count:,} choices not counted, since no text reaches them: in {rules}")
        return tuple(passed)

    def missing(self) -> dict[str, tuple[Item, ...]]:
        """Return by component all that is missing."""
        missing = self.coverage.missing  # in the order of the components
        by_component = groupby(missing, key=lambda item: item.component)
        return {component: tuple(items) for component, items in by_component}

    def shown(self) -> Iterator[tuple[str, tuple[Item, ...]]]:
        """Yield for each component of which items are shown a title, and these items."""
        for component, items in self.missing().items():
            if shown := items[: self.most]:
                left = len(items) - len(shown)
                note = f", of which {left:,} not shown" if left else ""
                yield f"{component}: {len(items):,}{note}", shown

    def counts(self, kinds: Sequence[Kind]) -> Iterator[tuple[str | None, list[tuple[int, int]]]]:
        """Yield for each component, and for all (None), how much of each kind is touched."""
        for component in (*self.components, None):
            counts = [self.coverage.tally(kind, component) for kind in kinds]
            if any(total for _, total in counts):
                yield component, counts


# Coverage as text, 80 columns wide.

WIDTH: Final = 80


def text_report(report: CoverageReport) -> Iterator[str]:
    """Return the lines."""
    yield from wrap(report.headline, WIDTH)
    for remark in report.remarks:
        # Names of files stay whole, so that they can be copied.
        yield from wrap(
            remark, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    for heading, kinds in report.tables.items():
        yield ""
        yield f"{heading}:"
        yield from _table(report, kinds)
    for number, (title, items) in enumerate(report.shown()):
        if not number:
            yield ""
            yield f"{_NEVER}:"
        yield ""
        yield title
        for item in items:
            yield from _entry(item)


def _table(report: CoverageReport, kinds: Sequence[Kind]) -> Iterator[str]:
    rows = [("", *(NAMES[kind] for kind in kinds))]
    for component, counts in report.counts(kinds):
        rows.append((component or "in all", *_cells(counts)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        numbers = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join((f"{first:{widths[0]}}", *numbers)).rstrip()


def _entry(item: Item) -> Iterator[str]:
    text = "".join(map(excerpt.shown, item.text))
    yield f"  {_verdict(item):8}  {text or _EMPTY}"
    what = f"{item.rule}: {item.what}" if item.what != "the rule" else f"{item.rule}, used at all"
    indent = " " * 12
    yield from wrap(what, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


# Coverage as one page of HTML: without scripts, in the reader's colours, and all in ASCII.


def page(report: CoverageReport) -> str:
    """Return the page: the counts, and details for each component with missing items."""
    of = report.coverage.subject
    shown = {items[0].component: (title, items) for title, items in report.shown()}
    tables = []
    for heading, kinds in report.tables.items():
        rows = []
        for component, counts in report.counts(kinds):
            head: pages.Cell = component or "in all"
            if component and component in shown:
                head = pages.Link(component, component, f"missing items of {component}")
            rows.append((head, *_cells(counts)))
        heads = ("component", *(NAMES[kind] for kind in kinds))
        tables.append(pages.Table(heading, heads, rows))
    details = []
    for component, (title, items) in shown.items():
        entries = [
            (item.kind, item.rule, item.what, item.text or _EMPTY, _verdict(item)) for item in items
        ]
        table = pages.Table(_NEVER, ("kind", "rule", "what", "text", "verdict"), entries)
        details.append(pages.Details(component, title, table))
    sentences = [f"{sentence}." for sentence in (report.headline, *report.remarks)]
    return pages.report(f"Coverage of {of.rule} ({of.source.name})", sentences, tables, details)


def _cells(counts: Sequence[tuple[int, int]]) -> list[str]:
    return [f"{touched:,}/{total:,}" if total else "" for touched, total in counts]


_EMPTY: Final = "(the empty text)"
_NEVER: Final = "Never touched, each with a text that does"


def _verdict(item: Item) -> str:
    return "accepted" if item.accepted else "refused"


# The texts of corpora, one a line, and which lines hold none.

EMPTY: Final = "empty"
NOT_UTF8: Final = "not UTF-8"
TOO_LONG: Final = f"longer than {LONGEST_LINE:,} octets"


class Passed(NamedTuple):
    """How many lines were passed over for one reason; file ("-": stdin) and number of the first."""

    lines: int
    file: str
    line: int


def corpus_texts(
    names: Sequence[str], passed: dict[str, Passed], *, has_empty: bool
) -> Iterator[str]:
    """Yield the lines of files, by their names, plain or gzipped; `"-"` is standard input.

    passed: is filled with the lines that are passed over, by reason.
    has_empty: an empty line is a text, too.

    UnreadableFileError for a file that cannot be opened or read.
    """
    for name in names:
        number = 0
        with opened(name) as file:
            for chunk in lines(file):
                for number, item in enumerate(chunk, number + 1):  # noqa: B020 - counts on
                    if isinstance(item, Unreadable):
                        reason = TOO_LONG
                    elif not is_unicode(item):
                        reason = NOT_UTF8
                    elif item or has_empty:
                        yield item
                        continue
                    else:
                        reason = EMPTY
                    count, file_name, line = passed.get(reason, Passed(0, name, number))
                    passed[reason] = Passed(count + 1, file_name, line)


NAME = "coverage"
HELP = "report which parts of a rule a corpus does not test, with examples"
EXAMPLES = (
    "uriparse conformance coverage urls.txt",
    "uriparse conformance coverage --format html --out page.html < urls.txt",
)
EXITS = {0: "reported"}

SHOWN = 3
"""Missing items of a component that are shown as text, unless it is said how many."""

_EPILOG = """\
The JSON form is one object:
  rule, grammar       what was covered
  accepted, refused   numbers of texts
  passed_over         [{reason, lines, file, line}]: how many lines hold no
                      text, and where the first is
  counts              [{component, kind, touched, total}]
  missing             [{component, kind, rule, what, text, accepted}]: the text
                      was made to touch it, and is in no corpus; accepted says
                      whether it belongs to the rule
  unreachable         [{component, kind, rule}]: choices that no text reaches
Kinds are rule, alternative, option, repetition and range, of the grammar;
transition, refusal and ending, of the smallest automaton."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    text = 'a file, plain or gzipped, one text a line; "-", the default, is standard input'
    parser.add_argument("corpus", nargs="*", metavar="CORPUS", help=text)
    add_any_grammar(parser)
    text = "for people, one JSON object, or one page of HTML (default: text)"
    parser.add_argument("--format", choices=("text", "json", "html"), default="text", help=text)
    text = f"show so many of each component (default: {SHOWN} as text, all as JSON and HTML)"
    parser.add_argument("--missing", type=whole_number, metavar="N", help=text)
    add_output(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Read the corpora and report."""
    from uriparse.conformance import coverage

    rule, source = read_rule(args, console)
    with output(args, grammar_file(args), *(args.corpus or ["-"])) as begin:
        try:
            found = coverage(rule, grammar=source)
            has_empty = found.subject.automaton.accepts("")
            lost: dict[str, Passed] = {}
            for text in corpus_texts(args.corpus or ["-"], lost, has_empty=has_empty):
                found.read(text)
        except UnreadableFileError as error:
            raise UsageError(console.shown(str(error))) from None
        most = SHOWN if args.missing is None and args.format == "text" else args.missing
        passed = {why: one._replace(file=console.shown(one.file)) for why, one in lost.items()}
        begin().writelines(_written(CoverageReport(found, passed, most), args.format))
    return 0


def _written(report: CoverageReport, form: str) -> Iterator[str]:
    if form == "json":
        yield json.dumps(_facts(report)) + "\n"
    elif form == "html":
        yield page(report)
    else:
        for line in text_report(report):
            yield printable(line) + "\n"


def _facts(report: CoverageReport) -> dict[str, object]:
    found = report.coverage
    return {
        "rule": found.subject.rule,
        "grammar": found.subject.source.name,
        "accepted": found.accepted,
        "refused": found.refused,
        "passed_over": [
            {"reason": reason, "lines": count, "file": file, "line": line}
            for reason, (count, file, line) in report.passed.items()
        ],
        "counts": [tally._asdict() for tally in found.tallies],
        "missing": [
            item._asdict() for items in report.missing().values() for item in items[: report.most]
        ],
        "unreachable": [
            {"component": one.component, "kind": one.kind, "rule": one.rule}
            for one in found.unreachable
        ],
    }
