"""The sub-command ``railroad``: a grammar as railroad diagrams on one HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.subcommands.arguments import add_input, add_out, add_rules, output, read

if TYPE_CHECKING:
    import argparse

NAME = "railroad"
HELP = "draw the rules as railroad diagrams on one HTML page"
DESCRIPTION = """\
Draw rules as railroad diagrams, linked to each other, beside their ABNF: one
HTML page without scripts. Needs: pip install 'uriparse[diagrams]'"""
EXAMPLES = """\
  abnf2lark railroad my.abnf -o my.html
  abnf2lark railroad rfc3986 --rule authority -o authority.html"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input(parser)
    add_rules(parser, "--rule", "draw this rule and all that it leads to (default: every rule)")
    add_out(parser, "OUT.html")


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    from abnf2lark.diagrams import railroad_page  # noqa: PLC0415 - with the others
    from abnf2lark.reading.problems import find_rules  # noqa: PLC0415 - with the others

    with output(options, [*options.file, *options.imports]) as write:
        grammar = read(options, options.rule)
        write(railroad_page(grammar, find_rules(grammar, options.rule, "--rule")))
    return 0
