"""`uriparse match`: whether texts belong to a rule of any grammar."""

import argparse

from uriparse.cli.arguments import add_grammar, add_texts, declare, named_rule
from uriparse.cli.console import Console, on_one_line
from uriparse.cli.per_line import for_each
from uriparse.grammar import rule_name, rules

NAME = "match"
HELP = "say whether texts match a rule of an RFC's grammar"
GROUP = "grammars"
EXAMPLES = (
    "uriparse match --rule IPv6address ::1 1::2::3",
    "uriparse match --rule uri --grammar rfc2397 < urls.txt",
)
EXITS = {0: "all match", 1: "some do not"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "text", "TEXT")
    declare(parser, "--json")
    add_grammar(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Judge each text; 1 if some do not match."""
    from uriparse.grammar.automata import longest_prefix

    rule = rule_name(named_rule(args), args.grammar)

    def answer(text: str) -> bool:
        stop = longest_prefix(text, rule, args.grammar)
        is_end = stop.offset == len(text)
        matches = is_end and stop.may_end
        if args.json:
            facts = {"valid": matches, "rule": rule, "offset": stop.offset}
            console.json({**console.place, "text": console.shown(text), **facts})
        else:
            where = "ends too early" if is_end else f"stops at offset {stop.offset}"
            said = rule if matches else f"no {rule}, {where}"
            console.out(f"{said}: {on_one_line(console.shown(text))}")
        return matches

    code = for_each(args.text, console, answer)
    first = args.text[0]
    if code and args.rule is None and first.lower() in map(str.lower, rules(args.grammar)):
        console.error(f"help: {first} is also the name of a rule: --rule {first}")
    return code
