"""`uriparse compare`: whether URIs mean the same, and how far one must look to see it."""

import argparse
from collections.abc import Sequence

from uriparse.cli.arguments import add_form, add_texts, flag
from uriparse.cli.console import Console
from uriparse.cli.per_line import add_grammar, answer_each, read_option, shown
from uriparse.normalization import normalize
from uriparse.parsing import Record, parse
from uriparse.records.chunks import component_texts, normal_texts
from uriparse.schemes.equivalence import LEVELS, Level, is_ruled, lowest_rung

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
    known = (str(first), str(normalize(first, "syntax")), str(normalize(first, "scheme")))
    is_plain = base is None and args.grammar == "rfc3986"
    is_plain = is_plain and not (args.ignore_fragment or args.json)
    is_plain = is_plain and not is_ruled((first.scheme or "").lower())
    different = False

    def answer(other: Record) -> tuple[str, dict[str, object]]:
        nonlocal different
        rung = lowest_rung(first, other, base=base, ignore_fragment=args.ignore_fragment)
        different = different or rung is None
        return line(rung, str(shown(other, console))), {"equal": rung is not None, "rung": rung}

    def line(rung: Level | None, text: str) -> str:
        return f"{rung or DIFFERENT:{len(DIFFERENT)}}  {text}"

    def chunk(texts: Sequence[str]) -> list[str | None] | None:
        nonlocal different
        if not is_plain:
            return None
        split = component_texts(texts, ["scheme"], [""], "rfc3986")
        by_syntax = normal_texts(texts, by_scheme=False)
        by_scheme = normal_texts(texts, by_scheme=True)
        if split is None or by_syntax is None or by_scheme is None:
            return None
        rows: list[str | None] = []
        for text, scheme, *forms in zip(texts, *split[1], by_syntax, by_scheme, strict=True):
            if not scheme:
                rows.append(None)
            elif "@" in text and not console.secrets:  # which may be masked
                rows.append(answer(parse(text))[0])
            elif forms[-1] != known[-1]:  # what is equal on a level is so on each higher one
                different = True
                rows.append(line(None, text))
            else:
                levels = zip(LEVELS, (text, *forms), known, strict=True)
                rows.append(line(next(level for level, a, b in levels if a == b), text))
        return rows

    code = answer_each(args.others, args, console, answer, chunk, absolute=base is None)
    return 1 if different else code
