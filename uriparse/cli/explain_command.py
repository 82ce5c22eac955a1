"""`uriparse explain`: what the codes and causes mean that `uriparse validate` reports."""

import argparse
import re
from collections.abc import Mapping
from difflib import get_close_matches
from itertools import groupby
from typing import TypeAlias

from uriparse.cli.arguments import declare
from uriparse.cli.console import Console, UsageError
from uriparse.cli.help_text import WIDEST, hung
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

_Explained: TypeAlias = tuple[str, str, dict[str, str]]
"""A name, its sentence, and what else there is to say of it."""

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
        near = get_close_matches(unknown[0], _KNOWN, 1)
        if ":" in unknown[0]:
            near = []
            told = "`uriparse validate URI` gives those of a text"
        else:
            told = "`uriparse explain` lists all"
        hint = f"; did you mean {near[0]}?" if near else f"; {told}"
        raise UsageError(f"there is no code {console.shown(unknown[0])}{hint}")
    asked = dict.fromkeys(args.code or _KNOWN)  # some names are both
    codes = [CATALOGUE[name] for name in asked if name in CATALOGUE]
    own = [name for name in asked if name in UNREADABLE]
    causes = [CAUSES[name] for name in asked if name in CAUSES]
    width = None if console.width is None else min(console.width, WIDEST)  # a pipe is not wrapped
    if args.json:
        for facts in (
            *(code._asdict() for code in codes),
            *({"code": name, "sentence": UNREADABLE[name]} for name in own),
            *map(_facts, causes),
        ):
            console.json(facts)
    elif args.code:
        room = None if width is None else _SCREENFUL
        explained = [
            *(_explained(code, room) for code in codes),
            *((name, UNREADABLE[name], {}) for name in own),
            *map(_explained_cause, causes),
        ]
        console.out("\n\n".join(_table(*one, width) for one in explained))
    else:
        for layer, group in groupby(codes, key=lambda code: code.layer):
            rows = {f"{one.code:{_WIDTH}}  {one.severity:7}": one.sentence for one in group}
            _list(layer, rows, width, console)
        _list("no text", UNREADABLE, width, console)
        sentences = {name: _filled(cause.sentence) for name, cause in CAUSES.items()}
        _list("causes of the code syntax", sentences, width, console)
    return 0


def _facts(cause: Cause) -> dict[str, object]:
    return {
        "cause": cause.name,
        "sentence": cause.sentence,
        "remedy": cause.remedy,
        "trigger": cause.example.text,
        "by": cause.example.by,
        "clean": cause.counterexample,
    }


def _filled(clause: str) -> str:
    """Replace the placeholders of a sentence by their names."""
    return re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), clause)


def _explained_cause(cause: Cause) -> _Explained:
    rows = {
        "layer": "syntax",
        "help": _filled(cause.remedy),
        "has it": quoted(cause.example.text),
        "has it not": quoted(cause.counterexample),
        "read as": cause.example.by,
    }
    return cause.name, _filled(cause.sentence), rows


def _explained(code: Code, room: int | None) -> _Explained:
    rows = {
        "layer": code.layer,
        "severity": code.severity,
        "source": code.source,
        "has it": _one_line(code.trigger, room),
        "has it not": _one_line(code.clean, room),
        "under": ", ".join(code.under.split("\n")),
    }
    return code.code, code.sentence, rows


def _table(name: str, sentence: str, rows: dict[str, str], width: int | None) -> str:
    size = max(map(len, rows), default=0)
    facts = (hung(f"  {field:{size}}  ", str(value), width) for field, value in rows.items())
    return "\n".join([name, hung("  ", f"{sentence[0].upper()}{sentence[1:]}.", width), *facts])


def _one_line(text: str, room: int | None) -> str:
    """Return an example with line ends escaped, shortened if it would fill the screen."""
    if room is not None and len(text) > room:
        return f"{text[:_FEW]}... ({len(text)} characters, all of them by --json)"
    return "".join(map(escaped, text))


def _list(title: str, rows: Mapping[str, str], width: int | None, console: Console) -> None:
    size = max(map(len, rows))
    console.styled([(title, "rule")])
    for name, sentence in rows.items():
        console.out(hung(f"  {name:{size}}  ", sentence, width))
