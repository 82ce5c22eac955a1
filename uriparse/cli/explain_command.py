"""`uriparse explain`: what a code of `uriparse validate` means."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import groupby
from typing import TYPE_CHECKING

from uriparse.validation import CATALOGUE

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console
    from uriparse.validation import Code

NAME = "explain"
HELP = "say what a code of `uriparse validate` means; without one, list all"

UNKNOWN = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("code", nargs="*", metavar="CODE")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace, console: Console) -> int:
    """Explain the codes that were asked for, or list them all."""
    unknown = [code for code in args.code if code not in CATALOGUE]
    if unknown:
        near = get_close_matches(unknown[0], CATALOGUE, 1)
        hint = f"; did you mean {near[0]}?" if near else "; `uriparse explain` lists all"
        console.error(f"uriparse explain: there is no code {console.shown(unknown[0])}{hint}")
        return UNKNOWN
    codes = [CATALOGUE[code] for code in args.code] or list(CATALOGUE.values())
    if args.json:
        for code in codes:
            console.json(code._asdict())
    elif args.code:
        console.out("\n\n".join(map(_explained, codes)))
    else:
        _list(codes, console)
    return 0


def _explained(code: Code) -> str:
    rows = {
        "layer": code.layer,
        "severity": code.severity,
        "source": code.source,
        "has it": code.trigger,
        "has it not": code.clean,
        "under": ", ".join(code.under.split("\n")),
    }
    width = max(map(len, rows))
    sentence = code.sentence[0].upper() + code.sentence[1:]
    facts = (f"  {name:{width}}  {_cut(str(value))}" for name, value in rows.items())
    return "\n".join([code.code, f"  {sentence}.", *facts])


def _cut(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:40]}... ({len(text)} characters)"


def _list(codes: list[Code], console: Console) -> None:
    width = max(len(code.code) for code in codes)
    for layer, group in groupby(codes, key=lambda code: code.layer):
        console.styled([(layer, "rule")])
        for code in group:
            console.out(f"  {code.code:{width}}  {code.severity:7}  {code.sentence}")
