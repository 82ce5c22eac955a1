"""Write grammars as RFCs do: "=" in one column, alternatives below it, lines of at
most 69 columns but for comments, which stay. What is written means the same, or
nothing is written. Exit codes: 0 done, or nothing to change; 1 with --write or
--check: files are changed, or would be.

examples:
  abnf2lark format my.abnf > new.abnf
  abnf2lark format --write grammar/*.abnf
"""

import difflib
from argparse import ArgumentParser, Namespace

from abnf2lark.config import named_source
from abnf2lark.formatting import formatted
from abnf2lark.outputs import Outputs
from abnf2lark.process import put, say


def add_arguments(parser: ArgumentParser) -> None:
    text = "grammars; - for standard input"
    parser.add_argument("file", nargs="+", metavar="FILE.abnf", help=text)
    group = parser.add_mutually_exclusive_group()
    text = "replace the files, where it changes them"
    group.add_argument("--write", action="store_true", help=text)
    group.add_argument("--check", action="store_true", help="print a diff, and write nothing")


def run(options: Namespace) -> int:
    """Write grammars in the RFCs' style; return 1 if files are not, or were not, written so."""
    made = [(source, formatted(source)) for source in map(named_source, options.file)]
    changed = [(source, text) for source, text in made if source.text != text]
    if not (options.write or options.check):
        for _, text in made:
            put(text)
        return 0
    if options.write:
        with Outputs(force=True) as written:
            for source, text in changed:
                written.text(source.name).write(text)
    for source, text in changed:
        if options.write:
            say(f"{source.name}: written anew")
            continue
        pair = (source.text.splitlines(keepends=True), text.splitlines(keepends=True))
        put("".join(difflib.unified_diff(*pair, source.name, f"{source.name} (formatted)")))
    return 1 if changed else 0
