"""`uriparse conformance suite`: a finite test suite for a rule."""

from __future__ import annotations

import argparse
import json
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from abnf2lark.process import add_force, whole_number
from uriparse.cli.arguments import add_any_grammar, grammar_file, read_rule
from uriparse.cli.console import Console, Gate, UsageError, standard_output
from uriparse.conformance.commands.suite_layouts import (
    FOLDERS,
    SCHEMA_FORMATS,
    json_schema_lines,
    write_folder,
)
from uriparse.grammar.automata import Witnesses
from uriparse.grammar.rule_sources import source_of

if TYPE_CHECKING:
    from uriparse.conformance import Source, Suite


# Where the parts write: to standard output, or to a file that is named.


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare `--out` and `--force`."""
    parser.add_argument(
        *("-o", "--out"), type=_named, metavar="FILE", help="write here, not to standard output"
    )
    add_force(parser)


@contextmanager
def output(args: argparse.Namespace, *read: str | None) -> Iterator[Callable[[], Gate]]:
    """Find out whether there is somewhere to write to, before work begins that takes minutes.

    args: with `out`, the name of the file, "-" or None for standard output; and `force`.
    read: names of files, "-" for standard input.

    Gives what begins to write. The file is in its place when the block ends, if anything was
    begun. OSError if it cannot be written, is one of those that are read, or is there already.
    """
    if args.out in {None, "-"}:
        yield standard_output
        return
    from abnf2lark.outputs import Outputs

    is_begun = False

    def begin() -> Gate:
        nonlocal is_begun
        is_begun = True
        return Gate(file)

    with Outputs(force=args.force, read=read) as files:
        file = files.text(args.out)
        yield begin
        if not is_begun:
            files.discard()


def _named(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the name of the file is empty")
    return text


# Witnesses that took long to find, kept between runs in the user's cache directory.

_MAKERS = ("automata", "mutants", "reading")
"""The parts of the compiler that witnesses come from."""


@contextmanager
def remembered(rule: str, grammar: str | Source) -> Iterator[None]:
    """Let witnesses of earlier runs be known inside, and keep new ones."""
    from abnf2lark.remembered import entry, read, write

    source = source_of(grammar)
    rule = source.rule_name(rule)
    if source.knows(rule):
        yield
        return
    place = entry("witnesses", (rule, *source.expressions.items()), _MAKERS)
    known = place and read(place, _witnesses)
    if known:
        source.learn(rule, known)
    yield
    if place and not known and source.knows(rule):
        write(place, source.witnesses(rule))


def _witnesses(kept: Any) -> Witnesses:
    texts, *numbers = kept
    return Witnesses(tuple((text, edit) for text, edit in texts), *numbers)


NAME = "suite"
HELP = "write valid and invalid texts for a rule, and what passing them guarantees"
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
              refuses, between others and in place of others, on to an end
  hsi         detects all other rules that have an automaton of no more
              states, or of K more
  mutants     detects all other rules that one edit makes of its grammar
  standard    transition, with all characters, and mutants; for references also
              texts that detect who takes them apart wrongly
Characters that represent those that the rule does not distinguish:
  one         one that is easily read
  borders     the first and the last of each range as well
  suspects    line ends, controls, foreign digits and letters as well
  all         all of these
A row of the suite is an object:
  text, valid       a text, and whether it belongs to the rule
  method            what it comes from
  component, rule   those that are in progress at what it tests
  tests             what it tests
  offset, expected  where a text that does not belong stops, and what was
                    allowed there
  components        of a reference that belongs, null for an absent one

Layouts of others:
  jsonschema  a file of JSON-Schema-Test-Suite, for the keyword "format"
  libfuzzer, afl
              a folder with seeds, a file for each text, and dictionary.txt
  go-corpus   a folder for testdata/fuzz/FuzzName of Go

It may take minutes to find the mutants of a rule; what was found is kept in
~/.cache/uriparse, or where XDG_CACHE_HOME says."""


def add_method(parser: argparse.ArgumentParser, about: str) -> None:
    """Declare `--method` and `--depth`, which decide what a suite is made by."""
    parser.add_argument("--method", choices=METHODS, help=about)
    text = "for transition and a recursive rule of a file: how many levels are tested"
    parser.add_argument("--depth", type=whole_number, metavar="N", help=text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    add_any_grammar(parser)
    add_method(parser, "see below (default: standard)")
    text = "see below; default: all for standard, one for the others (mutants have their own)"
    parser.add_argument("--characters", choices=CHARACTERS, help=text)
    text = "for hsi: states that a parser may have more than the rule (default: 0)"
    parser.add_argument("--extra-states", type=whole_number, default=0, metavar="K", help=text)
    text = (
        "ndjson, an object for the suite, then one a row; txt, for people; or a layout of"
        " others, see below (default: ndjson)"
    )
    parser.add_argument(
        *("--format", "--as"),
        choices=("ndjson", "txt", "jsonschema", *FOLDERS),
        default="ndjson",
        metavar="FORM",
        help=text,
    )
    text = "write what passing guarantees, and the edits that are detected, instead of the rows"
    parser.add_argument("--explain", action="store_true", help=text)
    add_output(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write a suite."""
    from uriparse.conformance import suite

    rule, source = read_rule(args, console)
    args.method = args.method or "standard"
    if args.extra_states and args.method != "hsi":
        raise UsageError("--extra-states goes with --method hsi")
    if args.format == "jsonschema" and rule not in SCHEMA_FORMATS:
        raise UsageError(f"--format jsonschema is for {', '.join(SCHEMA_FORMATS)}, not {rule}")

    def made() -> Suite:
        try:
            with remembered(rule, source) if args.method in SEARCHED else nullcontext():
                return suite(
                    rule,
                    grammar=source,
                    method=args.method,
                    characters=args.characters,
                    extra_states=args.extra_states,
                    depth=args.depth,
                )
        except ValueError as error:
            raise UsageError(str(error)) from None

    if args.format in FOLDERS and not args.explain:
        if args.out in {None, "-"}:
            raise UsageError(f"--format {args.format} makes a folder: name it with --out")
        write_folder(made(), args.format, args.out)
        return 0
    with output(args, grammar_file(args)) as begin:
        found = made()
        write = {"ndjson": _ndjson, "txt": _txt, "jsonschema": json_schema_lines}[args.format]
        lines = _explained(found) if args.explain else write(found)
        begin().writelines(f"{line}\n" for line in lines)
    return 0


def _explained(found: Suite) -> Iterator[str]:
    """Write the sentences about a suite, and for witnesses of mutants the list of edits."""
    yield found.size
    yield found.guarantee
    if found.method in SEARCHED:
        from uriparse.conformance.suites import EDITS, NOT_PROMISED

        yield "An edit is one of these, in a rule or in one place that refers to it:"
        yield from (f"- {edit}" for edit in EDITS)
        yield NOT_PROMISED


def _ndjson(found: Suite) -> Iterator[str]:
    head = {
        "rule": found.subject.rule,
        "grammar": found.subject.source.name,
        **{name: getattr(found, name) for name in ("method", "characters", "extra_states")},
        "depth": found.depth,
        "rows": len(found),
        "size": found.size,
        "guarantee": found.guarantee,
    }
    yield json.dumps({"suite": head})
    for row in found:
        yield json.dumps(row._asdict())


def _txt(found: Suite) -> Iterator[str]:
    yield f"# {found.size}"
    yield f"# {found.guarantee}"
    for row in found:
        tests = row.tests.encode("ascii", "backslashreplace").decode("ascii")
        yield f"{'valid' if row.valid else 'invalid'}\t{json.dumps(row.text)}\t{tests}"
