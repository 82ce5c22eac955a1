"""`uriparse explain`: what the codes and causes mean that `uriparse validate` tells."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import groupby
from typing import TYPE_CHECKING

from uriparse.cli.validation.sources import UNREADABLE
from uriparse.diagnosis import CAUSES
from uriparse.excerpt import quoted
from uriparse.validation import CATALOGUE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from uriparse.cli.console import Console
    from uriparse.diagnosis import Cause
    from uriparse.validation import Code

NAME = "explain"
HELP = "say what codes and causes of `uriparse validate` mean; without one, list all"
GROUP = "judge"
EXAMPLES = (
    "uriparse explain",
    "uriparse explain bad-port",
)
EXITS = {0: "told"}

UNKNOWN = 2

_KNOWN = (*CATALOGUE, *UNREADABLE, *CAUSES)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("code", nargs="*", metavar="CODE")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace, console: Console) -> int:
    """Explain what was asked for, or list all."""
    unknown = [code for code in args.code if code not in _KNOWN]
    if unknown:
        near = get_close_matches(unknown[0], _KNOWN, 1)
        hint = f"; did you mean {near[0]}?" if near else "; `uriparse explain` lists all"
        console.error(f"uriparse explain: there is no code {console.shown(unknown[0])}{hint}")
        return UNKNOWN
    asked = dict.fromkeys(args.code or _KNOWN)  # some names are both
    codes = [CATALOGUE[name] for name in asked if name in CATALOGUE]
    own = [name for name in asked if name in UNREADABLE]
    causes = [CAUSES[name] for name in asked if name in CAUSES]
    if args.json:
        for code in codes:
            console.json(code._asdict())
        for name in own:
            console.json({"code": name, "sentence": UNREADABLE[name]})
        for cause in causes:
            console.json(_facts(cause))
    elif args.code:
        told = [*map(_explained, codes), *map(_explained_own, own), *map(_explained_cause, causes)]
        console.out("\n\n".join(told))
    else:
        _list(codes, console)
        _list_rest("no text", UNREADABLE, console)
        sentences = {name: _filled(cause.sentence) for name, cause in CAUSES.items()}
        _list_rest("causes of the code syntax", sentences, console)
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


def _explained_own(name: str) -> str:
    return f"{name}\n  {_sentence(UNREADABLE[name])}"


class _Blanks(dict[str, str]):
    """Fills the blanks of a sentence that is about no text with their names."""

    def __missing__(self, name: str) -> str:
        return name.upper()


def _filled(clause: str) -> str:
    return clause.format_map(_Blanks())


def _explained_cause(cause: Cause) -> str:
    rows = {
        "layer": "syntax",
        "help": _filled(cause.remedy),
        "has it": quoted(cause.example.text),
        "has it not": quoted(cause.counterexample),
        "read as": cause.example.by,
    }
    return _table(cause.name, _filled(cause.sentence), rows)


def _explained(code: Code) -> str:
    rows = {
        "layer": code.layer,
        "severity": code.severity,
        "source": code.source,
        "has it": code.trigger,
        "has it not": code.clean,
        "under": ", ".join(code.under.split("\n")),
    }
    return _table(code.code, code.sentence, rows)


def _table(name: str, sentence: str, rows: dict[str, str]) -> str:
    width = max(map(len, rows))
    facts = (f"  {field:{width}}  {_cut(str(value))}" for field, value in rows.items())
    return "\n".join([name, f"  {_sentence(sentence)}", *facts])


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."


def _cut(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:40]}... ({len(text)} characters)"


def _list(codes: list[Code], console: Console) -> None:
    width = max(len(code.code) for code in codes)
    for layer, group in groupby(codes, key=lambda code: code.layer):
        console.styled([(layer, "rule")])
        for code in group:
            console.out(f"  {code.code:{width}}  {code.severity:7}  {code.sentence}")


def _list_rest(title: str, sentences: Mapping[str, str], console: Console) -> None:
    width = max(map(len, sentences))
    console.styled([(title, "rule")])
    for name, sentence in sentences.items():
        console.out(f"  {name:{width}}  {sentence}")
