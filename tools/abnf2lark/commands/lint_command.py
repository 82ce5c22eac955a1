"""Find what is wrong or doubtful in ABNF files, in bundled grammars (rfc3986), or
in standard input (-). Exit codes: 0 nothing is wrong, 1 something is.

examples:
  abnf2lark lint my.abnf --first-match
  abnf2lark lint --together base.abnf extensions.abnf
  abnf2lark lint --lenient old.bnf --ignore lenient
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace

from abnf2lark.checks import TOOLS, last_line_problems, lint_source, without
from abnf2lark.commands import shared
from abnf2lark.config import bundled_source, hint_at_leniency, import_grammars, named_source
from abnf2lark.ir import RuleSet
from abnf2lark.problems import GrammarError, Problem, has_errors
from abnf2lark.process import flag, put, repeated, say


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", metavar="FILE.abnf")
    shared.add_sources(parser)
    shared.add_scope(parser)
    text = "the files are one grammar: =/ in one adds to a rule of another"
    flag(parser, "--together", help=text)
    text = "report alternatives that a parser never reaches if it keeps the first that matches"
    flag(parser, "--first-match", help=text)
    text = "report alternatives that match the same text, with the text"
    extra = {"ambiguity": text, "unused": "report rules that no other one refers to"}
    for name, text in extra.items():
        parser.add_argument(
            f"--{name}", dest="extra", action="append_const", const=name, default=[], help=text
        )
    text = "report what this tool refuses: abnf, apg-js or bap"
    repeated(parser, "--tool", dest="extra", choices=TOOLS, help=text)
    flag(parser, "--json", help="print the problems as a JSON array")


def run(options: Namespace) -> int:
    """Print the problems; return 1 if there are errors."""
    without([], options.ignore)  # which refuses unknown codes, before anything is read
    imports = import_grammars(options.imports)
    grammars = [options.file] if options.together else [[name] for name in options.file]
    found: list[Problem] = []
    for names in grammars:
        found.extend(without(_problems(names, imports, options), options.ignore))
    if options.json:
        put(json.dumps([problem.as_dict() for problem in found], indent=2) + "\n")
    else:
        shared.put_problems(found, options.color)
    return 1 if has_errors(found) else 0


def _problems(
    names: Sequence[str], imports: tuple[RuleSet, ...], options: Namespace
) -> list[Problem]:
    """Return the problems of a grammar; say how many there would be if it were read leniently."""
    shipped = bundled_source(names[0]) if len(names) == 1 else None
    try:
        source, imports = shipped or (named_source(names), imports)
    except GrammarError as error:
        return error.problems
    source = replace(source, defines=options.defines, lenient=options.lenient)
    first_match, extra = options.first_match, options.extra
    found = lint_source(source, imports, options.start, first_match=first_match, extra=extra)
    found += last_line_problems(source)
    if not options.lenient and "-" not in names:
        if hint := hint_at_leniency(names, found):
            say(hint)
        if has_errors(found) and not names[0].lower().endswith(".abnf"):
            say(f"{names[0]}: the grammar within a draft or an RFC is for `abnf2lark check`")
    return found
