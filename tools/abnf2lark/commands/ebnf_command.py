"""Write a grammar in the EBNF of the W3C, as tools for diagrams and
specifications of the W3C read it.

examples:
  abnf2lark ebnf my.abnf -o my.ebnf
  abnf2lark ebnf rfc3986 --start authority
"""

from argparse import ArgumentParser, Namespace

from abnf2lark.commands.shared import add_input, add_out, add_rules, output, read_grammar_of
from abnf2lark.ebnf import ebnf
from abnf2lark.problems import find_rules


def add_arguments(parser: ArgumentParser) -> None:
    add_input(parser)
    add_rules(parser, "--start", "write this rule and all that it leads to (default: every rule)")
    add_out(parser, "OUT.ebnf")


def run(options: Namespace) -> int:
    """Write the rules."""
    with output(options) as write:
        grammar = read_grammar_of(options, options.start)
        write(ebnf(grammar, find_rules(grammar, options.start, "--start")))
    return 0
