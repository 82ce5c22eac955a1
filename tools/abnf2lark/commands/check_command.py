"""Check documents: take the grammar out of the blocks of type "abnf" of Markdown
(```abnf, ~~~ abnf) and of XML (<sourcecode type="abnf">), or find it in plain
text; lint it; read it a second time by the package abnf and compare. Then hold
the document's examples to it: a block whose type is the name of a rule, whole or
each line, is to match that rule, and one of type !RULE is not. Exit codes: 0
nothing is wrong, 1 something is.

examples:
  abnf2lark check draft-example-00.md --import rfc3986
  abnf2lark check draft-http-00.md --lists --import rfc9110
  abnf2lark check --format sarif -o abnf.sarif draft-*.xml grammar/*.abnf
"""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from abnf2lark.checking import check
from abnf2lark.checks import without
from abnf2lark.commands import shared
from abnf2lark.config import import_grammars, named_source
from abnf2lark.problems import GrammarError, Problem, has_errors
from abnf2lark.process import flag, sarif
from abnf2lark.reading.scan import LISTS


def add_arguments(parser: ArgumentParser) -> None:
    text = "a document: Markdown (.md), the XML or the plain text of an RFC, or a grammar (.abnf)"
    parser.add_argument("file", nargs="+", metavar="FILE", help=text)
    shared.add_sources(parser)
    text = "read 1#x as the list of RFC 9110, section 5.6.1, and say so"
    flag(parser, "--lists", help=text)
    shared.add_scope(parser)
    text = "do not read the grammar a second time by the package abnf, which is slow"
    flag(parser, "--once", help=text)
    text = "how to write the problems (default: text)"
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text", help=text)
    shared.add_out(parser, "OUT")


def run(options: Namespace) -> int:
    """Write the problems of all documents; return 1 if there are errors."""
    without([], options.ignore)  # which refuses unknown codes, before anything is read
    imports = import_grammars(options.imports)
    found: list[Problem] = []
    lenient = options.lenient or (options.lists and LISTS)
    for name in options.file:
        try:
            source = replace(named_source(name), defines=options.defines, lenient=lenient)
            new = check(source, imports, options.start, twice=not options.once)
        except GrammarError as error:
            new = error.problems
        found += without(new, options.ignore)
    with shared.output(options) as write:
        if options.format == "text" and options.out in {None, "-"}:
            shared.put_problems(found, options.color)
        else:
            write(_written(found, options.format))
    return 1 if has_errors(found) else 0


def _written(found: list[Problem], form: str) -> str:
    if form == "text":
        return "".join(f"{problem.show()}\n" for problem in found)
    if form == "json":
        made: object = [problem.as_dict() for problem in found]
    else:
        rows = [
            (each.code, each.message, *each.source.place(each.position.line), each.position.column)
            for each in found
        ]
        made = sarif("abnf2lark", rows, [each.severity for each in found])
    return f"{json.dumps(made, indent=2)}\n"
