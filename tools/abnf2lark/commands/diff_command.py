"""Compare two rules by their automata: equal, subset, superset, overlapping or
disjoint, with a shortest text that only one of them matches. Of two grammars it
compares all rules: equal, renamed, wider (the second one matches more), narrower,
removed, added, or unknown: recursive or too large, and not written alike.
Exit codes: 0 they are equal, 1 they differ, 2 they cannot be compared.

examples:
  abnf2lark diff rfc2396 rfc3986
  abnf2lark diff mine.abnf:uri rfc3986:URI
  abnf2lark diff rfc2396:absoluteURI rfc3986:absolute-URI --json
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict

from abnf2lark.automata import Comparison, UndecidedError, compare_grammars, compare_rules
from abnf2lark.commands.shared import add_import, read_named
from abnf2lark.ir import RuleSet, abnf_text
from abnf2lark.problems import GrammarError, InputError, no_rule
from abnf2lark.process import flag, put, say


def add_arguments(parser: ArgumentParser) -> None:
    for name in ("left", "right"):
        text = "a rule of a file, or of a bundled grammar such as rfc3986; or all its rules"
        parser.add_argument(name, metavar="FILE.abnf[:RULE]", help=text)
    add_import(parser)
    flag(parser, "--json", help="print one JSON object")


def run(options: Namespace) -> int:
    """Print the comparison; return 0 for equal rules, 1 for others, 2 if one does not load."""
    try:
        return (_diff_two if ":" in options.left + options.right else _diff_all)(options)
    except GrammarError as error:
        say(str(error))
        return 2
    except UndecidedError as error:
        raise InputError(str(error)) from None


def _diff_two(options: Namespace) -> int:
    """Print how two rules are related; return 0 if they are equal."""
    left, right = (_operand(one, options.imports) for one in (options.left, options.right))
    found = compare_rules(*left, *right)
    if options.json:
        facts = {name: getattr(found, name) for name in ("only_left", "only_right", "both")}
        put(f"{json.dumps({'relation': found.relation, **facts}, indent=2)}\n")
    else:
        put("".join(f"{line}\n" for line in _relation(found, options.left, options.right)))
    return 0 if found.relation == "equal" else 1


def _diff_all(options: Namespace) -> int:
    """Print what became of each rule; return 0 if all are equal."""
    names = (options.left, options.right)
    found = compare_grammars(*(read_named(name, options.imports, []) for name in names))
    if options.json:
        put(f"{json.dumps([asdict(one) for one in found], indent=2)}\n")
    for one in () if options.json else found:
        shown = " -> ".join(dict.fromkeys(name for name in (one.left, one.right) if name))
        texts = zip(names, (one.only_left, one.only_right), strict=True)
        only = [
            f"only {name} matches {abnf_text(text)}" for name, text in texts if text is not None
        ]
        put(f"{one.relation:<11} {shown:<20} {', '.join(only)}".rstrip() + "\n")
    return 0 if all(one.relation == "equal" for one in found) else 1


def _operand(text: str, imports: Sequence[str]) -> tuple[RuleSet, str]:
    name, colon, rule = text.rpartition(":")
    if not (name and colon and rule):
        raise InputError(f"{text}: name a grammar and a rule of it, as in rfc3986:URI")
    grammar = read_named(name, imports, [rule])
    found = grammar.find(rule)
    if found is None:
        raise InputError(f"{text}: {no_rule(rule, grammar)}")
    return grammar, found.name


def _relation(found: Comparison, left: str, right: str) -> list[str]:
    """Return lines on what two rules match, under the names that they were given by."""
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
