"""The sub-command ``extract``: the ABNF in the plain text of an RFC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.process import say
from abnf2lark.subcommands.arguments import add_import, add_out, add_rules, output

if TYPE_CHECKING:
    import argparse

NAME = "extract"
HELP = "find the ABNF in the plain text of an RFC"
DESCRIPTION = """\
Find the rules in the plain text of an RFC: page breaks, running heads and feet
are taken out, indentation is mended, and comments tell the lines of the text.
Then lint them. What looks like a rule and is none, and what comes twice, is
told on standard error, each with its line in the text."""
EXAMPLES = """\
  abnf2lark extract rfc8259.txt --out json.abnf
  abnf2lark extract rfc9110.txt --import rfc3986 --start Accept > http.abnf"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="RFC.txt", help="a plain text, or - for standard input")
    add_import(parser)
    add_rules(parser, "--start", "a rule to start with; what it does not lead to is reported")
    add_out(parser, "OUT.abnf")


def run(options: argparse.Namespace) -> int:
    """Write the rules; return 1 if there are errors."""
    from abnf2lark.checks import lint_source  # noqa: PLC0415 - needs abnf
    from abnf2lark.extraction import extract  # noqa: PLC0415 - needs abnf
    from abnf2lark.reading.config import import_grammars, named_source  # noqa: PLC0415 - same
    from abnf2lark.reading.problems import Source, has_errors  # noqa: PLC0415 - with the others

    with output(options, [options.file, *options.imports]) as write:
        imports = import_grammars(options.imports)
        document = named_source(options.file)
        made = extract(document.name, document.text, imports)
        found = made.problems
        if made.origins:
            linted = lint_source(Source(document.name, made.text), imports, options.start)
            found = [*found, *map(made.in_document, linted)]
        write(made.text)
    found.sort(key=lambda problem: (problem.position.line, problem.position.column))
    for problem in found:
        say(problem.show())
    return 1 if has_errors(found) else 0
