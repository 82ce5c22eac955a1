"""`uriparse explain`: what the codes and causes mean that `uriparse validate` reports."""

import argparse
import re
from itertools import groupby
from typing import NamedTuple

from uriparse.cli.arguments import declare
from uriparse.cli.console import Console, UsageError
from uriparse.cli.help_text import WIDEST, did_you_mean, hung
from uriparse.cli.validation_sources import UNREADABLE
from uriparse.diagnosis import CAUSES, Cause
from uriparse.errors.excerpt import quoted
from uriparse.errors.excerpt import shown as escaped
from uriparse.validation import CATALOGUE, Code

NAME = "explain"
HELP = "say what the codes of findings and errors mean"
GROUP = "check"
EXAMPLES = (
    "uriparse explain bad-port",
    "uriparse explain --json > codes.ndjson",
)
EXITS = {0: "explained"}

_SCREENFUL = 1000
"""Characters of an example that a terminal shows whole."""

_FEW = 40
_WIDTH = max(map(len, CATALOGUE))


class _Explained(NamedTuple):
    """What is said of a name: under a heading of the list, by itself, and as JSON."""

    heading: str
    front: str
    name: str
    sentence: str
    rows: dict[str, str]
    facts: dict[str, object]


_KNOWN = (*CATALOGUE, *UNREADABLE, *CAUSES)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    text = "a reported code; without one, list all"
    parser.add_argument("code", nargs="*", metavar="CODE", help=text)
    declare(parser, "--json")


def run(args: argparse.Namespace, console: Console) -> int:
    """Explain what was asked for, or list all."""
    unknown = [code for code in args.code if code not in _KNOWN]
    if unknown:
        hint = did_you_mean(unknown[0], _KNOWN) or "`uriparse explain` lists all"
        if ":" in unknown[0]:
            hint = "`uriparse validate URI` gives those of a text"
        raise UsageError(f"there is no code {console.shown(unknown[0])}; {hint}")
    asked = dict.fromkeys(args.code)
    width = None if console.width is None else min(console.width, WIDEST)  # a pipe is not wrapped
    explained = [
        *(_of_code(CATALOGUE[name], width) for name in asked or CATALOGUE if name in CATALOGUE),
        *(_of_unread(name, UNREADABLE[name]) for name in asked or UNREADABLE if name in UNREADABLE),
        *(_of_cause(CAUSES[name]) for name in asked or CAUSES if name in CAUSES),
    ]
    if args.json:
        for one in explained:
            console.json(one.facts)
    elif args.code:
        console.out("\n\n".join(_table(one, width) for one in explained))
    else:
        for heading, group in groupby(explained, key=lambda one: one.heading):
            console.styled([(heading, "rule")])
            rows = {one.front: one.sentence for one in group}
            size = max(map(len, rows))
            for front, sentence in rows.items():
                console.out(hung(f"  {front:{size}}  ", sentence, width))
    return 0


def _filled(clause: str) -> str:
    """Replace the placeholders of a sentence by their names."""
    return re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), clause)


def _of_cause(cause: Cause) -> _Explained:
    sentence, example, clean = _filled(cause.sentence), cause.example, cause.counterexample
    rows = {
        "layer": "syntax",
        "help": _filled(cause.remedy),
        "has it": quoted(example.text),
        "has it not": quoted(clean),
        "read as": example.by,
    }
    facts: dict[str, object] = {"cause": cause.name, "sentence": cause.sentence}
    facts |= {"remedy": cause.remedy, "trigger": example.text, "by": example.by, "clean": clean}
    return _Explained("causes of the code syntax", cause.name, cause.name, sentence, rows, facts)


def _of_unread(name: str, sentence: str) -> _Explained:
    return _Explained("no text", name, name, sentence, {}, {"code": name, "sentence": sentence})


def _of_code(code: Code, width: int | None) -> _Explained:
    rows = {
        "layer": code.layer,
        "severity": code.severity,
        "source": code.source,
        "has it": _one_line(code.trigger, width),
        "has it not": _one_line(code.clean, width),
        "under": ", ".join(code.under.split("\n")),
    }
    front = f"{code.code:{_WIDTH}}  {code.severity:7}"
    return _Explained(code.layer, front, code.code, code.sentence, rows, code._asdict())


def _table(one: _Explained, width: int | None) -> str:
    size = max(map(len, one.rows), default=0)
    facts = (hung(f"  {field:{size}}  ", str(value), width) for field, value in one.rows.items())
    sentence = f"{one.sentence[0].upper()}{one.sentence[1:]}."
    return "\n".join([one.name, hung("  ", sentence, width), *facts])


def _one_line(text: str, width: int | None) -> str:
    """Return an example with line ends escaped, shortened if it would fill the screen."""
    if width is not None and len(text) > _SCREENFUL:
        return f"{text[:_FEW]}... ({len(text)} characters, all of them by --json)"
    return "".join(map(escaped, text))
