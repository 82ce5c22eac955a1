"""`uriparse conformance suite`: texts that a parser of a rule is to take, and to refuse."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from uriparse.cli.conformance.grammar_option import USAGE, add_grammar, read_rule

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import TextIO

    from uriparse.cli.console import Console
    from uriparse.conformance import Row, Suite

NAME = "suite"
HELP = "write texts that a parser is to take and to refuse, with what passing them guarantees"
EXAMPLES = (
    "uriparse conformance suite --rule host > host.ndjson",
    "uriparse conformance suite --grammar rfc3987 --rule IRI --format txt",
)
EXITS = {0: "written"}

METHODS = ("standard", "transition", "mutants", "hsi")
SEARCHED = ("standard", "mutants")
"""The methods for which the mutants of a rule may have to be looked into first."""

CHARACTERS = ("one", "borders", "suspects", "all")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_grammar(parser)
    parser.add_argument("--method", choices=METHODS, default="standard", help="default: standard")
    parser.add_argument(
        "--characters",
        choices=CHARACTERS,
        help="which stand for those that the rule does not tell apart; default: all for standard, "
        "one for the others",
    )
    parser.add_argument(
        "--extra-states",
        type=int,
        default=0,
        metavar="K",
        help="for hsi: states that a parser may have more than the rule (default: 0)",
    )
    parser.add_argument(
        "--format",
        choices=("ndjson", "txt"),
        default="ndjson",
        help="an object for the suite, then one a row; or for people (default: ndjson)",
    )
    parser.add_argument("--out", metavar="FILE", help="write here, not to standard output")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write a suite."""
    from uriparse.cli.conformance.witness_cache import remembered
    from uriparse.conformance import suite

    named = read_rule(args, console)
    if named is None:
        return USAGE
    rule, source = named
    try:
        with remembered(rule, source) if args.method in SEARCHED else nullcontext():
            found = suite(
                rule,
                grammar=source,
                method=args.method,
                characters=args.characters,
                extra_states=args.extra_states,
            )
    except ValueError as error:
        console.error(f"uriparse conformance suite: {error}")
        return USAGE
    lines = _ndjson(found) if args.format == "ndjson" else _txt(found)
    with ExitStack() as stack:
        sink = _sink(args.out, stack)
        sink.writelines(f"{line}\n" for line in lines)
    return 0


def _sink(name: str | None, stack: ExitStack) -> TextIO:
    if name is None:
        return sys.stdout
    path = Path(name)
    return stack.enter_context(path.open("w", encoding="ascii", newline="\n"))


def _ndjson(found: Suite) -> Iterator[str]:
    """Write an object about the suite, under `suite`, then one for each row."""
    head = {
        "rule": found.subject.rule,
        "grammar": found.subject.source.name,
        "method": found.method,
        "characters": found.characters,
        "extra_states": found.extra_states,
        "rows": len(found),
        "size": found.size,
        "guarantee": found.guarantee,
    }
    yield json.dumps({"suite": head})
    for row in found:
        yield json.dumps(row._asdict())


def _txt(found: Suite) -> Iterator[str]:
    """Write verdict, text as a JSON string, and what it tests, with tabs between them."""
    yield f"# {found.size}"
    yield f"# {found.guarantee}"
    for row in found:
        yield f"{_verdict(row)}\t{json.dumps(row.text)}\t{_ascii(row.tests)}"


def _verdict(row: Row) -> str:
    return "valid" if row.valid else "invalid"


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode("ascii")
