"""`uriparse compare`: whether URIs mean the same, and how far one must look to see it."""

import argparse

from uriparse.cli.arguments import add_form, add_texts, flag
from uriparse.cli.console import Console
from uriparse.cli.per_line import add_grammar, answer_each, read_option, shown
from uriparse.parsing import Record
from uriparse.schemes.equivalence import lowest_rung

NAME = "compare"
HELP = "print at which level URIs are equivalent, if any"
GROUP = "check"
EXAMPLES = (
    "uriparse compare http://h/~u http://h/%7Eu",
    "uriparse compare http://h/ < urls.txt",
)
EXITS = {0: "all mean the same as A", 1: "some are different, or invalid"}

DIFFERENT = "different"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("uri", metavar="A", help="compare the others with this URI")
    add_texts(parser, "others", "B")
    parser.add_argument("--base", metavar="URI", help="the base of relative references")
    flag(parser, "--ignore-fragment", help="ignore fragments")
    add_form(parser)
    add_grammar(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the rung of each comparison; 1 if some were different or invalid."""
    base = None
    if args.base is not None:
        base = read_option("--base", args.base, args, console)
    first = read_option("A", args.uri, args, console, absolute=base is None)
    different = False

    def answer(other: Record) -> tuple[str, dict[str, object]]:
        nonlocal different
        rung = lowest_rung(first, other, base=base, ignore_fragment=args.ignore_fragment)
        different = different or rung is None
        line = f"{rung or DIFFERENT:{len(DIFFERENT)}}  {shown(other, console)}"
        return line, {"equal": rung is not None, "rung": rung}

    code = answer_each(args.others, args, console, answer, absolute=base is None)
    return 1 if different else code
