"""The sub-command ``lint``: what is wrong or doubtful in grammars."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from abnf2lark.process import flag, put, repeated, say, wanted
from abnf2lark.reading.problems import has_errors
from abnf2lark.subcommands.arguments import (
    add_define,
    add_import,
    add_lenient,
    add_rules,
    shown,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from abnf2lark.reading.ir import Grammar
    from abnf2lark.reading.problems import Problem

NAME = "lint"
HELP = "find what is wrong or doubtful in ABNF files"
DESCRIPTION = """\
Find what is wrong or doubtful in ABNF files, in bundled grammars (rfc3986), or
in standard input (-). Exit codes: 0 nothing is wrong, 1 something is."""
EXAMPLES = """\
  abnf2lark lint my.abnf --first-match
  abnf2lark lint --together base.abnf extensions.abnf
  abnf2lark lint --lenient old.bnf --ignore lenient"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="+", metavar="FILE.abnf")
    add_import(parser)
    add_define(parser)
    add_lenient(parser)
    add_rules(parser, "--start", "a rule to start with; what it does not lead to is reported")
    flag(
        parser, "--together", help="the files are one grammar: =/ in one adds to a rule of another"
    )
    flag(
        parser,
        "--first-match",
        help="report alternatives that a reader never comes to who keeps the first that matches",
    )
    repeated(
        parser,
        "--ignore",
        metavar="CODE",
        help="leave out warnings of this code, such as core-rule",
    )
    flag(parser, "--json", help="print the problems as a JSON array")


def run(options: argparse.Namespace) -> int:
    """Print the problems; return 1 if there are errors."""
    from abnf2lark.checks import without  # noqa: PLC0415 - slow to load
    from abnf2lark.reading.config import import_grammars  # noqa: PLC0415 - same

    without([], options.ignore)  # which refuses unknown codes, before anything is read
    imports = import_grammars(options.imports)
    grammars = [options.file] if options.together else [[name] for name in options.file]
    found: list[Problem] = []
    for names in grammars:
        found.extend(without(_problems(names, imports, options), options.ignore))
    if options.json:
        put(json.dumps([problem.as_dict() for problem in found], indent=2) + "\n")
    else:
        colours = wanted(options.color, "stdout")
        for problem in found:
            put(shown(problem, colours=colours))
            put("\n")
        errors = sum(problem.severity == "error" for problem in found)
        if found:
            say(f"{_count(errors, 'error')}, {_count(len(found) - errors, 'warning')}")
    return 1 if has_errors(found) else 0


def _problems(
    names: Sequence[str], imports: tuple[Grammar, ...], options: argparse.Namespace
) -> list[Problem]:
    """Return the problems of a grammar; say how many there would be if it were read leniently."""
    from abnf2lark.checks import lint_files  # noqa: PLC0415 - slow to load
    from abnf2lark.reading.config import hint_at_leniency  # noqa: PLC0415 - same

    found = lint_files(
        names,
        imports,
        options.start,
        options.defines,
        first_match=options.first_match,
        lenient=options.lenient,
    )
    if not options.lenient and "-" not in names:
        hint = hint_at_leniency(names, found)
        if hint:
            say(hint)
    return found


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
