"""`uriparse conformance suite`: texts that a parser of a rule is to take, and to refuse."""

from __future__ import annotations

import json
from argparse import RawDescriptionHelpFormatter
from contextlib import nullcontext
from typing import TYPE_CHECKING

from uriparse.cli.arguments import whole_number
from uriparse.cli.conformance.grammar_option import USAGE, add_grammar, read_rule
from uriparse.cli.conformance.output import add_output, output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

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


_EPILOG = """\
Methods:
  transition  takes each step of the rule's smallest automaton, and each that it
              refuses, and goes on from there to an end
  hsi         tells the rule from all others that have an automaton of no more
              states, or of K more
  mutants     tells it from all that one edit makes of its grammar
  standard    transition, with all characters, and mutants
Characters that stand for those that the rule does not tell apart:
  one         one that is easily read
  borders     the first and the last of each range as well
  suspects    line ends, controls, foreign digits and letters as well
  all         all of these
A row of the suite is an object:
  text, valid       a text, and whether it belongs to the rule
  method            what it comes from
  component, rule   those that are under way at what it tests
  tests             what it tests
  offset, expected  where a text that does not belong stops, and what could
                    have stood there

It may take minutes to find the mutants of a rule; what was found is kept in
~/.cache/uriparse, or where XDG_CACHE_HOME says."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    add_grammar(parser)
    parser.add_argument("--method", choices=METHODS, default="standard",
                        help="see below (default: standard)")  # fmt: skip
    parser.add_argument(
        "--characters",
        choices=CHARACTERS,
        help="see below; default: all for standard, one for the others (mutants have their own)",
    )
    parser.add_argument(
        "--extra-states",
        type=whole_number("states"),
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
    add_output(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write a suite."""
    from uriparse.cli.conformance.witness_cache import remembered
    from uriparse.conformance import suite

    named = read_rule(args, console)
    if named is None:
        return USAGE
    rule, source = named
    if args.extra_states and args.method != "hsi":
        console.error("uriparse conformance suite: --extra-states goes with --method hsi")
        return USAGE
    with output(args, args.abnf) as begin:
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
        begin().writelines(f"{line}\n" for line in lines)
    return 0


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
