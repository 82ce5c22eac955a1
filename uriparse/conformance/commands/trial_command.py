"""`uriparse conformance trial`: other parsers compared with a rule."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from abnf2lark import pages
from abnf2lark.process import flag
from uriparse.cli.arguments import add_any_grammar, declare, grammar_file, passwords, read_rule
from uriparse.cli.console import (
    FAULT,
    TOO_LONG,
    USAGE,
    Console,
    UsageError,
    lines,
    on_one_line,
    printable,
)
from uriparse.conformance import Fault, Subject, TextKind, Trial, Trials, abnf
from uriparse.conformance.commands.suite_command import add_method, add_output, output
from uriparse.conformance.trial_corpus import PASSAGES, Passage
from uriparse.diagnosis import join_words
from uriparse.errors import excerpt

if TYPE_CHECKING:
    from uriparse.conformance import Source
    from uriparse.conformance.peers.catalogue import Peer
    from uriparse.conformance.peers.tasks import PeerTask


# The texts of a suite that is read from a file.

_VERDICTS: Final = {"valid": True, "invalid": False}


def suite_texts(path: str, of: Subject) -> list[str]:
    """Read the texts of a file, of either form in which `uriparse conformance suite` writes.

    A JSON value a line: a string, an object with `"text"`, or, with `"suite"`, one that is passed
    over; or verdict, text as a JSON string, and what it tests, with tabs between. A verdict that
    a line has must be the rule's. UsageError for a file that is not a suite, OSError for one
    that cannot be read.
    """
    texts, shown = [], excerpt.masked(path)
    with Path(path).open("rb") as file:
        rows = ((text, is_cut) for chunk, is_cut in lines(file) for text in chunk)
        for number, (line, is_cut) in enumerate(rows, 1):
            if is_cut:
                raise UsageError(f"{shown}, line {number}: {TOO_LONG}")
            try:
                found = _row(line)
            except (ValueError, RecursionError):
                raise UsageError(
                    f'{shown}, line {number}: neither a JSON string nor an object with "text"'
                ) from None
            if found is None:
                continue
            text, claimed = found
            valid = of.labelled.accepts(text)
            if claimed is not None and claimed is not valid:
                raise UsageError(
                    f"{shown}, line {number}: {_word(claimed)} by the suite, {_word(valid)} by "
                    f"{of.rule} of {of.source.name}"
                )
            texts.append(text)
    if not texts:
        raise UsageError(f"{shown}: no texts")
    return texts


def _row(line: str) -> tuple[str, bool | None] | None:
    """Read a line: its text and the verdict on it, if any; None for the head of a suite."""
    if line.startswith("#"):
        return None
    verdict, tab, rest = line.partition("\t")
    if tab and verdict in _VERDICTS:
        text = json.loads(rest.partition("\t")[0])
        if isinstance(text, str):
            return text, _VERDICTS[verdict]
    match json.loads(line):
        case str(text):
            return text, None
        case {"text": str(text), "valid": bool(valid)}:
            return text, valid
        case {"text": str(text)}:
            return text, None
        case {"suite": dict()}:
            return None
    raise ValueError


def _word(valid: bool) -> str:  # noqa: FBT001 - a verdict
    return "valid" if valid else "invalid"


# The outcome of trials as lines of text and as JSON objects.

SIGNS: Final = {"accepts": "▲", "rejects": "▼", "differs": "≠", "rewrites": "↻"}

LEGEND: Final = "▲ accepts wrongly   ▼ rejects wrongly   ≠ reads otherwise   ↻ writes otherwise"

_TITLE: Final = 72


class TrialReport(NamedTuple):
    """The contents of a report, in any form.

    trials: the trials.
    date: of the day, as 2026-11-22.
    means: what each parser's verdict is, by its name, in one line.
    troubles: parsers that could not be asked, and why.
    shown: returns a text as it may be shown.
    verbose: whether the kinds of texts of each group are listed.
    """

    trials: Trials
    date: str
    means: dict[str, str]
    troubles: tuple[tuple[str, str], ...]
    shown: Callable[[str], str]
    verbose: bool = False

    def passage(self, fault: Fault) -> Passage | None:
        """Return where the RFC says what a parser gets wrong; None of another grammar."""
        is_ours = self.trials.grammar == "rfc3986"
        return PASSAGES.get(fault.component) if is_ours else None

    def witness(self, text: str) -> str:
        """Return a text on one line; in quotes if it is empty or begins or ends with a space."""
        shown = on_one_line(self.shown(text))
        return shown if shown and shown == shown.strip() else f'"{shown}"'


def text_lines(report: TrialReport) -> Iterator[str]:
    """Return the lines for people: a head, then each parser with a line a group."""
    found = report.trials
    yield (
        f"{found.rule} of {found.grammar}: {found.texts:,} texts, {found.valid:,} of them valid "
        f"({report.date})"
    )
    yield LEGEND
    numbers = count(1)
    for trial in found.trials:
        yield ""
        yield from _lines(trial, report, numbers)
    for name, why in report.troubles:
        yield ""
        yield f"{name}: {why}"


def _lines(trial: Trial, report: TrialReport, numbers: Iterator[int]) -> Iterator[str]:
    yield f"{title(trial)}: {summary(trial, report.trials)}"
    yield f"  accepts when: {report.means[trial.name]}"
    for fault in trial.faults:
        head = f"  {next(numbers)} {SIGNS[fault.direction]} {fault.title}"
        passage = report.passage(fault)
        place = f"  ({passage})" if passage else ""
        number = f"{fault.number:,}{_share(fault)}"
        yield f"{head:<{_TITLE}} {number}: {report.witness(fault.witness)}{place}"
        if report.verbose:
            yield from (f"      {_part_line(part, report)}" for part in fault.parts)
    yield from (f"  ! {_part_line(part, report)}" for part in trial.unanswered)


def _part_line(part: TextKind, report: TrialReport) -> str:
    return f"{part.what}: {part.number:,}: {report.witness(part.witness)}"


def issue_lines(report: TrialReport, number: int, of: Subject) -> Iterator[str]:
    """Return a numbered group of errors as an issue in Markdown; UsageError without the group."""
    found = [(trial, fault) for trial in report.trials.trials for fault in trial.faults]
    if not 0 < number <= len(found):
        raise UsageError(f"--issue is one of the {len(found)} groups of errors, not {number}")
    trial, fault = found[number - 1]
    passage = report.passage(fault)
    place = f" (RFC 3986, section {passage})" if passage else ""
    definition = abnf(of, fault.component) or abnf(of, of.rule)
    yield from (
        f"# {fault.title}: {report.witness(fault.witness)}\n",
        f"{title(trial)}, against the rule `{of.rule}` of {of.source.name}{place}:\n",
        f"    {definition}\n",
        f"The shortest text that shows it: {_code_span(report.shown(fault.witness))}\n",
        f"- expected: {_expected(fault, of)}",
        f"- found: {_FOUND[fault.direction]}\n",
        f"Tests to add ({report.means[trial.name]}):\n",
    )
    for part in fault.parts:
        verdict = _word(of.labelled.accepts(part.witness))
        yield f"- {_code_span(report.shown(part.witness))} is {verdict}: {part.what}"


_FOUND: Final = {
    "accepts": "the parser accepts it",
    "rejects": "the parser rejects it",
    "differs": "the component has another value",
    "rewrites": "the parser writes another text",
}


def _expected(fault: Fault, of: Subject) -> str:
    offset, state = of.labelled.read(fault.witness)
    if offset == len(fault.witness) and state in of.labelled.final:
        return "valid" if fault.direction == "rejects" else "the components as they are written"
    words = dict.fromkeys(word for group in of.labelled.groups[state] for word in group.words)
    allowed = join_words((*words, *(["end"] if state in of.labelled.final else [])))
    return f"invalid; at offset {offset} the rule allows {allowed}"


def _code_span(text: str) -> str:
    """Write a text as code of Markdown, as a JSON string where it could not be read otherwise."""
    plain = text if text.isprintable() and text.isascii() and text else json.dumps(text)
    ticks = "``" if "`" in plain else "`"
    return f"{ticks} {plain} {ticks}" if "`" in plain or plain != plain.strip() else f"`{plain}`"


def title(trial: Trial) -> str:
    """Name a parser and its version."""
    return f"{trial.name} {trial.version}".rstrip()


def summary(trial: Trial, trials: Trials) -> str:
    """Say how many groups of wrong verdicts there are, and what else; never a sum of texts."""
    wrong = sum(fault.direction in ("accepts", "rejects") for fault in trial.faults)
    said = f"{wrong} group{'' if wrong == 1 else 's'} of wrong verdicts"
    said = said if wrong else "no wrong verdict"
    if trial.asked and sum(part.number for part in trial.unanswered) == trial.asked:
        said = "no verdict"
    if trial.asked < trials.texts:
        said += f"; asked about {trial.asked:,} of {trials.texts:,} texts"
    return said


def _share(fault: Fault) -> str:
    nouns = "refusals" if fault.direction == "accepts" else "transitions"
    return f", {fault.steps:,} of {fault.of:,} {nouns}" if fault.steps else ""


def objects(report: TrialReport) -> Iterator[dict[str, object]]:
    """Return an object a parser."""
    found = report.trials
    head = {"rule": found.rule, "grammar": found.grammar, "date": report.date}
    for trial in found.trials:
        yield {
            "parser": trial.name,
            "version": trial.version,
            "means": report.means[trial.name],
            **head,
            "texts": found.texts,
            "asked": trial.asked,
            "groups": [_fault(fault, report) for fault in trial.faults],
            "unanswered": _parts(trial.unanswered, report),
        }
    for name, why in report.troubles:
        yield {"parser": name, **head, "trouble": why}


def _fault(fault: Fault, report: TrialReport) -> dict[str, object]:
    passage = report.passage(fault)
    return {
        **fault._asdict(),
        "section": passage and passage.section,
        "sentence": passage and passage.sentence,
        "number": fault.number,
        "witness": report.shown(fault.witness),
        "parts": _parts(fault.parts, report),
    }


def _parts(parts: tuple[TextKind, ...], report: TrialReport) -> list[dict[str, object]]:
    return [part._replace(witness=report.shown(part.witness))._asdict() for part in parts]


# The outcome of trials as one HTML page that needs nothing else.


def page(report: TrialReport, of: Subject) -> str:
    """Return the page: parsers by component, and details for each group of errors."""
    found = report.trials
    matrix: list[tuple[pages.Cell, ...]] = []
    details: list[pages.Details] = []
    for number, trial in enumerate(found.trials):
        cells: dict[str, list[pages.Link]] = {name: [] for name in found.components}
        for place, fault in enumerate(trial.faults):
            anchor, sign = f"p{number}g{place}", SIGNS[fault.direction]
            link = pages.Link(f"{sign} {fault.number:,}", anchor, fault.title)
            cells.setdefault(fault.component, []).append(link)
            details.append(_details(trial, fault, anchor, report, of))
        matrix.append((title(trial), *(cells[name] for name in found.components)))
        if trial.unanswered:
            heading = f"{title(trial)}: texts without an answer"
            details.append(pages.Details(f"p{number}", heading, _kinds(trial.unanswered, report)))
    verdicts = [(title(one), report.means[one.name], summary(one, found)) for one in found.trials]
    tables = [
        pages.Table("Parsers", ("parser", "accepts when", "found"), verdicts),
        pages.Table("By component", ("parser", *found.components), matrix),
    ]
    if report.troubles:
        tables.append(pages.Table("Not tested", ("parser", "why"), report.troubles))
    sentences = (
        f"{report.date}. {found.texts:,} texts, {found.valid:,} of them valid.",
        f"{LEGEND}. Each sign has the number of texts, and leads to their group.",
        "Compare numbers within a column only: components have different numbers of texts.",
    )
    heading = f"Parsers compared with {found.rule} of {found.grammar}"
    return pages.report(heading, sentences, tables, details)


def _details(
    trial: Trial, fault: Fault, anchor: str, report: TrialReport, of: Subject
) -> pages.Details:
    heading = f"{title(trial)}: {SIGNS[fault.direction]} {fault.title} "
    heading += f"({fault.number:,}{_share(fault)}), {report.witness(fault.witness)}"
    passage = report.passage(fault)
    texts = (f"RFC 3986, section {passage}" if passage else "", abnf(of, fault.component))
    return pages.Details(anchor, heading, _kinds(fault.parts, report), filter(None, texts))


def _kinds(parts: Iterable[TextKind], report: TrialReport) -> pages.Table:
    rows = [(part.what, f"{part.number:,}", report.witness(part.witness)) for part in parts]
    return pages.Table("Kinds of texts", ("what", "texts", "the shortest"), rows)


NAME = "trial"
HELP = "test parsers with the suite of a rule, and group their errors"
EXAMPLES = (
    "uriparse conformance trial --format html --out trial.html",
    "uriparse conformance trial --rule port own_package.urls:is_port",
)
EXITS = {0: "no parser errs", 1: "some err"}

_LONGEST = 3600

_PROTOCOL = """\
A parser is a built-in one (listed below), module:function, or a command:

  A function gets a text. A true result accepts it; a false or empty result,
  None, and any exception reject it. A mapping accepts the text and holds its
  components: scheme, authority, userinfo, host, port, path, query, fragment,
  and as "text" the URI as the parser writes it. Each function runs in a
  process of its own, in this directory.
  A command reads a JSON string from each line and answers with a JSON value
  on a line, flushed: true, false, or an object of components as above. It
  ends when its input ends. It gets no texts with lone surrogates. With --hex
  a line is the text's UTF-8 in hexadecimal digits. uriparse conformance
  adapters write go writes such a program; adapters list, the languages.
  After a crash, a time-out or a line that is not JSON, the text has no
  verdict; the 20th such text ends the trial of the parser. An object with
  "refuses" and a reason rejects the text, too.

With --operation a text is those of a case, with a space between them: base
and reference; text; two texts; base and target. The answer is a string, the
result, or true or false for equivalence. A function gets the texts one by one.

Without a name: all built-in ones that are installed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from uriparse.conformance.peers.catalogue import VERDICT_PEERS
    from uriparse.conformance.peers.known import RESULTS

    widest = max(len(each.name) for each in VERDICT_PEERS)
    built_in = "\n".join(f"  {each.name:<{widest}}  {each.accepts_when}" for each in VERDICT_PEERS)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{_PROTOCOL}\nBuilt in, and when each accepts:\n{built_in}"
    parser.add_argument("parsers", nargs="*", metavar="PARSER", help="a parser to test, as below")
    add_any_grammar(parser)
    add_method(parser, "what the texts are made by, as of suite (default: a trial has its own)")
    parser.add_argument(
        "--suite", metavar="FILE", help='texts: a JSON string, or an object with "text", a line'
    )
    text = "for people, a JSON object a parser, or one page of HTML (default: text)"
    parser.add_argument("--format", choices=("text", "json", "html"), default="text", help=text)
    text = "write group N of the report as an issue for the parser's tracker"
    parser.add_argument("--issue", type=int, metavar="N", help=text)
    flag(parser, "--verbose", help="list the kinds of texts of each group, too")
    add_output(parser)
    parser.add_argument("--patience", type=_seconds, default=5.0, metavar="SECONDS",
                        help="how long an answer may take (5)")  # fmt: skip
    flag(parser, "--hex", help="give commands the texts as hexadecimal digits of UTF-8")
    text = "test the results of this operation, not verdicts"
    parser.add_argument("--operation", choices=tuple(RESULTS), metavar="OPERATION", help=text)
    flag(parser, "--whole", help="ask slow parsers about all texts, too; all cases of --operation")
    declare(parser, "--show-passwords", show_passwords=passwords("*** in the texts of a FILE"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Ask the parsers and write the report; 1 if verdicts are wrong, 2 if one cannot be asked."""
    from datetime import UTC, datetime

    from uriparse.conformance import TrialCorpus, judged
    from uriparse.conformance.peers.asking import ABSENT, ask
    from uriparse.conformance.peers.tasks import PeerTask

    if args.operation:
        return _run_operation(args)
    named = read_rule(args, console)
    of, texts = _texts(*named, args)
    task = PeerTask(of.rule, of.source.name)
    chosen = _peers(args.parsers, task, is_hex=args.hex)
    masks = args.suite is not None and not console.secrets
    corpus = TrialCorpus(of, texts, masks=masks)
    with output(args, grammar_file(args), args.suite) as begin:
        answers = ask(chosen, task, corpus.texts, whole=args.whole, patience=args.patience)
        if not args.parsers:
            answers = [each for each in answers if each.trouble != ABSENT]
        said = [(one.peer.name, one.version, one.answers) for one in answers if not one.trouble]
        found = judged(corpus, said)
        report = TrialReport(
            found,
            datetime.now(UTC).date().isoformat(),
            {each.peer.name: each.peer.accepts_when for each in answers},
            tuple((each.peer.name, each.trouble) for each in answers if each.trouble),
            console.shown if masks else str,
            args.verbose,
        )
        if args.issue is not None:
            written = printable("\n".join(issue_lines(report, args.issue, of)))
        else:
            written = _form(report, args.format, of)
        begin().write(f"{written}\n")
    wrong = int(any(trial.errs for trial in found.trials))
    return trouble_code(why for _, why in report.troubles) or wrong


def _texts(
    rule: str, source: str | Source, args: argparse.Namespace
) -> tuple[Subject, Sequence[str]]:
    """Return the rule, to a depth perhaps, and the texts that parsers are asked about."""
    from uriparse.conformance import subject, suite, trial_texts

    if args.suite and (args.method or args.depth is not None):
        raise UsageError("--method and --depth make texts; --suite has its own")
    if args.suite:
        of = subject(rule, source)
        return of, suite_texts(args.suite, of)
    if not args.method and args.depth is None:
        return subject(rule, source), trial_texts(rule, source)
    args.method = args.method or "transition"
    try:
        made = suite(rule, grammar=source, method=args.method, characters="all", depth=args.depth)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return made.subject, made.texts


def trouble_code(troubles: Iterable[str]) -> int:
    """Return 2 if a parser could not be asked, 70 if our adapter is the reason, else 0."""
    from uriparse.conformance.peers.asking import BUG

    found = [why for why in troubles if why]
    return (FAULT if any(why.startswith(BUG) for why in found) else USAGE) if found else 0


def _run_operation(args: argparse.Namespace) -> int:
    from uriparse.conformance.commands import operation_trial
    from uriparse.conformance.peers.asking import ABSENT
    from uriparse.conformance.peers.tasks import PeerTask

    is_html = True if args.format == "html" else None
    for option, value in (
        *(("--suite", args.suite), ("--issue", args.issue), ("--rule", args.rule)),
        *(("--format html", is_html), ("--method", args.method), ("--depth", args.depth)),
    ):
        if value is not None:
            raise UsageError(f"{option} goes with verdicts, not with --operation")
    chosen = _peers(args.parsers, PeerTask(operation=args.operation), is_hex=args.hex)
    with output(args) as begin:
        found = operation_trial.tried(
            chosen, args.operation, whole=args.whole, patience=args.patience
        )
        if not args.parsers:
            found = [each for each in found if each.trouble != ABSENT]
        text = operation_trial.written(found, args.operation, args.format)
        begin().write(f"{printable(text)}\n")
    wrong = int(any(each.differences or each.unanswered for each in found))
    return trouble_code(each.trouble for each in found) or wrong


def _peers(names: Sequence[str], task: PeerTask, *, is_hex: bool) -> Sequence[Peer]:
    """Return the named peers, or all; UnknownPeerError for one that is unknown or not installed."""
    from uriparse.conformance.peers.catalogue import UnknownPeerError, peer, peers_of

    if not names:
        return peers_of(task.operation)
    chosen = [peer(name, is_hex=is_hex, operation=task.operation) for name in dict.fromkeys(names)]
    for each in chosen:
        if each.command(task) is None:
            raise UnknownPeerError(f"{each.name} is not installed: it needs {each.needs}")
    return chosen


def _form(report: TrialReport, name: str, of: Subject) -> str:
    if name == "html":
        return page(report, of)
    if name == "json":
        return "\n".join(map(json.dumps, objects(report)))
    return printable("\n".join(text_lines(report)))


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 < number <= _LONGEST:
        raise argparse.ArgumentTypeError(f"more than 0 and at most {_LONGEST} s, not {text}")
    return number


_seconds.__name__ = "number of seconds"
