"""The sub-command ``diff``: what two rules match, and which texts tell them apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from abnf2lark.process import flag, put
from abnf2lark.reading.problems import InputError
from abnf2lark.subcommands.arguments import add_import, read_named

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from abnf2lark.automata import Comparison
    from abnf2lark.reading.ir import Grammar

NAME = "diff"
HELP = "tell whether two rules match the same texts, and what tells them apart"
DESCRIPTION = """\
Compare two rules by their automata: equal, subset, superset, overlapping or
disjoint, with a shortest text that only one of them matches. Exit codes: 0 they
are equal, 1 they differ, 2 they cannot be compared, as where one is recursive."""
EXAMPLES = """\
  abnf2lark diff mine.abnf:uri rfc3986:URI
  abnf2lark diff rfc2396:absoluteURI rfc3986:absolute-URI --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    for name in ("left", "right"):
        text = "a rule of a file, or of a bundled grammar such as rfc3986"
        parser.add_argument(name, metavar="FILE.abnf:RULE", help=text)
    add_import(parser)
    flag(parser, "--json", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Print the comparison; return 0 for equal rules and 1 for others."""
    found = compared(options.left, options.right, options.imports)
    if options.json:
        facts = {name: getattr(found, name) for name in ("only_left", "only_right", "both")}
        put(f"{json.dumps({'relation': found.relation, **facts}, indent=2)}\n")
    else:
        put("".join(f"{line}\n" for line in told(found, options.left, options.right)))
    return 0 if found.relation == "equal" else 1


def compared(left: str, right: str, imports: Sequence[str] = ()) -> Comparison:
    """Compare two rules, each named with its grammar as in ``rfc3986:URI``.

    Raises :class:`InputError` for what cannot be compared, :class:`GrammarError` for a grammar
    with errors.
    """
    from abnf2lark.automata import UndecidedError, compare_rules  # noqa: PLC0415 - with the others

    one, rule = _operand(left, imports)
    two, other = _operand(right, imports)
    try:
        return compare_rules(one, rule, two, other)
    except UndecidedError as error:
        raise InputError(str(error)) from None


def _operand(text: str, imports: Sequence[str]) -> tuple[Grammar, str]:
    from abnf2lark.reading.problems import no_rule  # noqa: PLC0415 - with the others

    name, colon, rule = text.rpartition(":")
    if not (name and colon and rule):
        raise InputError(f"{text}: name a grammar and a rule of it, as in rfc3986:URI")
    grammar = read_named(name, imports, [rule])
    found = grammar.find(rule)
    if found is None:
        raise InputError(f"{text}: {no_rule(rule, grammar)}")
    return grammar, found.name


def told(found: Comparison, left: str, right: str) -> list[str]:
    """Say in lines what two rules match, under the names that they were given by."""
    from abnf2lark.lark_grammars.components import abnf_text  # noqa: PLC0415 - with the others

    lines = {
        "equal": f"equal: {left} and {right} match the same texts",
        "subset": f"subset: all that {left} matches, {right} matches too",
        "superset": f"superset: all that {right} matches, {left} matches too",
        "overlapping": f"overlapping: {left} and {right} each match texts that the other does not",
        "disjoint": f"disjoint: no text matches both {left} and {right}",
    }
    made = [lines[found.relation]]
    if found.only_left is not None:
        made.append(f"  only {left} matches {abnf_text(found.only_left)}")
    if found.only_right is not None:
        made.append(f"  only {right} matches {abnf_text(found.only_right)}")
    if found.relation == "overlapping" and found.both is not None:
        made.append(f"  both match {abnf_text(found.both)}")
    return made
