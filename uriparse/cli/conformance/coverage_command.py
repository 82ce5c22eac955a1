"""`uriparse conformance coverage`: what corpora leave untested of a rule."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from uriparse.cli.arguments import whole_number
from uriparse.cli.conformance.grammar_option import USAGE, add_grammar, read_rule
from uriparse.cli.conformance.output import add_output, output
from uriparse.cli.console import printable
from uriparse.cli.validation.sources import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.cli.conformance.coverage_report import Report
    from uriparse.cli.console import Console

NAME = "coverage"
HELP = "tell what corpora leave untested of a rule, with a text for whatever is missing"
EXAMPLES = (
    "uriparse conformance coverage urls.txt",
    "uriparse conformance coverage --format html --out page.html < urls.txt",
)
EXITS = {0: "told"}

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
  unreachable         [{component, kind, rule}]: choices that no text comes to
Kinds are rule, alternative, option, repetition and range, of the grammar;
transition, refusal and ending, of the smallest automaton."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    parser.add_argument(
        "corpus",
        nargs="*",
        metavar="CORPUS",
        help='a file, plain or gzipped, one text a line; "-", the default, is standard input',
    )
    add_grammar(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "html"),
        default="text",
        help="for people, one JSON object, or one page of HTML (default: text)",
    )
    parser.add_argument(
        "--missing",
        type=whole_number("items"),
        metavar="N",
        help=f"show so many of each component (default: {SHOWN} as text, all as JSON and HTML)",
    )
    add_output(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Read the corpora and report."""
    from uriparse.cli.conformance.corpora import Corpora
    from uriparse.cli.conformance.coverage_report import Report
    from uriparse.conformance import coverage

    named = read_rule(args, console)
    if named is None:
        return USAGE
    rule, source = named
    with output(args, args.abnf, *(args.corpus or ["-"])) as begin:
        try:
            found = coverage(rule, grammar=source)
            has_empty = found.subject.automaton.accepts("")
            corpora = Corpora(args.corpus or ["-"], has_empty=has_empty)
            for text in corpora:
                found.read(text)
        except UnreadableFileError as error:
            console.error(f"uriparse conformance coverage: {console.shown(str(error))}")
            return USAGE
        most = SHOWN if args.missing is None and args.format == "text" else args.missing
        passed = {
            reason: one._replace(file=console.shown(one.file))
            for reason, one in corpora.passed.items()
        }
        begin().writelines(_written(Report(found, passed, most), args.format))
    return 0


def _written(report: Report, form: str) -> Iterator[str]:
    if form == "json":
        yield json.dumps(_facts(report)) + "\n"
    elif form == "html":
        from uriparse.cli.conformance.coverage_page import page

        yield from page(report)
    else:
        from uriparse.cli.conformance.coverage_text import text_report

        for line in text_report(report):
            yield printable(line) + "\n"


def _facts(report: Report) -> dict[str, object]:
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
