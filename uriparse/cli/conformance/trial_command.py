"""`uriparse conformance trial`: what installed parsers get wrong."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from uriparse.cli.arguments import add_passwords
from uriparse.cli.conformance.grammar_option import USAGE, add_grammar, read_rule
from uriparse.cli.conformance.output import add_output, output
from uriparse.cli.console import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uriparse.cli.adapters import Adapter, Answers
    from uriparse.cli.adapters.python.judges import Wanted
    from uriparse.cli.conformance.trial_forms import Report
    from uriparse.cli.console import Console
    from uriparse.conformance import Subject, Trials

NAME = "trial"
HELP = "hold other parsers to a rule and group their errors; 1 if some have any"
EXAMPLES = (
    "uriparse conformance trial --format html --out trial.html",
    "uriparse conformance trial --rule port own_package.urls:is_port",
)
EXITS = {0: "no parser errs", 1: "some err"}

_LONGEST = 3600

_PROTOCOL = """\
An adapter is a built-in one (listed below), module:function, or a command:

  A function takes a text and accepts it by returning what is true; what is
  false, None or empty, and any exception, rejects it. A mapping accepts, and
  tells components: scheme, authority, userinfo, host, port, path, query,
  fragment, and as "text" the parser's own spelling of it all. Each function
  runs in a process of its own, in this directory.
  A command reads one JSON string a line and answers each with one JSON value
  on a line, flushed: true, false, or an object of components as above. It
  ends when its input ends. Texts with lone surrogates are not given to it.
  Crash, time-out or what is no JSON costs it that text; the 20th ends it.

Without adapters: all built-in ones that are installed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from uriparse.cli.adapters import ADAPTERS

    widest = max(len(each.name) for each in ADAPTERS)
    built_in = "\n".join(f"  {each.name:<{widest}}  {each.means}" for each in ADAPTERS)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{_PROTOCOL}\nBuilt in, and when each accepts:\n{built_in}"
    parser.add_argument("adapters", nargs="*", metavar="ADAPTER", help="a parser to be tried")
    add_grammar(parser)
    parser.add_argument(
        "--suite", metavar="FILE", help='texts: a JSON string, or an object with "text", a line'
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "html"),
        default="text",
        help="for people, a JSON object a parser, or one page of HTML (default: text)",
    )
    add_output(parser)
    parser.add_argument("--patience", type=_seconds, default=5.0, metavar="SECONDS",
                        help="how long an answer may take (5)")  # fmt: skip
    parser.add_argument(
        "--whole", action="store_true", help="ask slow parsers about all texts, too"
    )
    add_passwords(parser, "*** in the texts of a FILE")


def run(args: argparse.Namespace, console: Console) -> int:
    """Ask the parsers and write the report; 1 if verdicts are wrong, 2 if one cannot be asked."""
    from uriparse.cli.adapters import ABSENT, ask
    from uriparse.cli.adapters.python.judges import Wanted
    from uriparse.cli.conformance.trial_files import suite_texts
    from uriparse.conformance import Docket, judged, subject, trial_texts

    named = read_rule(args, console)
    if named is None:
        return USAGE
    of = subject(*named)
    wanted = Wanted(of.rule, of.source.name)
    chosen = _adapters(args.adapters, wanted)
    masks = args.suite is not None and not console.secrets
    texts = suite_texts(args.suite, of) if args.suite else trial_texts(*named)
    docket = Docket(of, texts, masks=masks)
    with output(args, args.abnf, args.suite) as begin:
        answers = ask(chosen, wanted, docket.texts, whole=args.whole, patience=args.patience)
        if not args.adapters:
            answers = [each for each in answers if each.trouble != ABSENT]
        said = [(one.adapter.name, one.version, one.answers) for one in answers if not one.trouble]
        found = judged(docket, said)
        report = _report(found, answers, console if masks else None)
        begin().write(f"{_form(report, args.format, of)}\n")
    if report.troubles:
        return USAGE
    return int(any(trial.errs for trial in found.trials))


def _adapters(names: Sequence[str], wanted: Wanted) -> Sequence[Adapter]:
    """Give those that are named, each of which has to be there; all that are built in if none is.

    UnknownAdapterError for what is none, or is not installed.
    """
    from uriparse.cli.adapters import ADAPTERS, UnknownAdapterError, adapter

    if not names:
        return ADAPTERS
    chosen = [adapter(name) for name in dict.fromkeys(names)]
    for each in chosen:
        if each.command(wanted) is None:
            raise UnknownAdapterError(f"{each.name} is not installed: it needs {each.needs}")
    return chosen


def _report(found: Trials, answers: Sequence[Answers], masking: Console | None) -> Report:
    from datetime import UTC, datetime

    from uriparse.cli.conformance.trial_forms import Report

    return Report(
        found,
        datetime.now(UTC).date().isoformat(),
        {each.adapter.name: each.adapter.means for each in answers},
        tuple((each.adapter.name, each.trouble) for each in answers if each.trouble),
        str if masking is None else masking.shown,
    )


def _form(report: Report, name: str, of: Subject) -> str:
    """Write a report, whole: nothing is begun that is not brought to its end."""
    import json

    from uriparse.cli.conformance.trial_forms import objects, text_lines
    from uriparse.cli.conformance.trial_page import page

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
