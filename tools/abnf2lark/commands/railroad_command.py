"""Draw rules as railroad diagrams, linked to each other, beside their ABNF: one
HTML page without scripts. Needs: pip install 'uriparse[diagrams]'

examples:
  abnf2lark railroad my.abnf -o my.html
  abnf2lark railroad rfc3986 --rule authority -o authority.html
"""

from argparse import ArgumentParser, Namespace

from abnf2lark.commands.shared import add_input, add_out, add_rules, output, read_grammar_of
from abnf2lark.diagrams import railroad_page
from abnf2lark.problems import find_rules


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_input(parser)
    add_rules(parser, "--rule", "draw this rule and all that it leads to (default: every rule)")
    add_out(parser, "OUT.html")


def run(options: Namespace) -> int:
    """Write the page."""
    with output(options) as write:
        grammar = read_grammar_of(options, options.rule)
        write(railroad_page(grammar, find_rules(grammar, options.rule, "--rule")))
    return 0
