"""The command `pattern`."""

from argparse import ArgumentParser, Namespace

from abnf2lark.commands.shared import add_rule, add_rules, read_grammar_of
from abnf2lark.patterns.emit_pattern import flavour_named
from abnf2lark.patterns.rule_expression import NoExpressionError, proved_matcher
from abnf2lark.problems import find_rules
from abnf2lark.process import put, say


def add_arguments(parser: ArgumentParser) -> None:
    add_rule(parser)
    text = "of which engine: python (default), re2, rust, java, ecmascript, pcre2 or postgresql"
    parser.add_argument("--flavour", default="python", metavar="NAME", help=text)
    text = "a rule whose text is captured in a named group (python alone)"
    add_rules(parser, "--capture", text)


def run(options: Namespace) -> int:
    """Print the expression; return 1 if there is none."""
    flavour = flavour_named(options.flavour, "--flavour")
    grammar = read_grammar_of(options, [options.rule, *options.capture])
    (rule,) = find_rules(grammar, [options.rule], "RULE")
    captured = find_rules(grammar, options.capture, "--capture")
    try:
        made = proved_matcher(grammar, rule, captured, flavour)
    except NoExpressionError as error:
        say(f"abnf2lark: {error}")
        return 1
    put(made.pattern + "\n")
    lost = [name for name in captured if name not in made.captures]
    if lost:
        say(f"not captured, since a group would occur twice or not at all: {', '.join(lost)}")
    return 0
