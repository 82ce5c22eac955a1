"""Derive texts of any rule, recursive or not: a JSON object a line, with the text
and whether it is valid. They soon use every alternative of the rule and of
those that it leads to: as long as one was never used, each text uses one.

examples:
  abnf2lark generate rfc3986 URI --count 1000 --invalid 20%
  abnf2lark generate my.abnf --seed 7 --size 200 -o texts.ndjson
  abnf2lark generate my.abnf word --all 3
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import islice

from abnf2lark.commands.shared import add_out, add_rule, output, read_grammar_of
from abnf2lark.library.grammar import Grammar
from abnf2lark.problems import InputError, Source
from abnf2lark.process import share, whole_number


def add_arguments(parser: ArgumentParser) -> None:
    add_rule(parser, is_needed=False)
    kind = whole_number
    parser.add_argument("--count", type=kind, metavar="N", help="how many texts (default: 10)")
    text = "which ones: the same seed gives the same texts (default: 0)"
    parser.add_argument("--seed", type=kind, default=0, metavar="N", help=text)
    text = "characters of a text at most, unless an alternative needs more (default: 40)"
    parser.add_argument("--size", type=kind, default=40, metavar="N", help=text)
    text = "how many of the texts are invalid: changed by one character (default: 0%%)"
    parser.add_argument("--invalid", type=share, default=0.0, metavar="P%", help=text)
    text = "instead: all texts of up to N characters, shorter ones first"
    parser.add_argument("--all", type=kind, metavar="N", help=text)
    add_out(parser, "OUT.ndjson")


def run(options: Namespace) -> int:
    """Write the texts."""
    if options.all is not None and options.invalid:
        raise InputError("--all lists the texts of the rule, none of which is invalid")
    with output(options) as write:
        wanted = [] if options.rule is None else [options.rule]
        grammar = Grammar(read_grammar_of(options, wanted), Source("", ""), ())
        if options.all is not None:
            every = grammar.generate_all(options.all, options.rule)
            texts: Iterator[tuple[str, bool]] = ((one, True) for one in every)
        else:
            texts = _mixed(grammar, options)
        count = 10 if options.count is None and options.all is None else options.count
        for text, valid in islice(texts, count):
            write(f"{json.dumps({'text': text, 'valid': valid})}\n")
    return 0


def _mixed(grammar: Grammar, options: Namespace) -> Iterator[tuple[str, bool]]:
    """Yield texts, each with whether it is valid; invalid ones are spread evenly."""
    seed, size, rule = options.seed, options.size, options.rule
    valid = grammar.generate(seed, size, rule)
    invalid = grammar.generate(seed, size, rule, invalid=True)
    due = 0.0
    while True:
        due += options.invalid
        if due >= 1:
            due -= 1
            yield next(invalid), False
        else:
            yield next(valid), True
