"""Draw rules as railroad diagrams, linked to each other, beside their ABNF: one
HTML page without scripts, or a file of SVG for each rule. Needs: pip install
'uriparse[diagrams]'

examples:
  abnf2lark railroad my.abnf -o my.html
  abnf2lark railroad rfc3986 --rule authority --svg -o diagrams/
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from abnf2lark.commands.shared import add_input, add_out, add_rules, output, read_grammar_of
from abnf2lark.diagrams import railroad_files, railroad_page
from abnf2lark.outputs import Outputs
from abnf2lark.problems import InputError, find_rules


def add_arguments(parser: ArgumentParser) -> None:
    add_input(parser)
    add_rules(parser, "--rule", "draw this rule and all that it leads to (default: every rule)")
    text = "write each rule to a file of its own in the folder of -o"
    parser.add_argument("--svg", action="store_true", help=text)
    add_out(parser, "OUT.html")


def run(options: Namespace) -> int:
    """Write the page, or the files."""
    if options.svg:
        return _files(options)
    with output(options) as write:
        grammar = read_grammar_of(options, options.rule)
        write(railroad_page(grammar, find_rules(grammar, options.rule, "--rule")))
    return 0


def _files(options: Namespace) -> int:
    if options.out in {None, "-"}:
        raise InputError("--svg writes a file for each rule: name their folder with -o")
    grammar = read_grammar_of(options, options.rule)
    wanted = find_rules(grammar, options.rule, "--rule")
    Path(options.out).mkdir(parents=True, exist_ok=True)
    with Outputs(force=options.force) as files:
        for name, text in railroad_files(grammar, wanted):
            files.text(str(Path(options.out, name))).write(text)
    return 0
