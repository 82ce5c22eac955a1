"""`uriparse compare`: whether URIs mean the same, and how far one must look to see it."""

import argparse
from collections.abc import Sequence

from uriparse.cli.arguments import add_texts, declare
from uriparse.cli.console import Console
from uriparse.cli.per_line import answer_each, read_option, shown
from uriparse.normalization import normalize
from uriparse.parsing import Record, parse
from uriparse.records.chunks import component_texts, normal_texts
from uriparse.schemes.equivalence import is_ruled, lowest_rung

NAME = "compare"
HELP = "print at which level URIs are equivalent, if any"
GROUP = "check"
EXAMPLES = (
    "uriparse compare http://h/~u http://h/%7Eu",
    "uriparse compare http://h/ < urls.txt",
)
EXITS = {0: "all mean the same as A", 1: "some are different, or invalid"}

DIFFERENT = "different"
OPTIONS = """
--base URI  the base of relative references
--ignore-fragment  ignore fragments
--json --show-passwords --grammar
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("uri", metavar="A", help="compare the others with this URI")
    add_texts(parser, "others", "B")
    declare(parser, OPTIONS)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the rung of each comparison; 1 if some were different or invalid."""
    base = None
    if args.base is not None:
        base = read_option("--base", args.base, args, console)
    first = read_option("A", args.uri, args, console, absolute=base is None)
    normal, different = str(normalize(first)), False
    is_plain = (
        base is None and args.grammar == "rfc3986" and not (args.ignore_fragment or args.json)
    )
    by_normal_form = is_plain and not is_ruled((first.scheme or "").lower())

    def answer(other: Record) -> tuple[str, dict[str, object]]:
        nonlocal different
        rung = lowest_rung(first, other, base=base, ignore_fragment=args.ignore_fragment)
        different = different or rung is None
        line = f"{rung or DIFFERENT:{len(DIFFERENT)}}  {shown(other, console)}"
        return line, {"equal": rung is not None, "rung": rung}

    def chunk(texts: Sequence[str]) -> list[str | None] | None:
        """Look closer at those alone that may be equivalent, or hold a password."""
        nonlocal different
        found = normal_texts(texts, by_scheme=True) if by_normal_form else None
        valid = component_texts(texts, ["scheme"], [""], "rfc3986")
        if found is None or valid is None:
            return None
        different = different or any(
            one != normal for one, scheme in zip(found, *valid[1], strict=True) if scheme
        )
        return [
            None if not scheme
            else answer(parse(text))[0] if one == normal or "@" in text
            else f"{DIFFERENT}  {text}"
            for text, scheme, one in zip(texts, *valid[1], found, strict=True)
        ]  # fmt: skip

    code = answer_each(args.others, args, console, answer, chunk, absolute=base is None)
    return 1 if different else code
