"""`uriparse match`: whether texts belong to a rule of any grammar."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from uriparse.cli.arguments import add_texts
from uriparse.errors import URIError
from uriparse.grammar import grammars, start_rule

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console
    from uriparse.conformance.membership import Membership, Verdict

NAME = "match"
HELP = "tell whether texts belong to a rule of a grammar, or of a file of ABNF"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "text", "TEXT")
    parser.add_argument(
        "--rule", help="default: the grammar's widest rule, such as URI-reference; a file's first"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--grammar", choices=grammars(), default="rfc3986")
    where.add_argument("--abnf", metavar="FILE", help="take the rule from a file of ABNF")
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        choices=grammars(),
        help="for --abnf: take rules that are not defined from this grammar",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Judge each text; 1 if some do not match."""
    membership = _membership(args)
    if membership.irregular:
        console.error(f"uriparse match: Lark judges by {membership.rule}: {membership.irregular}")
    code = 0
    for text in console.lines(args.text):
        verdict = membership.judge(text)
        if not verdict.matches:
            code = 1
        if args.json:
            facts = {"valid": verdict.matches, "rule": membership.rule, "offset": verdict.offset}
            console.json({**console.place, "text": console.shown(text), **facts})
        else:
            console.out(f"{_words(text, verdict, membership)}: {console.shown(text)}")
    return code


def _membership(args: argparse.Namespace) -> Membership:
    from uriparse.conformance.membership import shipped_membership, written_membership

    if args.abnf is None:
        return shipped_membership(args.rule or start_rule(args.grammar), args.grammar)
    try:
        text = Path(args.abnf).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a null in the name
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise URIError(f"{args.abnf}: {reason}") from None
    return written_membership(args.rule, text, args.abnf, args.imports)


def _words(text: str, verdict: Verdict, membership: Membership) -> str:
    """Say how a text was judged, and how far it goes where it does not match."""
    if verdict.matches:
        return membership.rule
    if verdict.offset is None:
        return f"no {membership.rule}"
    where = "ends too early" if verdict.offset == len(text) else f"stops at offset {verdict.offset}"
    return f"no {membership.rule}, {where}"
