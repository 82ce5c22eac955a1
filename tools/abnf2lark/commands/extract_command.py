"""Find the rules in the plain text of an RFC: page breaks, running heads and feet
are removed, indentation is repaired, and comments name the lines of the text.
Then lint them. Lines that look like a rule but are not one, and repeated rules, are
reported on standard error, each with its line in the text.

examples:
  abnf2lark extract rfc8259.txt --out json.abnf
  abnf2lark extract rfc9110.txt --import rfc3986 --start Accept > http.abnf
"""

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from abnf2lark.checks import lint_source
from abnf2lark.commands.shared import START, add_import, add_out, add_rules, output
from abnf2lark.config import import_grammars, named_source
from abnf2lark.extraction import extract
from abnf2lark.problems import has_errors
from abnf2lark.process import flag, repeated, say


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="RFC.txt", help="a plain text, or - for standard input")
    add_import(parser)
    add_rules(parser, "--start", START)
    text = "take the rules of this section, by its number or title, and what they need of others"
    repeated(parser, "--section", metavar="SECTION", help=text)
    text = "which of several definitions of a rule counts (default: that of the grammar's section)"
    parser.add_argument("--prefer", choices=("first", "last"), help=text)
    flag(parser, "--lenient", help="also accept ::=, 'x', 1#x and other dialects")
    add_out(parser, "OUT.abnf")


def run(options: Namespace) -> int:
    """Write the rules; return 1 if there are errors."""
    with output(options) as write:
        imports = import_grammars(options.imports)
        document = replace(named_source(options.file), lenient=options.lenient)
        made = extract(document, imports, prefer=options.prefer, wanted=options.section)
        found = made.problems
        if made.origins:
            linted = lint_source(replace(document, text=made.text), imports, options.start)
            for problem in linted:
                if problem.code == "computed":
                    made.confirm(problem)
            found = [*found, *map(made.in_document, linted)]
        write(made.text)
    found.sort(key=lambda problem: (problem.position.line, problem.position.column))
    for problem in found:
        say(problem.show())
    return 1 if has_errors(found) else 0
